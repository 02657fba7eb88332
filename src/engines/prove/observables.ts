/**
 * What clauses speak of: program counters, the bits of narrow variables, and predicates over wide ones. Leaving out the
 * bits of wide variables makes the search an implicit predicate abstraction.
 *
 * Predicates compare variables of one class (those that are assigned to or compared with each other) with one another
 * and with the constants of the class, by `==` and `<`, and by `+ 1 ==`; differences of shared variables are compared
 * with constants where the program does so (find-differences.ts). Each observable of a slot exists for every
 * slot: a clause is about any threads. Where that does not say enough, classes that are compared with the same constant
 * are taken for one: `top < 800` and `i < 800` may mean that `top <= i`.
 */

import type { Loc } from '../../support/source.ts';
import { bitsNeeded } from '../../values/bit-shape.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { type Difference, findDifferences } from './find-differences.ts';
import { type CountRelation, type Model, SHARED, type Variable } from './graph.ts';
import { termsOf } from './node-terms.ts';
import { collectVariables } from './rebuild-term.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

export interface Observable {
  readonly term: Term;
  readonly kind: 'counter' | 'bit' | 'predicate';
  /** The same for all slots: together with the slots it names the observable. */
  readonly key: string;
  readonly slots: readonly number[];
  /** Of a counter: those of one thread exclude one another. */
  readonly group: string;
  /** Of a counter: where it stands for; null before the thread exists and after it ended. */
  readonly place: { readonly body: number; readonly node: number } | null;
  /** Of a bit or a predicate: the state variables that it speaks of. */
  readonly about: readonly StateVariable[];
  /** Of a bit: which of its variable. */
  readonly bit: number | null;
  /** Of a predicate: what it says. */
  readonly comparison: ObservedComparison | null;
  /** Of a predicate that the program states itself, or asserts, or that says what threads have added: where. */
  readonly claim?: Loc;
  readonly isSum?: boolean;
  readonly isAsserted?: boolean;
  readonly relation?: CountRelation | null;
  readonly isGhost: boolean;
  /** Of a predicate: how much it says, for the order in which literals are dropped. */
  readonly rank: number;
}

/**
 * `left == right`, `left < right` or `left + 1 == right`, signed or not as its variables are; `overflows`: that neither
 * is negative, but `left + right` is, in words that wrap.
 */
export interface ObservedComparison {
  readonly operation: '==' | '<' | '+1==' | 'overflows';
  readonly left: StateVariable;
  readonly right: StateVariable | bigint;
  /** What is subtracted from `left` before it is compared. */
  readonly minus?: StateVariable;
}

export interface ObservableOptions {
  /** Variables with more bits get predicates. */
  readonly widest: number;
  /** Bits of wide variables as well. */
  readonly bitsOfWide: boolean;
  readonly predicates: boolean;
  /** Predicates `a + 1 == b`. */
  readonly successors: boolean;
  /** Classes that meet the same constant are one. */
  readonly together: boolean;
  /** Predicates about the sum of two variables, one of which falls while the other may grow. */
  readonly sums: boolean;
  readonly views: number;
}

const MOST_CONSTANTS = 14;

export function findObservables(system: TransitionSystem, model: Model, options: ObservableOptions): Observable[] {
  const isWide = (state: StateVariable) =>
    state.variable !== null && bitsNeeded((model.variables[state.variable] as Variable).set) > options.widest;
  const seen = system.state.flatMap((state): Observable[] => {
    if (state.pc !== null) return [counterOf(state)];
    return isWide(state) && !options.bitsOfWide ? [] : bitsOf(state, system.graph);
  });
  const found = [...seen, ...candidatesOf(system)];
  if (!options.predicates) return found;
  const counting = countingVariables(model);
  const wide = system.state.filter((state) => isWide(state) || counting.has(state.variable ?? SHARED));
  return [...found, ...new PredicateFinder(system, model, options, wide).run()];
}

/** What is compared with the number of threads, where joins are followed: that is what they count, be they few. */
function countingVariables(model: Model): ReadonlySet<number> {
  const { peers, variables } = model;
  if (peers.length === 0) return new Set();
  const classes = new VariableClasses(model, false);
  const counts = ({ id }: Variable) => peers.some(({ created }) => classes.areTogether(id, created));
  return new Set(variables.flatMap((variable) => (counts(variable) ? [variable.id] : [])));
}

/** Whether variables that predicates are about are compared with more others where classes with a constant are one. */
export function gainsTogether(model: Model, widest: number): boolean {
  const wide = model.variables.flatMap(({ id, set }) => (bitsNeeded(set) > widest ? [id] : []));
  const countOf = (isTogether: boolean) => new VariableClasses(model, isTogether).countAmong(wide);
  return countOf(true) < countOf(false);
}

/** What the program claims itself. */
function candidatesOf(system: TransitionSystem): Observable[] {
  const { graph, state, candidates } = system;
  return candidates.flatMap(({ term, loc, isSum, isAsserted, relation, slot, index }): Observable[] => {
    if (graph.constantOf(term) !== null) return [];
    const variables = new Set<Term>();
    collectVariables(graph, term, variables);
    const about = state.filter((each) => variables.has(each.term));
    const slots = slot === null ? [] : [slot];
    const rest = { slots, group: '', place: null, about, bit: null, comparison: null, isGhost: false, rank: 4 };
    return [{ term, kind: 'predicate', key: `claim ${index}`, claim: loc, isSum, isAsserted, relation, ...rest }];
  });
}

const slotsOf = ({ slot }: StateVariable): number[] => (slot === null ? [] : [slot]);

function keyOf({ variable, isGhost, name }: StateVariable): string {
  return variable === null ? name : `${isGhost ? 'r' : 'v'}${variable}`;
}

function counterOf(state: StateVariable): Observable {
  const { group, body, node, state: at } = state.pc as NonNullable<StateVariable['pc']>;
  const where = node === null ? at : `${node}`;
  const key = state.slot === null ? `at ${body}:${where}` : `at *${body ?? ''}:${where}`;
  const place = node === null || body === null ? null : { body, node };
  const rest = { slots: slotsOf(state), group, place, about: [], bit: null, comparison: null, isGhost: false, rank: 9 };
  return { term: state.term, kind: 'counter', key, ...rest };
}

function bitsOf(state: StateVariable, graph: TermGraph): Observable[] {
  const width = graph.widthOf(state.term);
  const bits: Observable[] = [];
  for (let i = 0; i < width; i++) {
    const term = graph.extract(state.term, i, 1);
    if (graph.constantOf(term) !== null) continue;
    const key = `${keyOf(state)}[${i}]`;
    const rest = { slots: slotsOf(state), group: '', place: null, about: [state], isGhost: state.isGhost, rank: 0 };
    bits.push({ term, kind: 'bit', key, bit: i, comparison: null, ...rest });
  }
  return bits;
}

class PredicateFinder {
  readonly #system: TransitionSystem;
  readonly #model: Model;
  readonly #options: ObservableOptions;
  readonly #wide: readonly StateVariable[];
  readonly #classes: VariableClasses;
  readonly #found = new Map<string, Observable>();

  constructor(system: TransitionSystem, model: Model, options: ObservableOptions, wide: readonly StateVariable[]) {
    this.#system = system;
    this.#model = model;
    this.#options = options;
    this.#wide = wide;
    this.#classes = new VariableClasses(model, options.together);
  }

  run(): Observable[] {
    this.#wide.forEach((a, i) => {
      this.#compareWithConstants(a);
      for (const b of this.#wide.slice(i + 1)) {
        this.#compare(a, b);
        if (this.#options.sums) this.#addSum(a, b);
      }
    });
    for (const difference of findDifferences(this.#model)) this.#compareDifference(difference);
    return [...this.#found.values()];
  }

  #compareWithConstants(a: StateVariable): void {
    const { graph } = this.#system;
    const { width } = this.#model.variables[a.variable as number] as Variable;
    const narrow = graph.widthOf(a.term);
    const less = this.#classes.isSigned(a.variable as number) ? 'slt' : 'ult';
    for (const value of this.#classes.constantsOf(a.variable as number).slice(0, MOST_CONSTANTS)) {
      const constant = graph.constant(narrow, value);
      const shown = BigInt.asIntN(width, value);
      this.#add(graph.eq(a.term, constant), '==', a, shown, 1);
      this.#add(graph.less(less, a.term, constant), '<', a, shown, 1);
    }
    // Numbers of threads are unsigned, and what the program counts them with is not.
    if (less === 'ult' && this.#model.peers.length > 0 && this.#classes.isMixed(a.variable as number))
      this.#add(graph.less('slt', a.term, graph.constant(narrow, 0n)), '<', a, 0n, 1);
  }

  #compare(a: StateVariable, b: StateVariable): void {
    const { graph } = this.#system;
    if (!this.#classes.areTogether(a.variable as number, b.variable as number)) return;
    const areOfTwoSlots = a.slot !== null && b.slot !== null && a.slot !== b.slot;
    if (areOfTwoSlots && this.#options.views < 2) return;
    const isSigned = this.#classes.isSigned(a.variable as number);
    const less = isSigned ? 'slt' : 'ult';
    // An identifier of a thread is wider than its number.
    const width = Math.max(graph.widthOf(a.term), graph.widthOf(b.term));
    const wide = ({ term }: StateVariable) => graph.extend(term, width, isSigned);
    const one = graph.constant(width, 1n);
    // In both directions, so that threads can change places.
    for (const [x, y] of areOfTwoSlots
      ? ([
          [a, b],
          [b, a],
        ] as const)
      : ([[a, b]] as const)) {
      const [left, right] = [wide(x), wide(y)];
      this.#add(graph.eq(left, right), '==', x, y, 3);
      this.#add(graph.less(less, left, right), '<', x, y, 3);
      if (!this.#options.successors) continue;
      this.#add(graph.eq(graph.add(left, one), right), '+1==', x, y, 2);
      if (!areOfTwoSlots) this.#add(graph.eq(graph.add(right, one), left), '+1==', y, x, 2);
    }
  }

  #compareDifference({ left, right, isSigned, constants }: Difference): void {
    const { graph } = this.#system;
    const stateOf = (cell: number) => this.#wide.find(({ variable, isGhost }) => variable === cell && !isGhost);
    const [a, b] = [stateOf(left), stateOf(right)];
    if (!a || !b || graph.widthOf(a.term) !== graph.widthOf(b.term)) return;
    const difference = graph.sub(a.term, b.term);
    const less = isSigned ? 'slt' : 'ult';
    for (const value of constants.slice(0, MOST_CONSTANTS)) {
      const constant = graph.constant(graph.widthOf(a.term), value);
      this.#add(graph.eq(difference, constant), '==', a, value, 2, b);
      this.#add(graph.less(less, difference, constant), '<', a, value, 2, b);
    }
  }

  /** Of variables that need not be compared with each other. */
  #addSum(a: StateVariable, b: StateVariable): void {
    const { graph } = this.#system;
    if (graph.widthOf(a.term) !== graph.widthOf(b.term)) return;
    if (!this.#classes.maySwap(a.variable as number, b.variable as number)) return;
    const areOfTwoSlots = a.slot !== null && b.slot !== null && a.slot !== b.slot;
    if (areOfTwoSlots && this.#options.views < 2) return;
    const term = overflows(graph, a.term, b.term);
    this.#add(term, 'overflows', a, b, 2);
    if (areOfTwoSlots) this.#add(term, 'overflows', b, a, 2);
  }

  #add(
    term: Term,
    operation: ObservedComparison['operation'],
    left: StateVariable,
    right: StateVariable | bigint,
    rank: number,
    minus?: StateVariable,
  ): void {
    const { graph } = this.#system;
    if (graph.constantOf(term) !== null) return;
    const about = [left, ...(minus ? [minus] : []), ...(typeof right === 'bigint' ? [] : [right])];
    const slots = [...new Set(about.flatMap(slotsOf))];
    const spell = (side: StateVariable) =>
      side.slot === null ? keyOf(side) : `${keyOf(side)}@${slots.indexOf(side.slot)}`;
    const from = minus ? `${spell(left)}-${spell(minus)}` : spell(left);
    const key = `${from}${operation}${typeof right === 'bigint' ? right : spell(right)}`;
    const name = `${key}|${slots.join()}`;
    if (this.#found.has(name)) return;
    const isGhost = about.some((state) => state.isGhost);
    const comparison = { operation, left, right, ...(minus && { minus }) };
    const rest = { slots, group: '', place: null, about, bit: null, comparison, isGhost, rank };
    this.#found.set(name, { term, kind: 'predicate', key, ...rest });
  }
}

function overflows(graph: TermGraph, a: Term, b: Term): Term {
  const isNegative = (term: Term) => graph.less('slt', term, graph.constant(graph.widthOf(term), 0n));
  return graph.andAll([graph.not(isNegative(a)), graph.not(isNegative(b)), isNegative(graph.add(a, b))]);
}

/** Variables that are assigned to or compared with each other, and the constants that they meet. */
class VariableClasses {
  readonly #graph: TermGraph;
  readonly #parent = new Map<number, number>();
  readonly #idOf: ReadonlyMap<Term, number>;
  readonly #constants = new Map<number, Set<bigint>>();
  readonly #signed = new Map<number, boolean>();
  readonly #mixed = new Set<number>();
  readonly #met: {
    readonly variable: number;
    readonly value: bigint;
    readonly width: number;
    readonly isCompared: boolean;
  }[] = [];
  /** What is added to something and assigned to a variable, and which of them fall; by class, which grow. */
  readonly #added: { readonly variable: number; readonly added: bigint }[] = [];
  readonly #falling = new Set<number>();
  readonly #growing = new Set<number>();
  /** What counts threads. */
  readonly #created: readonly number[];
  /** Then main alone creates them. */
  readonly #hasPeers: boolean;
  /** By body, one of the ghosts that count its additions; the body that is looked at; what bodies own. */
  readonly #ghostOf = new Map<number, number>();
  #body = 0;
  readonly #owned: ReadonlySet<number>;
  readonly #comparedAs: { readonly variable: number; readonly isSigned: boolean }[] = [];

  constructor({ graph, bodies, variables, peers, passages, additions, expected }: Model, isTogether: boolean) {
    this.#graph = graph;
    this.#hasPeers = peers.length > 0;
    this.#created = [...peers.map(({ created }) => created), ...(passages?.created ? [passages.created] : [])];
    this.#owned = new Set(variables.flatMap(({ id, owner }) => (owner === SHARED ? [] : [id])));
    this.#idOf = new Map(variables.flatMap(({ term, id }) => (graph.constantOf(term) === null ? [[term, id]] : [])));
    const seen = new Set<Term>();
    // Before all others: of many constants of a class only the first ones are compared with.
    for (const [ghost, value] of expected) {
      const { width } = variables[ghost] as Variable;
      this.#met.push({ variable: ghost, value, width, isCompared: false });
    }
    for (const [ghost, body] of additions) this.#ghostOf.set(body, ghost);
    for (const { id, nodes } of bodies) {
      this.#body = id;
      for (const node of nodes) {
        for (const term of termsOf(node)) this.#walk(term, seen);
        if (node.kind === 'set') for (const { variable, value } of node.assignments) this.#assign(variable, value);
        if (node.kind === 'spawn') {
          const { argument, self } = bodies[node.body] as Model['bodies'][number];
          if (argument !== null) this.#assign(argument, node.argument);
          if (node.order !== null) for (const each of [node.number, self as number]) this.#assign(each, node.order);
        }
        if (node.kind === 'peer' && node.peer !== null)
          for (const part of [node.peer.order, node.peer.created].flatMap((term) => this.#parts(term)))
            for (const other of this.#parts(node.peer.order)) this.#unite(other, part);
      }
    }
    for (const [ghost, body] of additions) this.#unite(ghost, this.#ghostOf.get(body) as number);
    for (const [counted, ghost] of passages?.ghosts ?? [])
      for (const each of [ghost, ...this.#created]) this.#unite(each, counted);
    for (const { id, kind, initial, width } of variables)
      if (kind === 'cell') this.#met.push({ variable: id, value: initial, width, isCompared: false });
    if (isTogether) this.#uniteByConstants();
    this.#gather();
  }

  /** Zero and one are met by most. */
  #uniteByConstants(): void {
    const first = new Map<string, number>();
    for (const { variable, value, width, isCompared } of this.#met) {
      const signed = BigInt.asIntN(width, value);
      if (!isCompared || (signed >= -1n && signed <= 1n)) continue;
      const key = `${signed}:${width}`;
      const known = first.get(key);
      if (known === undefined) first.set(key, variable);
      else this.#unite(variable, known);
    }
  }

  /** How many classes there are among some variables. */
  countAmong(variables: readonly number[]): number {
    return new Set(variables.map((variable) => this.#find(variable))).size;
  }

  constantsOf(variable: number): bigint[] {
    return [...(this.#constants.get(this.#find(variable)) ?? [])];
  }

  isSigned(variable: number): boolean {
    return this.#signed.get(this.#find(variable)) ?? false;
  }

  /** Compared with sign as well as without. */
  isMixed(variable: number): boolean {
    return this.#mixed.has(this.#find(variable));
  }

  /** One of them falls by constants, and what the other is compared with grows. */
  maySwap(a: number, b: number): boolean {
    const grows = (variable: number) => this.#growing.has(this.#find(variable));
    return a !== b && ((this.#falling.has(a) && grows(b)) || (this.#falling.has(b) && grows(a)));
  }

  areTogether(a: number, b: number): boolean {
    return this.#find(a) === this.#find(b);
  }

  #gather(): void {
    for (const { variable, value, width, isCompared } of this.#met) {
      const root = this.#find(variable);
      const known = this.#constants.get(root) ?? new Set<bigint>();
      known.add(BigInt.asUintN(width, value));
      if (isCompared) for (const near of [value + 1n, value - 1n]) known.add(BigInt.asUintN(width, near));
      this.#constants.set(root, known);
    }
    for (const { variable, added } of this.#added) {
      if (added < 0n) this.#falling.add(variable);
      else this.#growing.add(this.#find(variable));
    }
    for (const { variable, isSigned } of this.#comparedAs) {
      const root = this.#find(variable);
      if (this.#signed.has(root) && this.#signed.get(root) !== isSigned) this.#mixed.add(root);
      this.#signed.set(root, isSigned);
    }
  }

  #find(variable: number): number {
    let root = variable;
    for (let up = this.#parent.get(root); up !== undefined; up = this.#parent.get(root)) root = up;
    return root;
  }

  #unite(a: number, b: number): void {
    const [x, y] = [this.#find(a), this.#find(b)];
    if (x !== y) this.#parent.set(x, y);
  }

  /** The variables that a value is made of by adding, choosing and changing its width; `isScaled`: and multiplying. */
  #parts(term: Term, isScaled = false): number[] {
    const id = this.#idOf.get(term);
    if (id !== undefined) return [id];
    const operands = this.#graph.operandsOf(term);
    switch (this.#graph.operationOf(term)) {
      case 'ite':
        return operands.slice(1).flatMap((operand) => this.#parts(operand, isScaled));
      case 'mul':
        return isScaled ? operands.flatMap((operand) => this.#parts(operand, isScaled)) : [];
      case 'add':
      case 'not':
      case 'zext':
      case 'sext':
      case 'refine':
      case 'extract':
        return operands.flatMap((operand) => this.#parts(operand, isScaled));
      default:
        return [];
    }
  }

  /** Addresses that are compared are those of elements: their indices are compared. */
  #uniteScaled(operands: readonly Term[]): void {
    if (operands.some((operand) => this.#graph.constantOf(operand) !== null)) return;
    const [first, ...others] = operands.flatMap((operand) => this.#parts(operand, true));
    if (first !== undefined) for (const other of others) this.#unite(other, first);
  }

  #assign(variable: number, value: Term): void {
    const graph = this.#graph;
    for (const part of this.#parts(value)) this.#unite(variable, part);
    const constant = graph.constantOf(value);
    if (constant !== null)
      this.#met.push({ variable, value: constant, width: graph.widthOf(value), isCompared: false });
    const added = graph.operationOf(value) === 'add' ? graph.constantOf(graph.operand(value, 1)) : null;
    if (added !== null) this.#added.push({ variable, added: BigInt.asIntN(graph.widthOf(value), added) });
    // What goes up by one in main may count the threads that it creates.
    const isMains = this.#body === 0 || !this.#hasPeers;
    if (added === 1n && isMains && this.#idOf.get(graph.operand(value, 0)) === variable)
      for (const created of this.#created) this.#unite(variable, created);
    // So may what goes up in a thread that adds to something: its additions.
    const ghost = this.#ghostOf.get(this.#body);
    if (
      added !== null &&
      ghost !== undefined &&
      this.#idOf.get(graph.operand(value, 0)) === variable &&
      this.#owned.has(variable)
    )
      this.#unite(variable, ghost);
    if (graph.operationOf(value) !== 'ite') return;
    for (const branch of graph.operandsOf(value).slice(1)) this.#assign(variable, branch);
  }

  #walk(root: Term, seen: Set<Term>): void {
    const graph = this.#graph;
    const stack = [root];
    for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
      if (seen.has(term)) continue;
      seen.add(term);
      const operands = graph.operandsOf(term);
      for (const operand of operands) stack.push(operand);
      const operation = graph.operationOf(term);
      if (operation !== 'eq' && operation !== 'ult' && operation !== 'slt') continue;
      if (operation === 'eq') this.#uniteScaled(operands);
      const parts = operands.flatMap((operand) => this.#parts(operand));
      const [first] = parts;
      if (first === undefined) continue;
      for (const part of parts) {
        this.#unite(part, first);
        if (operation !== 'eq') this.#comparedAs.push({ variable: part, isSigned: operation === 'slt' });
      }
      for (const operand of operands) {
        const value = graph.constantOf(operand);
        if (value !== null) this.#met.push({ variable: first, value, width: graph.widthOf(operand), isCompared: true });
      }
    }
  }
}
