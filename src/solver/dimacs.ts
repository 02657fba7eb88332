/** DIMACS CNF, the text format of SAT solvers: writing formulas, and reading a solver's answer. */

import type { SatModel } from './solver.ts';

/** About how many characters a part has. */
const PART_LENGTH = 1 << 16;

/** Flat clauses, in parts, since a large formula does not fit one string; assumptions become unit clauses. */
export function* printDimacsParts(clauses: Int32Array, assumptions: readonly number[] = []): Generator<string> {
  const count = clauses.reduce((sum, literal) => (literal === 0 ? sum + 1 : sum), assumptions.length);
  yield `p cnf ${largestVariable(clauses, assumptions)} ${count}\n`;
  let part = '';
  for (const literal of clauses) {
    part += literal === 0 ? '0\n' : `${literal} `;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  for (const literal of assumptions) part += `${literal} 0\n`;
  yield part;
}

export function largestVariable(clauses: Int32Array, assumptions: readonly number[] = []): number {
  let largest = 0;
  for (const literal of clauses) largest = Math.max(largest, Math.abs(literal));
  for (const literal of assumptions) largest = Math.max(largest, Math.abs(literal));
  return largest;
}

export type DimacsAnswer =
  | { readonly kind: 'satisfiable'; readonly model: SatModel }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'unknown' };

/**
 * Parses a solver's output: an `s` line with the answer and `v` lines with the model, which must be complete to count.
 */
export function parseDimacsAnswer(output: string, variableCount: number): DimacsAnswer {
  const lines = output.split('\n');
  const status = lines
    .find((line) => line.startsWith('s '))
    ?.slice(2)
    .trim();
  if (status === 'UNSATISFIABLE') return { kind: 'unsatisfiable' };
  if (status !== 'SATISFIABLE') return { kind: 'unknown' };
  const model = new Uint8Array(variableCount + 1);
  let complete = false;
  for (const line of lines) {
    if (!line.startsWith('v ')) continue;
    for (const word of line.slice(2).trim().split(/\s+/)) {
      const literal = Number(word);
      if (literal === 0) complete = true;
      else if (literal > 0 && literal <= variableCount) model[literal] = 1;
    }
  }
  return complete ? { kind: 'satisfiable', model } : { kind: 'unknown' };
}
