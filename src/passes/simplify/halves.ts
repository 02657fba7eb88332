/**
 * What is wider than a machine word and not atomic, in memory that others may touch: the machine moves two halves,
 * the lower one first. Here a half is read with the whole and then cut out of it, and written with the other half as it
 * is at that moment: no pointer is converted, so that other passes and backends still see a variable.
 */

import { arithmetic, assign, converted, integer } from '../../program/build-tree.ts';
import { sizeOf } from '../../program/layout.ts';
import { atomicEnd } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { integerType, isInteger } from '../../program/type-operations.ts';
import { QUALIFIER_ATOMIC } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type { Simplifier } from './simplifier.ts';

/** Whether an access to the place takes two steps. */
export function isInHalves(s: Simplifier, place: Expression): boolean {
  const { type } = place;
  // Bit-fields are a matter of their units.
  if (place.kind === 'member' && place.field.bits !== null) return false;
  if (!s.splits || !isInteger(type) || (type.qualifiers & QUALIFIER_ATOMIC) !== 0) return false;
  return sizeOf(type, s.model) > wordBytes(s) && s.isSharedPlace(place);
}

function wordBytes({ model }: Simplifier): number {
  return model === 'ILP32' ? 4 : 8;
}

/** The value of the place, after two reads of it. */
export function readInHalves(s: Simplifier, place: Expression): Expression {
  const { loc, type } = place;
  const from = s.stabilise(place);
  const [first, second] = [s.newTemporary(type, loc), s.newTemporary(type, loc)];
  s.emit(assign(first, from, loc), assign(second, from, loc));
  return joined(s, first, second, loc);
}

export function storeInHalves(s: Simplifier, target: Expression, value: Expression, loc: Loc): void {
  const to = s.stabilise(target);
  const next = s.save(value);
  const writeWith = (join: (old: Expression) => Expression) => {
    const old = s.newTemporary(to.type, loc);
    s.emit(s.accessBegin(loc), assign(old, to, loc), assign(to, join(old), loc), atomicEnd(loc));
  };
  writeWith((old) => joined(s, next, old, loc));
  writeWith((old) => joined(s, old, next, loc));
}

/** The lower half of one and the upper half of the other. */
function joined(s: Simplifier, lower: Expression, upper: Expression, loc: Loc): Expression {
  const bits = 8n * BigInt(wordBytes(s));
  const mask = (1n << bits) - 1n;
  const whole = integerType(s.model === 'ILP32' ? 'unsigned long long' : 'unsigned __int128');
  const part = (value: Expression, kept: Expression) => arithmetic('&', converted(value, whole), kept, loc);
  // C has no literals of 128 bits.
  const low = converted(integer(mask, loc, integerType('unsigned long long')), whole);
  const high: Expression = { kind: 'unary', operator: '~', operand: low, type: whole, loc };
  return converted(arithmetic('|', part(lower, low), part(upper, high), loc), lower.type);
}
