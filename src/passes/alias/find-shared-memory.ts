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

import type { BoundedProgram } from '../../program/bounded-program.ts';
import { type Builtin, primitiveOf, touchedPlace } from '../../program/primitives.ts';
import type { Expression, Statement, VariableSymbol } from '../../program/tree.ts';
import { expressionsOf, pushChildren, statementsOf } from '../../program/visit-tree.ts';
import { pushAll } from '../../support/push-all.ts';
import { type AbstractObject, findPointsTo, type PointsTo } from './points-to.ts';
import { addAccesses, fillsObjects, newAccesses, objectBehind, rootOf, variablesInConflict } from './sharing.ts';

export type AccessKind = 'read' | 'write';

export interface SharedMemory {
  /** Whether others can notice when the thread reads or writes the variable. */
  isShared(thread: number, symbol: VariableSymbol, kind: AccessKind): boolean;
  /** Whether others can notice when an expression in the text of a thread is evaluated. */
  isNoticed(thread: number, expression: Expression): boolean;
  /**
   * What others can notice of it; null where it is not known what pointers lead to, or a function without a body is
   * called.
   */
  touchedBy(thread: number, expression: Expression): readonly ObjectAccess[] | null;
  /** The objects that an lvalue in the text of a thread can lie in; null where it is not known. */
  objectsOf(thread: number, lvalue: Expression): readonly AbstractObject[] | null;
}

/** An access to an object. */
export interface ObjectAccess {
  readonly object: AbstractObject;
  readonly kind: AccessKind;
  /** Null for what is freed. */
  readonly lvalue: Expression | null;
}

export function findSharedMemory(program: BoundedProgram): SharedMemory {
  const threads = program.threads.map(({ function: { body }, number }) => evaluatedIn(body, number));
  const everything = threads.map(({ before, after }) => before.concat(after));
  const pointsTo = findPointsTo(program, everything);
  // Two writes race, also if nobody ever reads what they write.
  const countsWrites = program.options.seeks === 'race';
  return pointsTo === null ? withoutPointsTo(threads, countsWrites) : withPointsTo(threads, pointsTo, countsWrites);
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
    pushAll(isBefore ? found.before : found.after, expressionsOf(statement));
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
function withoutPointsTo(threads: readonly Evaluated[], countsWrites: boolean): SharedMemory {
  const accesses = threads.map((evaluated) => {
    const before = newAccesses();
    const after = newAccesses();
    for (const expression of evaluated.before) addAccesses(expression, before);
    for (const expression of evaluated.after) addAccesses(expression, after);
    for (const symbol of before.escapes) after.escapes.add(symbol);
    return after;
  });
  const { isShared } = variablesInConflict(accesses, countsWrites);
  return {
    isShared: (_, symbol) => isShared(symbol),
    isNoticed: (_, expression) => {
      let isNoticed = false;
      visitTouches(expression, {
        touch: (lvalue) => {
          const symbol = rootOf(lvalue);
          if (symbol === null ? isIndirect(lvalue) : isShared(symbol)) isNoticed = true;
        },
        free: () => {
          isNoticed = true;
        },
      });
      return isNoticed;
    },
    touchedBy: () => null,
    objectsOf: () => null,
  };
}

/** Whether an lvalue lies in an object that is found through a pointer. */
function isIndirect(lvalue: Expression): boolean {
  let at = lvalue;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'dereference' || at.kind === 'index';
}

// ---------------------------------------------------------------- with points-to

function withPointsTo(threads: readonly Evaluated[], pointsTo: PointsTo, countsWrites: boolean): SharedMemory {
  const touches = new Touches(pointsTo);
  const use = new ObjectUse(countsWrites);
  threads.forEach(({ after }, thread) => {
    for (let at = 0; at < after.length; at++) {
      const { touched } = touches.of(thread, after[at] as Expression);
      for (let i = 0; i < touched.length; i++) use.add(touched[i] as ObjectAccess, thread);
    }
  });
  return {
    isShared: (thread, symbol, kind) => use.isShared(symbol, thread, kind),
    isNoticed: (thread, expression) => {
      const { touched } = touches.of(thread, expression);
      for (let at = 0; at < touched.length; at++) {
        const { object, kind } = touched[at] as ObjectAccess;
        if (use.isShared(object, thread, kind)) return true;
      }
      return false;
    },
    touchedBy: (thread, expression) => {
      const { touched, calls } = touches.of(thread, expression);
      return calls ? null : touched.filter(({ object, kind }) => use.isShared(object, thread, kind));
    },
    objectsOf: (thread, lvalue) => pointsTo.objectsOf(thread, lvalue),
  };
}

/** What evaluating an expression touches, and whether it calls a function without a body. */
interface Touched {
  readonly touched: readonly ObjectAccess[];
  readonly calls: boolean;
}

/** What evaluating expressions touches, found once for each. */
class Touches {
  readonly #pointsTo: PointsTo;
  readonly #byThread: Map<Expression, Touched>[] = [];

  constructor(pointsTo: PointsTo) {
    this.#pointsTo = pointsTo;
  }

  of(thread: number, expression: Expression): Touched {
    let ofThread = this.#byThread[thread];
    if (ofThread === undefined) {
      ofThread = new Map();
      this.#byThread[thread] = ofThread;
    }
    const known = ofThread.get(expression);
    if (known !== undefined) return known;
    const found = this.#find(thread, expression);
    ofThread.set(expression, found);
    return found;
  }

  #find(thread: number, expression: Expression): Touched {
    const touched: ObjectAccess[] = [];
    let calls = false;
    visitTouches(expression, {
      touch: (lvalue, kind) => {
        const objects = this.#pointsTo.objectsOf(thread, lvalue);
        for (let at = 0; at < objects.length; at++)
          touched.push({ object: objects[at] as AbstractObject, kind, lvalue });
      },
      // Freeing ends what others may read or write.
      free: (pointer) => {
        for (const object of this.#pointsTo.targetsOf(thread, pointer)) {
          touched.push({ object, kind: 'write', lvalue: null }, { object, kind: 'read', lvalue: null });
        }
      },
      call: () => {
        calls = true;
      },
    });
    return { touched, calls };
  }
}

/** The threads that do something to an object: one of them, or several. */
class Threads {
  readonly #only = new Map<AbstractObject, number>();
  readonly #several = new Set<AbstractObject>();

  add(object: AbstractObject, thread: number): void {
    const other = this.#only.get(object);
    if (other === undefined) this.#only.set(object, thread);
    else if (other !== thread) this.#several.add(object);
  }

  has(object: AbstractObject): boolean {
    return this.#only.has(object);
  }

  hasOtherThan(object: AbstractObject, thread: number): boolean {
    return this.#several.has(object) || (this.#only.get(object) ?? thread) !== thread;
  }
}

class ObjectUse {
  readonly #readers = new Threads();
  readonly #writers = new Threads();
  /** Whether writes matter that nobody reads. */
  readonly #countsWrites: boolean;

  constructor(countsWrites: boolean) {
    this.#countsWrites = countsWrites;
  }

  add({ object, kind }: ObjectAccess, thread: number): void {
    (kind === 'write' ? this.#writers : this.#readers).add(object, thread);
  }

  isShared(object: AbstractObject, thread: number, kind: AccessKind): boolean {
    const isWrittenByOther = this.#writers.hasOtherThan(object, thread);
    if (kind === 'read') return isWrittenByOther;
    return (
      this.#readers.hasOtherThan(object, thread) ||
      (isWrittenByOther && (this.#countsWrites || this.#readers.has(object)))
    );
  }
}

interface TouchVisitor {
  readonly touch: (lvalue: Expression, kind: AccessKind) => void;
  readonly free: (pointer: Expression) => void;
  readonly call?: () => void;
}

/** Visits what evaluating an expression touches. */
export function visitTouches(whole: Expression, visitor: TouchVisitor): void {
  const stack: Expression[] = [whole];
  const touch = (lvalue: Expression, kind: AccessKind) => {
    visitor.touch(lvalue, kind);
    rootOf(lvalue, stack);
  };
  const visitTouch = (call: Builtin) => {
    const { address, isWrite } = touchedPlace(call);
    const lvalue = objectBehind(address);
    if (lvalue) touch(lvalue, isWrite ? 'write' : 'read');
    else visitor.free(address);
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
        rootOf(at.operand, stack);
        break;
      case 'cast':
        if (at.castKind === 'array-to-pointer') rootOf(at.operand, stack);
        else stack.push(at.operand);
        break;
      case 'builtin':
        if (fillsObjects(at)) for (const arg of at.args) touch(arg, 'write');
        else if (primitiveOf(at) === 'touch') visitTouch(at);
        else pushAll(stack, at.args);
        if (at.name === '__lazuli_free') for (const pointer of at.args) visitor.free(pointer);
        break;
      case 'call':
        visitor.call?.();
        pushChildren(at, stack);
        break;
      default:
        pushChildren(at, stack);
    }
  }
}
