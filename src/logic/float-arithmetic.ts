/**
 * Floating point arithmetic: sum, product and quotient, each computed exactly or with a sticky bit and rounded once
 * (see float.ts). Roots and the like are models in C.
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
  infinity,
  normalize,
  quietNan,
  round,
  shiftRightSticky,
  type Unpacked,
  type Unrounded,
  unpack,
  zero,
} from './float.ts';
import { FALSE, type Literal, not } from './literal.ts';

type Binary = (circuit: Circuit, format: FloatFormat, a: BitVector, b: BitVector) => BitVector;

export const floatAdd: Binary = (circuit, format, a, b) => {
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
      [circuit.and(x.zero, y.zero), zero(format, circuit.ite(opposite, FALSE, x.sign))],
      [x.zero, b],
      [y.zero, a],
      [cancelled, zero(format, FALSE)],
    ],
    round(circuit, format, number),
  );
};

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
  const sum = addWithCarry(
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

export const floatMul: Binary = (circuit, format, a, b) => {
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
    round(circuit, format, product),
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
  const sum = addWithCarry(circuit, signExtend(x.exponent, exponents), signExtend(y.exponent, exponents), carry);
  return {
    sign: circuit.xor(x.sign, y.sign),
    exponent: sum,
    significand: ite(circuit, carry, product, [FALSE, ...product.slice(0, -1)]),
  };
}

export const floatDiv: Binary = (circuit, format, a, b) => {
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
    round(circuit, format, quotient),
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
