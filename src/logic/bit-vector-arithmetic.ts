/**
 * Arithmetic on bit-vectors: sums, products, quotients.
 *
 * Sums are ripple-carry chains of full adders (one XOR3 and one MAJ gate a bit). A product sums its partial products
 * row by row, where a row with a constant zero digit costs nothing; a constant factor is first recoded into signed
 * digits (canonical signed digits), so that 15x is 16x - x. Division is restoring, one subtraction a quotient bit; a
 * power of two is a shift. Division by zero gives what SMT-LIB defines: all ones, and the dividend as remainder (in C
 * it is a separate check).
 */

import { invariant } from '../support/invariant.ts';
import {
  type BitVector,
  bitAt,
  bitNot,
  constant,
  constantValue,
  ite,
  lshrConstant,
  shlConstant,
  signBit,
  ule,
  zeroExtend,
} from './bit-vector.ts';
import type { Circuit } from './circuit.ts';
import { FALSE, type Literal, TRUE } from './literal.ts';

export function addWithCarry(circuit: Circuit, a: BitVector, b: BitVector, carry: Literal): BitVector {
  invariant(a.length === b.length, `widths differ: ${a.length} and ${b.length}`);
  let next = carry;
  return a.map((x, i) => {
    const y = b[i] as Literal;
    const carried = next;
    next = circuit.maj(x, y, carried);
    return circuit.xor3(x, y, carried);
  });
}

export function add(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return addWithCarry(circuit, a, b, FALSE);
}

export function sub(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return addWithCarry(circuit, a, bitNot(b), TRUE);
}

export function neg(circuit: Circuit, a: BitVector): BitVector {
  return sub(circuit, constant(0n, a.length), a);
}

/** `condition ? -a : a` */
export function negWhen(circuit: Circuit, condition: Literal, a: BitVector): BitVector {
  const flipped = a.map((bit) => circuit.xor(condition, bit));
  return addWithCarry(circuit, flipped, constant(0n, a.length), condition);
}

/** The absolute value; the least negative number is its own, read as unsigned it is right. */
export function abs(circuit: Circuit, a: BitVector): BitVector {
  return negWhen(circuit, signBit(a), a);
}

/** The product modulo 2^width. */
export function mul(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  invariant(a.length === b.length, `widths differ: ${a.length} and ${b.length}`);
  const [left, right] = [constantValue(a), constantValue(b)];
  if (right !== undefined) return mulByConstant(circuit, a, right);
  if (left !== undefined) return mulByConstant(circuit, b, left);
  // The factor with fewer free digits makes the rows.
  const [wide, rows] = freeBits(a) >= freeBits(b) ? [a, b] : [b, a];
  let product = constant(0n, a.length);
  rows.forEach((digit, i) => {
    const row = shlConstant(wide, i).map((bit) => circuit.and(digit, bit));
    product = add(circuit, product, row);
  });
  return product;
}

function freeBits(a: BitVector): number {
  return a.filter((bit) => bit !== TRUE && bit !== FALSE).length;
}

function mulByConstant(circuit: Circuit, a: BitVector, factor: bigint): BitVector {
  const width = a.length;
  let product = constant(0n, width);
  let rest = BigInt.asIntN(width, factor);
  for (let i = 0; i < width && rest !== 0n; i++, rest >>= 1n) {
    if ((rest & 1n) === 0n) continue;
    // A run of ones (…11) becomes a subtraction here and one addition above it.
    const digit = (rest & 3n) === 3n ? -1n : 1n;
    const row = shlConstant(a, i);
    product = digit === 1n ? add(circuit, product, row) : sub(circuit, product, row);
    rest -= digit;
  }
  return product;
}

export interface Quotient {
  readonly quotient: BitVector;
  readonly remainder: BitVector;
}

/** Unsigned division with remainder. */
export function udivrem(circuit: Circuit, a: BitVector, b: BitVector): Quotient {
  invariant(a.length === b.length, `widths differ: ${a.length} and ${b.length}`);
  const divisor = constantValue(b);
  if (divisor !== undefined && divisor !== 0n && (divisor & (divisor - 1n)) === 0n) {
    const shift = divisor.toString(2).length - 1;
    return { quotient: lshrConstant(a, shift), remainder: zeroExtend(a.slice(0, shift), a.length) };
  }
  // One more bit than the operands: the shifted remainder is below twice the divisor.
  const wide = zeroExtend(b, b.length + 1);
  const quotient: Literal[] = new Array(a.length).fill(FALSE);
  let remainder: BitVector = constant(0n, b.length);
  for (let i = a.length - 1; i >= 0; i--) {
    const shifted = [bitAt(a, i), ...remainder];
    const fits = ule(circuit, wide, shifted);
    quotient[i] = fits;
    remainder = ite(circuit, fits, sub(circuit, shifted, wide), shifted).slice(0, b.length);
  }
  return { quotient, remainder };
}

export function udiv(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return udivrem(circuit, a, b).quotient;
}

export function urem(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return udivrem(circuit, a, b).remainder;
}

/** Signed division that truncates towards zero, with the remainder of the dividend's sign, as in C. */
export function sdivrem(circuit: Circuit, a: BitVector, b: BitVector): Quotient {
  const { quotient, remainder } = udivrem(circuit, abs(circuit, a), abs(circuit, b));
  return {
    quotient: negWhen(circuit, circuit.xor(signBit(a), signBit(b)), quotient),
    remainder: negWhen(circuit, signBit(a), remainder),
  };
}

export function sdiv(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return sdivrem(circuit, a, b).quotient;
}

export function srem(circuit: Circuit, a: BitVector, b: BitVector): BitVector {
  return sdivrem(circuit, a, b).remainder;
}

/** The number of ones, in just the bits that the largest count needs. */
export function popcount(circuit: Circuit, a: BitVector): BitVector {
  const columns: Literal[][] = [[...a]];
  const count: Literal[] = [];
  for (let weight = 0; weight < columns.length; weight++) {
    const column = columns[weight] as Literal[];
    while (column.length > 1) {
      const [x, y, z] = [column.shift(), column.shift(), column.shift() ?? FALSE] as [Literal, Literal, Literal];
      column.push(circuit.xor3(x, y, z));
      const above = columns[weight + 1] ?? [];
      above.push(circuit.maj(x, y, z));
      columns[weight + 1] = above;
    }
    count.push(column[0] ?? FALSE);
  }
  return count.slice(0, a.length.toString(2).length);
}
