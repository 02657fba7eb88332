/**
 * Values as closures over a frame. Integers of at most 32 bits and floats are JavaScript numbers, wider integers are
 * bigints; both are normalised to their type, as Code has it.
 *
 * Addresses have a way of their own (`compileAddress`): memory is indexed by numbers, and the sums and products that
 * make up an address are exact as doubles, because bases lie below 2^47 and what is added comes from 32 bits or a
 * constant.
 */

import type { ScalarType, Value } from '../../program/code.ts';
import { assertNever, invariant } from '../../support/invariant.ts';
import { bigToFloat, compileBigBinary, compileNumberBinary, normaliser } from './scalar-operations.ts';

/** What values see of a frame. */
export interface ValueFrame {
  readonly registers: (number | bigint)[];
  /** Base addresses of the local objects that are alive, 0 for others. */
  readonly objects: number[];
}

export type NumberFunction<F extends ValueFrame> = (frame: F) => number;
export type BigFunction<F extends ValueFrame> = (frame: F) => bigint;
export type ValueFunction<F extends ValueFrame> = (frame: F) => number | bigint;

/** How object addresses are found. */
export interface AddressSource<F extends ValueFrame> {
  objectAddress(object: number): NumberFunction<F>;
  functionAddress(id: number): number;
}

export function isBig(type: ScalarType): boolean {
  return type.kind === 'integer' && type.bits > 32;
}

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'le']);

export class ValueCompiler<F extends ValueFrame> {
  readonly #addresses: AddressSource<F>;

  constructor(addresses: AddressSource<F>) {
    this.#addresses = addresses;
  }

  any(value: Value): ValueFunction<F> {
    return isBig(value.type) ? this.big(value) : this.number(value);
  }

  /** Whether the value is not zero. */
  truth(value: Value): (frame: F) => boolean {
    if (isBig(value.type)) {
      const big = this.big(value);
      return (frame) => big(frame) !== 0n;
    }
    if (value.kind === 'binary' && COMPARISONS.has(value.operation) && !isBig(value.left.type)) {
      const left = this.number(value.left);
      const right = this.number(value.right);
      if (value.operation === 'eq') return (frame) => left(frame) === right(frame);
      if (value.operation === 'ne') return (frame) => left(frame) !== right(frame);
      if (value.operation === 'lt') return (frame) => left(frame) < right(frame);
      if (value.operation === 'le') return (frame) => left(frame) <= right(frame);
    }
    const number = this.number(value);
    return (frame) => number(frame) !== 0;
  }

  number(value: Value): NumberFunction<F> {
    switch (value.kind) {
      case 'constant': {
        const constant = Number(value.value);
        return () => constant;
      }
      case 'float-constant': {
        const constant = value.value;
        return () => constant;
      }
      case 'register': {
        const { register } = value;
        return (frame) => frame.registers[register] as number;
      }
      case 'object-address':
      case 'function-address':
        return this.address(value);
      case 'unary':
        return this.#numberUnary(value);
      case 'binary':
        return this.#numberBinary(value);
      case 'convert':
        return this.#toNumber(value.operand, value.type);
      case 'select': {
        const condition = this.truth(value.condition);
        const then = this.number(value.then);
        const otherwise = this.number(value.otherwise);
        return (frame) => (condition(frame) ? then(frame) : otherwise(frame));
      }
      case 'overflows':
        return this.#overflows(value);
      default:
        return assertNever(value);
    }
  }

  big(value: Value): BigFunction<F> {
    switch (value.kind) {
      case 'constant': {
        const constant = value.value;
        return () => constant;
      }
      case 'register': {
        const { register } = value;
        return (frame) => frame.registers[register] as bigint;
      }
      case 'object-address':
      case 'function-address': {
        const address = this.address(value);
        return (frame) => BigInt(address(frame));
      }
      case 'unary': {
        const operand = this.big(value.operand);
        const wrap = wrapper(value.type);
        return value.operation === 'neg' ? (frame) => wrap(-operand(frame)) : (frame) => wrap(~operand(frame));
      }
      case 'binary':
        return this.#bigBinary(value);
      case 'convert':
        return this.#toBig(value.operand, value.type);
      case 'select': {
        const condition = this.truth(value.condition);
        const then = this.big(value.then);
        const otherwise = this.big(value.otherwise);
        return (frame) => (condition(frame) ? then(frame) : otherwise(frame));
      }
      case 'float-constant':
      case 'overflows':
        invariant(false, 'a wide integer');
        return () => 0n;
      default:
        return assertNever(value);
    }
  }

  /** An address as a number, whatever the word size; out of range it is no valid address, but never a wrong one. */
  address(value: Value): NumberFunction<F> {
    switch (value.kind) {
      case 'constant': {
        const constant = Number(value.value);
        return () => constant;
      }
      case 'object-address': {
        const base = this.#addresses.objectAddress(value.object);
        const { offset } = value;
        return offset === 0 ? base : (frame) => base(frame) + offset;
      }
      case 'function-address': {
        const address = this.#addresses.functionAddress(value.function);
        return () => address;
      }
      case 'binary':
        return this.#addressSum(value);
      default: {
        if (!isBig(value.type)) return this.number(value);
        if (isSmall(value)) return this.#smallNumber(value);
        const big = this.big(value);
        return (frame) => Number(big(frame));
      }
    }
  }

  #addressSum(value: Extract<Value, { kind: 'binary' }>): NumberFunction<F> {
    if (isBig(value.type) && (value.operation === 'add' || value.operation === 'sub') && isSmall(value.right)) {
      const left = this.address(value.left);
      const right = this.#smallNumber(value.right);
      return value.operation === 'add' ? (frame) => left(frame) + right(frame) : (frame) => left(frame) - right(frame);
    }
    if (!isBig(value.type)) return this.number(value);
    const big = this.big(value);
    return (frame) => Number(big(frame));
  }

  /** A wide value that `isSmall`: exact as a number, taken as signed. */
  #smallNumber(value: Value): NumberFunction<F> {
    if (value.kind === 'constant') {
      const constant = Number(BigInt.asIntN(64, value.value));
      return () => constant;
    }
    if (value.kind === 'convert') {
      return isBig(value.operand.type) ? this.#smallNumber(value.operand) : this.number(value.operand);
    }
    invariant(value.kind === 'binary', 'a small value');
    const left = this.#smallNumber(value.left);
    const right = this.#smallNumber(value.right);
    return value.operation === 'mul' ? (frame) => left(frame) * right(frame) : (frame) => left(frame) + right(frame);
  }

  #numberUnary(value: Extract<Value, { kind: 'unary' }>): NumberFunction<F> {
    const operand = this.number(value.operand);
    if (value.type.kind === 'float') return (frame) => -operand(frame);
    const normalise = normaliser(value.type);
    return value.operation === 'neg' ? (frame) => normalise(-operand(frame)) : (frame) => normalise(~operand(frame));
  }

  #numberBinary(value: Extract<Value, { kind: 'binary' }>): NumberFunction<F> {
    const { operation, left, right } = value;
    if (operation === 'shl' || operation === 'shr') {
      const amount = this.#amount(right);
      return compileNumberBinary(operation, left.type, this.number(left), amount);
    }
    if (!isBig(left.type)) return compileNumberBinary(operation, left.type, this.number(left), this.number(right));
    const a = this.big(left);
    const b = this.big(right);
    switch (operation) {
      case 'eq':
        return (frame) => (a(frame) === b(frame) ? 1 : 0);
      case 'ne':
        return (frame) => (a(frame) !== b(frame) ? 1 : 0);
      case 'lt':
        return (frame) => (a(frame) < b(frame) ? 1 : 0);
      case 'le':
        return (frame) => (a(frame) <= b(frame) ? 1 : 0);
      default:
        invariant(false, 'a comparison');
        return () => 0;
    }
  }

  #bigBinary(value: Extract<Value, { kind: 'binary' }>): BigFunction<F> {
    const { operation, left, right, type } = value;
    const wrap = wrapper(type);
    if (operation === 'shl' || operation === 'shr') {
      const a = this.big(left);
      const amount = this.#amount(right);
      return operation === 'shl'
        ? (frame) => wrap(a(frame) << BigInt(Math.min(amount(frame), 128)))
        : (frame) => a(frame) >> BigInt(Math.min(amount(frame), 128));
    }
    return compileBigBinary(operation, wrap, this.big(left), this.big(right));
  }

  /** A shift amount; a negative one counts as too large. */
  #amount(value: Value): NumberFunction<F> {
    if (isBig(value.type)) {
      const big = this.big(value);
      return (frame) => {
        const amount = big(frame);
        return amount < 0n || amount > 255n ? 255 : Number(amount);
      };
    }
    const number = this.number(value);
    return (frame) => {
      const amount = number(frame);
      return amount < 0 || amount > 255 ? 255 : amount;
    };
  }

  #toNumber(operand: Value, type: ScalarType): NumberFunction<F> {
    if (type.kind === 'float') return this.#toFloat(operand, type);
    if (operand.type.kind === 'float') return this.#fromFloat(operand, type);
    const normalise = normaliser(type);
    if (isBig(operand.type)) {
      const big = this.big(operand);
      return (frame) => normalise(Number(BigInt.asIntN(32, big(frame))));
    }
    const number = this.number(operand);
    if (fits(operand.type, type)) return number;
    return (frame) => normalise(number(frame));
  }

  #toFloat(operand: Value, type: ScalarType): NumberFunction<F> {
    const single = type.bits === 32;
    if (isBig(operand.type)) {
      const big = this.big(operand);
      return (frame) => bigToFloat(big(frame), single);
    }
    const number = this.number(operand);
    return single ? (frame) => Math.fround(number(frame)) : number;
  }

  #fromFloat(operand: Value, type: Extract<ScalarType, { kind: 'integer' }>): NumberFunction<F> {
    const number = this.number(operand);
    const normalise = normaliser(type);
    // Out of range is undefined in C. Here it is converted as x86 does: to a signed integer of 32 bits, for a wide
    // unsigned type of 64, where everything that does not fit is the least number, and then cut.
    if (type.bits === 32 && !type.signed) {
      return (frame) => {
        const truncated = Math.trunc(number(frame));
        return truncated >= -(2 ** 63) && truncated < 2 ** 63 ? normalise(truncated) : 0;
      };
    }
    return (frame) => {
      const truncated = Math.trunc(number(frame));
      return normalise(truncated >= -0x8000_0000 && truncated <= 0x7fff_ffff ? truncated : -0x8000_0000);
    };
  }

  #toBig(operand: Value, type: ScalarType): BigFunction<F> {
    const wrap = wrapper(type);
    if (operand.type.kind === 'float') {
      const number = this.number(operand);
      const working = type.kind === 'integer' && type.signed ? type.bits : 2 * type.bits;
      const limit = 2 ** (working - 1);
      return (frame) => {
        const truncated = Math.trunc(number(frame));
        if (!(truncated >= -limit && truncated < limit)) return wrap(-(1n << BigInt(working - 1)));
        return wrap(BigInt(truncated));
      };
    }
    if (isBig(operand.type)) {
      const big = this.big(operand);
      return (frame) => wrap(big(frame));
    }
    const number = this.number(operand);
    return (frame) => wrap(BigInt(number(frame)));
  }

  #overflows(value: Extract<Value, { kind: 'overflows' }>): NumberFunction<F> {
    const { operation, left, right } = value;
    const a = this.any(left);
    const b = this.any(right);
    const bits = left.type.bits;
    return (frame) => {
      const x = BigInt(a(frame));
      const y = BigInt(b(frame));
      const exact = exactly(operation, x, y);
      return exact === null || BigInt.asIntN(bits, exact) !== exact ? 1 : 0;
    };
  }
}

/** The mathematical result; null when it is an overflow anyway. */
function exactly(operation: Extract<Value, { kind: 'overflows' }>['operation'], x: bigint, y: bigint): bigint | null {
  switch (operation) {
    case 'add':
      return x + y;
    case 'sub':
      return x - y;
    case 'mul':
      return x * y;
    case 'neg':
      return -x;
    case 'shl':
      if (x < 0n || y < 0n) return null;
      return x === 0n ? 0n : y > 256n ? null : x << y;
  }
}

function wrapper(type: ScalarType): (value: bigint) => bigint {
  const { bits } = type;
  return type.kind === 'integer' && type.signed
    ? (value) => BigInt.asIntN(bits, value)
    : (value) => BigInt.asUintN(bits, value);
}

/** Whether every value of one type lies in another, both of at most 32 bits. */
function fits(from: ScalarType, to: ScalarType): boolean {
  if (from.kind !== 'integer' || to.kind !== 'integer') return false;
  if (from.signed === to.signed) return from.bits <= to.bits;
  return !from.signed && from.bits < to.bits;
}

/** A wide integer made of 32-bit parts and constants by operations that stay exact in a double. */
function isSmall(value: Value): boolean {
  switch (value.kind) {
    case 'constant': {
      const signed = BigInt.asIntN(64, value.value);
      return signed > -0x1_0000_0000n && signed < 0x1_0000_0000n;
    }
    case 'convert':
      if (value.operand.type.kind === 'float') return false;
      // Sign-extended through the signed type first, as lowering writes it; then the unsigned word is the same number
      // modulo 2^64.
      return isBig(value.operand.type) ? isSmall(value.operand) : true;
    case 'binary':
      // A 32-bit number times a size below 2^20 is exact.
      if (value.operation !== 'mul' || value.right.kind !== 'constant') return false;
      return value.right.value < 0x10_0000n && value.right.value >= 0n && isSmall(value.left);
    default:
      return false;
  }
}
