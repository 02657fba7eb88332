/**
 * Which memory of the bounded program several threads touch, one of them to write: only accesses to such memory can be
 * noticed by others. Told by the points-to analysis; where that gives up, every object whose address is taken counts as
 * shared, and so does whatever lies behind a pointer.
 *
 * A read of memory that no other thread writes is not noticed either, whoever else reads it: it may as well happen
 * right after the thread's step before. A write is noticed even if the others only write, since it matters which comes
 * last.
 *
 * What main does before it creates the first thread touches nothing in this sense.
 */

import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../program/tree.ts';
import { expressionsOf, statementsOf } from '../program/visit-tree.ts';
import { type AccessKind, someAccess } from './plain-accesses.ts';
import { findPointsTo, type MemoryObject, type PointsTo } from './points-to.ts';
import { addAccesses, findConflicts, newAccesses } from './sharing.ts';

export interface SharedMemory {
  /** Whether others can notice when the thread reads or writes the variable. */
  isShared(thread: number, symbol: VariableSymbol, kind: AccessKind): boolean;
  /** Of an lvalue behind a pointer, in the text of a thread. */
  isSharedBehind(thread: number, lvalue: Expression, kind: AccessKind): boolean;
  /** Of what a pointer leads to, for freeing it. */
  isSharedTarget(thread: number, pointer: Expression): boolean;
  /** What others can notice of evaluating an expression; null where it is not known what pointers lead to. */
  touchedBy(thread: number, expression: Expression): readonly Touch[] | null;
}

/** An access to an object, as others can notice it. */
export interface Touch {
  readonly object: MemoryObject;
  readonly kind: AccessKind;
}

export interface BoundedThreads {
  /** By number; main is the first. */
  readonly functions: readonly FunctionDefinition[];
  readonly arguments: ReadonlyMap<number, VariableSymbol>;
  readonly globals: readonly VariableSymbol[];
}

export function findSharedMemory(program: BoundedThreads): SharedMemory {
  const threads = program.functions.map(({ body }, thread) => evaluatedIn(body, thread));
  const everything = threads.map(({ before, after }) => before.concat(after));
  const pointsTo = findPointsTo({ threads: everything, arguments: program.arguments, globals: program.globals });
  return pointsTo === null ? withoutPointsTo(threads) : withPointsTo(threads, pointsTo);
}

/** Different statements of a thread that run while others exist, and those that run `before` that, in their order. */
export function visitStatements(
  body: Statement,
  thread: number,
  visit: (statement: Statement, isBefore: boolean) => void,
): void {
  const seenBefore = new Set<Statement>();
  const seenAfter = new Set<Statement>();
  let isBefore = thread === 0;
  const stack: Statement[] = [body];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (isBefore && creates(at)) isBefore = false;
    const seen = isBefore ? seenBefore : seenAfter;
    if (seen.has(at)) continue;
    seen.add(at);
    visit(at, isBefore);
    const parts = statementsOf(at);
    for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i] as Statement);
  }
}

/** The expressions that the statements of a thread evaluate before other threads exist, and then. */
interface Evaluated {
  readonly before: Expression[];
  readonly after: Expression[];
}

function evaluatedIn(body: Statement, thread: number): Evaluated {
  const found: Evaluated = { before: [], after: [] };
  visitStatements(body, thread, (statement, isBefore) => {
    (isBefore ? found.before : found.after).push(...expressionsOf(statement));
  });
  return found;
}

function creates(statement: Statement): boolean {
  return (
    statement.kind === 'expression' &&
    statement.expression.kind === 'builtin' &&
    statement.expression.name === '__lazuli_spawn'
  );
}

// ---------------------------------------------------------------- without points-to

/** Addresses count even when they are taken before the first thread exists. */
function withoutPointsTo(threads: readonly Evaluated[]): SharedMemory {
  const accesses = threads.map((evaluated) => {
    const before = newAccesses();
    const after = newAccesses();
    for (const expression of evaluated.before) addAccesses(expression, before);
    for (const expression of evaluated.after) addAccesses(expression, after);
    for (const symbol of before.escapes) after.escapes.add(symbol);
    return after;
  });
  const { isShared } = findConflicts(accesses);
  return {
    isShared: (_, symbol) => isShared(symbol),
    isSharedBehind: () => true,
    isSharedTarget: () => true,
    touchedBy: () => null,
  };
}

// ---------------------------------------------------------------- with points-to

function withPointsTo(threads: readonly Evaluated[], pointsTo: PointsTo): SharedMemory {
  const use = new ObjectUse();
  threads.forEach(({ after }, thread) => {
    const add = (object: MemoryObject, kind: AccessKind) => use.add(object, thread, kind);
    for (let at = 0; at < after.length; at++) visitUses(after[at] as Expression, thread, pointsTo, add);
  });
  return {
    isShared: (thread, symbol, kind) => use.isShared(symbol, thread, kind),
    isSharedBehind: (thread, lvalue, kind) =>
      pointsTo.objectsOf(thread, lvalue).some((object) => use.isShared(object, thread, kind)),
    isSharedTarget: (thread, pointer) =>
      pointsTo.targetsOf(thread, pointer).some((object) => use.isShared(object, thread, 'write')),
    touchedBy: (thread, expression) => {
      const touched: Touch[] = [];
      visitUses(expression, thread, pointsTo, (object, kind) => {
        if (use.isShared(object, thread, kind)) touched.push({ object, kind });
      });
      return touched;
    },
  };
}

/** The threads that do something to an object: one of them, or several. */
class Threads {
  readonly #only = new Map<MemoryObject, number>();
  readonly #several = new Set<MemoryObject>();

  add(object: MemoryObject, thread: number): void {
    const other = this.#only.get(object);
    if (other === undefined) this.#only.set(object, thread);
    else if (other !== thread) this.#several.add(object);
  }

  has(object: MemoryObject): boolean {
    return this.#only.has(object);
  }

  hasOtherThan(object: MemoryObject, thread: number): boolean {
    return this.#several.has(object) || (this.#only.get(object) ?? thread) !== thread;
  }
}

class ObjectUse {
  readonly #readers = new Threads();
  readonly #writers = new Threads();

  add(object: MemoryObject, thread: number, kind: AccessKind): void {
    (kind === 'write' ? this.#writers : this.#readers).add(object, thread);
  }

  isShared(object: MemoryObject, thread: number, kind: AccessKind): boolean {
    const isWrittenByOther = this.#writers.hasOtherThan(object, thread);
    if (kind === 'read') return isWrittenByOther;
    return this.#readers.hasOtherThan(object, thread) || (isWrittenByOther && this.#readers.has(object));
  }
}

type VisitUse = (object: MemoryObject, kind: AccessKind) => void;

/** What evaluating an expression touches. */
function visitUses(whole: Expression, thread: number, pointsTo: PointsTo, visit: VisitUse): void {
  someAccess(whole, (lvalue, _, kind) => {
    const objects = pointsTo.objectsOf(thread, lvalue);
    for (let at = 0; at < objects.length; at++) visit(objects[at] as MemoryObject, kind);
    return false;
  });
  if (whole.kind === 'builtin' && whole.name === '__lazuli_free') visitFreed(whole.args, thread, pointsTo, visit);
}

/** Freeing ends what others may read or write. */
function visitFreed(args: readonly Expression[], thread: number, pointsTo: PointsTo, visit: VisitUse): void {
  for (const object of args.flatMap((pointer) => pointsTo.targetsOf(thread, pointer))) {
    visit(object, 'write');
    visit(object, 'read');
  }
}
