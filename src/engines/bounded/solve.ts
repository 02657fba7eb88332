/**
 * A prepared program under a schedule: open the formula, ask, read back. First the question whether an assertion can
 * fail; if it cannot, whether accesses race, and whether threads can wait for ever; if not, whether any execution was
 * cut by a bound, so that a bounded verdict can say how much it means.
 */

import { type EncodedVisit, encodeVisits } from '../../encode/encode-visits.ts';
import type { Formula } from '../../encode/formula.ts';
import type { Cut, SteppedProgram, Visit } from '../../execute/steps.ts';
import { watchOrder } from '../../execute/watch-order.ts';
import { freeWeakReads } from '../../execute/weak-reads.ts';
import { FALSE, type Literal, not } from '../../logic/literal.ts';
import type { FormulaSize } from '../../outcome/progress.ts';
import type { SatSolver } from '../../solver/solver.ts';
import type { Schedule } from '../../trace/replay.ts';
import { decodeSchedule } from './decode.ts';
import type { Encoding } from './encode.ts';
import { type OpenedProgram, openProgram } from './open-program.ts';
import type { ScheduleOptions } from './symbolic-schedule.ts';

export type SolveResult =
  | { readonly kind: 'violation'; readonly schedule: Schedule }
  /** `cuts`: the bounds that some execution reached; null when that could not be found out. */
  | { readonly kind: 'none'; readonly cuts: readonly Cut[] | null }
  /** No violation, but data races are not excluded. */
  | { readonly kind: 'open'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Is told of visits (steps.ts), each at most once. */
export interface VisitListener {
  isWanted(visit: Visit): boolean;
  /** Some execution comes to it. */
  note(visit: Visit): void;
  /** Nobody knows about the others. */
  giveUp(): void;
}

export interface SolveOptions {
  readonly schedule: ScheduleOptions;
  /** Who wants to know what executions come to, where there is no violation. */
  readonly visits?: VisitListener;
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
  let result: SolveResult;
  try {
    result = await askAll(program, opened, { visits: options.visits ?? null, seeksCuts: true });
  } finally {
    opened.formula.dispose();
  }
  if (result.kind !== 'none') return result;
  return excludeWeakRaces(program, result, options, { canRace, findViolation });
}

/** Whether an assertion fails within the schedule, and nothing else. */
async function findViolation(
  program: SteppedProgram,
  { schedule, createSolver }: SolveOptions,
): Promise<FailedAssertion> {
  const opened = openProgram(program, schedule, createSolver);
  try {
    return await askForFailure(program, opened, []);
  } finally {
    opened.formula.dispose();
  }
}

/** Whether an assertion fails, of an open formula under assumptions. */
export async function askForFailure(
  program: SteppedProgram,
  { encoding, formula, violation }: OpenedProgram,
  assumptions: readonly Literal[],
): Promise<FailedAssertion> {
  const found = await formula.ask([...violation, ...assumptions]);
  if (found.kind !== 'model') return found.kind === 'none';
  return { kind: 'violation', schedule: decodeSchedule(program, encoding, found.model) };
}

/** Whether accesses of a program with free reads come together within the schedule; null when that is not known. */
export async function canRace(
  program: SteppedProgram,
  { schedule, createSolver }: Pick<SolveOptions, 'schedule' | 'createSolver'>,
): Promise<boolean | null> {
  const { encoding, formula } = openProgram(program, schedule, createSolver);
  try {
    if (!encoding.race) return false;
    const { kind } = await formula.ask([encoding.race.seeks, encoding.respectsCuts]);
    return kind === 'unknown' ? null : kind === 'model';
  } finally {
    formula.dispose();
  }
}

/** How an engine looks for races that atomics may hide. */
interface RaceQuestions<Options> {
  /** Whether accesses of a program with free reads come together; null when that is not known. */
  readonly canRace: (freed: SteppedProgram, options: Options) => Promise<boolean | null>;
  readonly findViolation: (watched: SteppedProgram, options: Options) => Promise<FailedAssertion>;
}

/** True when there certainly is none, false when that is not known. */
export type FailedAssertion = Extract<SolveResult, { kind: 'violation' }> | boolean;

/** Where atomics that order nothing may hide races (weak-reads.ts), these are looked for once more (watch-order.ts). */
export async function excludeWeakRaces<Options>(
  program: SteppedProgram,
  result: SolveResult,
  options: Options,
  { canRace, findViolation }: RaceQuestions<Options>,
): Promise<SolveResult> {
  const freed = freeWeakReads(program);
  if (freed.kind === 'none') return result;
  if (freed.kind === 'free' && (await canRace(freed.program, options)) === false) return result;
  const found = await findViolation(watchOrder(program), options);
  if (found === true) return result;
  if (found !== false) return found;
  return { kind: 'open', reason: RACES_NOT_KNOWN };
}

export const RACES_NOT_KNOWN = 'whether atomic accesses that order nothing hide data races is not known';

export interface Questions {
  readonly visits: VisitListener | null;
  /** Whether executions are cut by bounds is asked, too. */
  readonly seeksCuts: boolean;
  /** What is assumed in all questions. */
  readonly assumptions?: readonly Literal[];
}

/** Asks an open formula all that there is to ask. Where cuts are not asked for, none by a bound is told of. */
export async function askAll(
  program: SteppedProgram,
  { encoding, formula, violation }: OpenedProgram,
  { visits, seeksCuts, assumptions = [] }: Questions,
): Promise<SolveResult> {
  const { deadlock, race, respectsCuts } = encoding;
  const canFail = encoding.violations.some(({ literal }) => literal !== FALSE);
  const stuck = deadlock === null ? null : [deadlock.seeks, respectsCuts];
  const races = race === null ? null : [race.seeks, respectsCuts];
  for (const question of [canFail ? violation : null, races, stuck]) {
    if (question === null) continue;
    const found = await formula.ask([...question, ...assumptions]);
    if (found.kind === 'unknown') return found;
    if (found.kind === 'model') return { kind: 'violation', schedule: decodeSchedule(program, encoding, found.model) };
  }
  // What cannot be followed comes before mere bounds.
  const unsupported = await findCuts(encoding, formula, encoding.seeksUnsupported, assumptions);
  if (unsupported === null) return { kind: 'unknown', reason: 'whether something unsupported is reached is not known' };
  if (unsupported.length > 0) return { kind: 'none', cuts: unsupported };
  const cuts = seeksCuts ? await findCuts(encoding, formula, encoding.seeksCut, assumptions) : [];
  if (visits) await askForVisits(program, encoding, formula, visits, assumptions);
  return { kind: 'none', cuts };
}

/** One question after the other, each about what is still left: whatever the execution comes to is found with it. */
async function askForVisits(
  program: SteppedProgram,
  { encoder, schedule, cuts, circuit }: Encoding,
  formula: Formula,
  visits: VisitListener,
  assumptions: readonly Literal[],
): Promise<void> {
  const isLeft = ({ visit, literal }: EncodedVisit) => literal !== FALSE && visits.isWanted(visit);
  let left = encodeVisits(program, encoder, (thread, step) => schedule.everPassed(thread, step), cuts).filter(isLeft);
  while (left.length > 0) {
    const seeks = circuit.fresh();
    circuit.addClause([not(seeks), ...left.map(({ literal }) => literal)]);
    const answer = await formula.ask([seeks, ...assumptions]);
    if (answer.kind === 'unknown') visits.giveUp();
    if (answer.kind !== 'model') return;
    for (const { visit, literal } of left) if (answer.model.value(literal)) visits.note(visit);
    // One visit may have been enough for several.
    left = left.filter(isLeft);
  }
}

/**
 * The cuts of an execution that answers the question; none if there is no such execution, null if that is not known.
 */
async function findCuts(
  encoding: Encoding,
  formula: Formula,
  question: Literal | null,
  assumptions: readonly Literal[],
): Promise<readonly Cut[] | null> {
  if (question === null) return [];
  const found = await formula.ask([question, ...assumptions]);
  if (found.kind === 'unknown') return null;
  if (found.kind === 'none') return [];
  return encoding.cuts.filter(({ literal }) => found.model.value(literal)).map(({ cut }) => cut);
}
