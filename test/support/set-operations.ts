/** The operations on value sets, by the operation on values that each stands for. */

import type { ValueSet } from '../../src/values/value-set.ts';
import * as arithmetic from '../../src/values/value-set-arithmetic.ts';
import * as bits from '../../src/values/value-set-bits.ts';
import type { BINARY_OPERATIONS } from './word-arithmetic.ts';

export const SET_OPERATIONS: Record<(typeof BINARY_OPERATIONS)[number], (a: ValueSet, b: ValueSet) => ValueSet> = {
  add: arithmetic.addSets,
  sub: arithmetic.subtractSets,
  mul: arithmetic.multiplySets,
  udiv: arithmetic.divideUnsignedSets,
  urem: arithmetic.remainderUnsignedSets,
  sdiv: arithmetic.divideSignedSets,
  srem: arithmetic.remainderSignedSets,
  and: bits.andSets,
  or: bits.orSets,
  xor: bits.xorSets,
  shl: bits.shiftLeftSets,
  lshr: bits.shiftRightLogicalSets,
  ashr: bits.shiftRightArithmeticSets,
};
