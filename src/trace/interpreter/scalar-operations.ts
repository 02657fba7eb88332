/**
 * Operations on scalars as closures, one for each operation and type, so that nothing is decided while a program runs.
 */

import type { BinaryOperation, ScalarType } from '../../program/code.ts';
import { InvariantError } from '../../support/invariant.ts';

/** Brings a number into the range of an integer type of at most 32 bits. */
export function normaliser(type: ScalarType): (value: number) => number {
  if (type.kind !== 'integer') throw new InvariantError('an integer type');
  switch (type.bits) {
    case 8:
      return type.signed ? (value) => (value << 24) >> 24 : (value) => value & 0xff;
    case 16:
      return type.signed ? (value) => (value << 16) >> 16 : (value) => value & 0xffff;
    case 32:
      return type.signed ? (value) => value | 0 : (value) => value >>> 0;
    default:
      throw new InvariantError(`${type.bits} bits do not fit a number`);
  }
}

export function compileNumberBinary<F>(
  operation: BinaryOperation,
  type: ScalarType,
  left: (frame: F) => number,
  right: (frame: F) => number,
): (frame: F) => number {
  switch (operation) {
    case 'eq':
      return (frame) => (left(frame) === right(frame) ? 1 : 0);
    case 'ne':
      return (frame) => (left(frame) !== right(frame) ? 1 : 0);
    case 'lt':
      return (frame) => (left(frame) < right(frame) ? 1 : 0);
    case 'le':
      return (frame) => (left(frame) <= right(frame) ? 1 : 0);
    default:
      return type.kind === 'float'
        ? floatBinary(operation, type, left, right)
        : integerBinary(operation, type, left, right);
  }
}

function floatBinary<F>(
  operation: BinaryOperation,
  type: ScalarType,
  left: (frame: F) => number,
  right: (frame: F) => number,
): (frame: F) => number {
  const round = type.bits === 32 ? Math.fround : (value: number) => value;
  switch (operation) {
    case 'add':
      return (frame) => round(left(frame) + right(frame));
    case 'sub':
      return (frame) => round(left(frame) - right(frame));
    case 'mul':
      return (frame) => round(left(frame) * right(frame));
    case 'div':
      return (frame) => round(left(frame) / right(frame));
    default:
      throw new InvariantError(`${operation} of floats`);
  }
}

function integerBinary<F>(
  operation: BinaryOperation,
  type: ScalarType,
  left: (frame: F) => number,
  right: (frame: F) => number,
): (frame: F) => number {
  const normalise = normaliser(type);
  const bits = type.bits;
  const signed = type.kind === 'integer' && type.signed;
  switch (operation) {
    case 'add':
      return signed && bits === 32
        ? (frame) => (left(frame) + right(frame)) | 0
        : (frame) => normalise(left(frame) + right(frame));
    case 'sub':
      return (frame) => normalise(left(frame) - right(frame));
    case 'mul':
      return (frame) => normalise(Math.imul(left(frame), right(frame)));
    case 'div':
      return (frame) => normalise(Math.trunc(left(frame) / right(frame)));
    case 'rem':
      return (frame) => normalise(left(frame) % right(frame));
    case 'and':
      return (frame) => normalise(left(frame) & right(frame));
    case 'or':
      return (frame) => normalise(left(frame) | right(frame));
    case 'xor':
      return (frame) => normalise(left(frame) ^ right(frame));
    case 'shl':
      return (frame) => {
        const value = left(frame);
        const amount = right(frame);
        return amount >= bits ? 0 : normalise(value << amount);
      };
    case 'shr':
      return signed
        ? (frame) => left(frame) >> Math.min(right(frame), 31)
        : (frame) => {
            const value = left(frame);
            const amount = right(frame);
            return amount >= bits ? 0 : value >>> amount;
          };
    default:
      throw new InvariantError(`${operation} of integers`);
  }
}

/** On bigints; division by zero gives 0 (an assertion or assumption stands before it). */
export function compileBigBinary<F>(
  operation: BinaryOperation,
  wrap: (value: bigint) => bigint,
  left: (frame: F) => bigint,
  right: (frame: F) => bigint,
): (frame: F) => bigint {
  switch (operation) {
    case 'add':
      return (frame) => wrap(left(frame) + right(frame));
    case 'sub':
      return (frame) => wrap(left(frame) - right(frame));
    case 'mul':
      return (frame) => wrap(left(frame) * right(frame));
    case 'div':
      return (frame) => {
        const divisor = right(frame);
        return divisor === 0n ? 0n : wrap(left(frame) / divisor);
      };
    case 'rem':
      return (frame) => {
        const divisor = right(frame);
        return divisor === 0n ? 0n : wrap(left(frame) % divisor);
      };
    case 'and':
      return (frame) => wrap(left(frame) & right(frame));
    case 'or':
      return (frame) => wrap(left(frame) | right(frame));
    case 'xor':
      return (frame) => wrap(left(frame) ^ right(frame));
    default:
      throw new InvariantError(`${operation} of wide integers`);
  }
}

/** The nearest float or double of an integer, rounded once. */
export function bigToFloat(value: bigint, single: boolean): number {
  if (!single) return Number(value);
  const negative = value < 0n;
  let magnitude = negative ? -value : value;
  let exponent = 0;
  // Keep 53 bits, the last of which remembers whether anything was cut off: a double holds them exactly, so that the
  // rounding to float is the only one.
  const length = magnitude.toString(2).length;
  if (length > 53) {
    exponent = length - 53;
    const cut = magnitude & ((1n << BigInt(exponent)) - 1n);
    magnitude = (magnitude >> BigInt(exponent)) | (cut === 0n ? 0n : 1n);
  }
  const rounded = Math.fround(Number(magnitude)) * 2 ** exponent;
  return negative ? -rounded : rounded;
}
