/**
 * `--value-analysis none`: the bounded program with every value, read and cell in its declared width. Only the encoding
 * changes: what symbolic execution has decided by value sets (which cells an address denotes, branches that cannot be
 * taken) stays, because addresses could not be resolved without. Inputs keep their sets: that a `_Bool` is 0 or 1 is
 * its meaning, not a finding.
 *
 * It is there to measure what narrow values are worth, and for tests that look for values outside of their sets.
 */

import { topSet } from '../values/value-set.ts';
import type { SteppedProgram } from './steps.ts';

/** Changes the graph of the program, which from then on only serves the result. */
export function forgetValues(program: SteppedProgram): SteppedProgram {
  program.graph.forgetSets(new Set(program.inputs.map(({ term }) => term)));
  return { ...program, cells: program.cells.map((cell) => ({ ...cell, set: topSet(cell.width) })) };
}
