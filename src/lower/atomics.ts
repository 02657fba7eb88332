/**
 * Atomic builtins (program/atomics.ts). One that reads and writes is one atomic section. Their orders stay in the
 * accesses; without weak memory nobody asks for them. A weak compare-and-exchange may fail without reason.
 */

import {
  type AtomicAccess,
  type AtomicOperand,
  CHANCE_FAILURE,
  decodeAtomic,
  withoutHiddenType,
} from '../program/atomics.ts';
import type { ScalarType, Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { type AccessMode, atomicMode, PLAIN, updateMode } from '../program/memory-order.ts';
import type { Builtin } from '../program/primitives.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import { assertNever } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { loadFrom, storeTo } from './accesses.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { convertTo, scalarTypeOf } from './arithmetic.ts';
import { type FunctionContext, temporaryObject } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { scale } from './lvalues.ts';
import {
  BYTE,
  binary,
  constant,
  convert,
  INT,
  integerScalar,
  isNotZero,
  isZero,
  select,
  unary,
  zeroOf,
} from './values.ts';

/** The object that an atomic builtin works on. A record is taken as an integer of its size. */
interface Target {
  readonly address: Value;
  readonly type: Type;
  readonly scalar: ScalarType;
}

type Operation<K extends AtomicAccess['kind']> = Extract<AtomicAccess, { kind: K }>;

/** An atomic builtin whose result is a record; the address of memory that holds it. Null when the name is none. */
export function lowerAtomicRecord(f: FunctionContext, expression: Builtin): Value | null {
  const value = lowerAtomic(f, expression);
  if (value === null) return null;
  const { type, loc } = expression;
  const address = temporaryObject(f, 'atomic value', type, loc);
  storePlain(f, address, value, atomicScalar(f, type, loc), loc);
  return address;
}

/** Lowers an atomic builtin; null when the name is none. */
export function lowerAtomic(f: FunctionContext, expression: Builtin): Value | null {
  const decoded = decodeAtomic(expression, f.model);
  if (decoded === null) return null;
  const { operation, others } = decoded;
  const { loc } = expression;
  for (const other of others) lowerEffects(f, other);
  switch (operation.kind) {
    case 'fence':
      f.builder.emit({ kind: 'fence', order: operation.order, loc });
      return zeroOf(INT);
    case 'signal-fence':
      return zeroOf(INT);
    case 'lock-free':
      return constant(1n, BYTE);
    default:
      return lowerAccess(f, operation, loc);
  }
}

function lowerAccess(f: FunctionContext, operation: AtomicAccess, loc: Loc): Value {
  switch (operation.kind) {
    case 'load':
      return lowerLoad(f, operation, loc);
    case 'store':
      return lowerStore(f, operation, loc);
    case 'clear': {
      const to = operation.isByte ? byteTarget(f, operation.object, loc) : target(f, operation.object, loc);
      return store(f, to, zeroOf(to.scalar), atomicMode(operation.order), loc);
    }
    case 'test-and-set': {
      const to = byteTarget(f, operation.object, loc);
      return convert(isNotZero(exchange(f, to, constant(1n, BYTE), updateMode(operation.order), loc)), BYTE);
    }
    case 'exchange':
      return lowerExchange(f, operation, loc);
    case 'fetch':
      return lowerFetch(f, operation, loc);
    case 'compare-exchange':
      return lowerCompareExchange(f, operation, loc);
    case 'compare-and-swap':
      return lowerCompareAndSwap(f, operation, loc);
    default:
      return assertNever(operation);
  }
}

// ---------------------------------------------------------------- targets

function pointee(pointer: Expression): Type {
  const { type } = withoutHiddenType(pointer);
  return type.kind === 'pointer' ? type.target : pointer.type;
}

function target(f: FunctionContext, pointer: Expression, loc: Loc): Target {
  const type = pointee(pointer);
  const address = f.builder.share(f.builder.stabilise(lowerValue(f, pointer), loc), loc);
  return { address, type, scalar: atomicScalar(f, type, loc) };
}

/** How a value of the type is loaded and stored at once. */
function atomicScalar(f: FunctionContext, type: Type, loc: Loc): ScalarType {
  return type.kind === 'record' ? bitsOf(f, type, loc) : scalarTypeOf(f, type, loc);
}

/** An integer as large as the type: what compare-and-exchange compares. */
function bitsOf(f: FunctionContext, type: Type, loc: Loc): ScalarType {
  const bits = 8 * sizeOf(type, f.model);
  if (bits === 8 || bits === 16 || bits === 32 || bits === 64 || bits === 128) return integerScalar(bits, false);
  f.program.unsupported(loc, `an atomic operation on ${bits / 8} bytes is`);
  return INT;
}

function byteTarget(f: FunctionContext, pointer: Expression, loc: Loc): Target {
  return { address: f.builder.share(lowerValue(f, pointer), loc), type: pointee(pointer), scalar: BYTE };
}

function store(f: FunctionContext, to: Target, value: Value, mode: AccessMode, loc: Loc): Value {
  f.builder.emit({ kind: 'store', address: to.address, value, type: to.scalar, mode, loc });
  return value;
}

function storePlain(f: FunctionContext, address: Value, value: Value, type: ScalarType, loc: Loc): void {
  storeTo(f, address, value, type, PLAIN, loc);
}

/** One atomic section; its value is in a register when it ends. */
function section(f: FunctionContext, loc: Loc, body: () => Value): Value {
  f.builder.emit({ kind: 'atomic-begin', loc });
  const value = f.builder.share(body(), loc);
  f.builder.emit({ kind: 'atomic-end', loc });
  return value;
}

/** The operand's value in the target's type, before the section starts. */
function operandFor(f: FunctionContext, { expression, isPointer }: AtomicOperand, to: Target, loc: Loc): Value {
  if (isPointer) return loadFrom(f, target(f, expression, loc).address, to.scalar, PLAIN, loc);
  if (to.type.kind === 'record') return loadFrom(f, recordAddress(f, expression), to.scalar, PLAIN, loc);
  return f.builder.share(f.builder.stabilise(convertTo(f, lowerValue(f, expression), to.type, loc), loc), loc);
}

// ---------------------------------------------------------------- operations

function lowerLoad(f: FunctionContext, { object, into, order }: Operation<'load'>, loc: Loc): Value {
  if (into) return lowerCopy(f, into, object, { load: atomicMode(order), store: PLAIN }, loc);
  const from = target(f, object, loc);
  return loadFrom(f, from.address, from.scalar, atomicMode(order), loc);
}

function lowerStore(f: FunctionContext, { object, value, order }: Operation<'store'>, loc: Loc): Value {
  const mode = atomicMode(order);
  if (value.isPointer) return lowerCopy(f, object, value.expression, { load: PLAIN, store: mode }, loc);
  const to = target(f, object, loc);
  return store(f, to, operandFor(f, value, to, loc), mode, loc);
}

/**
 * The generic load and store: a copy between two pointers of the same type, records included. What the machine moves at
 * once is one load and one store; the rest is a section.
 */
function lowerCopy(
  f: FunctionContext,
  to: Expression,
  from: Expression,
  modes: { readonly load: AccessMode; readonly store: AccessMode },
  loc: Loc,
): Value {
  const toAddress = f.builder.share(lowerValue(f, to), loc);
  const fromAddress = f.builder.share(lowerValue(f, from), loc);
  const type = pointee(from);
  const scalar = sizeOf(type, f.model) <= LARGEST_MOVE ? movedAs(f, type, loc) : null;
  if (scalar === null) copyRecord(f, toAddress, fromAddress, type, loc, modes);
  else storeTo(f, toAddress, loadFrom(f, fromAddress, scalar, modes.load, loc), scalar, modes.store, loc);
  return zeroOf(INT);
}

/** In bytes. */
const LARGEST_MOVE = 8;

/** Null for a record that is no power of two of bytes. */
function movedAs(f: FunctionContext, type: Type, loc: Loc): ScalarType | null {
  if (type.kind !== 'record') return scalarTypeOf(f, type, loc);
  return [1, 2, 4, 8].includes(sizeOf(type, f.model)) ? bitsOf(f, type, loc) : null;
}

function lowerExchange(f: FunctionContext, operation: Operation<'exchange'>, loc: Loc): Value {
  const to = target(f, operation.object, loc);
  const value = operandFor(f, operation.value, to, loc);
  const into = operation.into && target(f, operation.into, loc);
  const old = exchange(f, to, value, updateMode(operation.order), loc);
  if (into) storePlain(f, into.address, old, to.scalar, loc);
  return old;
}

function exchange(f: FunctionContext, to: Target, value: Value, mode: AccessMode, loc: Loc): Value {
  return section(f, loc, () => {
    const old = loadFrom(f, to.address, to.scalar, mode, loc);
    store(f, to, value, mode, loc);
    return old;
  });
}

function lowerFetch(f: FunctionContext, fetch: Operation<'fetch'>, loc: Loc): Value {
  const to = target(f, fetch.object, loc);
  const mode = updateMode(fetch.order);
  const raw = lowerValue(f, fetch.amount);
  const { type } = to;
  const amount = type.kind === 'pointer' && fetch.counts === 'elements' ? scale(f, raw, type.target, loc) : raw;
  const operand = f.builder.share(f.builder.stabilise(convert(amount, to.scalar), loc), loc);
  return section(f, loc, () => {
    const old = loadFrom(f, to.address, to.scalar, mode, loc);
    const { operation } = fetch;
    const computed = operation === 'nand' ? unary('not', binary('and', old, operand)) : binary(operation, old, operand);
    const next = f.builder.share(computed, loc);
    store(f, to, next, mode, loc);
    return fetch.returnsNew ? next : old;
  });
}

function lowerCompareExchange(f: FunctionContext, operation: Operation<'compare-exchange'>, loc: Loc): Value {
  const { builder } = f;
  const mode = updateMode(operation.order, operation.onFailure);
  const to = target(f, operation.object, loc);
  const expected = target(f, operation.expected, loc);
  const desired = operandFor(f, operation.desired, to, loc);
  const bits = bitsOf(f, to.type, loc);
  const wanted = loadFrom(f, expected.address, bits, PLAIN, loc);
  const fails = operation.isWeak ? nondetBool(f, CHANCE_FAILURE, loc) : null;
  const success = builder.newRegister(INT);
  builder.emit({ kind: 'atomic-begin', loc });
  const old = loadFrom(f, to.address, bits, mode, loc);
  const equal = binary('eq', old, wanted);
  builder.set(success, fails ? select(fails, zeroOf(INT), equal) : equal, loc);
  const failed = builder.newLabel();
  const end = builder.newLabel();
  builder.branch(builder.read(success), failed, loc);
  store(f, to, desired, mode, loc);
  builder.emit({ kind: 'atomic-end', loc });
  builder.jump(end, loc);
  builder.place(failed);
  builder.emit({ kind: 'atomic-end', loc });
  storePlain(f, expected.address, old, bits, loc);
  builder.place(end);
  return convert(builder.read(success), BYTE);
}

function nondetBool(f: FunctionContext, source: string, loc: Loc): Value {
  const register = f.builder.newRegister(BYTE);
  f.builder.emit({ kind: 'nondet', register, type: BYTE, isBool: true, source, loc });
  return f.builder.read(register);
}

function lowerCompareAndSwap(f: FunctionContext, operation: Operation<'compare-and-swap'>, loc: Loc): Value {
  const { builder } = f;
  const mode = updateMode(operation.order);
  const to = target(f, operation.object, loc);
  const [wanted, desired] = [operation.expected, operation.desired].map((expression) =>
    operandFor(f, { expression, isPointer: false }, to, loc),
  ) as [Value, Value];
  const old = section(f, loc, () => {
    const before = loadFrom(f, to.address, to.scalar, mode, loc);
    const end = builder.newLabel();
    builder.branch(binary('eq', before, wanted), end, loc);
    store(f, to, desired, mode, loc);
    builder.place(end);
    return before;
  });
  return operation.returns === 'old' ? old : convert(isZero(binary('ne', old, wanted)), BYTE);
}
