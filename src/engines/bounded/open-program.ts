/**
 * A prepared program under a schedule, ready to be asked: the encoding, and the formula on one incremental solver. Any
 * literals of the encoding, and of what is added to its circuit later, can be assumed, as often as somebody likes.
 */

import { Formula } from '../../encode/formula.ts';
import type { SteppedProgram } from '../../execute/steps.ts';
import type { Literal } from '../../logic/literal.ts';
import type { FormulaSize } from '../../outcome/progress.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { type Encoding, encode } from './encode.ts';
import type { ScheduleOptions } from './symbolic-schedule.ts';

export interface OpenedProgram {
  readonly encoding: Encoding;
  /** Whoever opened it disposes of it. */
  readonly formula: Formula;
  /** Assume these to look for a violation. */
  readonly violation: readonly Literal[];
  /** The clauses at first, for looking only. */
  readonly clauses: Int32Array;
  readonly size: FormulaSize;
}

export function openProgram(
  program: SteppedProgram,
  options: ScheduleOptions,
  createSolver: () => Promise<SatSolver>,
): OpenedProgram {
  const encoding = encode(program, options);
  const formula = new Formula(encoding.circuit, createSolver);
  const { seeksViolation, respectsCuts, seeksUnsupported, seeksCut, deadlock, race } = encoding;
  const violation = [seeksViolation, respectsCuts];
  const others = [seeksUnsupported, seeksCut, deadlock?.seeks ?? null, race?.seeks ?? null];
  formula.name([...violation, ...others].filter((literal) => literal !== null));
  const clauses = formula.encode();
  return { encoding, formula, violation, clauses, size: sizeOf(program, encoding, formula) };
}

function sizeOf(program: SteppedProgram, encoding: Encoding, formula: Formula): FormulaSize {
  const cellsBy = { chain: 0, selection: 0 };
  for (const kind of encoding.memory.encodings.values()) cellsBy[kind]++;
  return {
    threads: program.threads.length,
    steps: program.threads.reduce((sum, thread) => sum + thread.steps.length, 0),
    cells: program.cells.length,
    cellsBy,
    terms: program.graph.size,
    variables: formula.variableCount,
    clauses: formula.clauseCount,
  };
}
