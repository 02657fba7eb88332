/**
 * Repeats a run of millions of instructions and tells of its beginning and its end only: nobody reads what lies
 * between, and recording it would take more time and memory than there is. The whole run is made all the same, and
 * ends in the violation or is no counterexample.
 */

import type { CheckName } from '../program/code.ts';
import { type CountedRun, namedInputs } from './counted-run.ts';
import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import { Machine } from './interpreter/machine.ts';
import { TraceRecorder } from './record-trace.ts';
import type { Trace } from './trace.ts';

export interface LongRun extends CountedRun {
  /** How many it takes. */
  readonly instructions: number;
  readonly threadLimit: number;
}

/** Instructions that are told of. */
const SHOWN_FIRST = 400;
const SHOWN_LAST = 2_000;

/** Null when the run does not end in a violation. */
export function replayLong(program: CompiledProgram, run: LongRun, checks: ReadonlySet<CheckName>): Trace | null {
  const machine: Machine = new Machine(program, {
    checks,
    inputs: namedInputs(run.inputs, () => machine),
    nameRegions: true,
    threadLimit: run.threadLimit,
  });
  const recorder = new TraceRecorder(machine);
  const record = machine.recorder;
  const end = run.instructions - SHOWN_LAST;
  for (const { thread: id, steps } of run.segments) {
    const thread = machine.threads[id];
    if (!thread) return null;
    for (let made = 0; made < steps && machine.canRun(thread); ) {
      const at = machine.instructions;
      const isHidden = at >= SHOWN_FIRST && at < end;
      machine.recorder = isHidden ? null : record;
      const next = isHidden ? end : at < SHOWN_FIRST && end > SHOWN_FIRST ? SHOWN_FIRST : run.instructions + 1;
      if (!machine.step(thread, Math.max(1, next - at))) {
        if (machine.instructions > run.instructions) return null;
        continue;
      }
      if (thread.status === 'blocked') break;
      made++;
    }
  }
  if (!machine.violation) return null;
  machine.recorder = record;
  const trace = recorder.finish();
  const hidden = Math.max(0, end - SHOWN_FIRST);
  return hidden > 0 ? { ...trace, hiddenInstructions: hidden } : trace;
}
