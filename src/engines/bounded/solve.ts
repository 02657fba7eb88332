/**
 * A prepared program under a schedule: encode, solve, read back. First the question whether an assertion can fail; if
 * it cannot, whether any execution was cut by a bound, so that a bounded verdict can say how much it means.
 */

import type { Cut, SteppedProgram } from '../../execute/steps.ts';
import { Cnf } from '../../logic/cnf.ts';
import { FALSE, type Literal } from '../../logic/literal.ts';
import type { SatAnswer, SatSolver } from '../../solver/solver.ts';
import { holds } from '../../solver/solver.ts';
import type { Schedule as TraceSchedule } from '../../trace/replay.ts';
import { decodeSchedule } from './decode.ts';
import { type Encoding, encode } from './encode.ts';
import type { MemoryEncoding } from './encode-memory.ts';
import type { ScheduleOptions } from './schedule.ts';

export interface FormulaSize {
  readonly threads: number;
  readonly steps: number;
  readonly cells: number;
  readonly cellsBy: Readonly<Record<MemoryEncoding, number>>;
  readonly terms: number;
  readonly variables: number;
  readonly clauses: number;
}

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
  const encoding = encode(program, options.schedule);
  const cnf = new Cnf(encoding.circuit, { polarityAware: true });
  const literalOf = (question: Literal | null) => (question === null ? null : cnf.literal(question));
  const violation = [cnf.literal(encoding.seeksViolation), cnf.literal(encoding.respectsCuts)];
  const seeksUnsupported = literalOf(encoding.seeksUnsupported);
  const seeksCut = literalOf(encoding.seeksCut);
  const clauses = cnf.takeClauses();
  options.onFormula(sizeOf(program, encoding, cnf));
  options.onClauses?.(clauses, violation);
  const canFail = encoding.violations.some(({ literal }) => literal !== FALSE);
  if (!canFail && seeksUnsupported === null && seeksCut === null) return { kind: 'none', cuts: [] };
  const solver = await options.createSolver();
  try {
    solver.addClauses(clauses);
    if (canFail) {
      const answer = await solver.solve(violation);
      if (answer.kind === 'unknown') return { kind: 'unknown', reason: describe(answer) };
      if (answer.kind === 'satisfiable') {
        const model = cnf.evaluate((variable) => holds(answer.model, variable));
        return { kind: 'violation', schedule: decodeSchedule(program, encoding, model) };
      }
    }
    // What cannot be followed comes before mere bounds.
    const unsupported = await findCuts(encoding, cnf, solver, seeksUnsupported);
    if (unsupported === null)
      return { kind: 'unknown', reason: 'whether something unsupported is reached is not known' };
    if (unsupported.length > 0) return { kind: 'none', cuts: unsupported };
    return { kind: 'none', cuts: await findCuts(encoding, cnf, solver, seeksCut) };
  } finally {
    solver.dispose();
  }
}

/**
 * The cuts of an execution that answers the question; none if there is no such execution, null if that is not known.
 */
async function findCuts(
  encoding: Encoding,
  cnf: Cnf,
  solver: SatSolver,
  question: number | null,
): Promise<readonly Cut[] | null> {
  if (question === null) return [];
  const answer = await solver.solve([question]);
  if (answer.kind === 'unknown') return null;
  if (answer.kind === 'unsatisfiable') return [];
  const model = cnf.evaluate((variable) => holds(answer.model, variable));
  return encoding.cuts.filter(({ literal }) => model.value(literal)).map(({ cut }) => cut);
}

function describe(answer: Extract<SatAnswer, { kind: 'unknown' }>): string {
  switch (answer.reason) {
    case 'memory':
      return 'the solver ran out of memory';
    case 'crashed':
      return `the solver crashed${answer.detail ? `: ${answer.detail}` : ''}`;
    case 'limit':
      return 'the solver reached its limit';
    case 'interrupted':
      return 'the solver was interrupted';
  }
}

function sizeOf(program: SteppedProgram, encoding: Encoding, cnf: Cnf): FormulaSize {
  const cellsBy = { chain: 0, selection: 0 };
  for (const kind of encoding.memory.encodings.values()) cellsBy[kind]++;
  return {
    threads: program.threads.length,
    steps: program.threads.reduce((sum, thread) => sum + thread.steps.length, 0),
    cells: program.cells.length,
    cellsBy,
    terms: program.graph.size,
    variables: cnf.variableCount,
    clauses: cnf.clauseCount,
  };
}
