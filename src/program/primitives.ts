/**
 * The primitives in the tree. Everything that the passes give a meaning of their own is a `builtin` node with one of
 * these names, however the user or the models spelled it. Their meaning is told in the models' primitives.h; besides
 * those there are:
 *
 * - `nondet` gives any value of its type;
 * - `havoc` and `zero` fill the object that their operand denotes with anything or with zeros;
 * - `touch` says that an access comes next, where data races are sought.
 */

import type { Loc } from '../support/source.ts';
import { builtin, expressionStatement, integer, string } from './build-tree.ts';
import type { CheckName } from './check-names.ts';
import { type MemoryOrder, numberOfOrder, orderOf } from './memory-order.ts';
import { textOfString } from './string-text.ts';
import type { Expression, Statement } from './tree.ts';
import type { Type } from './types.ts';

export const PRIMITIVES = {
  assume: '__lazuli_assume',
  assert: '__lazuli_assert',
  self: '__lazuli_self',
  spawn: '__lazuli_spawn',
  endThread: '__lazuli_end_thread',
  halt: '__lazuli_halt',
  atomicBegin: '__lazuli_atomic_begin',
  atomicEnd: '__lazuli_atomic_end',
  fence: '__lazuli_fence',
  allocate: '__lazuli_allocate',
  free: '__lazuli_free',
  objectSize: '__lazuli_object_size',
  nondet: '__lazuli_nondet',
  havoc: '__lazuli_havoc',
  zero: '__lazuli_zero',
  touch: '__lazuli_touch',
} as const;

/** What every thread but main runs, with its start routine and argument. */
export const THREAD_ENTRY = '__lazuli_thread_entry';

export type Primitive = keyof typeof PRIMITIVES;
export type Builtin = Extract<Expression, { kind: 'builtin' }>;

const BY_NAME: ReadonlyMap<string, Primitive> = new Map(
  Object.entries(PRIMITIVES).map(([key, name]) => [name, key as Primitive]),
);

export function primitiveNamed(name: string): Primitive | null {
  return BY_NAME.get(name) ?? null;
}

/** The primitive that an expression is, or null. */
export function primitiveOf(expression: Expression): Primitive | null {
  return expression.kind === 'builtin' ? primitiveNamed(expression.name) : null;
}

/** The primitive that a statement consists of: `assume(…);` and also `x = self();`. */
export function primitiveCall(statement: Statement): { readonly primitive: Primitive; readonly call: Builtin } | null {
  if (statement.kind !== 'expression') return null;
  const { expression } = statement;
  const call = expression.kind === 'assignment' ? stripCasts(expression.value) : expression;
  if (call.kind !== 'builtin') return null;
  const primitive = primitiveNamed(call.name);
  return primitive && { primitive, call };
}

function stripCasts(expression: Expression): Expression {
  let at = expression;
  while (at.kind === 'cast') at = at.operand;
  return at;
}

export function isPrimitiveStatement(statement: Statement, primitive: Primitive): boolean {
  return primitiveCall(statement)?.primitive === primitive;
}

export function assume(condition: Expression, loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.assume, [condition], loc), loc);
}

/** An assumption that cuts off executions beyond a bound: a second argument says of what. */
export function assumeWithinBound(condition: Expression, what: string, stringId: () => number, loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.assume, [condition, string(what, stringId(), loc)], loc), loc);
}

/** What such an assumption is about; null for other primitives. */
export function boundOf({ primitive, call }: { readonly primitive: Primitive; readonly call: Builtin }): {
  readonly condition: Expression;
  readonly what: string;
} | null {
  const [condition, what] = call.args;
  if (primitive !== 'assume' || !condition || what?.kind !== 'string') return null;
  return { condition, what: textOfString(what) };
}

/**
 * An assumption on which a thread routine waits: a second argument is the number, plus one, of the thread that is
 * waited for, 0 where that is nobody in particular.
 */
export function waitFor(condition: Expression, holder: Expression, loc: Loc): Expression {
  return builtin(PRIMITIVES.assume, [condition, holder], loc);
}

/** What such an assumption waits for; null for other primitives. */
export function waitOf({ primitive, call }: { readonly primitive: Primitive; readonly call: Builtin }): {
  readonly condition: Expression;
  readonly holder: Expression;
} | null {
  const [condition, holder] = call.args;
  if (primitive !== 'assume' || !condition || !holder || holder.kind === 'string') return null;
  return { condition, holder };
}

/** `check` is the name of the check that is violated. `stringId` starts two numbers that no other string has. */
export function assert(
  condition: Expression,
  check: string,
  message: string,
  stringId: () => number,
  loc: Loc,
): Expression {
  return builtin(PRIMITIVES.assert, [condition, string(check, stringId(), loc), string(message, stringId(), loc)], loc);
}

export function nondet(type: Type, loc: Loc): Expression {
  return builtin(PRIMITIVES.nondet, [], loc, type);
}

/**
 * Where data races are sought, an argument says that accesses in the section are atomic: `section` for one of the
 * program's own, `operation` for a C11 atomic. Without it they are not, or are those of a thread routine.
 */
export function atomicBegin(loc: Loc, meaning: AtomicMeaning | null = null): Statement {
  return expressionStatement(atomicBeginCall(loc, meaning), loc);
}

export type AtomicMeaning = keyof typeof ATOMIC_MEANINGS;

const ATOMIC_MEANINGS = { section: 2n, operation: 3n } as const;

export function atomicBeginCall(loc: Loc, meaning: AtomicMeaning | null): Expression {
  const args = meaning === null ? [] : [integer(ATOMIC_MEANINGS[meaning], loc)];
  return builtin(PRIMITIVES.atomicBegin, args, loc);
}

export function meaningOf({ args: [mark] }: Builtin): AtomicMeaning | null {
  if (mark?.kind !== 'integer') return null;
  if (mark.value === ATOMIC_MEANINGS.section) return 'section';
  return mark.value === ATOMIC_MEANINGS.operation ? 'operation' : null;
}

/** An access that comes next: so many bytes from an address, which is `&lvalue`, or what is freed there. */
export interface TouchedPlace {
  readonly address: Expression;
  readonly offset: number;
  readonly size: Expression;
  readonly isWrite: boolean;
  readonly isAtomic: boolean;
}

export function touch({ address, offset, size, isWrite, isAtomic }: TouchedPlace, loc: Loc): Statement {
  const flags = [offset, Number(isWrite), Number(isAtomic)].map((flag) => integer(flag, loc));
  return expressionStatement(builtin(PRIMITIVES.touch, [address, size, ...flags], loc), loc);
}

/** What a `touch` says. */
export function touchedPlace({ args }: Builtin): TouchedPlace {
  const [address, size, ...flags] = args as [Expression, Expression, ...Expression[]];
  const [offset = 0, isWrite = 0, isAtomic = 0] = flags.map((flag) =>
    flag.kind === 'integer' ? Number(flag.value) : 0,
  );
  return { address, offset, size, isWrite: isWrite !== 0, isAtomic: isAtomic !== 0 };
}

/** Begins a section that is one access of the machine, as to a whole storage unit: it does not wait for stores. */
export function accessBegin(loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.atomicBegin, [integer(1, loc)], loc), loc);
}

export function isAccessBegin({ args: [mark] }: Builtin): boolean {
  return mark?.kind === 'integer' && mark.value === 1n;
}

export function atomicEnd(loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.atomicEnd, [], loc), loc);
}

export function fence(order: MemoryOrder, loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.fence, [integer(numberOfOrder(order), loc)], loc), loc);
}

/** The program ends here. */
export function halt(loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.halt, [], loc), loc);
}

/** The next store is a release store: it arrives after all older ones. */
export function releaseNext(loc: Loc): Statement {
  return expressionStatement(builtin(PRIMITIVES.fence, [integer(RELEASE_NEXT, loc)], loc), loc);
}

/** No number of `__ATOMIC_*`. */
const RELEASE_NEXT = 16;

/** What a fence in the tree orders; `store` for one that only makes the next store a release store. */
export function fenceOrder({ args: [order] }: Builtin): MemoryOrder | 'store' {
  const value = order?.kind === 'integer' ? order.value : null;
  return value === BigInt(RELEASE_NEXT) ? 'store' : orderOf(value);
}

/** The path ends here. */
export function stop(loc: Loc): Statement {
  return assume(integer(0, loc), loc);
}

/** The path ends here, with a violation. */
export function fail(check: CheckName, message: string, stringId: () => number, loc: Loc): Statement[] {
  return [expressionStatement(assert(integer(0, loc), check, message, stringId, loc), loc), stop(loc)];
}
