/**
 * Functions that the verifier knows by name, unless the program defines them itself: the primitives `__lazuli_*` on
 * which the model library stands (program/primitives.ts), and those of all verifiers (program/verifier-names.ts).
 */

import { asCandidate } from '../program/candidates.ts';
import { isCheckName } from '../program/check-names.ts';
import type { Value } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import { orderOf, PLAIN } from '../program/memory-order.ts';
import { type Primitive, primitiveNamed } from '../program/primitives.ts';
import { textOfString } from '../program/string-text.ts';
import type { Expression, FunctionSymbol } from '../program/tree.ts';
import { isBool, isComplete } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { type VerifierMeaning, verifierMeaning } from '../program/verifier-names.ts';
import type { Loc } from '../support/source.ts';
import { offsetBy } from './accesses.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { nondet, storeNondet } from './calls.ts';
import { emitAssert } from './checks.ts';
import { type FunctionContext, pointerType } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { asCondition, BYTE, convert, INT, integerScalar, isNotZero, isZero, zeroOf } from './values.ts';

type Call = Extract<Expression, { kind: 'call' }>;
type Handler = (f: FunctionContext, call: Call, name: string) => Value;

/** Lowers a call of a known function; null when the name is not known. */
export function lowerPrimitive(f: FunctionContext, symbol: FunctionSymbol, call: Call): Value | null {
  const { name } = symbol;
  const primitive = primitiveNamed(name);
  if (primitive) return PRIMITIVE_HANDLERS[primitive]?.(f, call, name) ?? null;
  const meaning = verifierMeaning(name);
  return meaning && MEANING_HANDLERS[meaning](f, call, name);
}

/** Null for those that only exist in the tree. */
const PRIMITIVE_HANDLERS: Readonly<Record<Primitive, Handler | null>> = {
  self: (f, call) => {
    const register = f.builder.newRegister(scalarTypeOf(f, call.type, call.loc));
    f.builder.emit({ kind: 'self', register, loc: call.loc });
    return f.builder.read(register);
  },
  spawn: lowerSpawn,
  endThread: (f, call) => emitSimple(f, 'end-thread', call),
  halt: (f, call) => emitSimple(f, 'halt', call),
  atomicBegin: (f, call) => emitSimple(f, 'atomic-begin', call),
  atomicEnd: (f, call) => emitSimple(f, 'atomic-end', call),
  fence: (f, call) => {
    const order = lowerValue(f, argument(call, 0));
    f.builder.emit({ kind: 'fence', order: orderOf(order.kind === 'constant' ? order.value : null), loc: call.loc });
    return zeroOf(INT);
  },
  assume: lowerAssume,
  assert: lowerAssertPrimitive,
  allocate: lowerAllocate,
  free: (f, call) => {
    f.builder.emit({ kind: 'free', address: lowerValue(f, argument(call, 0)), loc: call.loc });
    return zeroOf(INT);
  },
  objectSize: (f, call) => {
    const address = lowerValue(f, argument(call, 0));
    const register = f.builder.newRegister(integerScalar(pointerType(f).bits, false));
    f.builder.emit({ kind: 'object-size', register, address, loc: call.loc });
    return f.builder.read(register);
  },
  nondet: null,
  havoc: null,
  zero: null,
  touch: null,
};

const MEANING_HANDLERS: Readonly<Record<VerifierMeaning, Handler>> = {
  assume: lowerAssume,
  assert: (f, call) => {
    const condition = isNotZero(lowerValue(f, argument(call, 0)));
    if (f.program.has('assertion'))
      emitAssert(f, condition, 'assertion', literalText(call.args[1]) ?? 'assertion violated', call.loc);
    else haltUnless(f, condition, call.loc);
    return zeroOf(INT);
  },
  error: (f, call, name) => fail(f, call, `${name}() is called`),
  'failed-assertion': failAssertion,
  invariant: lowerInvariant,
  'atomic-begin': (f, call) => emitSimple(f, 'atomic-begin', call),
  'atomic-end': (f, call) => emitSimple(f, 'atomic-end', call),
  halt: (f, call) => emitSimple(f, 'halt', call),
  nondet: lowerNondet,
  'nondet-memory': lowerNondetMemory,
};

function argument(call: Call, index: number): Expression {
  const found = call.args[index];
  return found ?? { kind: 'integer', type: call.type, loc: call.loc, value: 0n, spelling: null };
}

function emitSimple(
  f: FunctionContext,
  kind: 'atomic-begin' | 'atomic-end' | 'end-thread' | 'halt',
  call: Call,
): Value {
  for (const arg of call.args) lowerEffects(f, arg);
  f.builder.emit({ kind, loc: call.loc });
  return zeroOf(INT);
}

function lowerAssume(f: FunctionContext, call: Call): Value {
  const condition = asCondition(lowerValue(f, argument(call, 0)));
  if (condition.kind !== 'constant' || condition.value === 0n) {
    f.builder.emit({ kind: 'assume', condition, loc: call.loc });
  }
  return zeroOf(INT);
}

/** A hint for proofs: to all others an assumption that holds anyhow (candidateOf in program/candidates.ts). */
function lowerInvariant(f: FunctionContext, call: Call): Value {
  const { loc } = call;
  f.builder.emit({ kind: 'atomic-begin', loc });
  const condition = asCandidate(convert(isNotZero(lowerValue(f, argument(call, 0))), INT));
  f.builder.emit({ kind: 'assume', condition, loc });
  f.builder.emit({ kind: 'atomic-end', loc });
  return zeroOf(INT);
}

/** `__lazuli_assert(condition, "check", "message")`. A check that is not asked for costs nothing. */
function lowerAssertPrimitive(f: FunctionContext, call: Call): Value {
  const name = literalText(call.args[1]) ?? 'assertion';
  const check = isCheckName(name) ? name : 'assertion';
  if (!f.program.has(check) && check !== 'unsupported') {
    lowerEffects(f, argument(call, 0));
    return zeroOf(INT);
  }
  const condition = isNotZero(lowerValue(f, argument(call, 0)));
  const other = check === 'unsupported' ? 'something that is not modelled is called' : 'assertion violated';
  emitAssert(f, condition, check, literalText(call.args[2]) ?? other, call.loc);
  return zeroOf(INT);
}

function failAssertion(f: FunctionContext, call: Call, name: string): Value {
  if (name === '__assert_perror_fail') return fail(f, call, 'assert_perror failed');
  const texts = call.args.map(literalText).filter((text) => text !== null);
  // The condition's text comes first in glibc, after function and file elsewhere.
  return fail(f, call, `assertion failed: ${texts[0] ?? ''}`);
}

function fail(f: FunctionContext, call: Call, message: string): Value {
  for (const arg of call.args) lowerEffects(f, arg);
  if (f.program.has('assertion')) emitAssert(f, zeroOf(INT), 'assertion', message, call.loc);
  f.builder.emit({ kind: 'halt', loc: call.loc });
  return zeroOf(INT);
}

/** What follows a failed assertion is none of the program's executions, also where nobody asks for it. */
function haltUnless({ builder }: FunctionContext, condition: Value, loc: Loc): void {
  const end = builder.newLabel();
  builder.branch(isZero(condition), end, loc);
  builder.emit({ kind: 'halt', loc });
  builder.place(end);
}

/** The characters of a string literal argument. */
function literalText(arg: Expression | undefined): string | null {
  let at = arg;
  while (at?.kind === 'cast') at = at.operand;
  if (at?.kind !== 'string') return null;
  return textOfString(at);
}

function lowerNondet(f: FunctionContext, call: Call, name: string): Value {
  for (const arg of call.args) lowerEffects(f, arg);
  if (call.type.kind === 'void') return zeroOf(INT);
  const isTruth = isBool(call.type) || name.endsWith('_bool');
  return nondet(f, scalarTypeOf(f, call.type, call.loc), name, call.loc, isTruth);
}

function lowerSpawn(f: FunctionContext, call: Call): Value {
  const start = f.builder.stabilise(lowerValue(f, argument(call, 0)), call.loc);
  const value = lowerValue(f, argument(call, 1));
  const register = f.builder.newRegister(scalarTypeOf(f, call.type, call.loc));
  f.builder.emit({ kind: 'spawn', register, start, argument: value, loc: call.loc });
  return f.builder.read(register);
}

/** `__lazuli_allocate(size, zeroed)`. */
function lowerAllocate(f: FunctionContext, call: Call): Value {
  const { builder } = f;
  const { loc } = call;
  const word = integerScalar(pointerType(f).bits, false);
  const size = builder.stabilise(convert(lowerValue(f, argument(call, 0)), word), loc);
  const flag = call.args[1] ? lowerValue(f, argument(call, 1)) : zeroOf(INT);
  const register = builder.newRegister(pointerType(f));
  const allocate = (zeroed: boolean) => {
    builder.emit({ kind: 'allocate', register, size, zeroed, isLocal: false, elementType: null, loc });
  };
  if (flag.kind === 'constant') {
    allocate(flag.value !== 0n);
    return builder.read(register);
  }
  const otherwise = builder.newLabel();
  const end = builder.newLabel();
  builder.branch(flag, otherwise, loc);
  allocate(true);
  builder.jump(end, loc);
  builder.place(otherwise);
  allocate(false);
  builder.place(end);
  return builder.read(register);
}

/**
 * `__VERIFIER_nondet_memory(pointer, size)` for a constant size: by the pointer's type if it fits, else byte by byte.
 */
function lowerNondetMemory(f: FunctionContext, call: Call): Value {
  let pointer = argument(call, 0);
  while (pointer.kind === 'cast' && pointer.castKind === 'pointer') pointer = pointer.operand;
  const address = f.builder.share(f.builder.stabilise(lowerValue(f, pointer), call.loc), call.loc);
  const size = lowerValue(f, argument(call, 1));
  if (size.kind !== 'constant' || size.value > 65536n) {
    f.program.unsupported(call.loc, '__VERIFIER_nondet_memory without a small constant size is');
    return zeroOf(INT);
  }
  const bytes = Number(size.value);
  const type: Type | null = pointer.type.kind === 'pointer' ? pointer.type.target : null;
  const unit = type && type.kind !== 'void' && isComplete(type) ? sizeOf(type, f.model) : 0;
  if (type && unit > 0 && bytes % unit === 0) {
    for (let at = 0; at < bytes; at += unit) storeNondet(f, offsetBy(f, address, at), type, 'memory', call.loc);
  } else {
    for (let at = 0; at < bytes; at++) storeNondetByte(f, offsetBy(f, address, at), call.loc);
  }
  return zeroOf(INT);
}

function storeNondetByte(f: FunctionContext, address: Value, loc: Loc): void {
  f.builder.emit({ kind: 'store', address, value: nondet(f, BYTE, 'memory', loc), type: BYTE, mode: PLAIN, loc });
}
