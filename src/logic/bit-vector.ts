/**
 * Bit-vectors: lists of literals, least significant bit first. Here are making and reading them, bitwise operations,
 * selection, comparison, widths and shifts; arithmetic is in bit-vector-arithmetic.ts. Every function is a pure
 * builder: it adds gates to the circuit and returns literals. Constant inputs give constant outputs without any gate,
 * by the circuit's own simplifications.
 *
 * Operands of a binary operation have the same width (the amount of a shift is free in its width). Comparisons are
 * chains of majority gates, one a bit, which shrink to conjunctions and disjunctions when one side is constant.
 */

import { invariant } from '../support/invariant.ts';
import type { Circuit } from './circuit.ts';
import { FALSE, fromBoolean, isConstant, type Literal, not, TRUE } from './literal.ts';

export type BitVector = readonly Literal[];

/** The value modulo 2^width. */
export function constant(value: bigint, width: number): BitVector {
  const digits = BigInt.asUintN(width, value).toString(2).padStart(width, '0');
  return Array.from({ length: width }, (_, i) => fromBoolean(digits[width - 1 - i] === '1'));
}

export function fresh(circuit: Circuit, width: number): BitVector {
  return Array.from({ length: width }, () => circuit.fresh());
}

/** The unsigned value when all bits are constant. */
export function constantValue(bits: BitVector): bigint | undefined {
  if (!bits.every(isConstant)) return undefined;
  return bits.reduceRight((value, bit) => value * 2n + (bit === TRUE ? 1n : 0n), 0n);
}

export function bitAt(bits: BitVector, index: number): Literal {
  const bit = bits[index];
  invariant(bit !== undefined, `bit ${index} of a vector of ${bits.length}`);
  return bit;
}

export function signBit(bits: BitVector): Literal {
  return bitAt(bits, bits.length - 1);
}

/** Applies a gate bit by bit. */
export function zip(a: BitVector, b: BitVector, gate: (x: Literal, y: Literal) => Literal): BitVector {
  invariant(a.length === b.length, `widths differ: ${a.length} and ${b.length}`);
  return a.map((bit, i) => gate(bit, b[i] as Literal));
}

export function bitNot(a: BitVector): BitVector {
  return a.map(not);
}

export function bitAnd(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return zip(a, b, (x, y) => circuit.and(x, y));
}

export function bitOr(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return zip(a, b, (x, y) => circuit.or(x, y));
}

export function bitXor(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return zip(a, b, (x, y) => circuit.xor(x, y));
}

export function ite(circuit: Circuit, condition: Literal, then: BitVector, otherwise: BitVector): BitVector {
  return zip(then, otherwise, (x, y) => circuit.ite(condition, x, y));
}

/** The bits where the condition holds, zero elsewhere. */
export function mask(circuit: Circuit, condition: Literal, bits: BitVector): BitVector {
  return bits.map((bit) => circuit.and(condition, bit));
}

export function isZero(circuit: Circuit, a: BitVector): Literal {
  return circuit.andMany(a.map(not));
}

export function isNonZero(circuit: Circuit, a: BitVector): Literal {
  return circuit.orMany(a);
}

export function eq(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return circuit.andMany(zip(a, b, (x, y) => circuit.iff(x, y)));
}

/** Unsigned a < b: the borrow that runs through a - b. */
export function ult(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return borrow(circuit, a, b, FALSE);
}

export function ule(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return borrow(circuit, a, b, TRUE);
}

export function slt(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return borrow(circuit, flipSign(a), flipSign(b), FALSE);
}

export function sle(circuit: Circuit, a: BitVector, b: BitVector): Literal {
  return borrow(circuit, flipSign(a), flipSign(b), TRUE);
}

function borrow(circuit: Circuit, a: BitVector, b: BitVector, initial: Literal): Literal {
  let less = initial;
  zip(a, b, (x, y) => {
    less = circuit.maj(not(x), y, less);
    return less;
  });
  return less;
}

function flipSign(a: BitVector): BitVector {
  return [...a.slice(0, -1), not(signBit(a))];
}

export function zeroExtend(a: BitVector, width: number): BitVector {
  return extend(a, width, FALSE);
}

export function signExtend(a: BitVector, width: number): BitVector {
  return extend(a, width, signBit(a));
}

function extend(a: BitVector, width: number, fill: Literal): BitVector {
  invariant(width >= a.length, `cannot extend ${a.length} bits to ${width}`);
  return [...a, ...new Array<Literal>(width - a.length).fill(fill)];
}

/** Bits `low` to `low + width - 1`. */
export function extract(a: BitVector, low: number, width: number): BitVector {
  invariant(low >= 0 && low + width <= a.length, `bits ${low}+${width} of a vector of ${a.length}`);
  return a.slice(low, low + width);
}

/** `low` takes the least significant bits. */
export function concat(low: BitVector, high: BitVector): BitVector {
  return [...low, ...high];
}

export function shlConstant(a: BitVector, amount: number): BitVector {
  const shifted = Math.min(amount, a.length);
  return [...new Array<Literal>(shifted).fill(FALSE), ...a.slice(0, a.length - shifted)];
}

export function lshrConstant(a: BitVector, amount: number): BitVector {
  return shiftRight(a, amount, FALSE);
}

function ashrConstant(a: BitVector, amount: number): BitVector {
  return shiftRight(a, amount, signBit(a));
}

function shiftRight(a: BitVector, amount: number, fill: Literal): BitVector {
  return extend(a.slice(Math.min(amount, a.length)), a.length, fill);
}

/** Left shift by an unsigned amount; amounts of at least the width give zero. */
export function shl(circuit: Circuit, a: BitVector, amount: BitVector): BitVector {
  return barrel(circuit, a, amount, FALSE, shlConstant);
}

export function lshr(circuit: Circuit, a: BitVector, amount: BitVector): BitVector {
  return barrel(circuit, a, amount, FALSE, lshrConstant);
}

export function ashr(circuit: Circuit, a: BitVector, amount: BitVector): BitVector {
  return barrel(circuit, a, amount, signBit(a), ashrConstant);
}

/** One stage of multiplexers per bit of the amount that matters; the bits above them shift everything out. */
function barrel(
  circuit: Circuit,
  a: BitVector,
  amount: BitVector,
  fill: Literal,
  shiftBy: (a: BitVector, amount: number) => BitVector,
): BitVector {
  let result = a;
  const excess: Literal[] = [];
  amount.forEach((bit, stage) => {
    if (2 ** stage >= a.length) excess.push(bit);
    else result = ite(circuit, bit, shiftBy(result, 2 ** stage), result);
  });
  const out = circuit.orMany(excess);
  return result.map((bit) => circuit.ite(out, fill, bit));
}
