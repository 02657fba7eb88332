/** Inputs as the instruction that asks for them wants them. */

import type { ScalarType } from '../../program/code.ts';
import { isBig } from './compile-values.ts';
import { normaliser } from './scalar-operations.ts';
import type { Scalar } from './state.ts';

/** An input in the range of its type. For a float, a bigint is its bit pattern. */
export function normaliseInput(value: Scalar, type: ScalarType, isBool: boolean): Scalar {
  if (type.kind === 'float') {
    const number = typeof value === 'bigint' ? floatOfPattern(value, type.bits) : value;
    return type.bits === 32 ? Math.fround(number) : number;
  }
  if (isBool) return isBig(type) ? (value ? 1n : 0n) : value ? 1 : 0;
  if (isBig(type))
    return type.signed ? BigInt.asIntN(type.bits, BigInt(value)) : BigInt.asUintN(type.bits, BigInt(value));
  return normaliser(type)(Number(BigInt.asIntN(32, BigInt(value))));
}

function floatOfPattern(pattern: bigint, bits: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, pattern);
  return bits === 32 ? view.getFloat32(4) : view.getFloat64(0);
}
