/**
 * Weak memory on the C-to-C road: the stores of a thread that others can notice become calls of a small abstraction of
 * shared memory, whose meaning is in macros (declare-delays.ts).
 *
 * Each statement of a bounded thread runs at most once, so that each store in the text is one of its own: it has a
 * number, a variable for its value, one for its address where the text does not say it, and one for the turn at whose
 * beginning it reaches memory, which is guessed when it is made. A walk over the thread tells which stores can be
 * pending where: what is read there is looked for among them first, the newest before the others. Atomic sections, full
 * fences and creations of threads wait until nothing is pending. What the machine would do with stores to a variable
 * whose block is entered again, with bit-fields, with records and halves of words that are stored at once, is refused.
 */

import { findSharedMemory, type SharedMemory } from '../passes/alias/find-shared-memory.ts';
import { fillsObjects, rootOf } from '../passes/alias/sharing.ts';
import { type FlowClient, ForwardWalk, type GoneArm, type Sides } from '../passes/forward-walk.ts';
import { type AssignmentExpression, findDelayed, type IsDelayed } from '../passes/label/find-delayed.ts';
import { rangeOf } from '../passes/propagate/variable-parts.ts';
import { type BoundedProgram, type BoundedThread, globalVariables } from '../program/bounded-program.ts';
import {
  address,
  assign,
  block,
  builtin,
  converted,
  dereference,
  expressionStatement,
  integer,
  variable,
} from '../program/build-tree.ts';
import { fenceOrder, isAccessBegin, primitiveCall } from '../program/primitives.ts';
import type { Expression, Statement, VariableSymbol } from '../program/tree.ts';
import { isScalar, pointerTo, unqualified, voidType } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { leftOperand, mapChildren } from '../program/visit-tree.ts';
import { InvariantError } from '../support/invariant.ts';
import { type Loc, NOWHERE } from '../support/source.ts';
import { comparePlaces, liesAskew, type Relation } from './compare-places.ts';

export interface DelayedStore {
  readonly thread: number;
  /** Among those of its thread, in the order of the text. */
  readonly number: number;
  readonly assignment: AssignmentExpression;
  readonly value: VariableSymbol;
  /** Holds the address; null where the place has a name of its own everywhere. */
  readonly where: VariableSymbol | null;
  /** Where it goes, as all can say it. */
  readonly place: Expression;
}

export interface DelayedProgram {
  readonly bounded: BoundedProgram;
  /** By thread. */
  readonly stores: readonly (readonly DelayedStore[])[];
  /** The macros that occur. */
  readonly used: ReadonlySet<string>;
  readonly refusals: readonly { readonly loc: Loc; readonly message: string }[];
}

export function delayStores(bounded: BoundedProgram): DelayedProgram {
  const sharing = findSharedMemory(bounded);
  const around: Surroundings = {
    bounded,
    sharing,
    isDelayed: findDelayed(bounded, sharing),
    globals: new Set(globalVariables(bounded)),
    made: [],
    used: new Set(),
    refusals: [],
  };
  const walks = bounded.threads.map((thread) => new DelayWalk(thread, around));
  const threads = bounded.threads.map((thread, i) => ({ ...thread, function: (walks[i] as DelayWalk).run() }));
  const added = around.made.map((symbol) => ({ kind: 'variable', symbol, isDefinition: true, loc: NOWHERE }) as const);
  return {
    bounded: { ...bounded, threads, globals: [...bounded.globals, ...added] },
    stores: walks.map(({ stores }) => stores),
    used: around.used,
    refusals: around.refusals,
  };
}

/** What all threads have in common. */
interface Surroundings {
  readonly bounded: BoundedProgram;
  readonly sharing: SharedMemory;
  readonly isDelayed: IsDelayed;
  readonly globals: ReadonlySet<VariableSymbol>;
  /** The variables that are made on the way. */
  readonly made: VariableSymbol[];
  readonly used: Set<string>;
  readonly refusals: { readonly loc: Loc; readonly message: string }[];
}

interface Way {
  /** The stores that may be pending, oldest first. */
  readonly pending: readonly DelayedStore[];
  readonly depth: number;
  /** The section is one access of the machine. */
  readonly isAccess: boolean;
}

interface Test extends Sides<Way> {
  readonly condition: Expression;
  /** What has to come before the condition. */
  readonly before: readonly Statement[];
}

type If = Extract<Statement, { kind: 'if' }>;

class DelayWalk implements FlowClient<Way, Statement[], Test> {
  readonly stores: DelayedStore[] = [];
  readonly #thread: BoundedThread;
  readonly #around: Surroundings;
  readonly #walk = new ForwardWalk<Way, Statement[], Test>(this, { pending: [], depth: 0, isAccess: false });
  /** Whether other threads exist. */
  #started: boolean;
  /** The next store is a release store. */
  #releases = false;
  #seen = 0;

  constructor(thread: BoundedThread, around: Surroundings) {
    this.#thread = thread;
    this.#around = around;
    this.#started = thread.number > 0;
  }

  run(): BoundedThread['function'] {
    const { body } = this.#thread.function;
    return { ...this.#thread.function, body: { ...body, items: this.items(body.items) } };
  }

  get #model() {
    return this.#around.bounded.dataModel;
  }

  get #number(): number {
    return this.#thread.number;
  }

  get #pending(): readonly DelayedStore[] {
    return this.#walk.now?.pending ?? [];
  }

  // -------------------------------------------------------------- the walk

  meet(one: Way, other: Way): Way {
    return { ...other, pending: union(one.pending, other.pending) };
  }

  items(items: readonly Statement[]): Statement[] {
    return items.flatMap((item) => this.#walk.statement(item));
  }

  test({ condition }: If): Test {
    const before: Statement[] = [];
    const seen = this.#value(condition, before);
    const { now } = this.#walk;
    return { then: now, otherwise: now, condition: seen, before };
  }

  block(statement: Extract<Statement, { kind: 'block' }>, items: Statement[]): Statement[] {
    return [{ ...statement, items }];
  }

  branches(_: If, arms: readonly GoneArm<Test, Statement[]>[], last: Statement[] | null): Statement[] {
    const final = arms.at(-1)?.arm.otherwise;
    let rest: Statement[] = last && final ? [block(last, final.loc)] : [];
    for (const { arm, sides, then } of arms.toReversed()) {
      const [only] = rest;
      const otherwise = rest.length > 1 ? block(rest, arm.loc) : (only ?? null);
      rest = [...sides.before, { ...arm, condition: sides.condition, then: block(then, arm.then.loc), otherwise }];
    }
    return rest;
  }

  passed(statement: Statement): Statement[] {
    return [statement];
  }

  other(statement: Statement): Statement[] {
    if (statement.kind !== 'expression' || this.#walk.now === null) return [statement];
    const found = primitiveCall(statement);
    switch (found?.primitive) {
      case 'atomicBegin':
        return this.#begin(statement, isAccessBegin(found.call));
      case 'atomicEnd':
        this.#walk.now = { ...this.#walk.now, depth: Math.max(0, this.#walk.now.depth - 1) };
        return [statement];
      case 'fence':
        return this.#fence(fenceOrder(found.call), statement.loc);
      case 'spawn': {
        this.#started = true;
        const waiting = this.#wait(statement.loc);
        return [...waiting, ...this.#plain(statement)];
      }
      case 'havoc':
      case 'zero':
        for (const target of found.call.args) this.#refuseRefill(target, statement.loc);
        return this.#plain(statement);
      default:
        return this.#isDelayed(statement)
          ? this.#write(statement.expression as AssignmentExpression)
          : this.#plain(statement);
    }
  }

  #begin(statement: Statement, isAccess: boolean): Statement[] {
    const { now } = this.#walk;
    if (now === null) return [statement];
    const waiting = now.depth > 0 || isAccess ? [] : this.#wait(statement.loc);
    const pending = this.#pending;
    this.#walk.now = { pending, depth: now.depth + 1, isAccess: now.depth > 0 ? now.isAccess : isAccess };
    return [...waiting, statement];
  }

  #fence(order: ReturnType<typeof fenceOrder>, loc: Loc): Statement[] {
    if (order === 'store') this.#releases = true;
    if (order === 'seq_cst') return this.#wait(loc);
    const orders = (order === 'release' || order === 'acq_rel') && this.#around.bounded.options.memoryModel === 'pso';
    return orders && this.#pending.length > 0 ? [this.#call('order', [], loc)] : [];
  }

  /** Until nothing is pending. */
  #wait(loc: Loc): Statement[] {
    const { now } = this.#walk;
    if (now === null || now.pending.length === 0) return [];
    this.#walk.now = { ...now, pending: [] };
    return [this.#call('full_fence', [], loc)];
  }

  #plain(statement: Extract<Statement, { kind: 'expression' }>): Statement[] {
    const before: Statement[] = [];
    const { expression } = statement;
    const seen =
      expression.kind === 'assignment'
        ? {
            ...expression,
            target: this.#place(expression.target, before),
            value: this.#value(expression.value, before),
          }
        : this.#value(expression, before);
    return [...before, { ...statement, expression: seen }];
  }

  // -------------------------------------------------------------- stores

  #isDelayed({ expression }: Extract<Statement, { kind: 'expression' }>): boolean {
    const { now } = this.#walk;
    if (expression.kind !== 'assignment' || !this.#started || now === null) return false;
    if (now.depth > 0 && !now.isAccess) return false;
    return this.#around.isDelayed(this.#number, expression);
  }

  #write(assignment: AssignmentExpression): Statement[] {
    const { loc, target } = assignment;
    const before: Statement[] = [];
    const value = this.#value(assignment.value, before);
    const place = this.#place(target, before);
    this.#refuseStore(target, loc);
    const store = this.#newStore(assignment);
    const [name, to] = store.where ? ['write_at', address(place, loc)] : ['write', place];
    const number = integer(store.number, loc);
    const written = this.#call(name, [number, this.#addressIn(store, to), value], loc);
    const isPso = this.#around.bounded.options.memoryModel === 'pso';
    const older = isPso ? this.#pending.flatMap((one) => this.#after(store, one, place, loc)) : [];
    const released = isPso && this.#releases ? [this.#call('released', [number], loc)] : [];
    this.#releases = false;
    this.#add(store);
    return [...before, written, ...older, ...released];
  }

  /** The pointer as the store keeps it; a place stays what it is. */
  #addressIn({ where }: DelayedStore, to: Expression): Expression {
    return where ? converted(to, where.type) : to;
  }

  #refuseStore(target: Expression, loc: Loc): void {
    const model = this.#model;
    if (this.#walk.now?.isAccess) this.#refuse('a store of several parts at once', loc);
    else if (target.kind === 'member' && target.field.bits !== null) this.#refuse('a store to a bit-field', loc);
    else if (!isScalar(target.type)) this.#refuse('a store of a whole record', loc);
    else if (liesAskew(target, model)) this.#refuse('a store to a member of a packed record', loc);
  }

  #refuse(what: string, loc: Loc): void {
    const { memoryModel } = this.#around.bounded.options;
    const message = `${what} that others can see is not supported with --memory-model ${memoryModel} from C to C`;
    this.#around.refusals.push({ loc, message });
  }

  /** A variable begins to live again: what happens to stores of its last life? */
  #refuseRefill(target: Expression, loc: Loc): void {
    const isOpen = this.#pending.some((store) => this.#compare(store, target) !== 'apart');
    if (isOpen) this.#refuse('filling an object to which stores are pending', loc);
  }

  #newStore(assignment: AssignmentExpression): DelayedStore {
    const number = this.stores.length;
    const { target } = assignment;
    const type = unqualified(target.type);
    const value = this.#variable(`__lazuli_value_${this.#number}_${number}`, type);
    const root = rootOf(target);
    const isNamed = root !== null && this.#around.globals.has(root) && rangeOf(target, this.#model) !== null;
    const where = isNamed ? null : this.#variable(`__lazuli_where_${this.#number}_${number}`, pointerTo(type));
    const place = where ? dereference(variable(where, NOWHERE), NOWHERE) : target;
    const store = { thread: this.#number, number, assignment, value, where, place };
    this.stores.push(store);
    return store;
  }

  #variable(name: string, type: Type): VariableSymbol {
    const symbol = this.#around.bounded.fresh.variable({ name, type, loc: NOWHERE, duration: 'static' });
    this.#around.made.push(symbol);
    return symbol;
  }

  /** PSO: a store arrives after older ones to the same bytes. */
  #after(store: DelayedStore, older: DelayedStore, place: Expression, loc: Loc): Statement[] {
    const numbers = [integer(store.number, loc), integer(older.number, loc)];
    switch (this.#compare(older, store.assignment.target)) {
      case 'apart':
        return [];
      case 'same':
        return [this.#call('after', numbers, loc)];
      default:
        return [this.#call('after_near', [...numbers, addressOf(older), address(place, loc)], loc)];
    }
  }

  /** It hides older ones to the very same place. */
  #add(store: DelayedStore): void {
    const { now } = this.#walk;
    if (now === null) return;
    const { target } = store.assignment;
    const left = now.pending.filter((older) => this.#compare(older, target) !== 'same');
    this.#walk.now = { ...now, pending: [...left, store] };
  }

  // -------------------------------------------------------------- reads

  #compare(store: DelayedStore, lvalue: Expression): Relation {
    const { sharing } = this.#around;
    const objectsOf = (thread: number, place: Expression) => sharing.objectsOf(thread, place);
    return comparePlaces(this.#number, store.assignment.target, lvalue, objectsOf, this.#model);
  }

  /** The expression as the thread sees memory. What has to come before it is added to `before`. */
  #value(expression: Expression, before: Statement[]): Expression {
    if (this.#pending.length === 0) return expression;
    const spine: Expression[] = [];
    let at = expression;
    for (let next = leftOperand(at); next !== null; next = leftOperand(at)) {
      spine.push(at);
      at = next;
    }
    let seen = this.#operand(at, before);
    for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
      const [left, done] = [leftOperand(node), seen];
      seen = mapChildren(node, (child) => (child === left ? done : this.#value(child, before)));
    }
    return seen;
  }

  #operand(expression: Expression, before: Statement[]): Expression {
    switch (expression.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        return this.#read(expression, before);
      case 'address':
        return { ...expression, operand: this.#place(expression.operand, before) };
      case 'cast':
        if (expression.castKind === 'array-to-pointer')
          return { ...expression, operand: this.#place(expression.operand, before) };
        break;
      case 'builtin':
        if (fillsObjects(expression))
          return { ...expression, args: expression.args.map((arg) => this.#place(arg, before)) };
        break;
      default:
        break;
    }
    return mapChildren(expression, (child) => this.#value(child, before));
  }

  #place(lvalue: Expression, before: Statement[]): Expression {
    switch (lvalue.kind) {
      case 'variable':
        return lvalue;
      case 'member':
        return { ...lvalue, object: this.#place(lvalue.object, before) };
      default:
        return mapChildren(lvalue, (child) => this.#value(child, before));
    }
  }

  #read(lvalue: Expression, before: Statement[]): Expression {
    const place = this.#place(lvalue, before);
    const found = this.#pending.flatMap((store) => {
      const relation = this.#compare(store, lvalue);
      return relation === 'apart' ? [] : [{ store, relation }];
    });
    if (found.length === 0) return place;
    const { loc, type } = lvalue;
    if (this.#walk.now?.isAccess && this.#walk.now.depth > 0) this.#refuse('a read of several parts at once', loc);
    const [exact, inBytes] = [found.every(({ relation }) => relation !== 'by-bytes'), found.map(({ store }) => store)];
    if (!exact) return this.#readBytes(place, inBytes, before);
    return found.reduce<Expression>((rest, { store, relation }) => {
      const number = integer(store.number, loc);
      if (relation === 'same') return this.#macro('read', [number, rest], loc, type);
      const where = converted(address(place, loc), pointerTo(unqualified(type)));
      return this.#macro('read_at', [number, addressOf(store), where, rest], loc, type);
    }, place);
  }

  /** Lets the stores arrive, oldest first, reads, and takes them back. */
  #readBytes(place: Expression, stores: readonly DelayedStore[], before: Statement[]): Expression {
    const { loc, type } = place;
    const seen = this.#variable(`__lazuli_seen_${this.#number}_${this.#seen++}`, unqualified(type));
    const kept = stores.map((store) =>
      this.#variable(`__lazuli_kept_${this.#number}_${this.#seen++}`, store.value.type),
    );
    const turn = (name: string, i: number) => {
      const store = stores[i] as DelayedStore;
      const memory = variable(kept[i] as VariableSymbol, loc);
      before.push(this.#call(name, [integer(store.number, loc), store.place, memory], loc));
    };
    for (let i = 0; i < stores.length; i++) turn('show', i);
    before.push(assign(variable(seen, loc), place, loc));
    for (let i = stores.length - 1; i >= 0; i--) turn('hide', i);
    return variable(seen, loc);
  }

  #macro(name: string, args: readonly Expression[], loc: Loc, type: Type): Expression {
    this.#around.used.add(name);
    return builtin(`__lazuli_${name}`, [integer(this.#number, loc), ...args], loc, unqualified(type));
  }

  #call(name: string, args: readonly Expression[], loc: Loc): Statement {
    return expressionStatement(this.#macro(name, args, loc, voidType), loc);
  }
}

function addressOf({ where, place }: DelayedStore): Expression {
  return where ? variable(where, NOWHERE) : address(place, NOWHERE);
}

function union(one: readonly DelayedStore[], other: readonly DelayedStore[]): readonly DelayedStore[] {
  if (one === other) return one;
  const all = new Set([...one, ...other]);
  return [...all].sort((a, b) => a.number - b.number);
}

/** The same, of a program in which nothing is refused. */
export function delayAll(bounded: BoundedProgram): DelayedProgram {
  const delayed = delayStores(bounded);
  const [first] = delayed.refusals;
  if (first) throw new InvariantError(`refused before: ${first.message}`);
  return delayed;
}
