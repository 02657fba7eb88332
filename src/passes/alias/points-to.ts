/**
 * Which objects the pointers of the bounded program can lead to: Andersen's analysis, without regard to order, members
 * or types. Every variable and every object holds one set of objects, those that any pointer stored anywhere in it may
 * point into. Values flow through assignments whatever their types, so that unions, `memcpy` by bytes and pointers kept
 * in integers need no special care.
 *
 * Objects are variables, what each allocation in the text of a thread gives, and string literals, which nobody writes
 * and which are left out.
 *
 * A pointer made from an integer, a pointer of any value, and one from outside could lead anywhere. Once such a pointer
 * is followed, nothing is known any more, and the analysis gives up: `findPointsTo` returns null.
 */

import { type BoundedProgram, type BoundedThread, globalVariables } from '../../program/bounded-program.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import type { Type } from '../../program/types.ts';
import { childrenOf, pushChildren } from '../../program/visit-tree.ts';

/** A variable, or the memory that an allocation in a thread gives. */
export type AbstractObject = VariableSymbol | AllocatedObject;

export interface AllocatedObject {
  readonly kind: 'allocated';
  readonly thread: number;
  readonly allocation: Expression;
}

export interface PointsTo {
  /** The objects that an lvalue in a thread's text can lie in. */
  objectsOf(thread: number, lvalue: Expression): readonly AbstractObject[];
  /** The objects that a pointer can lead to. */
  targetsOf(thread: number, pointer: Expression): readonly AbstractObject[];
}

/** `evaluated`, by thread: the expressions that its statements evaluate, in any order. */
export function findPointsTo(program: BoundedProgram, evaluated: readonly (readonly Expression[])[]): PointsTo | null {
  const analysis = new Andersen(program.threads);
  for (const symbol of globalVariables(program)) analysis.addInitializer(symbol);
  evaluated.forEach((expressions, thread) => {
    for (let at = 0; at < expressions.length; at++) analysis.addEffects(thread, expressions[at] as Expression);
  });
  return analysis.solve() ? analysis : null;
}

/** A set that grows: of the objects that values in it may point into. */
interface PointsToNode {
  readonly targets: Set<AbstractObject>;
  /** Holds a pointer that may lead anywhere. */
  anywhere: boolean;
  readonly flowsTo: Set<PointsToNode>;
  /** Is followed, and what is found flows to these. */
  readonly loads: PointsToNode[];
  /** Is followed, and these flow into what is found. */
  readonly stores: PointsToNode[];
  isFollowed: boolean;
  isPending: boolean;
}

class Andersen implements PointsTo {
  readonly #threads: readonly BoundedThread[];
  /** What objects hold. */
  readonly #contents = new Map<AbstractObject, PointsToNode>();
  readonly #allocated = new Map<Expression, AllocatedObject[]>();
  readonly #values: Map<Expression, PointsToNode>[] = [];
  readonly #pending: PointsToNode[] = [];
  readonly #anywhere: PointsToNode;
  /** Holds no pointer. */
  readonly #nothing: PointsToNode;
  #isLost = false;

  constructor(threads: readonly BoundedThread[]) {
    this.#threads = threads;
    this.#anywhere = this.#newNode();
    this.#anywhere.anywhere = true;
    this.#nothing = this.#newNode();
  }

  // -------------------------------------------------------------- constraints

  addInitializer(symbol: VariableSymbol): void {
    const contents = this.#contentsOf(symbol);
    if (!symbol.defined && holdsPointers(symbol.type)) this.#flow(this.#anywhere, contents);
    if (symbol.initializer === null) return;
    // A statement of its own would not do: initializers nest. Their values all lie in the variable.
    const stack = [symbol.initializer];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.kind === 'scalar') this.#flow(this.#valueOf(-1, at.value), contents);
      else if (at.kind !== 'characters') for (const item of at.items) stack.push(item.value);
    }
  }

  /** What evaluating an expression does to memory. */
  addEffects(thread: number, expression: Expression): void {
    const stack: Expression[] = [expression];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.kind === 'assignment') this.#store(thread, at.target, this.#valueOf(thread, at.value));
      else if (at.kind === 'builtin') this.#builtinEffects(thread, at);
      else if (at.kind === 'call') for (const arg of at.args) this.#expose(this.#valueOf(thread, arg));
      else if (at.kind === 'dereference') this.#follow(this.#valueOf(thread, at.operand));
      else if (at.kind === 'index') this.#follow(this.#valueOf(thread, at.base));
      else if (at.kind === 'cast' && at.castKind === 'pointer-to-integer')
        this.#expose(this.#valueOf(thread, at.operand));
      pushChildren(at, stack);
    }
  }

  #builtinEffects(thread: number, node: Extract<Expression, { kind: 'builtin' }>): void {
    const [first, second] = node.args;
    switch (node.name) {
      case '__lazuli_spawn': {
        const argument = first?.kind === 'integer' ? this.#threads[Number(first.value)]?.argument : null;
        if (argument && second) this.#flow(this.#valueOf(thread, second), this.#contentsOf(argument));
        break;
      }
      case '__lazuli_havoc':
        if (first && holdsPointers(first.type)) this.#store(thread, first, this.#anywhere);
        break;
      case '__lazuli_free':
        if (first) this.#follow(this.#valueOf(thread, first));
        break;
      default:
        if (!node.name.startsWith('__lazuli_')) for (const arg of node.args) this.#expose(this.#valueOf(thread, arg));
    }
  }

  #store(thread: number, target: Expression, value: PointsToNode): void {
    const place = this.#placeOf(thread, target);
    if (place.kind === 'object') this.#flow(value, this.#contentsOf(place.object));
    else if (place.kind === 'behind') {
      this.#follow(place.pointer);
      place.pointer.stores.push(value);
      for (const object of place.pointer.targets) this.#flow(value, this.#contentsOf(object));
    }
  }

  /** The value goes where nobody can follow it. */
  #expose(value: PointsToNode): void {
    this.#flow(value, this.#anywhere);
  }

  #follow(pointer: PointsToNode): void {
    pointer.isFollowed = true;
    if (pointer.anywhere) this.#isLost = true;
  }

  /** Where an lvalue lies. */
  #placeOf(
    thread: number,
    lvalue: Expression,
  ):
    | { readonly kind: 'object'; readonly object: AbstractObject }
    | { readonly kind: 'behind'; readonly pointer: PointsToNode }
    | { readonly kind: 'nowhere' } {
    let at = lvalue;
    while (at.kind === 'member') at = at.object;
    switch (at.kind) {
      case 'variable':
      case 'compound-literal':
        return { kind: 'object', object: at.symbol };
      case 'dereference':
        return { kind: 'behind', pointer: this.#valueOf(thread, at.operand) };
      case 'index':
        return { kind: 'behind', pointer: this.#valueOf(thread, at.base) };
      case 'string':
      case 'function':
        return { kind: 'nowhere' };
      default:
        return { kind: 'behind', pointer: this.#valueOf(thread, at) };
    }
  }

  /** The node of a value. Each expression has one in each thread, which is made when it is first asked for. */
  #valueOf(thread: number, expression: Expression): PointsToNode {
    if (isNoPointer(expression)) return this.#nothing;
    this.#values[thread + 1] ??= new Map();
    const values = this.#values[thread + 1] as Map<Expression, PointsToNode>;
    const known = values.get(expression);
    if (known) return known;
    const node = this.#newNode();
    values.set(expression, node);
    this.#addValue(thread, expression, node);
    return node;
  }

  #addValue(thread: number, expression: Expression, to: PointsToNode): void {
    switch (expression.kind) {
      case 'variable':
      case 'member':
      case 'index':
      case 'dereference':
        this.#load(thread, expression, to);
        break;
      case 'address':
        this.#addAddress(thread, expression.operand, to);
        break;
      case 'cast':
        if (expression.castKind === 'array-to-pointer') this.#addAddress(thread, expression.operand, to);
        else this.#flow(this.#valueOf(thread, expression.operand), to);
        if (expression.castKind === 'integer-to-pointer' && expression.operand.kind !== 'integer')
          this.#flow(this.#anywhere, to);
        break;
      case 'builtin':
        if (expression.name === '__lazuli_allocate') this.#point(to, this.#allocatedBy(thread, expression));
        else if (holdsPointers(expression.type)) this.#flow(this.#anywhere, to);
        break;
      case 'call':
      case 'va-arg':
      case 'statement-expression':
        this.#flow(this.#anywhere, to);
        break;
      default:
        this.#addOperands(thread, expression, to);
    }
  }

  /** Along sums with a loop, for they can be long. */
  #addOperands(thread: number, expression: Expression, to: PointsToNode): void {
    const stack = [...childrenOf(expression)];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.kind === 'arithmetic' || at.kind === 'pointer-offset') pushChildren(at, stack);
      else this.#flow(this.#valueOf(thread, at), to);
    }
  }

  #addAddress(thread: number, lvalue: Expression, to: PointsToNode): void {
    const place = this.#placeOf(thread, lvalue);
    if (place.kind === 'object') this.#point(to, place.object);
    else if (place.kind === 'behind') this.#flow(place.pointer, to);
  }

  #load(thread: number, lvalue: Expression, to: PointsToNode): void {
    const place = this.#placeOf(thread, lvalue);
    if (place.kind === 'object') this.#flow(this.#contentsOf(place.object), to);
    else if (place.kind === 'behind') {
      this.#follow(place.pointer);
      place.pointer.loads.push(to);
      for (const object of place.pointer.targets) this.#flow(this.#contentsOf(object), to);
    }
  }

  #allocatedBy(thread: number, allocation: Expression): AllocatedObject {
    const known = this.#allocated.get(allocation)?.find((object) => object.thread === thread);
    if (known) return known;
    const object: AllocatedObject = { kind: 'allocated', thread, allocation };
    this.#allocated.set(allocation, [...(this.#allocated.get(allocation) ?? []), object]);
    return object;
  }

  // -------------------------------------------------------------- propagation

  #newNode(): PointsToNode {
    return {
      targets: new Set(),
      anywhere: false,
      flowsTo: new Set(),
      loads: [],
      stores: [],
      isFollowed: false,
      isPending: false,
    };
  }

  #contentsOf(object: AbstractObject): PointsToNode {
    const known = this.#contents.get(object);
    if (known) return known;
    const node = this.#newNode();
    this.#contents.set(object, node);
    return node;
  }

  #flow(from: PointsToNode, to: PointsToNode): void {
    if (from === to || from.flowsTo.has(to)) return;
    from.flowsTo.add(to);
    this.#merge(from, to);
  }

  #merge(from: PointsToNode, to: PointsToNode): void {
    if (from.anywhere && !to.anywhere) {
      to.anywhere = true;
      if (to.isFollowed) this.#isLost = true;
      this.#wake(to);
    }
    for (const object of from.targets) this.#point(to, object);
  }

  #point(node: PointsToNode, object: AbstractObject): void {
    if (node.targets.has(object)) return;
    node.targets.add(object);
    this.#wake(node);
  }

  #wake(node: PointsToNode): void {
    if (node.isPending) return;
    node.isPending = true;
    this.#pending.push(node);
  }

  /** False when a pointer that may lead anywhere is followed. */
  solve(): boolean {
    for (let node = this.#pending.pop(); node !== undefined && !this.#isLost; node = this.#pending.pop()) {
      node.isPending = false;
      for (const to of node.flowsTo) this.#merge(node, to);
      if (node.loads.length === 0 && node.stores.length === 0) continue;
      for (const object of [...node.targets]) {
        const contents = this.#contentsOf(object);
        for (const to of node.loads) this.#flow(contents, to);
        for (const from of node.stores) this.#flow(from, contents);
      }
    }
    return !this.#isLost;
  }

  // -------------------------------------------------------------- answers

  objectsOf(thread: number, lvalue: Expression): readonly AbstractObject[] {
    const place = this.#placeOf(thread, lvalue);
    if (place.kind === 'object') return [place.object];
    return place.kind === 'behind' ? [...place.pointer.targets] : [];
  }

  targetsOf(thread: number, pointer: Expression): readonly AbstractObject[] {
    return [...this.#valueOf(thread, pointer).targets];
  }
}

/** Whether a value never holds a pointer, as most constants do not. */
function isNoPointer({ kind }: Expression): boolean {
  return kind === 'integer' || kind === 'float' || kind === 'comparison' || kind === 'logical';
}

/** Whether a value of the type can hold a pointer as such; integers cannot, without a cast. */
function holdsPointers(type: Type): boolean {
  switch (type.kind) {
    case 'pointer':
    case 'va-list':
      return true;
    case 'array':
      return holdsPointers(type.element);
    case 'record':
      return (type.declaration.fields ?? []).some((field) => holdsPointers(field.type));
    default:
      return false;
  }
}
