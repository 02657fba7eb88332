/**
 * Which memory of the bounded program several threads touch, one of them to write: only accesses to such memory can be noticed by
 * others. Told by the points-to analysis; where that gives up, every object whose address is taken counts as shared, and so does
 * whatever lies behind a pointer.
 *
 * What main does before it creates the first thread touches nothing in this sense.
 */

import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../program/tree.ts';
import { childrenOf, expressionsOf, walkPlainStatements } from '../program/visit-tree.ts';
import { findPointsTo, type MemoryObject, type PointsTo } from './points-to.ts';
import { addAccesses, findConflicts, newAccesses, rootOf } from './sharing.ts';

export interface SharedMemory {
  isShared(symbol: VariableSymbol): boolean;
  /** Of an lvalue behind a pointer, in the text of a thread. */
  isSharedBehind(thread: number, lvalue: Expression): boolean;
  /** Of what a pointer leads to. */
  isSharedTarget(thread: number, pointer: Expression): boolean;
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
function visitStatements(
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
  return { isShared, isSharedBehind: () => true, isSharedTarget: () => true };
}

// ---------------------------------------------------------------- with points-to

function withPointsTo(threads: readonly Statement[], pointsTo: PointsTo): SharedMemory {
  const use = new ObjectUse();
  threads.forEach((body, thread) => {
    visitStatements(body, thread, (statement, isBefore) => {
      if (isBefore) return;
      for (const expression of expressionsOf(statement)) addUse(expression, thread, pointsTo, use);
    });
  });
  const isShared = (object: MemoryObject) => use.isShared(object);
  return {
    isShared,
    isSharedBehind: (thread, lvalue) => pointsTo.objectsOf(thread, lvalue).some(isShared),
    isSharedTarget: (thread, pointer) => pointsTo.targetsOf(thread, pointer).some(isShared),
  };
}

class ObjectUse {
  readonly #by = new Map<MemoryObject, number>();
  readonly #bySeveral = new Set<MemoryObject>();
  readonly #written = new Set<MemoryObject>();
  readonly #read = new Set<MemoryObject>();

  add(object: MemoryObject, thread: number, isWrite: boolean): void {
    (isWrite ? this.#written : this.#read).add(object);
    const other = this.#by.get(object);
    if (other === undefined) this.#by.set(object, thread);
    else if (other !== thread) this.#bySeveral.add(object);
  }

  isShared(object: MemoryObject): boolean {
    return this.#bySeveral.has(object) && this.#written.has(object) && this.#read.has(object);
  }
}

/** What evaluating an expression touches. */
function addUse(whole: Expression, thread: number, pointsTo: PointsTo, use: ObjectUse): void {
  const stack: Expression[] = [whole];
  const touch = (lvalue: Expression, isWrite: boolean) => {
    for (const object of pointsTo.objectsOf(thread, lvalue)) use.add(object, thread, isWrite);
    stack.push(...rootOf(lvalue).evaluated);
  };
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    switch (at.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        touch(at, false);
        break;
      case 'assignment':
        touch(at.target, true);
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
        if (at.name === '__lazuli_havoc' || at.name === '__lazuli_zero') for (const arg of at.args) touch(arg, true);
        else stack.push(...at.args);
        if (at.name === '__lazuli_free') addFreed(at.args, thread, pointsTo, use);
        break;
      default:
        stack.push(...childrenOf(at));
    }
  }
}

/** Freeing ends what others may read or write. */
function addFreed(args: readonly Expression[], thread: number, pointsTo: PointsTo, use: ObjectUse): void {
  for (const object of args.flatMap((pointer) => pointsTo.targetsOf(thread, pointer))) {
    use.add(object, thread, true);
    use.add(object, thread, false);
  }
}
