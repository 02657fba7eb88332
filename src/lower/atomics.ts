/**
 * Atomic builtins: `__atomic_*` and `__sync_*` of GNU C, `__c11_atomic_*` of clang. Each is one atomic section. All
 * memory orders count as sequentially consistent, the strongest: weaker memory is a matter of the engine. A weak
 * compare-and-exchange may fail without reason.
 */

import type { ScalarType, Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { convertTo, scalarTypeOf } from './arithmetic.ts';
import { type FunctionContext, temporaryObject } from './context.ts';
import { lowerValue } from './expressions.ts';
import { loadFrom, scale } from './lvalues.ts';
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

type Builtin = Extract<Expression, { kind: 'builtin' }>;

/** The object that an atomic builtin works on. A record is taken as an integer of its size. */
interface Target {
  readonly address: Value;
  readonly type: Type;
  readonly scalar: ScalarType;
}

type FetchOperation = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'nand';

const FETCH_PATTERNS: readonly { readonly pattern: RegExp; readonly returnsNew: boolean; readonly scaled: boolean }[] =
  [
    { pattern: /^__atomic_fetch_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: false },
    { pattern: /^__atomic_(add|sub|and|or|xor|nand)_fetch$/, returnsNew: true, scaled: false },
    { pattern: /^__sync_fetch_and_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: false },
    { pattern: /^__sync_(add|sub|and|or|xor|nand)_and_fetch$/, returnsNew: true, scaled: false },
    { pattern: /^__c11_atomic_fetch_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: true },
  ];

/** An atomic builtin whose result is a record; the address of memory that holds it. Null when the name is none. */
export function lowerAtomicRecord(f: FunctionContext, expression: Builtin): Value | null {
  const value = lowerAtomic(f, expression);
  if (value === null) return null;
  const { type, loc } = expression;
  const address = temporaryObject(f, 'atomic value', type, loc);
  f.builder.emit({ kind: 'store', address, value, type: atomicScalar(f, type, loc), atomic: false, loc });
  return address;
}

/** Lowers an atomic builtin; null when the name is none. */
export function lowerAtomic(f: FunctionContext, expression: Builtin): Value | null {
  const { name, args, loc } = expression;
  if (!/^__(atomic|sync|c11_atomic)_/.test(name)) return null;
  for (const { pattern, returnsNew, scaled } of FETCH_PATTERNS) {
    const operation = pattern.exec(name)?.[1] as FetchOperation | undefined;
    if (operation) return lowerFetch(f, args, operation, { returnsNew, scaled }, loc);
  }
  const handler = HANDLERS[name];
  if (handler) return handler(f, args, loc);
  f.program.unsupported(loc, `${name} is`);
  return zeroOf(INT);
}

type Handler = (f: FunctionContext, args: readonly Expression[], loc: Loc) => Value;

const HANDLERS: Readonly<Record<string, Handler>> = {
  __atomic_load_n: (f, args, loc) => loadTarget(f, target(f, args[0], loc), loc),
  __c11_atomic_load: (f, args, loc) => loadTarget(f, target(f, args[0], loc), loc),
  __atomic_load: (f, args, loc) => lowerCopy(f, argument(args, 1), argument(args, 0), loc),
  __atomic_store_n: (f, args, loc) => lowerStore(f, args, loc),
  __c11_atomic_store: (f, args, loc) => lowerStore(f, args, loc),
  __c11_atomic_init: (f, args, loc) => lowerStore(f, args, loc),
  __atomic_store: (f, args, loc) => lowerCopy(f, argument(args, 0), argument(args, 1), loc),
  __atomic_exchange_n: (f, args, loc) => lowerExchange(f, args, loc),
  __c11_atomic_exchange: (f, args, loc) => lowerExchange(f, args, loc),
  __sync_lock_test_and_set: (f, args, loc) => lowerExchange(f, args, loc),
  __atomic_exchange: lowerIndirectExchange,
  __sync_lock_release: (f, args, loc) => {
    const to = target(f, args[0], loc);
    return store(f, to, zeroOf(to.scalar), loc);
  },
  __atomic_clear: (f, args, loc) => store(f, byteTarget(f, args, loc), zeroOf(BYTE), loc),
  __atomic_test_and_set: (f, args, loc) => {
    const to = byteTarget(f, args, loc);
    const old = section(f, loc, () => {
      const before = loadTarget(f, to, loc);
      store(f, to, constant(1n, BYTE), loc);
      return before;
    });
    return convert(isNotZero(old), BYTE);
  },
  __atomic_compare_exchange_n: (f, args, loc) => lowerCompareExchange(f, args, isWeak(args[3]), false, loc),
  __atomic_compare_exchange: (f, args, loc) => lowerCompareExchange(f, args, isWeak(args[3]), true, loc),
  __c11_atomic_compare_exchange_strong: (f, args, loc) => lowerCompareExchange(f, args, false, false, loc),
  __c11_atomic_compare_exchange_weak: (f, args, loc) => lowerCompareExchange(f, args, true, false, loc),
  __sync_bool_compare_and_swap: (f, args, loc) => lowerCompareAndSwap(f, args, loc).succeeded,
  __sync_val_compare_and_swap: (f, args, loc) => lowerCompareAndSwap(f, args, loc).old,
  __sync_synchronize: evaluateAll,
  __atomic_thread_fence: evaluateAll,
  __atomic_signal_fence: evaluateAll,
  __c11_atomic_thread_fence: evaluateAll,
  __c11_atomic_signal_fence: evaluateAll,
  __atomic_is_lock_free: lockFree,
  __c11_atomic_is_lock_free: lockFree,
};

function evaluateAll(f: FunctionContext, args: readonly Expression[]): Value {
  for (const arg of args) lowerValue(f, arg);
  return zeroOf(INT);
}

function lockFree(f: FunctionContext, args: readonly Expression[]): Value {
  evaluateAll(f, args);
  return constant(1n, BYTE);
}

function isWeak(arg: Expression | undefined): boolean {
  let at = arg;
  while (at?.kind === 'cast') at = at.operand;
  return at?.kind === 'integer' ? at.value !== 0n : true;
}

function argument(args: readonly Expression[], index: number): Expression {
  return args[index] as Expression;
}

// ---------------------------------------------------------------- targets

function pointee(expression: Expression): Type {
  let at = expression;
  // A conversion to `volatile void *` that a prototype asked for hides the type.
  while (at.kind === 'cast' && at.implicit && at.castKind === 'pointer') at = at.operand;
  return at.type.kind === 'pointer' ? at.type.target : expression.type;
}

function target(f: FunctionContext, expression: Expression | undefined, loc: Loc): Target {
  const operand = expression as Expression;
  const type = pointee(operand);
  const address = f.builder.share(f.builder.stabilise(lowerValue(f, operand), loc), loc);
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

function byteTarget(f: FunctionContext, args: readonly Expression[], loc: Loc): Target {
  const operand = argument(args, 0);
  return { address: f.builder.share(lowerValue(f, operand), loc), type: pointee(operand), scalar: BYTE };
}

function loadTarget(f: FunctionContext, from: Target, loc: Loc): Value {
  return loadFrom(f, from.address, from.scalar, true, loc);
}

function store(f: FunctionContext, to: Target, value: Value, loc: Loc): Value {
  f.builder.emit({ kind: 'store', address: to.address, value, type: to.scalar, atomic: true, loc });
  return value;
}

/** One atomic section; its value is in a register when it ends. */
function section(f: FunctionContext, loc: Loc, body: () => Value): Value {
  f.builder.emit({ kind: 'atomic-begin', loc });
  const value = f.builder.share(body(), loc);
  f.builder.emit({ kind: 'atomic-end', loc });
  return value;
}

/** The operand's value in the target's type, before the section starts. */
function operandFor(f: FunctionContext, arg: Expression | undefined, to: Target, loc: Loc): Value {
  if (to.type.kind === 'record') return loadFrom(f, recordAddress(f, arg as Expression), to.scalar, false, loc);
  return f.builder.share(f.builder.stabilise(convertTo(f, lowerValue(f, arg as Expression), to.type, loc), loc), loc);
}

// ---------------------------------------------------------------- operations

function lowerStore(f: FunctionContext, args: readonly Expression[], loc: Loc): Value {
  const to = target(f, args[0], loc);
  store(f, to, operandFor(f, args[1], to, loc), loc);
  return zeroOf(INT);
}

function lowerExchange(f: FunctionContext, args: readonly Expression[], loc: Loc): Value {
  const to = target(f, args[0], loc);
  const value = operandFor(f, args[1], to, loc);
  return section(f, loc, () => {
    const old = loadTarget(f, to, loc);
    store(f, to, value, loc);
    return old;
  });
}

/** `__atomic_exchange(p, new, old, order)`: values through pointers. */
function lowerIndirectExchange(f: FunctionContext, args: readonly Expression[], loc: Loc): Value {
  const to = target(f, args[0], loc);
  const from = target(f, args[1], loc);
  const result = target(f, args[2], loc);
  const value = loadFrom(f, from.address, to.scalar, false, loc);
  const old = section(f, loc, () => {
    const before = loadTarget(f, to, loc);
    store(f, to, value, loc);
    return before;
  });
  f.builder.emit({ kind: 'store', address: result.address, value: old, type: to.scalar, atomic: false, loc });
  return zeroOf(INT);
}

/** The generic load and store: a copy between two pointers of the same type, records included. */
function lowerCopy(f: FunctionContext, to: Expression, from: Expression, loc: Loc): Value {
  const toAddress = f.builder.share(lowerValue(f, to), loc);
  const fromAddress = f.builder.share(lowerValue(f, from), loc);
  section(f, loc, () => {
    copyRecord(f, toAddress, fromAddress, pointee(from), loc);
    return zeroOf(INT);
  });
  return zeroOf(INT);
}

function lowerFetch(
  f: FunctionContext,
  args: readonly Expression[],
  operation: FetchOperation,
  form: { readonly returnsNew: boolean; readonly scaled: boolean },
  loc: Loc,
): Value {
  const to = target(f, args[0], loc);
  const isPointer = to.type.kind === 'pointer';
  const raw = lowerValue(f, argument(args, 1));
  const bytes = isPointer && form.scaled && to.type.kind === 'pointer' ? scale(f, raw, to.type.target, loc) : raw;
  const operand = f.builder.share(f.builder.stabilise(convert(bytes, to.scalar), loc), loc);
  return section(f, loc, () => {
    const old = loadTarget(f, to, loc);
    const computed = operation === 'nand' ? unary('not', binary('and', old, operand)) : binary(operation, old, operand);
    const next = f.builder.share(computed, loc);
    store(f, to, next, loc);
    return form.returnsNew ? next : old;
  });
}

/** `compare_exchange(p, expected, desired, …)`: on failure, `*expected` gets the value found. */
function lowerCompareExchange(
  f: FunctionContext,
  args: readonly Expression[],
  weak: boolean,
  isIndirect: boolean,
  loc: Loc,
): Value {
  const { builder } = f;
  const to = target(f, args[0], loc);
  const expected = target(f, args[1], loc);
  const desired = isIndirect
    ? loadFrom(f, target(f, args[2], loc).address, to.scalar, false, loc)
    : operandFor(f, args[2], to, loc);
  const bits = { ...to, scalar: bitsOf(f, to.type, loc) };
  const wanted = loadFrom(f, expected.address, bits.scalar, false, loc);
  const fails = weak ? nondetBool(f, 'a weak compare-and-exchange that fails', loc) : null;
  const success = builder.newRegister(INT);
  builder.emit({ kind: 'atomic-begin', loc });
  const old = loadTarget(f, bits, loc);
  const equal = binary('eq', old, wanted);
  builder.set(success, fails ? select(fails, zeroOf(INT), equal) : equal, loc);
  const failed = builder.newLabel();
  const end = builder.newLabel();
  builder.branch(builder.read(success), failed, loc);
  store(f, to, desired, loc);
  builder.emit({ kind: 'atomic-end', loc });
  builder.jump(end, loc);
  builder.place(failed);
  builder.emit({ kind: 'atomic-end', loc });
  builder.emit({ kind: 'store', address: expected.address, value: old, type: bits.scalar, atomic: false, loc });
  builder.place(end);
  return convert(builder.read(success), BYTE);
}

function nondetBool(f: FunctionContext, source: string, loc: Loc): Value {
  const register = f.builder.newRegister(BYTE);
  f.builder.emit({ kind: 'nondet', register, type: BYTE, isBool: true, source, loc });
  return f.builder.read(register);
}

function lowerCompareAndSwap(
  f: FunctionContext,
  args: readonly Expression[],
  loc: Loc,
): { readonly old: Value; readonly succeeded: Value } {
  const { builder } = f;
  const to = target(f, args[0], loc);
  const wanted = operandFor(f, args[1], to, loc);
  const desired = operandFor(f, args[2], to, loc);
  const old = section(f, loc, () => {
    const before = loadTarget(f, to, loc);
    const end = builder.newLabel();
    builder.branch(binary('eq', before, wanted), end, loc);
    store(f, to, desired, loc);
    builder.place(end);
    return before;
  });
  return { old, succeeded: convert(isZero(binary('ne', old, wanted)), BYTE) };
}
