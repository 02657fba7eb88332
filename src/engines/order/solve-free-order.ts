/**
 * A prepared program under all interleavings: encode, solve, read back. The solver's order may have circles through
 * three threads and more; as long as it does, they are excluded and it is asked again.
 *
 * The first question is whether anything at all can happen that stands against a proof: an assertion that fails,
 * accesses that race, threads that wait for ever, a cut. If nothing can, the program is safe, for every interleaving.
 * Otherwise violations are asked for first, then races, then deadlocks, then what cannot be followed, then mere bounds.
 */

import { Formula } from '../../encode/formula.ts';
import { isUnsupported, type SteppedProgram } from '../../execute/steps.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal, not } from '../../logic/literal.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { invariant } from '../../support/invariant.ts';
import { excludeWeakRaces, type FailedAssertion, type SolveResult } from '../bounded/solve.ts';
import { countSelections } from './count-selections.ts';
import { decodeOrder } from './decode-order.ts';
import { encodeOrder, type OrderEncoding } from './encode-order.ts';
import type { StepRef } from './must-order.ts';

export interface OrderSize {
  readonly threads: number;
  readonly steps: number;
  /** Pairs of steps or sections that are ordered by the solver. */
  readonly pairs: number;
  readonly variables: number;
  readonly clauses: number;
}

export interface FreeOrderOptions {
  readonly createSolver: () => Promise<SatSolver>;
  /** Without reductions: locks are memory like any other, joins decide nothing beforehand. */
  readonly isPlain?: boolean;
  /** Asked between two answers of the solver: no more time. */
  readonly mustStop?: () => boolean;
  /** Told when the formula is built. */
  readonly onFormula?: (size: OrderSize) => void;
  /** Told after each model that was no execution: how many circles it had. */
  readonly onCircles?: (count: number) => void;
}

/** Beyond this the formula alone would take seconds and gigabytes. */
const MOST_SELECTIONS = 3_000_000;

export async function solveFreeOrder(program: SteppedProgram, options: FreeOrderOptions): Promise<SolveResult> {
  const result = await solveOnce(program, options);
  if (result.kind !== 'none') return result;
  return excludeWeakRaces(program, result, options, { canRace, findViolation });
}

/** Whether an assertion fails, and nothing else. */
async function findViolation(program: SteppedProgram, options: FreeOrderOptions): Promise<FailedAssertion> {
  if (countSelections(program) > MOST_SELECTIONS) return false;
  const encoding = encodeOrder(program, options.isPlain ?? false);
  const { violation } = makeQuestions(encoding);
  const formula = new Formula(encoding.circuit, options.createSolver);
  try {
    const found = await askForExecution(encoding, formula, [violation, encoding.respectsCuts], options);
    if (found.kind !== 'execution') return found.kind === 'none';
    return { kind: 'violation', schedule: decodeOrder(program, encoding, found.model, found.row) };
  } finally {
    formula.dispose();
  }
}

/** Whether accesses of a program with free reads come together; null when that is not known. */
async function canRace(program: SteppedProgram, options: FreeOrderOptions): Promise<boolean | null> {
  const encoding = encodeOrder(program, options.isPlain ?? false);
  if (!encoding.race) return false;
  const formula = new Formula(encoding.circuit, options.createSolver);
  try {
    const { kind } = await askForExecution(encoding, formula, [encoding.race.seeks, encoding.respectsCuts], options);
    return kind === 'unknown' ? null : kind === 'execution';
  } finally {
    formula.dispose();
  }
}

async function solveOnce(program: SteppedProgram, options: FreeOrderOptions): Promise<SolveResult> {
  if (countSelections(program) > MOST_SELECTIONS)
    return { kind: 'unknown', reason: 'too many accesses to the same memory for the free order' };
  const encoding = encodeOrder(program, options.isPlain ?? false);
  const questions = makeQuestions(encoding);
  const formula = new Formula(encoding.circuit, options.createSolver);
  formula.name([questions.anything, questions.violation, questions.unsupported, encoding.respectsCuts]);
  const others = [encoding.deadlock?.seeks ?? null, encoding.race?.seeks ?? null];
  formula.name(others.filter((literal) => literal !== null));
  formula.encode();
  options.onFormula?.({
    threads: program.threads.length,
    steps: program.threads.reduce((sum, thread) => sum + thread.steps.length, 0),
    pairs: encoding.order.pairCount,
    variables: formula.variableCount,
    clauses: formula.clauseCount,
  });
  if (!questions.isOpen) return { kind: 'none', cuts: [] };
  try {
    const ask = (...question: readonly Literal[]) => askForExecution(encoding, formula, question, options);
    return await answer(program, encoding, questions, ask);
  } finally {
    formula.dispose();
  }
}

interface Questions {
  /** An assertion fails, accesses race, threads wait for ever or a path is cut. */
  readonly anything: Literal;
  readonly violation: Literal;
  readonly unsupported: Literal;
  /** There is something to be asked. */
  readonly isOpen: boolean;
}

function makeQuestions({ circuit, violations, cuts, deadlock, race }: OrderEncoding): Questions {
  const seek = (items: readonly { readonly literal: Literal }[]) => {
    const seeks = circuit.fresh();
    circuit.addClause([not(seeks), ...items.map(({ literal }) => literal)]);
    return seeks;
  };
  const others = [deadlock?.seeks ?? null, race?.seeks ?? null].filter((literal) => literal !== null);
  const all = [...violations, ...cuts, ...others.map((literal) => ({ literal }))];
  return {
    anything: seek(all),
    violation: seek(violations),
    unsupported: seek(cuts.filter(({ cut }) => isUnsupported(cut))),
    isOpen: all.some(({ literal }) => literal !== FALSE),
  };
}

type Found =
  | { readonly kind: 'execution'; readonly model: Evaluation; readonly row: readonly StepRef[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

const NOTHING: Found = { kind: 'none' };

async function answer(
  program: SteppedProgram,
  encoding: OrderEncoding,
  questions: Questions,
  ask: (...question: readonly Literal[]) => Promise<Found>,
): Promise<SolveResult> {
  const { violations, cuts, respectsCuts, deadlock, race } = encoding;
  const holdsAny = (model: Evaluation, items: readonly { readonly literal: Literal }[]) =>
    items.some(({ literal }) => model.value(literal));
  const first = await ask(questions.anything);
  if (first.kind === 'unknown') return first;
  if (first.kind === 'none') return { kind: 'none', cuts: [] };
  const isPlain = holdsAny(first.model, violations) && !holdsAny(first.model, cuts);
  const violation = isPlain ? first : await ask(questions.violation, respectsCuts);
  if (violation.kind === 'unknown') return violation;
  if (violation.kind === 'execution')
    return { kind: 'violation', schedule: decodeOrder(program, encoding, violation.model, violation.row) };
  const racing = race === null ? NOTHING : await ask(race.seeks, respectsCuts);
  if (racing.kind === 'unknown') return racing;
  if (racing.kind === 'execution')
    return { kind: 'violation', schedule: decodeOrder(program, encoding, racing.model, racing.row) };
  const stuck = deadlock === null ? NOTHING : await ask(deadlock.seeks, respectsCuts);
  if (stuck.kind === 'unknown') return stuck;
  if (stuck.kind === 'execution')
    return { kind: 'violation', schedule: decodeOrder(program, encoding, stuck.model, stuck.row) };
  // What cannot be followed comes before mere bounds.
  const unsupported = await ask(questions.unsupported);
  if (unsupported.kind === 'unknown') return unsupported;
  const cut = unsupported.kind === 'execution' ? unsupported : first;
  return { kind: 'none', cuts: cuts.filter(({ literal }) => cut.model.value(literal)).map((found) => found.cut) };
}

/** Asks until the answer's order has no circle. */
async function askForExecution(
  { order }: OrderEncoding,
  formula: Formula,
  question: readonly Literal[],
  { onCircles, mustStop }: FreeOrderOptions,
): Promise<Found> {
  for (;;) {
    if (mustStop?.()) return { kind: 'unknown', reason: 'time is up' };
    const answered = await formula.ask(question);
    if (answered.kind === 'unknown') return answered;
    if (answered.kind === 'none') return NOTHING;
    const graph = order.graph(answered.model);
    const row = graph.linearise();
    if (row) return { kind: 'execution', model: answered.model, row };
    const count = order.excludeCircles(graph);
    invariant(count > 0, 'an order that cannot be put in a row has a circle of chosen edges');
    onCircles?.(count);
  }
}
