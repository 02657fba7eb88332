/**
 * Runs by numbers: which thread makes how many visible steps, in which order. Unlike a schedule by names (replay.ts)
 * such a run can be changed and tried again, which is how a counterexample is made short. Inputs are by name, so that
 * they stay with their instruction when the order changes.
 */

import type { CheckName } from '../program/code.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import { runIntoDeadlock } from './interpreter/deadlock.ts';
import { frameKey } from './interpreter/frames.ts';
import { Machine } from './interpreter/machine.ts';
import type { Memory } from './interpreter/memory.ts';
import type { InputSource } from './interpreter/state.ts';
import { TraceRecorder } from './record-trace.ts';

export interface CountedSegment {
  readonly thread: number;
  readonly steps: number;
  /** Under a weak memory model: what the thread stores in these steps stays in its buffer. */
  readonly holds?: boolean;
  /** Instead of steps: pending stores of the thread reach memory, by their places in its buffer. */
  readonly commits?: readonly number[];
}

/** Names as in `Schedule.inputs`. */
export type NamedInputs = ReadonlyMap<string, bigint | number>;

export interface CountedRun {
  readonly segments: readonly CountedSegment[];
  readonly inputs: NamedInputs;
  /** After the segments these threads go on until they wait or end. */
  readonly deadlock?: readonly number[];
}

export interface CountedRunOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly instructionLimit: number;
  readonly threadLimit?: number;
  readonly memoryModel?: MemoryModel | undefined;
  /** As for machines. */
  readonly reusedMemory?: Memory;
}

export interface CountedRunResult {
  readonly machine: Machine;
  /** What was really run of them: shorter when a thread waited or the violation came early. */
  readonly segments: readonly CountedSegment[];
  readonly recorder: TraceRecorder | null;
}

/** Values by name, 0 for those that have none. */
export function namedInputs(inputs: NamedInputs): InputSource {
  return {
    nondet: ({ thread }) => {
      const { frame } = thread;
      return inputs.get(`${thread.id}:${frameKey(frame, frame.pc - 1)}`) ?? 0;
    },
    byte: (region, offset) => Number(inputs.get(`${region.thread}:${region.creator}+${offset}`) ?? 0),
  };
}

/** Carries out a run; a segment ends early when its thread cannot go on. */
export function runCounted(
  program: CompiledProgram,
  run: CountedRun,
  options: CountedRunOptions,
  isRecorded: boolean,
): CountedRunResult {
  const machine = new Machine(program, {
    checks: options.checks,
    inputs: namedInputs(run.inputs),
    nameRegions: true,
    memoryModel: options.memoryModel,
    ...(options.reusedMemory && { reusedMemory: options.reusedMemory }),
    ...(options.threadLimit === undefined ? {} : { threadLimit: options.threadLimit }),
  });
  const recorder = isRecorded ? new TraceRecorder(machine) : null;
  const segments: CountedSegment[] = [];
  for (const { thread: id, steps, holds = false, commits } of run.segments) {
    const thread = machine.threads[id];
    if (machine.status !== 'running' || machine.instructions > options.instructionLimit) break;
    if (!thread) continue;
    if (commits) {
      for (const at of commits) {
        if (at >= thread.buffer.length) continue;
        machine.buffers?.commit(thread, at);
        addSegment(segments, { thread: id, steps: 0, commits: [at] });
      }
      continue;
    }
    if (machine.buffers) machine.buffers.holds = holds;
    let made = 0;
    while (made < steps && machine.canRun(thread)) {
      const { frame } = thread;
      const { pc } = frame;
      if (!machine.step(thread, options.instructionLimit)) break;
      // A thread that comes to wait has had an effect if it went on before: variables may have ended.
      const isWaiting = thread.status === 'blocked';
      if (!isWaiting || thread.frame !== frame || frame.pc !== pc) made++;
      if (isWaiting) break;
    }
    if (made > 0) addSegment(segments, { thread: id, steps: made, ...(holds && { holds }) });
  }
  if (run.deadlock) runIntoDeadlock(machine, run.deadlock, options.instructionLimit);
  return { machine, segments, recorder };
}

/** Appends a segment, joined with the last one if that is of the same thread and kind. */
export function addSegment(segments: CountedSegment[], segment: CountedSegment): void {
  const last = segments[segments.length - 1];
  const isSame = last?.thread === segment.thread && last.holds === segment.holds && !last.commits === !segment.commits;
  if (!isSame) segments.push(segment);
  else if (segment.commits) {
    segments[segments.length - 1] = { ...last, commits: [...(last.commits ?? []), ...segment.commits] };
  } else segments[segments.length - 1] = { ...last, steps: last.steps + segment.steps };
}
