/**
 * Conversions between floating point formats and between them and integers. To an integer C truncates, and the
 * behaviour is undefined when the value does not fit: `fits` tells, the bits mean nothing then.
 */

import { type BitVector, constant, isNonZero, ite, shl, signBit, signExtend, slt, zeroExtend } from './bit-vector.ts';
import { abs, negWhen, sub } from './bit-vector-arithmetic.ts';
import type { Circuit } from './circuit.ts';
import { type FloatFormat, firstOf, infinity, normalize, quietNan, round, unpack, zero } from './float.ts';
import { FALSE, type Literal, not } from './literal.ts';

export function floatToFloat(circuit: Circuit, from: FloatFormat, to: FloatFormat, a: BitVector): BitVector {
  const x = unpack(circuit, from, a);
  return firstOf(
    circuit,
    [
      [x.nan, quietNan(to)],
      [x.infinite, infinity(to, x.sign)],
      [x.zero, zero(to, x.sign)],
    ],
    round(circuit, to, x),
  );
}

export function signedToFloat(circuit: Circuit, format: FloatFormat, bits: BitVector): BitVector {
  return magnitudeToFloat(circuit, format, signBit(bits), abs(circuit, bits));
}

function magnitudeToFloat(circuit: Circuit, format: FloatFormat, sign: Literal, magnitude: BitVector): BitVector {
  const { shifted, leadingZeros } = normalize(circuit, magnitude);
  const width = magnitude.length.toString(2).length + 1;
  const exponent = sub(circuit, constant(BigInt(magnitude.length - 1), width), zeroExtend(leadingZeros, width));
  const rounded = round(circuit, format, { sign, exponent, significand: shifted });
  return ite(circuit, isNonZero(circuit, magnitude), rounded, zero(format, FALSE));
}

export interface Converted {
  readonly bits: BitVector;
  /** The truncated value can be represented. */
  readonly fits: Literal;
}

export function floatToSigned(circuit: Circuit, format: FloatFormat, a: BitVector, width: number): Converted {
  const { magnitude, inRange } = truncate(circuit, format, a, width);
  const least = circuit.and(signBit(a), not(isNonZero(circuit, magnitude.slice(0, -1))));
  const fits = circuit.and(inRange, circuit.or(not(signBit(magnitude)), least));
  return { bits: negWhen(circuit, signBit(a), magnitude), fits };
}

/** The integer part of the magnitude, and whether it is below 2^width. */
function truncate(
  circuit: Circuit,
  format: FloatFormat,
  a: BitVector,
  width: number,
): { magnitude: BitVector; inRange: Literal } {
  const x = unpack(circuit, format, a);
  const exponents = Math.max(x.exponent.length, width.toString(2).length + 1);
  const exponent = signExtend(x.exponent, exponents);
  const small = circuit.or(x.zero, signBit(exponent));
  const below = slt(circuit, exponent, constant(BigInt(width), exponents));
  // The point stands above the fraction: shifting left by the exponent brings the integer part before it.
  const amount = exponent.slice(0, width.toString(2).length);
  const shifted = shl(circuit, zeroExtend(x.significand, format.significandBits - 1 + width), amount);
  const integer = shifted.slice(format.significandBits - 1);
  const special = circuit.or(x.nan, x.infinite);
  return {
    magnitude: integer.map((bit) => circuit.and(not(small), bit)),
    inRange: circuit.and(not(special), circuit.or(small, below)),
  };
}
