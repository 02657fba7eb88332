/**
 * The least and the greatest value that a variable is given, and what gives them. What is least depends on how the
 * variable is read: as a signed number, an unsigned one, or a float.
 */

import { floatBounds, floatOrder } from '../values/float-bounds.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { Given, Origin } from './object-values.ts';

export interface Extreme {
  /** A signed or an unsigned number; of a float the bit pattern. */
  readonly value: bigint;
  readonly origin: Origin;
}

export interface Extremes {
  readonly least: Extreme | null;
  readonly most: Extreme | null;
}

/** How a variable is read. */
export interface View {
  readonly signed: boolean;
  readonly isFloat: boolean;
}

/** Both are null when nothing ever gives the variable a value. */
export function findExtremes(given: readonly Given[], view: View): Extremes {
  const some = given.filter(({ set }) => !sets.isEmpty(set));
  const isNumber = view.isFloat && some.some(({ set }) => isKnownFloat(set.width) && floatBounds(set) !== null);
  if (isNumber) {
    const numbers = some.filter(({ set }) => floatBounds(set) !== null);
    const width = numbers[0]?.set.width ?? 0;
    const order = (value: bigint) => floatOrder(value, width);
    return {
      least: findExtreme(
        numbers,
        (set) => floatBounds(set)?.least ?? 0n,
        (a, b) => order(a) < order(b),
      ),
      most: findExtreme(
        numbers,
        (set) => floatBounds(set)?.most ?? 0n,
        (a, b) => order(a) > order(b),
      ),
    };
  }
  return {
    least: findExtreme(some, view.signed ? sets.minSigned : sets.minUnsigned, (a, b) => a < b),
    most: findExtreme(some, view.signed ? sets.maxSigned : sets.maxUnsigned, (a, b) => a > b),
  };
}

/** The order of a `long double` is not known here: its values are not computed with anyway. */
export function isKnownFloat(width: number): boolean {
  return width === 32 || width === 64;
}

/** The first of those that give the extreme value; initial values stand first. */
function findExtreme(
  given: readonly Given[],
  boundOf: (set: ValueSet) => bigint,
  isBeyond: (a: bigint, b: bigint) => boolean,
): Extreme | null {
  let found: Extreme | null = null;
  for (const { origin, set } of given) {
    const value = boundOf(set);
    if (!found || isBeyond(value, found.value)) found = { value, origin };
  }
  return found;
}
