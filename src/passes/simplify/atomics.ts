/**
 * Atomic builtins (program/atomics.ts) as atomic sections on plain memory, and fences as primitives. The orders of
 * accesses end here: a `seq_cst` store is a section under a weak memory model, since it waits for all stores, and a
 * release store is marked by what stands before it. A weak compare-and-exchange may fail without reason. Operands are
 * evaluated before the section.
 */

import {
  type AtomicAccess,
  type AtomicOperand,
  type AtomicOperation,
  decodeAtomic,
  type FetchOperation,
  withoutHiddenType,
} from '../../program/atomics.ts';
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
import { isWeak } from '../../program/memory-model.ts';
import { acquires, type MemoryOrder, releases } from '../../program/memory-order.ts';
import { atomicBegin, atomicEnd, type Builtin, fence, nondet, releaseNext } from '../../program/primitives.ts';
import type { ArithmeticOperator, Expression } from '../../program/tree.ts';
import { charType, intType, isScalar, pointerTo, promoted, unqualified } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { assertNever, invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { nothing } from './builtins.ts';
import { equalParts } from './copy-parts.ts';
import { simplifyEffects, simplifyValue } from './expressions.ts';
import type { Simplifier } from './simplifier.ts';

type Operation<K extends AtomicAccess['kind']> = Extract<AtomicAccess, { kind: K }>;

const OPERATORS: Readonly<Record<FetchOperation, ArithmeticOperator>> = {
  add: '+',
  sub: '-',
  and: '&',
  or: '|',
  xor: '^',
  nand: '&',
};

/** The value of an atomic builtin, or null when the name is none. */
export function simplifyAtomic(s: Simplifier, node: Builtin): Expression | null {
  const decoded = decodeAtomic(node, s.model);
  if (decoded === null) return null;
  const { operation, others } = decoded;
  const { loc } = node;
  for (const other of others) simplifyEffects(s, other);
  refuseWeakOrders(s, operation, loc);
  switch (operation.kind) {
    case 'fence':
      s.emit(fence(operation.order, loc));
      return nothing(node);
    case 'signal-fence':
      return nothing(node);
    case 'lock-free':
      return integer(1, loc, node.type);
    default:
      return simplifyAccess(s, operation, loc) ?? nothing(node);
  }
}

/**
 * That two accesses come together is all that there is to a race only where every atomic read comes after the write
 * that it sees (encode/encode-race.ts).
 */
function refuseWeakOrders(s: Simplifier, operation: AtomicOperation, loc: Loc): void {
  if (s.context.options.seeks !== 'race' || !('order' in operation) || operation.kind === 'fence') return;
  const isRead = operation.kind !== 'store' && operation.kind !== 'clear';
  const isWrite = operation.kind !== 'load';
  const { order } = operation;
  const acquiresAll = acquires(order) && (operation.kind !== 'compare-exchange' || acquires(operation.onFailure));
  if ((isRead && !acquiresAll) || (isWrite && !releases(order)))
    s.refuse('where data races are looked for C to C, an atomic access that does not acquire and release is', loc);
}

/** Null when it has no value. */
function simplifyAccess(s: Simplifier, operation: AtomicAccess, loc: Loc): Expression | null {
  switch (operation.kind) {
    case 'load': {
      const from = target(s, operation.object, loc);
      const into = operation.into && target(s, operation.into, loc);
      if (s.context.options.seeks !== 'race') return into ? copy(s, into, from, loc) : s.save(from);
      const value = loadInSection(s, from, loc);
      return into ? assignTo(s, into, value, loc) : value;
    }
    case 'store': {
      const to = target(s, operation.object, loc);
      const from = operation.value.isPointer ? target(s, operation.value.expression, loc) : null;
      const value = from ? null : operandFor(s, operation.value, to.type, loc);
      return ordered(s, operation.order, loc, () =>
        from ? copy(s, to, from, loc) : store(s, to, value as Expression, loc),
      );
    }
    case 'clear': {
      const to = operation.isByte ? byteTarget(s, operation.object, loc) : target(s, operation.object, loc);
      return ordered(s, operation.order, loc, () => store(s, to, converted(integer(0, loc), to.type), loc));
    }
    case 'test-and-set': {
      const to = byteTarget(s, operation.object, loc);
      const old = exchange(s, to, converted(integer(1, loc), to.type), loc);
      return comparison('!=', old, zeroOf(old.type, loc), loc);
    }
    case 'exchange': {
      const to = target(s, operation.object, loc);
      const value = operandFor(s, operation.value, to.type, loc);
      const into = operation.into && target(s, operation.into, loc);
      const old = exchange(s, to, value, loc);
      return into ? assignTo(s, into, old, loc) : old;
    }
    case 'fetch':
      return fetch(s, operation, loc);
    case 'compare-exchange':
      return compareExchange(s, operation, loc);
    case 'compare-and-swap':
      return compareAndSwap(s, operation, loc);
    default:
      return assertNever(operation);
  }
}

function target(s: Simplifier, pointer: Expression, loc: Loc): Expression {
  return dereference(s.save(simplifyValue(s, withoutHiddenType(pointer))), loc);
}

function byteTarget(s: Simplifier, pointer: Expression, loc: Loc): Expression {
  return dereference(converted(s.save(simplifyValue(s, pointer)), pointerTo(charType)), loc);
}

function operandFor(s: Simplifier, { expression, isPointer }: AtomicOperand, type: Type, loc: Loc): Expression {
  if (isPointer) return s.save(target(s, expression, loc));
  return s.save(converted(simplifyValue(s, expression), unqualified(type)));
}

/** Where data races are sought, a section tells an access from one that is not atomic. */
function loadInSection(s: Simplifier, from: Expression, loc: Loc): Expression {
  const value = s.newTemporary(from.type, loc);
  section(s, loc, () => s.emit(assign(value, from, loc)));
  return value;
}

function store(s: Simplifier, to: Expression, value: Expression, loc: Loc): null {
  if (s.context.options.seeks === 'race') section(s, loc, () => assignTo(s, to, value, loc));
  else assignTo(s, to, value, loc);
  return null;
}

function assignTo(s: Simplifier, to: Expression, value: Expression, loc: Loc): null {
  s.emit(assign(to, value, loc));
  return null;
}

/** One access of the machine, besides one to what is private to the thread. */
function copy(s: Simplifier, to: Expression, from: Expression, loc: Loc): null {
  if (isScalar(from.type) || s.context.options.seeks === 'race') return store(s, to, s.save(from), loc);
  s.emit(s.accessBegin(loc), assign(to, from, loc), atomicEnd(loc));
  return null;
}

/** A store with the order that it has under a weak memory model. */
function ordered(s: Simplifier, order: MemoryOrder, loc: Loc, emitStore: () => null): null {
  const { memoryModel } = s.context.options;
  if (!isWeak(memoryModel) || !s.splits) return emitStore();
  if (order === 'seq_cst') section(s, loc, emitStore);
  else {
    if (memoryModel === 'pso' && releases(order)) s.emit(releaseNext(loc));
    emitStore();
  }
  return null;
}

function section(s: Simplifier, loc: Loc, work: () => void): void {
  s.emit(atomicBegin(loc, s.context.options.seeks === 'race' ? 'operation' : null));
  work();
  s.emit(atomicEnd(loc));
}

function exchange(s: Simplifier, to: Expression, value: Expression, loc: Loc): Expression {
  const old = s.newTemporary(to.type, loc);
  section(s, loc, () => s.emit(assign(old, to, loc), assign(to, value, loc)));
  return old;
}

function fetch(s: Simplifier, operation: Operation<'fetch'>, loc: Loc): Expression {
  const to = target(s, operation.object, loc);
  const { type } = to;
  const isPointer = type.kind === 'pointer';
  const amount = simplifyValue(s, operation.amount);
  const operand = s.save(isPointer ? amount : converted(amount, unqualified(type)));
  const old = s.newTemporary(type, loc);
  const result = s.newTemporary(type, loc);
  section(s, loc, () => {
    s.emit(assign(old, to, loc));
    const next = isPointer ? moved(old, operand, operation, loc) : computed(old, operand, operation.operation, loc);
    s.emit(assign(result, next, loc), assign(to, result, loc));
  });
  return operation.returnsNew ? result : old;
}

function computed(old: Expression, operand: Expression, operation: FetchOperation, loc: Loc): Expression {
  const computation = promoted(old.type);
  const value = arithmetic(OPERATORS[operation], converted(old, computation), converted(operand, computation), loc);
  if (operation !== 'nand') return value;
  return { kind: 'unary', operator: '~', operand: value, type: computation, loc };
}

/** GNU's builtins count in bytes, C11's in elements. */
function moved(old: Expression, operand: Expression, fetched: Operation<'fetch'>, loc: Loc): Expression {
  const { operation, counts } = fetched;
  invariant(operation === 'add' || operation === 'sub', 'a pointer is only moved');
  const operator = operation === 'add' ? '+' : '-';
  if (counts === 'elements') return pointerOffset(operator, old, operand, loc);
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

function compareExchange(s: Simplifier, operation: Operation<'compare-exchange'>, loc: Loc): Expression {
  const to = target(s, operation.object, loc);
  const expected = target(s, operation.expected, loc);
  const desired = operandFor(s, operation.desired, to.type, loc);
  const wanted = s.save(expected);
  const old = s.newTemporary(to.type, loc);
  const succeeded = s.newTemporary(intType, loc);
  const fails = operation.isWeak ? s.newTemporary(intType, loc) : null;
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

function compareAndSwap(s: Simplifier, operation: Operation<'compare-and-swap'>, loc: Loc): Expression {
  const to = target(s, operation.object, loc);
  const [wanted, desired] = [operation.expected, operation.desired].map((expression) =>
    operandFor(s, { expression, isPointer: false }, to.type, loc),
  ) as [Expression, Expression];
  const old = s.newTemporary(to.type, loc);
  section(s, loc, () => {
    s.emit(assign(old, to, loc));
    s.emit(ifStatement(comparison('==', old, wanted, loc), [assign(to, desired, loc)], null, loc));
  });
  return operation.returns === 'old' ? old : comparison('==', old, wanted, loc);
}
