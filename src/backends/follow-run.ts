/**
 * Lets the interpreter do what a backend says the threads did. The two do not have the same steps: the sequential
 * program has labels where the analysis of C to C saw a need, the interpreter may be interrupted at more places. So for
 * each thread the labels that it passes are followed through the source (labelled-statements.ts): a thread is
 * interrupted when it comes to the statement of the label at which the backend interrupted it. Values are drawn as the
 * backend drew them (run-inputs.ts).
 *
 * The follower has no authority: whether something is violated, and what, the interpreter alone decides. When it comes
 * to nothing, small changes of the interruptions may be tried (`changes`).
 */

import type { CheckName } from '../program/code.ts';
import { isWeak, type MemoryModel } from '../program/memory-model.ts';
import type { SequentializedThread } from '../sequentialize/sequentialize.ts';
import { addSegment, type CountedRun, type CountedSegment } from '../trace/counted-run.ts';
import type { CompiledProgram } from '../trace/interpreter/compile-instructions.ts';
import { runIntoDeadlock } from '../trace/interpreter/deadlock.ts';
import { frameKey } from '../trace/interpreter/frames.ts';
import { Machine } from '../trace/interpreter/machine.ts';
import type { InputSource, Thread } from '../trace/interpreter/state.ts';
import { TraceRecorder } from '../trace/record-trace.ts';
import { StoreFollower } from './follow-stores.ts';
import { instructionId, type LabelFits, UNFIT } from './labelled-statements.ts';
import type { BackendRun, RunSegment } from './read-run.ts';
import { createRunInputs } from './run-inputs.ts';
import type { BoundWatch } from './watch-bound.ts';

export interface FollowOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly instructionLimit: number;
  readonly memoryModel: MemoryModel;
  /** The threads of the sequential program. */
  readonly threads: readonly SequentializedThread[];
  /** For a run that goes beyond an unwinding bound: going there is its violation. */
  readonly watch: BoundWatch | null;
}

export interface Followed {
  readonly machine: Machine;
  /** What was run, so that it can be run again. */
  readonly run: CountedRun;
  /** By segment: how many steps the interpreter made. */
  readonly steps: readonly number[];
  readonly recorder: TraceRecorder;
}

/** `changes` says of some segments how many steps they have, whatever the labels say. */
export function followRun(
  program: CompiledProgram,
  run: BackendRun,
  fits: readonly (readonly LabelFits[])[],
  options: FollowOptions,
  changes: ReadonlyMap<number, number> = new Map(),
): Followed {
  const follower = new Follower(program, run, fits, options);
  const steps = run.segments.map((segment, at) => {
    follower.stores?.arriveBefore(at);
    return follower.segment(segment, at, changes.get(at) ?? null);
  });
  const { machine, recorder, segments, inputs } = follower;
  const deadlock = run.deadlock?.map((thread) => run.created.indexOf(thread)).filter((id) => id >= 0);
  if (deadlock) runIntoDeadlock(machine, deadlock, options.instructionLimit);
  if (run.race) follower.race(run.race.map((thread) => run.created.indexOf(thread)));
  return { machine, run: { segments, inputs, ...(deadlock && { deadlock }) }, steps, recorder };
}

class Follower {
  readonly machine: Machine;
  readonly recorder: TraceRecorder;
  readonly segments: CountedSegment[] = [];
  readonly stores: StoreFollower | null;
  /** As `CountedRun` names them. */
  readonly inputs = new Map<string, bigint | number>();
  readonly #run: BackendRun;
  readonly #fits: readonly (readonly LabelFits[])[];
  readonly #limit: number;
  readonly #watch: BoundWatch | null;

  constructor(
    program: CompiledProgram,
    run: BackendRun,
    fits: readonly (readonly LabelFits[])[],
    { checks, instructionLimit, watch, memoryModel, threads }: FollowOptions,
  ) {
    this.#run = run;
    this.#fits = fits;
    this.#limit = instructionLimit;
    this.#watch = watch;
    const given = createRunInputs(run, program.code, () => this.machine);
    this.machine = new Machine(program, { checks, inputs: this.#noted(given), nameRegions: true, memoryModel });
    this.recorder = new TraceRecorder(this.machine);
    const { sources } = program.code;
    this.stores = isWeak(memoryModel) ? new StoreFollower(this.machine, run, threads, sources, this.segments) : null;
  }

  /** The same inputs, written down by name. */
  #noted(given: InputSource): InputSource {
    return {
      nondet: (request) => {
        const { frame } = request.thread;
        const value = given.nondet(request);
        this.inputs.set(`${request.thread.id}:${frameKey(frame, frame.pc - 1)}`, value);
        return value;
      },
      byte: (region, offset) => {
        const value = given.byte(region, offset);
        this.inputs.set(`${region.thread}:${region.creator}+${offset}`, value);
        return value;
      },
    };
  }

  /** Runs one segment, or so many steps of its thread; returns how many there were. */
  segment(segment: RunSegment, at: number, wanted: number | null): number {
    const thread = this.machine.threads[this.#run.created.indexOf(segment.thread)];
    if (!thread || !this.machine.canRun(thread)) return 0;
    const isLast = at === this.#run.segments.length - 1 && !this.#run.deadlock && !this.#run.race;
    if (segment.labels.length === 0 && wanted === null && !isLast) return 0;
    const guide = new Guide(segment, at, this.#run, this.#fits[segment.thread] ?? []);
    let made = 0;
    while (this.machine.status === 'running' && this.machine.instructions < this.#limit) {
      if (wanted !== null && made >= wanted) break;
      if (!isLast && endsProgram(thread)) break;
      if (this.#isAtBoundary() && wanted === null && guide.stopsAt(thread)) break;
      if (this.#watch?.(thread, this.machine.threads.length)) this.#goBeyond(thread);
      const isStep = this.machine.status === 'running' && this.#advance(thread);
      if (isStep) made++;
      if (thread.status !== 'ready') break;
    }
    return made;
  }

  /** Each of the threads makes the access that it stands before; the machine sees whether they race. */
  race(threads: readonly number[]): void {
    for (let turn = 0; turn < MOST_TURNS && this.machine.status === 'running'; turn++) {
      for (const id of threads) {
        const thread = this.machine.threads[id];
        while (thread && this.machine.status === 'running' && this.machine.canRun(thread)) {
          if (endsProgram(thread) || this.machine.instructions > this.#limit || this.#advance(thread)) break;
        }
      }
    }
  }

  #goBeyond({ frame }: Thread): void {
    const instruction = frame.function.source.instructions[frame.pc];
    if (instruction) this.machine.violate('unwinding', this.#run.failure.message, frame, instruction);
  }

  #isAtBoundary(): boolean {
    return this.machine.atomicDepth === 0;
  }

  /** One instruction; true when it completes a step, as Machine.step counts them. */
  #advance(thread: Thread): boolean {
    const { machine } = this;
    const { frame, buffer } = thread;
    const isVisible = frame.function.visible[frame.pc] === 1 || machine.atomicDepth > 0;
    const newest = buffer.at(-1);
    machine.stepInstruction(thread);
    if (thread.status === 'blocked') return false;
    const isStep =
      (isVisible && machine.atomicDepth === 0 && machine.threads.length > 1) || machine.status !== 'running';
    if (isStep) addSegment(this.segments, { thread: thread.id, steps: 1, ...(this.stores && { holds: true }) });
    if (thread.buffer.length > 0 && thread.buffer.at(-1) !== newest) this.stores?.made(thread);
    return isStep;
  }
}

/** The end of main ends the program: nobody could go on after it. */
function endsProgram({ id, frame }: Thread): boolean {
  return id === 0 && frame.parent === null && frame.function.source.instructions[frame.pc]?.kind === 'return';
}

/**
 * Says when a thread has come to the end of its segment. The statements of a segment may come in another order: C
 * leaves open in which order operands are evaluated.
 */
class Guide {
  /** The statements of the segment that are still to come. */
  readonly #labels: LabelFits[];
  /** The statements that come after the segment. */
  readonly #later: readonly LabelFits[];

  constructor(segment: RunSegment, at: number, run: BackendRun, fits: readonly LabelFits[]) {
    const fitsOf = (label: number) => fits[label] ?? UNFIT;
    this.#labels = segment.labels.map(fitsOf).filter(({ ids }) => ids.size > 0);
    const next = run.segments
      .slice(at + 1)
      .find(({ thread, labels }) => thread === segment.thread && labels.length > 0);
    const later = segment.stop === null ? [] : [segment.stop, ...(next?.labels.slice(0, LOOK_AHEAD) ?? [])];
    this.#later = later.map(fitsOf);
  }

  /** Whether the instruction that comes next does not belong to the segment any more; ticks it off otherwise. */
  stopsAt({ frame }: Thread): boolean {
    const id = instructionId(frame.function.source.id, frame.pc);
    const at = this.#labels.findIndex(({ ids }) => ids.has(id));
    if (at < 0) return this.#later.some(({ ids, isCut }) => ids.has(id) && (!isCut || this.#labels.length === 0));
    this.#labels.splice(at, 1);
    return false;
  }
}

const LOOK_AHEAD = 3;
/** How often threads that race take a step: what they stand before may be the second half of an access. */
const MOST_TURNS = 3;
