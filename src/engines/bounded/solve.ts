/**
 * A prepared program under a schedule: open the formula, ask, read back. First the question whether an assertion can
 * fail; if it cannot, whether threads can wait for ever; if not, whether any execution was cut by a bound, so that a
 * bounded verdict can say how much it means.
 */

import type { Formula } from '../../encode/formula.ts';
import type { Cut, SteppedProgram } from '../../execute/steps.ts';
import { FALSE, type Literal } from '../../logic/literal.ts';
import type { FormulaSize } from '../../outcome/progress.ts';
import type { SatSolver } from '../../solver/solver.ts';
import type { Schedule as TraceSchedule } from '../../trace/replay.ts';
import { decodeSchedule } from './decode.ts';
import type { Encoding } from './encode.ts';
import { type OpenedProgram, openProgram } from './open-program.ts';
import type { ScheduleOptions } from './schedule.ts';

export type SolveResult =
  | { readonly kind: 'violation'; readonly schedule: TraceSchedule }
  /** `cuts`: the bounds that some execution reached; null when that could not be found out. */
  | { readonly kind: 'none'; readonly cuts: readonly Cut[] | null }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface SolveOptions {
  readonly schedule: ScheduleOptions;
  readonly createSolver: () => Promise<SatSolver>;
  /** Told once, when the formula is built. */
  readonly onFormula: (size: FormulaSize) => void;
  /** Shown the clauses and what is assumed to look for a violation, before the solver takes them. */
  readonly onClauses?: (clauses: Int32Array, assumptions: readonly number[]) => void;
}

export async function solve(program: SteppedProgram, options: SolveOptions): Promise<SolveResult> {
  const opened = openProgram(program, options.schedule, options.createSolver);
  options.onFormula(opened.size);
  options.onClauses?.(opened.clauses, opened.formula.name(opened.violation));
  try {
    return await answer(program, opened);
  } finally {
    opened.formula.dispose();
  }
}

async function answer(program: SteppedProgram, { encoding, formula, violation }: OpenedProgram): Promise<SolveResult> {
  const { seeksDeadlock } = encoding;
  const canFail = encoding.violations.some(({ literal }) => literal !== FALSE);
  for (const question of [canFail ? violation : null, seeksDeadlock === null ? null : [seeksDeadlock]]) {
    if (question === null) continue;
    const found = await formula.ask(question);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'model') return { kind: 'violation', schedule: decodeSchedule(program, encoding, found.model) };
  }
  // What cannot be followed comes before mere bounds.
  const unsupported = await findCuts(encoding, formula, encoding.seeksUnsupported);
  if (unsupported === null) return { kind: 'unknown', reason: 'whether something unsupported is reached is not known' };
  if (unsupported.length > 0) return { kind: 'none', cuts: unsupported };
  return { kind: 'none', cuts: await findCuts(encoding, formula, encoding.seeksCut) };
}

/**
 * The cuts of an execution that answers the question; none if there is no such execution, null if that is not known.
 */
async function findCuts(
  encoding: Encoding,
  formula: Formula,
  question: Literal | null,
): Promise<readonly Cut[] | null> {
  if (question === null) return [];
  const found = await formula.ask([question]);
  if (found.kind === 'unknown') return null;
  if (found.kind === 'none') return [];
  return encoding.cuts.filter(({ literal }) => found.model.value(literal)).map(({ cut }) => cut);
}
