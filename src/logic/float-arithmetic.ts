/**
 * Floating point arithmetic: sum, difference, product, quotient, square root and fused multiplication and addition,
 * each computed exactly or with a sticky bit and rounded once (see float.ts).
 */

import {
  type BitVector,
  bitAt,
  constant,
  isNonZero,
  ite,
  signBit,
  signExtend,
  ule,
  ult,
  zeroExtend,
} from './bit-vector.ts';
import { add, addWithCarry, mul, sub } from './bit-vector-arithmetic.ts';
import type { Circuit } from './circuit.ts';
import {
  exponentWidth,
  type FloatFormat,
  firstOf,
  floatNeg,
  infinity,
  normalize,
  quietNan,
  type RoundingMode,
  round,
  shiftRightSticky,
  type Unpacked,
  type Unrounded,
  unpack,
  zero,
} from './float.ts';
import { FALSE, fromBoolean, type Literal, not, TRUE } from './literal.ts';

type Binary = (circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector, mode?: RoundingMode) => BitVector;

export const floatAdd: Binary = (circuit, format, a, b, mode = 'nearest-even') => {
  const [x, y] = [unpack(circuit, format, a), unpack(circuit, format, b)];
  const { number, cancelled } = addExactly(circuit, x, y, x.significand, y.significand, format.significandBits);
  const opposite = circuit.xor(x.sign, y.sign);
  const bothInfinite = circuit.and(x.infinite, y.infinite);
  return firstOf(
    circuit,
    [
      [circuit.orMany([x.nan, y.nan, circuit.and(bothInfinite, opposite)]), quietNan(format)],
      [x.infinite, a],
      [y.infinite, b],
      [circuit.and(x.zero, y.zero), zero(format, circuit.ite(opposite, fromBoolean(mode === 'downward'), x.sign))],
      [x.zero, b],
      [y.zero, a],
      [cancelled, zero(format, fromBoolean(mode === 'downward'))],
    ],
    round(circuit, format, mode, number),
  );
};

export const floatSub: Binary = (circuit, format, a, b, mode) => floatAdd(circuit, format, a, floatNeg(b), mode);

/**
 * Adds two finite numbers other than zero, with significands of one width whose leading bits are one. `precision` is
 * that of the rounding to come: more than that, and three, low bits are kept by the sticky one.
 */
function addExactly(
  circuit: Circuit,
  x: Pick<Unpacked, 'sign' | 'exponent'>,
  y: Pick<Unpacked, 'sign' | 'exponent'>,
  xSignificand: BitVector,
  ySignificand: BitVector,
  precision: number,
): { number: Unrounded; cancelled: Literal } {
  // The operand of larger magnitude first.
  const magnitude = (exponent: BitVector, significand: BitVector) => [...significand, ...flipSign(exponent)];
  const swap = ult(circuit, magnitude(x.exponent, xSignificand), magnitude(y.exponent, ySignificand));
  const pick = (first: BitVector, second: BitVector) => ite(circuit, swap, second, first);
  const [largeExponent, smallExponent] = [pick(x.exponent, y.exponent), pick(y.exponent, x.exponent)];
  const [large, small] = [pick(xSignificand, ySignificand), pick(ySignificand, xSignificand)];
  const padding = Math.max(3, precision + 3 - large.length);
  const widen = (bits: BitVector) => [...new Array<Literal>(padding).fill(FALSE), ...bits];
  const distance = sub(circuit, largeExponent, smallExponent);
  const aligned = shiftRightSticky(circuit, widen(small), distance);
  const subtract = circuit.xor(x.sign, y.sign);
  const { sum } = addWithCarry(
    circuit,
    zeroExtend(widen(large), large.length + padding + 1),
    zeroExtend(aligned, aligned.length + 1).map((bit) => circuit.xor(bit, subtract)),
    subtract,
  );
  const { shifted, leadingZeros } = normalize(circuit, sum);
  const width = Math.max(largeExponent.length, leadingZeros.length) + 2;
  const above = add(circuit, signExtend(largeExponent, width), constant(1n, width));
  return {
    number: {
      sign: circuit.ite(swap, y.sign, x.sign),
      exponent: sub(circuit, above, zeroExtend(leadingZeros, width)),
      significand: shifted,
    },
    cancelled: not(isNonZero(circuit, sum)),
  };
}

function flipSign(bits: BitVector): BitVector {
  return [...bits.slice(0, -1), not(signBit(bits))];
}

export const floatMul: Binary = (circuit, format, a, b, mode = 'nearest-even') => {
  const [x, y] = [unpack(circuit, format, a), unpack(circuit, format, b)];
  const product = multiplyExactly(circuit, format, x, y);
  const { sign } = product;
  return firstOf(
    circuit,
    [
      [invalidProduct(circuit, x, y), quietNan(format)],
      [circuit.or(x.infinite, y.infinite), infinity(format, sign)],
      [circuit.or(x.zero, y.zero), zero(format, sign)],
    ],
    round(circuit, format, mode, product),
  );
};

function invalidProduct(circuit: Circuit, x: Unpacked, y: Unpacked): Literal {
  return circuit.orMany([x.nan, y.nan, circuit.and(x.infinite, y.zero), circuit.and(x.zero, y.infinite)]);
}

/** The product of two significands has one or two digits before the point; afterwards the leading bit is one. */
function multiplyExactly(circuit: Circuit, format: FloatFormat, x: Unpacked, y: Unpacked): Unrounded {
  const width = 2 * format.significandBits;
  const product = mul(circuit, zeroExtend(x.significand, width), zeroExtend(y.significand, width));
  const carry = bitAt(product, width - 1);
  const exponents = exponentWidth(format) + 1;
  const sum = addWithCarry(circuit, signExtend(x.exponent, exponents), signExtend(y.exponent, exponents), carry).sum;
  return {
    sign: circuit.xor(x.sign, y.sign),
    exponent: sum,
    significand: ite(circuit, carry, product, [FALSE, ...product.slice(0, -1)]),
  };
}

export const floatDiv: Binary = (circuit, format, a, b, mode = 'nearest-even') => {
  const [x, y] = [unpack(circuit, format, a), unpack(circuit, format, b)];
  const sign = circuit.xor(x.sign, y.sign);
  const digits = divideDigits(circuit, x.significand, y.significand, format.significandBits + 3);
  // The quotient lies between a half and two: its first digit may be missing.
  const short = not(signBit(digits));
  const width = exponentWidth(format) + 1;
  const difference = sub(circuit, signExtend(x.exponent, width), signExtend(y.exponent, width));
  const quotient: Unrounded = {
    sign,
    exponent: sub(circuit, difference, zeroExtend([short], width)),
    significand: ite(circuit, short, [FALSE, ...digits.slice(0, -1)], digits),
  };
  const undefinedQuotient = circuit.or(circuit.and(x.zero, y.zero), circuit.and(x.infinite, y.infinite));
  return firstOf(
    circuit,
    [
      [circuit.orMany([x.nan, y.nan, undefinedQuotient]), quietNan(format)],
      [circuit.or(x.infinite, y.zero), infinity(format, sign)],
      [circuit.or(x.zero, y.infinite), zero(format, sign)],
    ],
    round(circuit, format, mode, quotient),
  );
};

/** The leading `count` binary digits of a / b, most significant last, for a < 2b; a sticky bit below them. */
function divideDigits(circuit: Circuit, a: BitVector, b: BitVector, count: number): BitVector {
  const divisor = zeroExtend(b, b.length + 1);
  let remainder: BitVector = zeroExtend(a, a.length + 1);
  const digits: Literal[] = [];
  for (let i = 0; i < count; i++) {
    const fits = ule(circuit, divisor, remainder);
    digits.unshift(fits);
    const rest = ite(circuit, fits, sub(circuit, remainder, divisor), remainder);
    // What is left is below the divisor, so its last bit is free for the shift.
    remainder = [FALSE, ...rest.slice(0, -1)];
  }
  return [isNonZero(circuit, remainder), ...digits];
}

export function floatSqrt(
  circuit: Circuit,
  format: FloatFormat,
  a: BitVector,
  mode: RoundingMode = 'nearest-even',
): BitVector {
  const x = unpack(circuit, format, a);
  // An even exponent is halved; an odd one lends a bit to the significand.
  const odd = bitAt(x.exponent, 0);
  const significand = ite(circuit, odd, [FALSE, ...x.significand], [...x.significand, FALSE]);
  const root: Unrounded = {
    sign: FALSE,
    exponent: signExtend(x.exponent.slice(1), x.exponent.length),
    significand: rootDigits(circuit, significand, format.significandBits + 2),
  };
  return firstOf(
    circuit,
    [
      [x.zero, a],
      [circuit.or(x.nan, x.sign), quietNan(format)],
      [x.infinite, a],
    ],
    round(circuit, format, mode, root),
  );
}

/**
 * The leading `count` binary digits of the root of a number of two digits before the point; a sticky bit below them.
 */
function rootDigits(circuit: Circuit, radicand: BitVector, count: number): BitVector {
  const width = count + 2;
  let root: BitVector = [];
  let remainder: BitVector = constant(0n, width);
  for (let i = 0; i < count; i++) {
    const at = radicand.length - 2 - 2 * i;
    const pair = [at >= 0 ? bitAt(radicand, at) : FALSE, at >= -1 ? bitAt(radicand, at + 1) : FALSE];
    const extended = zeroExtend([...pair, ...remainder].slice(0, width + 2), width + 2);
    const trial = zeroExtend([TRUE, FALSE, ...root], width + 2);
    const fits = ule(circuit, trial, extended);
    remainder = ite(circuit, fits, sub(circuit, extended, trial), extended).slice(0, width);
    root = [fits, ...root];
  }
  return [isNonZero(circuit, remainder), ...root];
}

/** a · b + c, rounded once. */
export function floatFma(
  circuit: Circuit,
  format: FloatFormat,
  a: BitVector,
  b: BitVector,
  c: BitVector,
  mode: RoundingMode = 'nearest-even',
): BitVector {
  const [x, y, z] = [unpack(circuit, format, a), unpack(circuit, format, b), unpack(circuit, format, c)];
  const product = multiplyExactly(circuit, format, x, y);
  const addend = {
    sign: z.sign,
    exponent: signExtend(z.exponent, product.exponent.length),
    significand: [...new Array<Literal>(format.significandBits).fill(FALSE), ...z.significand],
  };
  const precision = format.significandBits;
  const { number, cancelled } = addExactly(
    circuit,
    product,
    addend,
    product.significand,
    addend.significand,
    precision,
  );
  const productInfinite = circuit.or(x.infinite, y.infinite);
  const productZero = circuit.or(x.zero, y.zero);
  const opposite = circuit.xor(product.sign, z.sign);
  const downwards = fromBoolean(mode === 'downward');
  return firstOf(
    circuit,
    [
      [circuit.or(invalidProduct(circuit, x, y), z.nan), quietNan(format)],
      [circuit.andMany([productInfinite, z.infinite, opposite]), quietNan(format)],
      [productInfinite, infinity(format, product.sign)],
      [z.infinite, c],
      [circuit.and(productZero, z.zero), zero(format, circuit.ite(opposite, downwards, product.sign))],
      [productZero, c],
      [z.zero, round(circuit, format, mode, product)],
      [cancelled, zero(format, downwards)],
    ],
    round(circuit, format, mode, number),
  );
}
