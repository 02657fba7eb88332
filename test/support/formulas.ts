/** Small formulas with known answers, for the tests of solvers. */

import { holds, type SatModel } from '../../src/solver/solver.ts';
import type { Random } from '../../src/support/random.ts';

/** One pigeon more than holes: unsatisfiable, and exponentially hard for resolution. */
export function pigeonhole(holes: number): Int32Array {
  const literals: number[] = [];
  const sits = (pigeon: number, hole: number) => pigeon * holes + hole + 1;
  for (let pigeon = 0; pigeon <= holes; pigeon++) {
    for (let hole = 0; hole < holes; hole++) literals.push(sits(pigeon, hole));
    literals.push(0);
  }
  for (let hole = 0; hole < holes; hole++) {
    for (let first = 0; first <= holes; first++) {
      for (let second = 0; second < first; second++) literals.push(-sits(first, hole), -sits(second, hole), 0);
    }
  }
  return Int32Array.from(literals);
}

export function randomThreeSat(random: Random, variables: number, clauses: number): Int32Array {
  const literal = () => (random.chance(1, 2) ? 1 : -1) * (random.below(variables) + 1);
  return Int32Array.from(Array.from({ length: clauses }, () => [literal(), literal(), literal(), 0]).flat());
}

export function satisfies(model: SatModel, clauses: Int32Array): boolean {
  let clauseHolds = false;
  for (const literal of clauses) {
    if (literal !== 0) clauseHolds ||= holds(model, literal);
    else if (!clauseHolds) return false;
    else clauseHolds = false;
  }
  return true;
}

/** Is there a model, by trying all? */
export function bruteForce(clauses: Int32Array, variables: number): boolean {
  const model = new Uint8Array(variables + 1);
  for (let row = 0; row < 2 ** variables; row++) {
    for (let i = 0; i < variables; i++) model[i + 1] = (row >> i) & 1;
    if (satisfies(model, clauses)) return true;
  }
  return false;
}
