/**
 * Conversions between floating point formats and between them and integers. To an integer C truncates, and the
 * behaviour is undefined when the value does not fit: `fits` tells, the bits mean nothing then.
 */

import {
  type BitVector,
  bitAt,
  constant,
  isNonZero,
  ite,
  shl,
  signBit,
  signExtend,
  slt,
  zeroExtend,
} from './bit-vector.ts';
import { abs, negWhen, sub } from './bit-vector-arithmetic.ts';
import type { Circuit } from './circuit.ts';
import {
  type FloatFormat,
  firstOf,
  infinity,
  isFloatZero,
  normalize,
  quietNan,
  type RoundingMode,
  round,
  unpack,
  zero,
} from './float.ts';
import { FALSE, type Literal, not } from './literal.ts';

export function floatToFloat(
  circuit: Circuit,
  from: FloatFormat,
  to: FloatFormat,
  a: BitVector,
  mode: RoundingMode = 'nearest-even',
): BitVector {
  const x = unpack(circuit, from, a);
  return firstOf(
    circuit,
    [
      [x.nan, quietNan(to)],
      [x.infinite, infinity(to, x.sign)],
      [x.zero, zero(to, x.sign)],
    ],
    round(circuit, to, mode, x),
  );
}

export function unsignedToFloat(
  circuit: Circuit,
  format: FloatFormat,
  bits: BitVector,
  mode: RoundingMode = 'nearest-even',
): BitVector {
  return magnitudeToFloat(circuit, format, FALSE, bits, mode);
}

export function signedToFloat(
  circuit: Circuit,
  format: FloatFormat,
  bits: BitVector,
  mode: RoundingMode = 'nearest-even',
): BitVector {
  return magnitudeToFloat(circuit, format, signBit(bits), abs(circuit, bits), mode);
}

function magnitudeToFloat(
  circuit: Circuit,
  format: FloatFormat,
  sign: Literal,
  magnitude: BitVector,
  mode: RoundingMode,
): BitVector {
  const { shifted, leadingZeros } = normalize(circuit, magnitude);
  const width = magnitude.length.toString(2).length + 1;
  const exponent = sub(circuit, constant(BigInt(magnitude.length - 1), width), zeroExtend(leadingZeros, width));
  const rounded = round(circuit, format, mode, { sign, exponent, significand: shifted });
  return ite(circuit, isNonZero(circuit, magnitude), rounded, zero(format, FALSE));
}

export interface Converted {
  readonly bits: BitVector;
  /** The truncated value can be represented. */
  readonly fits: Literal;
}

export function floatToUnsigned(circuit: Circuit, format: FloatFormat, a: BitVector, width: number): Converted {
  const { magnitude, inRange } = truncate(circuit, format, a, width);
  const fits = circuit.and(inRange, not(circuit.and(signBit(a), isNonZero(circuit, magnitude))));
  return { bits: magnitude, fits };
}

export function floatToSigned(circuit: Circuit, format: FloatFormat, a: BitVector, width: number): Converted {
  const { magnitude, inRange } = truncate(circuit, format, a, width);
  const least = circuit.and(signBit(a), not(isNonZero(circuit, magnitude.slice(0, -1))));
  const fits = circuit.and(inRange, circuit.or(not(signBit(magnitude)), least));
  return { bits: negWhen(circuit, signBit(a), magnitude), fits };
}

/** C's conversion to `_Bool`: anything but zero, a NaN too, is true. */
export function floatToBool(circuit: Circuit, a: BitVector): Literal {
  return not(isFloatZero(circuit, a));
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

export type IntegralRounding = 'toward-zero' | 'upward' | 'downward' | 'nearest-even' | 'nearest-away';

/**
 * C's `trunc`, `ceil`, `floor`, `rint` and `round`: the integral number next to `a` in a direction, as a floating point
 * number.
 */
export function floatToIntegral(
  circuit: Circuit,
  format: FloatFormat,
  a: BitVector,
  rounding: IntegralRounding,
): BitVector {
  const x = unpack(circuit, format, a);
  const precision = format.significandBits;
  // From this exponent on every number is integral; below it, all integers fit `precision` bits.
  const integral = not(slt(circuit, x.exponent, constant(BigInt(precision - 1), x.exponent.length)));
  const negative = signBit(x.exponent);
  const amount = x.exponent.slice(0, precision.toString(2).length);
  const shifted = shl(circuit, zeroExtend(x.significand, 2 * precision - 1), amount);
  const wide = (bits: BitVector, hidden: Literal) => bits.map((bit) => circuit.and(hidden, bit));
  const whole = wide(shifted.slice(precision - 1), not(negative));
  // Below one: only the first fractional digit and whether there are others count.
  const half = circuit.ite(negative, circuit.andMany(x.exponent), bitAt(shifted, precision - 2));
  const fraction = isNonZero(circuit, shifted.slice(0, precision - 2));
  const rest = circuit.ite(negative, circuit.or(not(half), isNonZero(circuit, x.significand.slice(0, -1))), fraction);
  const up = integralRoundsUp(circuit, rounding, x.sign, bitAt(whole, 0), half, rest);
  const magnitude = addBit(circuit, [...whole, FALSE], up);
  const rounded = magnitudeToFloat(circuit, format, FALSE, magnitude, 'toward-zero');
  return firstOf(
    circuit,
    [
      [x.nan, quietNan(format)],
      [circuit.orMany([x.infinite, x.zero, integral]), a],
    ],
    [...rounded.slice(0, -1), x.sign],
  );
}

function addBit(circuit: Circuit, bits: BitVector, bit: Literal): BitVector {
  return sub(circuit, bits, new Array<Literal>(bits.length).fill(bit));
}

function integralRoundsUp(
  circuit: Circuit,
  rounding: IntegralRounding,
  sign: Literal,
  last: Literal,
  half: Literal,
  rest: Literal,
): Literal {
  switch (rounding) {
    case 'toward-zero':
      return FALSE;
    case 'upward':
      return circuit.and(not(sign), circuit.or(half, rest));
    case 'downward':
      return circuit.and(sign, circuit.or(half, rest));
    case 'nearest-even':
      return circuit.and(half, circuit.or(rest, last));
    case 'nearest-away':
      return half;
  }
}
