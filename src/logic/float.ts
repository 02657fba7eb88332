/**
 * IEEE-754 floating point as circuits, for any format: how numbers are taken apart, rounded, put together, classified
 * and compared. Arithmetic is in float-arithmetic.ts, conversions in float-conversion.ts.
 *
 * A packed number is a bit-vector as in memory: fraction, exponent, sign. Operations take it apart into a sign, an
 * unbiased exponent and a significand whose leading bit is one (subnormal numbers too: their exponent is smaller),
 * compute exactly or with a sticky last bit, and round once. Every NaN that an operation makes is the same quiet one;
 * payloads are not carried. Exception flags are left out.
 *
 * The construction follows Brain, Schanda and Sun, "Building better bit-blasting for floating-point problems", 2019.
 */

import { invariant } from '../support/invariant.ts';
import {
  type BitVector,
  bitAt,
  constant,
  extract,
  isNonZero,
  isZero,
  ite,
  lshrConstant,
  shlConstant,
  signBit,
  signExtend,
  sle,
  slt,
  ule,
  ult,
  zeroExtend,
} from './bit-vector.ts';
import { add, sub } from './bit-vector-arithmetic.ts';
import type { Circuit } from './circuit.ts';
import { FALSE, fromBoolean, type Literal, not, TRUE } from './literal.ts';

export interface FloatFormat {
  readonly exponentBits: number;
  /** With the leading bit that is not stored. */
  readonly significandBits: number;
}

export const FLOAT16: FloatFormat = { exponentBits: 5, significandBits: 11 };
export const FLOAT32: FloatFormat = { exponentBits: 8, significandBits: 24 };
export const FLOAT64: FloatFormat = { exponentBits: 11, significandBits: 53 };

/** A number taken apart. Exponent and significand mean something only when it is neither zero, infinite nor a NaN. */
export interface Unpacked {
  readonly nan: Literal;
  readonly infinite: Literal;
  readonly zero: Literal;
  readonly sign: Literal;
  /** Signed and unbiased, of `exponentWidth(format)` bits. */
  readonly exponent: BitVector;
  /** The leading bit is one: the value is significand · 2^(exponent - significandBits + 1). */
  readonly significand: BitVector;
}

export function floatWidth(format: FloatFormat): number {
  return format.exponentBits + format.significandBits;
}

/** Enough for the exponent of the smallest subnormal number, and for the sum of two exponents. */
export function exponentWidth(format: FloatFormat): number {
  return Math.max(format.exponentBits, format.significandBits.toString(2).length) + 2;
}

function bias(format: FloatFormat): bigint {
  return (1n << BigInt(format.exponentBits - 1)) - 1n;
}

export function fractionOf(format: FloatFormat, packed: BitVector): BitVector {
  return extract(packed, 0, format.significandBits - 1);
}

function exponentFieldOf(format: FloatFormat, packed: BitVector): BitVector {
  return extract(packed, format.significandBits - 1, format.exponentBits);
}

export function unpack(circuit: Circuit, format: FloatFormat, packed: BitVector): Unpacked {
  invariant(packed.length === floatWidth(format), `${packed.length} bits are not of the format`);
  const [fraction, field] = [fractionOf(format, packed), exponentFieldOf(format, packed)];
  const [fractionZero, fieldZero, fieldOnes] = [
    isZero(circuit, fraction),
    isZero(circuit, field),
    circuit.andMany(field),
  ];
  const width = exponentWidth(format);
  const { shifted, leadingZeros } = normalize(circuit, [...fraction, not(fieldZero)]);
  // A subnormal number has the least exponent, which its field does not spell.
  const spelled = [circuit.or(bitAt(field, 0), fieldZero), ...field.slice(1)];
  const unbiased = sub(circuit, zeroExtend(spelled, width), constant(bias(format), width));
  return {
    nan: circuit.and(fieldOnes, not(fractionZero)),
    infinite: circuit.and(fieldOnes, fractionZero),
    zero: circuit.and(fieldZero, fractionZero),
    sign: signBit(packed),
    exponent: sub(circuit, unbiased, zeroExtend(leadingZeros, width)),
    significand: shifted,
  };
}

/** Shifts left until the leading bit is one; of zero the result means nothing. */
export function normalize(circuit: Circuit, bits: BitVector): { shifted: BitVector; leadingZeros: BitVector } {
  let shifted = bits;
  const leadingZeros: Literal[] = [];
  for (let stage = (bits.length - 1).toString(2).length - 1; stage >= 0; stage--) {
    const distance = 2 ** stage;
    const empty = distance < bits.length ? isZero(circuit, shifted.slice(bits.length - distance)) : FALSE;
    shifted = ite(circuit, empty, shlConstant(shifted, distance), shifted);
    leadingZeros.unshift(empty);
  }
  return { shifted, leadingZeros };
}

/** Shifts right; the last bit of the result also tells whether any bit shifted out was one. */
export function shiftRightSticky(circuit: Circuit, bits: BitVector, amount: BitVector): BitVector {
  let result = bits;
  let lost: Literal = FALSE;
  const excess: Literal[] = [];
  amount.forEach((bit, stage) => {
    const distance = 2 ** stage;
    if (distance >= bits.length) {
      excess.push(bit);
      return;
    }
    lost = circuit.or(lost, circuit.and(bit, isNonZero(circuit, result.slice(0, distance))));
    result = ite(circuit, bit, lshrConstant(result, distance), result);
  });
  const out = circuit.orMany(excess);
  lost = circuit.or(lost, circuit.and(out, isNonZero(circuit, result)));
  const kept = result.map((bit) => circuit.and(not(out), bit));
  return [circuit.or(bitAt(kept, 0), lost), ...kept.slice(1)];
}

/** A finite number other than zero before rounding: significand · 2^(exponent - width of the significand + 1). */
export interface Unrounded {
  readonly sign: Literal;
  /** Signed, of any width that cannot overflow when the bias is added to it. */
  readonly exponent: BitVector;
  /** The leading bit is one; the last one may be sticky, then at least two more bits than the format's are needed. */
  readonly significand: BitVector;
}

/**
 * Rounds once, to the nearest number or to the even one of two, and packs: overflow gives infinity, underflow subnormal
 * numbers or zero.
 */
export function round(circuit: Circuit, format: FloatFormat, number: Unrounded): BitVector {
  const { exponentBits, significandBits } = format;
  const padding = Math.max(0, significandBits + 2 - number.significand.length);
  const significand = [...new Array<Literal>(padding).fill(FALSE), ...number.significand];
  const width = Math.max(number.exponent.length, exponentBits + 1) + 2;
  const biased = add(circuit, signExtend(number.exponent, width), constant(bias(format), width));
  const subnormal = sle(circuit, biased, constant(0n, width));
  const deficit = sub(circuit, constant(1n, width), biased).map((bit) => circuit.and(subnormal, bit));
  const aligned = shiftRightSticky(circuit, significand, deficit);
  const low = aligned.length - significandBits;
  const guard = bitAt(aligned, low - 1);
  const sticky = isNonZero(circuit, aligned.slice(0, low - 1));
  const upwards = circuit.and(guard, circuit.or(sticky, bitAt(aligned, low)));
  // A carry out of the fraction goes on into the exponent, just as it should.
  const field = biased.map((bit) => circuit.and(not(subnormal), bit));
  const unrounded = [...aligned.slice(low, -1), ...field];
  const rounded = add(circuit, unrounded, zeroExtend([upwards], unrounded.length));
  const roundedField = rounded.slice(significandBits - 1);
  const largestField = (1n << BigInt(exponentBits)) - 1n;
  const overflow = not(slt(circuit, roundedField, constant(largestField, width)));
  const magnitude = rounded.slice(0, floatWidth(format) - 1);
  return [...ite(circuit, overflow, infinity(format, FALSE).slice(0, -1), magnitude), number.sign];
}

export function infinity(format: FloatFormat, sign: Literal): BitVector {
  return [
    ...new Array<Literal>(format.significandBits - 1).fill(FALSE),
    ...new Array<Literal>(format.exponentBits).fill(TRUE),
    sign,
  ];
}

export function zero(format: FloatFormat, sign: Literal): BitVector {
  return [...new Array<Literal>(floatWidth(format) - 1).fill(FALSE), sign];
}

export function quietNan(format: FloatFormat): BitVector {
  return infinity(format, FALSE).map((bit, i) => fromBoolean(i === format.significandBits - 2 || bit === TRUE));
}

export function isNan(circuit: Circuit, format: FloatFormat, a: BitVector): Literal {
  const field = circuit.andMany(exponentFieldOf(format, a));
  return circuit.and(field, isNonZero(circuit, fractionOf(format, a)));
}

/** Is it zero, of either sign? */
export function isFloatZero(circuit: Circuit, a: BitVector): Literal {
  return isZero(circuit, a.slice(0, -1));
}

/** Negation touches the sign only, of a NaN too. */
export function floatNeg(a: BitVector): BitVector {
  return [...a.slice(0, -1), not(signBit(a))];
}

function areOrdered(circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector): Literal {
  return circuit.and(not(isNan(circuit, format, a)), not(isNan(circuit, format, b)));
}

function areZeros(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return circuit.and(isFloatZero(circuit, a), isFloatZero(circuit, b));
}

/** C's `==`: zeros are equal, a NaN equals nothing. */
export function floatEq(circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector): Literal {
  const same = circuit.andMany(a.map((bit, i) => circuit.iff(bit, b[i] as Literal)));
  return circuit.and(areOrdered(circuit, format, a, b), circuit.or(same, areZeros(circuit, a, b)));
}

/** C's `<` */
export function floatLt(circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector): Literal {
  const less = lessBySign(circuit, a, b, ult);
  return circuit.andMany([areOrdered(circuit, format, a, b), not(areZeros(circuit, a, b)), less]);
}

/** C's `<=` */
export function floatLe(circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector): Literal {
  const less = circuit.or(areZeros(circuit, a, b), lessBySign(circuit, a, b, ule));
  return circuit.and(areOrdered(circuit, format, a, b), less);
}

/** Sign and magnitude: the fields are ordered as the magnitudes are. */
function lessBySign(circuit: Circuit, a: BitVector, b: BitVector, compare: typeof ult): Literal {
  const [left, right] = [a.slice(0, -1), b.slice(0, -1)];
  const sameSign = circuit.ite(signBit(a), compare(circuit, right, left), compare(circuit, left, right));
  return circuit.ite(circuit.xor(signBit(a), signBit(b)), signBit(a), sameSign);
}

/** The first alternative whose condition holds, else the last value. */
export function firstOf(
  circuit: Circuit,
  alternatives: readonly (readonly [Literal, BitVector])[],
  otherwise: BitVector,
): BitVector {
  return alternatives.reduceRight((rest, [condition, value]) => ite(circuit, condition, value, rest), otherwise);
}
