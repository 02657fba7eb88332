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
import { childrenOf, expressionsOf, walkPlainStatements } from '../program/visit-tree.ts';
import { findPointsTo, type MemoryObject, type PointsTo } from './points-to.ts';
import { addAccesses, findConflicts, newAccesses, rootOf } from './sharing.ts';

export type AccessKind = 'read' | 'write';

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
  const threads = program.functions.map(({ body }) => body);
  const pointsTo = findPointsTo({ threads, arguments: program.arguments, globals: program.globals });
  return pointsTo === null ? withoutPointsTo(threads) : withPointsTo(threads, pointsTo);
}

/** Different statements of a thread that run while others exist, or `before` that, in their order. */
export function visitStatements(
  body: Statement,
  thread: number,
  visit: (statement: Statement, isBefore: boolean) => void,
): void {
  const seen = new Set<Statement>();
  let isBefore = thread === 0;
  walkPlainStatements(body, (statement) => {
    if (isBefore && creates(statement)) isBefore = false;
    if (seen.has(statement)) return;
    if (!isBefore) seen.add(statement);
    visit(statement, isBefore);
  });
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
function withoutPointsTo(threads: readonly Statement[]): SharedMemory {
  const accesses = threads.map((body, thread) => {
    const before = newAccesses();
    const after = newAccesses();
    visitStatements(body, thread, (statement, isBefore) => {
      for (const expression of expressionsOf(statement)) addAccesses(expression, isBefore ? before : after);
    });
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

function withPointsTo(threads: readonly Statement[], pointsTo: PointsTo): SharedMemory {
  const use = new ObjectUse();
  threads.forEach((body, thread) => {
    visitStatements(body, thread, (statement, isBefore) => {
      if (isBefore) return;
      for (const expression of expressionsOf(statement)) {
        visitUses(expression, thread, pointsTo, (object, kind) => use.add(object, thread, kind));
      }
    });
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
  const stack: Expression[] = [whole];
  const touch = (lvalue: Expression, kind: AccessKind) => {
    for (const object of pointsTo.objectsOf(thread, lvalue)) visit(object, kind);
    stack.push(...rootOf(lvalue).evaluated);
  };
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    switch (at.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        touch(at, 'read');
        break;
      case 'assignment':
        touch(at.target, 'write');
        stack.push(at.value);
        break;
      case 'address':
        stack.push(...rootOf(at.operand).evaluated);
        break;
      case 'cast':
        if (at.castKind === 'array-to-pointer') stack.push(...rootOf(at.operand).evaluated);
        else stack.push(at.operand);
        break;
      case 'builtin':
        if (at.name === '__lazuli_havoc' || at.name === '__lazuli_zero') for (const arg of at.args) touch(arg, 'write');
        else stack.push(...at.args);
        if (at.name === '__lazuli_free') visitFreed(at.args, thread, pointsTo, visit);
        break;
      default:
        stack.push(...childrenOf(at));
    }
  }
}

/** Freeing ends what others may read or write. */
function visitFreed(args: readonly Expression[], thread: number, pointsTo: PointsTo, visit: VisitUse): void {
  for (const object of args.flatMap((pointer) => pointsTo.targetsOf(thread, pointer))) {
    visit(object, 'write');
    visit(object, 'read');
  }
}
