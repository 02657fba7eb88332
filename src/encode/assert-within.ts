/**
 * Tells the solver which values a small set has. Widths alone do not: -1 … 2 takes three bits, of whose eight patterns
 * four never occur. The solver would come to exclude them by following memory through whole executions, again and
 * again; said at once, they make the hardest formulas several times easier.
 *
 * The patterns that do not occur are found along a binary tree over the bits that vary: where a branch holds no value,
 * one clause excludes all of it. Large sets are left alone; their patterns nearly fill their width anyway.
 */

import type { BitVector } from '../logic/bit-vector.ts';
import type { Circuit } from '../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../logic/literal.ts';
import { enumerateValues, type ValueSet } from '../values/value-set.ts';

/** Sets of more values are not spelt out. */
const MOST_VALUES = 64;

/** The bits, which were made in the shape of the set, show one of its values. */
export function assertWithin(circuit: Circuit, bits: BitVector, set: ValueSet): void {
  const values = enumerateValues(set, MOST_VALUES);
  if (!values) return;
  const positions = varyingPositions(bits);
  if (values.length < 2 ** positions.length) excludeRest(circuit, bits, positions, values, []);
}

/** Highest first; a repeated sign counts once. */
function varyingPositions(bits: BitVector): readonly number[] {
  const seen = new Set<Literal>([TRUE, FALSE]);
  const positions: number[] = [];
  for (const [position, literal] of bits.entries()) {
    if (seen.has(literal)) continue;
    seen.add(literal);
    positions.push(position);
  }
  return positions.reverse();
}

/** `values` agree with the literals on the path, which is given negated. */
function excludeRest(
  circuit: Circuit,
  bits: BitVector,
  positions: readonly number[],
  values: readonly bigint[],
  path: readonly Literal[],
): void {
  if (values.length === 0) {
    circuit.addClause([...path]);
    return;
  }
  const [position, ...rest] = positions;
  if (position === undefined || values.length === 2 ** positions.length) return;
  const literal = bits[position] as Literal;
  const isSet = (value: bigint) => ((value >> BigInt(position)) & 1n) === 1n;
  excludeRest(circuit, bits, rest, values.filter(isSet), [...path, not(literal)]);
  excludeRest(
    circuit,
    bits,
    rest,
    values.filter((value) => !isSet(value)),
    [...path, literal],
  );
}
