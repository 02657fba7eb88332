// Compares the engine's answer for a small program whose executions are cut with that of an enumeration that cuts them
// by rules of its own. All loops count, also those with a constant number of turns.
//
// - What some interleaving violates before it is cut, or in spite of cuts in other threads, must be found: not only
//   something, but each violation when it is the one that is looked for.
// - Whatever is found must replay, and lie within the bounds.
// - Whether anything was cut must be what the enumeration says.

import type { ScheduleOptions } from '../../src/engines/bounded/symbolic-schedule.ts';
import type { EnumerateResult } from '../../src/engines/explore/enumerate.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import type { Code } from '../../src/program/code.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { replayCompiled } from '../../src/trace/replay.ts';
import {
  type Agreement,
  type AgreementOptions,
  CHECKS,
  enumerateAll,
  prepareSteps,
  readCode,
  solveSteps,
} from './agreement.ts';

const STATES_WITHOUT_BOUNDS = 3000;

const differ = (message: string): Agreement => ({ kind: 'differ', message });

export async function compareCuts(text: string, options: AgreementOptions): Promise<Agreement> {
  const { unwind = 2, checks = CHECKS } = options;
  const code = readCode(text, options.dataModel, options);
  const truth = enumerateAll(code, options.stateLimit ?? 30_000, checks, unwind, false);
  if (!truth.isComplete && truth.violations.length === 0) return { kind: 'skipped', message: 'too many states' };
  try {
    const program = prepareSteps(code, unwind, checks, true);
    if (typeof program === 'string') return { kind: 'skipped', message: `engine: ${program}` };
    for (const schedule of schedulesOf(options)) {
      const difference = await compareSchedule(code, program, truth, schedule, options);
      if (difference) return difference;
    }
    const lost = await findLost(program, truth);
    if (lost) return lost;
    const steps = countSteps(program);
    return { kind: truth.violations.length > 0 ? 'unsafe' : 'safe', states: truth.states, steps };
  } catch (fault) {
    return differ(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));
  }
}

function schedulesOf({ rounds = 5, contexts = 9 }: AgreementOptions): readonly ScheduleOptions[] {
  return [
    { kind: 'rounds', slots: rounds },
    { kind: 'contexts', slots: contexts },
  ];
}

function countSteps(program: SteppedProgram): number {
  return program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
}

async function compareSchedule(
  code: Code,
  program: SteppedProgram,
  truth: EnumerateResult,
  schedule: ScheduleOptions,
  { checks = CHECKS }: AgreementOptions,
): Promise<Agreement | null> {
  const isUnsafe = truth.violations.length > 0;
  let result = await solveSteps(program, schedule);
  const lacks = result.kind === 'none' && (isUnsafe || (truth.cuts.size > 0 && result.cuts?.length === 0));
  if (lacks) result = await solveSteps(program, { ...schedule, slots: countSteps(program) + 1 });
  switch (result.kind) {
    case 'unknown':
    case 'open':
      return { kind: 'skipped', message: `solver: ${result.reason}` };
    case 'violation': {
      const replayed = replayCompiled(compileProgram(code), result.schedule, { checks });
      if (replayed.kind === 'mismatch') return differ(`${schedule.kind}: does not replay: ${replayed.message}`);
      // Recursion that constants decide goes deeper than the bound.
      if (isUnsafe || hasRecursion(code, truth)) return null;
      // Turns that change nothing are not cut, so that a deadlock beside them is one of the program without any bound.
      const isOfWhole = replayed.violation.check === 'deadlock' && isUnsafeWithoutBounds(code, checks);
      return isOfWhole ? null : differ(`${schedule.kind}: replays, but lies beyond the bounds`);
    }
    case 'none':
      if (isUnsafe) return differ(`${schedule.kind}: the engine finds no violation, but there is one`);
      if (hasRecursion(code, truth)) return null;
      return compareWhatIsCut(code, result.cuts?.map(({ where }) => where) ?? [], truth, checks);
  }
}

/** A violation that the engine does not find when it looks for nothing else. */
async function findLost(program: SteppedProgram, truth: EnumerateResult): Promise<Agreement | null> {
  if (truth.violations.length < 2) return null;
  for (const { check, loc } of truth.violations) {
    const threads = program.threads.map((thread) => ({
      ...thread,
      assertions: thread.assertions.filter((assertion) => assertion.check === check && assertion.loc === loc),
    }));
    const result = await solveSteps({ ...program, threads }, { kind: 'rounds', slots: countSteps(program) + 1 });
    if (result.kind === 'none') return differ(`the violation of ${check} at ${loc} is not found`);
  }
  return null;
}

/**
 * Whether the engine says that something is cut when something is. Beside loops it cuts what the interpreter does. It
 * does not cut turns that change nothing (execute/idle-turns.ts): then what it says holds of the program without any
 * bound.
 */
function compareWhatIsCut(
  code: Code,
  cuts: readonly string[],
  truth: EnumerateResult,
  checks: AgreementOptions['checks'],
): Agreement | null {
  if (cuts.length === 0 && truth.cuts.size > 0) {
    const whole = enumerateAll(code, STATES_WITHOUT_BOUNDS, checks);
    if (whole.violations.length > 0)
      return differ(`nothing is cut, but beyond ${[...truth.cuts].join(', ')} it breaks`);
    return whole.isComplete ? null : { kind: 'skipped', message: 'too many states without bounds' };
  }
  const unknown = cuts.filter((where) => !truth.cuts.has(where) && !/^(unsupported|allocation|more than)/.test(where));
  return unknown.length > 0 ? differ(`${unknown.join(', ')} is cut, but enumeration does not come to that`) : null;
}

function isUnsafeWithoutBounds(code: Code, checks: AgreementOptions['checks']): boolean {
  return enumerateAll(code, STATES_WITHOUT_BOUNDS, checks).violations.length > 0;
}

function hasRecursion(code: Code, { cuts }: EnumerateResult): boolean {
  return code.functions.some(({ name }) => cuts.has(name));
}
