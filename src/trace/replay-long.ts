/**
 * Repeats a run of millions of instructions and tells of its beginning, its end and its context switches only: nobody
 * reads what lies between, and recording it would take more time and memory than there is. The whole run is made all
 * the same, and ends in the violation or is no counterexample.
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
/** Visible steps that are told of before and after a context switch, and instructions of each that are. */
const SHOWN_AT_SWITCH = 12;
const SHOWN_OF_STEP = 200;
/** Of more switches than twice as many, the first and the last ones are told. */
const MOST_SWITCHES = 20;

/** Null when the run does not end in a violation. */
export function replayLong(program: CompiledProgram, run: LongRun, checks: ReadonlySet<CheckName>): Trace | null {
  const machine = new Machine(program, {
    checks,
    inputs: namedInputs(run.inputs),
    nameRegions: true,
    threadLimit: run.threadLimit,
  });
  const recorder = new TraceRecorder(machine);
  const record = machine.recorder;
  const end = run.instructions - SHOWN_LAST;
  let hidden = 0;
  for (const [i, { thread: id, steps }] of run.segments.entries()) {
    const thread = machine.threads[id];
    if (!thread) return null;
    const isTold = i < MOST_SWITCHES || i >= run.segments.length - MOST_SWITCHES;
    /** Where the instructions of the current step begin. */
    let stepAt = machine.instructions;
    for (let made = 0; made < steps && machine.canRun(thread); ) {
      const at = machine.instructions;
      const isAtSwitch = isTold && (made < SHOWN_AT_SWITCH || made >= steps - SHOWN_AT_SWITCH);
      const isShownOfStep = isAtSwitch && at - stepAt < SHOWN_OF_STEP;
      const isHidden = at >= SHOWN_FIRST && at < end && !isShownOfStep;
      machine.recorder = isHidden ? null : record;
      const next = at < SHOWN_FIRST ? SHOWN_FIRST : isShownOfStep && at < end ? stepAt + SHOWN_OF_STEP : end;
      const isDone = machine.step(thread, Math.max(1, (at < end ? Math.min(next, end) : run.instructions + 1) - at));
      if (isHidden) {
        recorder.skip(machine.instructions - at);
        hidden += machine.instructions - at;
      }
      if (!isDone) {
        if (machine.instructions > run.instructions) return null;
        continue;
      }
      if (thread.status === 'blocked') break;
      made++;
      stepAt = machine.instructions;
    }
  }
  if (!machine.violation) return null;
  machine.recorder = record;
  const trace = recorder.finish();
  return hidden > 0 ? { ...trace, hiddenInstructions: hidden } : trace;
}
