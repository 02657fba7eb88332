/**
 * Replays a schedule: which thread carries out which steps in which order, with which inputs. The symbolic engine names
 * each step by the instance of its instruction (program/instance-key.ts); everything between two named steps of a
 * thread concerns no other thread and runs along with the next named one. What does not come out as the schedule says
 * is a mismatch: a fault of ours, never a verdict.
 */

import type { CheckName } from '../program/code.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import { addSegment, type CountedRun, type CountedSegment, namedInputs } from './counted-run.ts';
import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import { runIntoDeadlock } from './interpreter/deadlock.ts';
import { Machine } from './interpreter/machine.ts';
import type { Thread, Violation } from './interpreter/state.ts';
import { TraceRecorder } from './record-trace.ts';
import type { Trace } from './trace.ts';

export interface Schedule {
  /**
   * Each lets one thread carry out the steps with these keys, in order. In the last one the thread goes on to the
   * violation, unless that is a deadlock.
   */
  readonly segments: readonly Segment[];
  /**
   * Values of nondet instructions by `thread:key`; of bytes of memory that is read before it is written, by
   * `thread:key+offset`, where the key is that of the instruction that created the object (for static objects: its
   * name). What is missing is 0. A bigint for a floating-point value is its bit pattern.
   */
  readonly inputs: ReadonlyMap<string, bigint | number>;
  /**
   * Some input is a number that the engine took for the address of an object. The interpreter may have the object
   * elsewhere.
   */
  readonly guessesAddress?: boolean;
  /** The run ends in a deadlock: after the last segment each of these threads goes on until it waits or ends. */
  readonly deadlock?: readonly number[];
}

export interface Segment {
  readonly thread: number;
  /** A whole atomic section is one step, by the key of any instruction in it. */
  readonly steps: readonly string[];
  /** Instead of steps: the thread goes on until it stands before the step with this key, which is of one access. */
  readonly upTo?: string;
  /** Instead of steps: pending stores of the thread reach memory, by the keys of the stores, one after the other. */
  readonly commits?: readonly string[];
}

export interface ReplayOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly instructionLimit?: number;
  readonly threadLimit?: number;
  /** Under a weak one, what is stored stays in the buffer until the schedule says otherwise. */
  readonly memoryModel?: MemoryModel | undefined;
  /** What the schedule is expected to violate; without it, any violation will do. */
  readonly expected?: Pick<Violation, 'check' | 'loc'>;
}

export type Replayed =
  | {
      readonly kind: 'violated';
      readonly violation: Violation;
      readonly trace: Trace;
      /** The same run by numbers, which can be made shorter (minimise.ts). */
      readonly run: CountedRun;
    }
  | { readonly kind: 'mismatch'; readonly message: string };

const DEFAULT_INSTRUCTION_LIMIT = 50_000_000;

/** Replays a schedule on a program. */
export function replayCompiled(program: CompiledProgram, schedule: Schedule, options: ReplayOptions): Replayed {
  const machine = new Machine(program, {
    checks: options.checks,
    inputs: namedInputs(schedule.inputs),
    nameRegions: true,
    memoryModel: options.memoryModel,
    ...(options.threadLimit === undefined ? {} : { threadLimit: options.threadLimit }),
  });
  const recorder = new TraceRecorder(machine);
  const run = new ReplayRun(machine, options.instructionLimit ?? DEFAULT_INSTRUCTION_LIMIT);
  const last = schedule.deadlock ? -1 : schedule.segments.length - 1;
  for (const [index, segment] of schedule.segments.entries()) {
    const message = run.segment(segment, index === last);
    if (machine.status !== 'running') break;
    if (message !== null) return { kind: 'mismatch', message: `segment ${index}: ${message}` };
  }
  const { inputs, deadlock } = schedule;
  if (deadlock) run.intoDeadlock(deadlock);
  return judge(machine, recorder, { segments: run.segments, inputs, ...(deadlock && { deadlock }) }, options);
}

function judge(machine: Machine, recorder: TraceRecorder, run: CountedRun, options: ReplayOptions): Replayed {
  const { violation, status } = machine;
  if (!violation) {
    const why = status === 'gave-up' ? `the interpreter gave up: ${machine.reason}` : `the run is ${status}`;
    return { kind: 'mismatch', message: `no violation: ${why}` };
  }
  const { expected } = options;
  if (expected && (expected.check !== violation.check || expected.loc !== violation.loc)) {
    return { kind: 'mismatch', message: `another violation: ${violation.check}: ${violation.message}` };
  }
  return { kind: 'violated', violation, trace: recorder.finish(), run };
}

class ReplayRun {
  /** The visible steps made so far, as Machine.step would count them. */
  readonly segments: CountedSegment[] = [];
  readonly #machine: Machine;
  readonly #limit: number;

  constructor(machine: Machine, limit: number) {
    this.#machine = machine;
    this.#limit = limit;
  }

  /** Runs one segment; returns what does not fit, or null. */
  segment(segment: Segment, isLast: boolean): string | null {
    const missing = this.#createThread(segment.thread);
    if (missing !== null) return missing;
    const thread = this.#machine.thread(segment.thread);
    for (const store of segment.commits ?? []) {
      const message = this.#commit(thread, store);
      if (message !== null) return message;
    }
    if (segment.upTo !== undefined) {
      const message = this.#runUpTo(thread, segment.upTo);
      if (message !== null) return message;
    }
    for (const step of segment.steps) {
      const message = this.#runThrough(thread, step);
      if (message !== null || this.#machine.status !== 'running') return message;
    }
    return isLast ? this.#runToViolation(thread) : null;
  }

  #commit(thread: Thread, store: string): string | null {
    const at = thread.buffer.findIndex(({ key }) => key === store);
    if (at < 0) return `thread ${thread.id} has no pending store of ${store}`;
    this.#machine.buffers?.commit(thread, at);
    addSegment(this.segments, { thread: thread.id, steps: 0, commits: [at] });
    return null;
  }

  /** Each of the threads goes on until it waits. */
  intoDeadlock(threads: readonly number[]): void {
    runIntoDeadlock(this.#machine, threads, this.#limit);
  }

  #addStep(thread: number): void {
    addSegment(this.segments, { thread, steps: 1, ...(this.#machine.buffers && { holds: true }) });
  }

  /** A thread whose creation is no step of its own: its creator is the one who goes on. */
  #createThread(id: number): string | null {
    const machine = this.#machine;
    while (!machine.threads[id]) {
      const creator = machine.threads.find((thread) => machine.canRun(thread));
      if (!creator) return `thread ${id} does not exist`;
      const message = this.#advance(creator);
      if (message !== null) return message;
    }
    return null;
  }

  /** Runs until the step with this key has been carried out, with the whole atomic section around it. */
  #runThrough(thread: Thread, step: string): string | null {
    const machine = this.#machine;
    const pc = pcOf(step);
    let found = false;
    while (machine.status === 'running' && !(found && machine.atomicDepth === 0)) {
      if (!found && thread.frame.pc === pc) {
        found = machine.instanceKey(thread) === step;
        // Nothing that others notice but the end of a variable, before the thread comes to wait.
        if (found && !this.#isVisible(thread)) this.#addStep(thread.id);
      }
      const message = this.#advance(thread);
      // The step that was looked for may be the thread's last.
      if (found && thread.status === 'finished') return null;
      if (message !== null) return `${message}, looking for ${step}`;
    }
    return null;
  }

  #runUpTo(thread: Thread, step: string): string | null {
    const pc = pcOf(step);
    const isThere = () => thread.frame.pc === pc && this.#machine.instanceKey(thread) === step;
    while (this.#machine.status === 'running' && !isThere()) {
      const message = this.#advance(thread);
      if (message !== null) return `${message}, on the way to ${step}`;
    }
    return null;
  }

  #runToViolation(thread: Thread): string | null {
    while (this.#machine.status === 'running') {
      const message = this.#advance(thread);
      if (message !== null) return message;
    }
    return null;
  }

  #advance(thread: Thread): string | null {
    const machine = this.#machine;
    const isVisible = this.#isVisible(thread);
    machine.stepInstruction(thread);
    const isStep = isVisible && machine.atomicDepth === 0 && machine.threads.length > 1;
    if (isStep || machine.status !== 'running') this.#addStep(thread.id);
    if (thread.status === 'blocked') return `thread ${thread.id} is blocked at ${machine.instanceKey(thread)}`;
    if (thread.status === 'stuck')
      return `thread ${thread.id} fails an assumption before ${machine.instanceKey(thread)}`;
    if (thread.status === 'finished' && machine.status === 'running') return `thread ${thread.id} has ended`;
    return machine.instructions > this.#limit ? 'too many instructions' : null;
  }

  #isVisible({ frame }: Thread): boolean {
    return frame.function.visible[frame.pc] === 1 || this.#machine.atomicDepth > 0;
  }
}

/** Of the instruction whose instance the key names. */
function pcOf(step: string): number {
  return Number(/@(\d+)(?:\[[^\]]*\])?$/.exec(step)?.[1] ?? -1);
}
