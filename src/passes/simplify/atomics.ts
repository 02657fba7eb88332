/**
 * Atomic builtins (`__atomic_*`, `__sync_*`, `__c11_atomic_*`) as atomic sections on plain memory. All memory orders
 * count as sequentially consistent. A weak compare-and-exchange may fail without reason. Operands are evaluated before
 * the section.
 */

import {
  arithmetic,
  assign,
  comparison,
  converted,
  dereference,
  ifStatement,
  integer,
  pointerOffset,
  zeroOf,
} from '../../program/build-tree.ts';
import { atomicBegin, atomicEnd, type Builtin, nondet } from '../../program/primitives.ts';
import type { ArithmeticOperator, Expression } from '../../program/tree.ts';
import { charType, intType, pointerTo, promoted, unqualified } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { nothing } from './builtins.ts';
import { equalParts } from './copy-parts.ts';
import { simplifyEffects, simplifyValue } from './expressions.ts';
import type { Simplifier } from './simplifier.ts';

type Operation = 'add' | 'sub' | 'and' | 'or' | 'xor' | 'nand';
type Handler = (s: Simplifier, node: Builtin) => Expression;

const FETCHES: readonly { readonly pattern: RegExp; readonly returnsNew: boolean; readonly scaled: boolean }[] = [
  { pattern: /^__atomic_fetch_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: false },
  { pattern: /^__atomic_(add|sub|and|or|xor|nand)_fetch$/, returnsNew: true, scaled: false },
  { pattern: /^__sync_fetch_and_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: false },
  { pattern: /^__sync_(add|sub|and|or|xor|nand)_and_fetch$/, returnsNew: true, scaled: false },
  { pattern: /^__c11_atomic_fetch_(add|sub|and|or|xor|nand)$/, returnsNew: false, scaled: true },
];

const OPERATORS: Readonly<Record<Operation, ArithmeticOperator>> = {
  add: '+',
  sub: '-',
  and: '&',
  or: '|',
  xor: '^',
  nand: '&',
};

/** The value of an atomic builtin, or null when the name is none. */
export function simplifyAtomic(s: Simplifier, node: Builtin): Expression | null {
  if (!/^__(atomic|sync|c11_atomic)_/.test(node.name)) return null;
  for (const { pattern, returnsNew, scaled } of FETCHES) {
    const operation = pattern.exec(node.name)?.[1] as Operation | undefined;
    if (operation) return fetch(s, node, operation, returnsNew, scaled);
  }
  const handler = HANDLERS[node.name];
  if (handler) return handler(s, node);
  s.refuse(`${node.name} is`, node.loc);
  return node.type.kind === 'void' ? nothing(node) : zeroOf(node.type, node.loc);
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  __atomic_load_n: load,
  __c11_atomic_load: load,
  __atomic_load: (s, node) => copy(s, node, 1, 0),
  __atomic_store: (s, node) => copy(s, node, 0, 1),
  __atomic_store_n: store,
  __c11_atomic_store: store,
  __c11_atomic_init: store,
  __atomic_exchange_n: exchange,
  __c11_atomic_exchange: exchange,
  __sync_lock_test_and_set: exchange,
  __sync_lock_release: (s, node) => {
    const to = target(s, node, 0);
    s.emit(assign(to, zeroOf(to.type, node.loc), node.loc));
    return nothing(node);
  },
  __atomic_clear: (s, node) => {
    s.emit(assign(byteTarget(s, node), integer(0, node.loc), node.loc));
    return nothing(node);
  },
  __atomic_test_and_set: (s, node) => {
    const to = byteTarget(s, node);
    const old = exchangeWith(s, to, converted(integer(1, node.loc), to.type), node.loc);
    return comparison('!=', old, zeroOf(old.type, node.loc), node.loc);
  },
  __atomic_exchange: (s, node) => {
    const to = target(s, node, 0);
    const value = s.save(target(s, node, 1));
    const result = target(s, node, 2);
    s.emit(assign(result, exchangeWith(s, to, value, node.loc), node.loc));
    return nothing(node);
  },
  __atomic_compare_exchange_n: (s, node) => compareExchange(s, node, isWeak(node.args[3]), false),
  __atomic_compare_exchange: (s, node) => compareExchange(s, node, isWeak(node.args[3]), true),
  __c11_atomic_compare_exchange_strong: (s, node) => compareExchange(s, node, false, false),
  __c11_atomic_compare_exchange_weak: (s, node) => compareExchange(s, node, true, false),
  __sync_bool_compare_and_swap: (s, node) => {
    const { old, wanted } = compareAndSwap(s, node);
    return comparison('==', old, wanted, node.loc);
  },
  __sync_val_compare_and_swap: (s, node) => compareAndSwap(s, node).old,
  __sync_synchronize: fence,
  __atomic_thread_fence: fence,
  __atomic_signal_fence: fence,
  __c11_atomic_thread_fence: fence,
  __c11_atomic_signal_fence: fence,
  __atomic_is_lock_free: (_, node) => integer(1, node.loc, node.type),
  __c11_atomic_is_lock_free: (_, node) => integer(1, node.loc, node.type),
};

function fence(s: Simplifier, node: Builtin): Expression {
  for (const arg of node.args) simplifyEffects(s, arg);
  return nothing(node);
}

function isWeak(arg: Expression | undefined): boolean {
  let at = arg;
  while (at?.kind === 'cast') at = at.operand;
  return at?.kind === 'integer' ? at.value !== 0n : true;
}

/** The object that an operand points to, behind a conversion to `void *` that a prototype asked for. */
function target(s: Simplifier, node: Builtin, index: number): Expression {
  let operand = node.args[index] as Expression;
  while (operand.kind === 'cast' && operand.implicit && operand.castKind === 'pointer') operand = operand.operand;
  return dereference(s.save(simplifyValue(s, operand)), node.loc);
}

function byteTarget(s: Simplifier, node: Builtin): Expression {
  const pointer = s.save(simplifyValue(s, node.args[0] as Expression));
  return dereference(converted(pointer, pointerTo(charType)), node.loc);
}

function operandFor(s: Simplifier, node: Builtin, index: number, type: Type): Expression {
  return s.save(converted(simplifyValue(s, node.args[index] as Expression), unqualified(type)));
}

function load(s: Simplifier, node: Builtin): Expression {
  return s.save(target(s, node, 0));
}

function store(s: Simplifier, node: Builtin): Expression {
  const to = target(s, node, 0);
  s.emit(assign(to, operandFor(s, node, 1, to.type), node.loc));
  return nothing(node);
}

function copy(s: Simplifier, node: Builtin, toIndex: number, fromIndex: number): Expression {
  const to = target(s, node, toIndex);
  const from = target(s, node, fromIndex);
  section(s, node.loc, () => s.emit(assign(to, from, node.loc)));
  return nothing(node);
}

function section(s: Simplifier, loc: Loc, work: () => void): void {
  s.emit(atomicBegin(loc));
  work();
  s.emit(atomicEnd(loc));
}

function exchange(s: Simplifier, node: Builtin): Expression {
  const to = target(s, node, 0);
  return exchangeWith(s, to, operandFor(s, node, 1, to.type), node.loc);
}

function exchangeWith(s: Simplifier, to: Expression, value: Expression, loc: Loc): Expression {
  const old = s.newTemporary(to.type, loc);
  section(s, loc, () => s.emit(assign(old, to, loc), assign(to, value, loc)));
  return old;
}

function fetch(s: Simplifier, node: Builtin, operation: Operation, returnsNew: boolean, scaled: boolean): Expression {
  const { loc } = node;
  const to = target(s, node, 0);
  const { type } = to;
  const isPointer = type.kind === 'pointer';
  const operand = isPointer ? s.save(simplifyValue(s, node.args[1] as Expression)) : operandFor(s, node, 1, type);
  const old = s.newTemporary(type, loc);
  const result = s.newTemporary(type, loc);
  section(s, loc, () => {
    s.emit(assign(old, to, loc));
    const next = isPointer ? moved(old, operand, operation, scaled, loc) : computed(old, operand, operation, loc);
    s.emit(assign(result, next, loc), assign(to, result, loc));
  });
  return returnsNew ? result : old;
}

function computed(old: Expression, operand: Expression, operation: Operation, loc: Loc): Expression {
  const computation = promoted(old.type);
  const value = arithmetic(OPERATORS[operation], converted(old, computation), converted(operand, computation), loc);
  if (operation !== 'nand') return value;
  return { kind: 'unary', operator: '~', operand: value, type: computation, loc };
}

/** GNU's builtins count in bytes, C11's in elements. */
function moved(old: Expression, operand: Expression, operation: Operation, scaled: boolean, loc: Loc): Expression {
  invariant(operation === 'add' || operation === 'sub', 'a pointer is only moved');
  const operator = operation === 'add' ? '+' : '-';
  if (scaled) return pointerOffset(operator, old, operand, loc);
  return converted(pointerOffset(operator, converted(old, pointerTo(charType)), operand, loc), old.type);
}

/** C has no `==` for records. */
function equal(s: Simplifier, left: Expression, right: Expression, loc: Loc): Expression {
  if (left.type.kind !== 'record') return comparison('==', left, right, loc);
  const parts = equalParts(left, right, s.model);
  if (parts === null) s.refuse('a compare-and-exchange of a record that cannot be compared by its members is', loc);
  const [first = integer(1, loc), ...rest] = parts ?? [];
  return rest.reduce<Expression>(
    (all, one) => ({ kind: 'logical', operator: '&&', left: all, right: one, type: intType, loc }),
    first,
  );
}

/** On failure, `*expected` gets the value found. */
function compareExchange(s: Simplifier, node: Builtin, weak: boolean, isIndirect: boolean): Expression {
  const { loc } = node;
  const to = target(s, node, 0);
  const expected = target(s, node, 1);
  const desired = isIndirect ? s.save(target(s, node, 2)) : operandFor(s, node, 2, to.type);
  const wanted = s.save(expected);
  const old = s.newTemporary(to.type, loc);
  const succeeded = s.newTemporary(intType, loc);
  const fails = weak ? s.newTemporary(intType, loc) : null;
  if (fails) s.emit(assign(fails, nondet(intType, loc), loc));
  section(s, loc, () => {
    s.emit(assign(old, to, loc));
    s.emit(assign(succeeded, equal(s, old, wanted, loc), loc));
    if (fails) s.emit(ifStatement(fails, [assign(succeeded, integer(0, loc), loc)], null, loc));
    s.emit(ifStatement(succeeded, [assign(to, desired, loc)], null, loc));
  });
  const failure = comparison('==', succeeded, integer(0, loc), loc);
  s.emit(ifStatement(failure, [assign(expected, old, loc)], null, loc));
  return succeeded;
}

function compareAndSwap(s: Simplifier, node: Builtin): { readonly old: Expression; readonly wanted: Expression } {
  const { loc } = node;
  const to = target(s, node, 0);
  const wanted = operandFor(s, node, 1, to.type);
  const desired = operandFor(s, node, 2, to.type);
  const old = s.newTemporary(to.type, loc);
  section(s, loc, () => {
    s.emit(assign(old, to, loc));
    s.emit(ifStatement(comparison('==', old, wanted, loc), [assign(to, desired, loc)], null, loc));
  });
  return { old, wanted };
}
