/**
 * Which values the private variables of a body can have at each of its nodes, given what shared variables can have:
 * an interval-like analysis along the graph. Branches, assumptions and assertions that were passed narrow what they
 * compare. Loops are widened where they begin, and then walked through twice more to get back what that lost.
 *
 * As long as main has created no thread, nobody else touches what will be shared: until then it is followed like
 * private variables, and what it is when the first thread comes is where the others begin (`sharedAtStart`).
 *
 * Every result contains all values: a step of the analysis from sets that contain everything gives such sets again.
 */

import { type Term, TermGraph } from '../../values/terms.ts';
import {
  constantSet,
  cutSet,
  emptySet,
  enumerateValues,
  hasValue,
  isEmpty,
  joinSets,
  maxUnsigned,
  minUnsigned,
  rangeSet,
  sameSet,
  topSet,
  type ValueSet,
} from '../../values/value-set.ts';
import { refineLeft, refineRight } from '../../values/value-set-comparisons.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { type AnyNode, type Body, inProgramOrder, type Model, threadNumbers, type Variable } from './graph.ts';
import type { VariableFinder } from './node-terms.ts';
import { collectVariables, TermRebuilder } from './rebuild-term.ts';

/** Private variables by number; null where a node is not reached. */
export type FlowState = ReadonlyMap<number, ValueSet>;

interface Assigned {
  readonly variable: number;
  readonly set: ValueSet;
}

/** A condition is tried for each value of its variable, if there are so few. */
const MOST_TRIED = 64;
const CHANGES_BEFORE_WIDENING = 6;
const NARROWING_PASSES = 2;

export interface FlowContext {
  readonly model: Model;
  readonly finder: VariableFinder;
  readonly isPrivate: (variable: number) => boolean;
  /** What other variables can have. */
  readonly shared: (variable: number) => ValueSet;
  /** What is live before each node of the body. */
  readonly live: readonly ReadonlySet<number>[];
  /** Nodes of the body at which there are no other threads yet. */
  readonly alone: ReadonlySet<number>;
  /** Shared variables that are followed there. */
  readonly isFollowedAlone: (variable: number) => boolean;
}

function least(numbers: ReadonlySet<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const each of numbers) found = Math.min(found, each);
  return found;
}

export class ValueFlow {
  readonly #context: FlowContext;
  readonly #body: Body;
  readonly #entry: (FlowState | null)[];
  /** The place of each node in program order; a jump that goes back goes to where a loop begins. */
  readonly #order: readonly number[];
  readonly #rank: ReadonlyMap<number, number>;
  /** How often what is known of a variable before a node has changed. */
  readonly #changes: readonly Map<number, number>[];
  #scratch = new TermGraph();

  constructor(context: FlowContext, body: Body) {
    this.#context = context;
    this.#body = body;
    this.#entry = body.nodes.map(() => null);
    this.#changes = body.nodes.map(() => new Map());
    this.#order = inProgramOrder(body.nodes, body.entry);
    this.#rank = new Map(this.#order.map((node, rank) => [node, rank]));
  }

  /** The states before the nodes. */
  run(): readonly (FlowState | null)[] {
    const { entry } = this.#body;
    const start = this.#startState();
    this.#entry[entry] = start;
    const dirty = new Set([this.#rankOf(entry)]);
    while (dirty.size > 0) {
      const first = least(dirty);
      dirty.delete(first);
      const at = this.#order[first] as number;
      for (const { next, state } of this.#leave(at)) {
        if (this.#enter(next, state, this.#rankOf(next) <= first)) dirty.add(this.#rankOf(next));
      }
    }
    for (let pass = 0; pass < NARROWING_PASSES; pass++) this.#narrow(start);
    return this.#entry;
  }

  /** What is read before it is assigned has its first value. */
  #startState(): FlowState {
    const { model, isPrivate, live, shared } = this.#context;
    const state = new Map<number, ValueSet>();
    for (const id of live[this.#body.entry] ?? []) {
      const { kind, width, initial } = model.variables[id] as Variable;
      if (!isPrivate(id)) continue;
      state.set(id, kind === 'register' || kind === 'cell' ? constantSet(width, initial) : shared(id));
    }
    if (!this.#context.alone.has(this.#body.entry)) return state;
    for (const { id, width, initial } of model.variables)
      if (this.#context.isFollowedAlone(id)) state.set(id, constantSet(width, initial));
    return state;
  }

  /** Where a loop begins again, what has changed there often is widened. */
  #enter(at: number, state: FlowState, isBack: boolean): boolean {
    const before = this.#entry[at];
    if (!before) {
      this.#entry[at] = state;
      return true;
    }
    let changed = false;
    const after = new Map(before);
    for (const [id, added] of state) {
      const known = before.get(id);
      const joined = known ? joinSets(known, added) : added;
      if (known && sameSet(known, joined)) continue;
      const changes = this.#changes[at] as Map<number, number>;
      const count = (changes.get(id) ?? 0) + 1;
      changes.set(id, count);
      after.set(id, known && isBack && count > CHANGES_BEFORE_WIDENING ? widenSets(known, joined) : joined);
      changed = true;
    }
    if (changed) this.#entry[at] = after;
    return changed;
  }

  /** In program order, so that what is narrowed where a loop begins is narrowed in all of it. */
  #narrow(start: FlowState): void {
    const { nodes, entry } = this.#body;
    const after: (Map<number, ValueSet> | null)[] = nodes.map(() => null);
    after[entry] = new Map(start);
    const add = (next: number, state: FlowState) => {
      const into = after[next] ?? new Map<number, ValueSet>();
      for (const [id, set] of state) {
        const known = into.get(id);
        into.set(id, known ? joinSets(known, set) : set);
      }
      after[next] = into;
    };
    const leave = (at: number, isBack: boolean) => {
      if (!this.#entry[at]) return;
      for (const { next, state } of this.#leave(at))
        if (this.#rankOf(next) <= this.#rankOf(at) === isBack) add(next, state);
    };
    for (const at of this.#order) leave(at, true);
    for (const at of this.#order) {
      this.#entry[at] = after[at] ?? null;
      leave(at, false);
    }
  }

  #rankOf(node: number): number {
    return this.#rank.get(node) as number;
  }

  /** What shared variables hold when main is about to create its first thread; nothing of other bodies. */
  sharedAtStart(): Assigned[] {
    const { alone } = this.#context;
    return [...alone].flatMap((at) => {
      if (!this.#entry[at]) return [];
      return this.#leave(at, false)
        .filter(({ next }) => !alone.has(next))
        .flatMap(({ state }) => [...state].map(([variable, set]) => ({ variable, set })))
        .filter(({ variable }) => !this.#context.isPrivate(variable));
    });
  }

  // -------------------------------------------------------------- nodes

  /** A term of the model under a state, in a graph for the moment. */
  #evaluator(state: FlowState): TermRebuilder {
    const { model, finder, isPrivate, shared } = this.#context;
    if (this.#scratch.size > 50_000) this.#scratch = new TermGraph();
    const scratch = this.#scratch;
    return new TermRebuilder(model.graph, scratch, (term) => {
      const id = finder.idOf(term) as number;
      const { width, initial } = model.variables[id] as Variable;
      const set = state.get(id) ?? (isPrivate(id) ? constantSet(width, initial) : shared(id));
      return scratch.variable(set, '');
    });
  }

  setOf(term: Term, state: FlowState): ValueSet {
    const made = this.#evaluator(state).rebuild(term);
    return this.#scratch.setOf(made);
  }

  /** The truths that a condition can have. */
  truthsOf(condition: Term, state: FlowState): ValueSet {
    const { model, finder } = this.#context;
    const set = this.setOf(condition, state);
    if (!hasValue(set, 0n) || !hasValue(set, 1n)) return set;
    const read = new Set<Term>();
    collectVariables(model.graph, condition, read);
    const [only, ...others] = read;
    const id = only === undefined ? undefined : finder.idOf(only);
    if (id === undefined || others.length > 0) return set;
    const values = enumerateValues(state.get(id) ?? this.setOf(only as Term, state), MOST_TRIED);
    if (values === null) return set;
    const { width } = model.variables[id] as Variable;
    return values
      .map((value) => this.setOf(condition, new Map([...state, [id, constantSet(width, value)]])))
      .reduce(joinSets, emptySet(1));
  }

  #leave(at: number, isCut = true): { readonly next: number; readonly state: FlowState }[] {
    const node = this.#body.nodes[at] as AnyNode;
    const state = this.#entry[at] as FlowState;
    const follow = (after: FlowState | null, branch = 0) => {
      const next = node.next[branch] as number;
      return after === null ? [] : [{ next, state: isCut ? this.#livingAt(after, next) : after }];
    };
    switch (node.kind) {
      case 'branch':
        return [
          ...follow(this.#passed(node.condition, true, state)),
          ...follow(this.#passed(node.condition, false, state), 1),
        ];
      case 'assume':
      case 'assert':
        return follow(this.#passed(node.condition, true, state));
      default:
        return node.next.length === 0 ? [] : follow(this.#assigned(node, state));
    }
  }

  #livingAt(state: FlowState, at: number): FlowState {
    const { alone, isPrivate } = this.#context;
    const live = this.#context.live[at] as ReadonlySet<number>;
    const isAlone = alone.has(at);
    return new Map([...state].filter(([id]) => (isPrivate(id) ? live.has(id) : isAlone)));
  }

  /** The values that a node gives to variables. What an earlier analysis found of these still holds. */
  assignedBy(node: AnyNode, state: FlowState): Assigned[] {
    return this.#givenBy(node, state).map(({ variable, set }) => {
      const { set: known } = this.#context.model.variables[variable] as Variable;
      return { variable, set: isEmpty(known) ? set : cutSet(set, minUnsigned(known), maxUnsigned(known)) };
    });
  }

  #givenBy(node: AnyNode, state: FlowState): Assigned[] {
    const { model } = this.#context;
    const widthOf = (id: number) => (model.variables[id] as Variable).width;
    switch (node.kind) {
      case 'set':
        return node.assignments.map(({ variable, value }) => ({ variable, set: this.setOf(value, state) }));
      case 'havoc':
        return node.variables.map((variable) => {
          const width = widthOf(variable);
          return { variable, set: node.isBool ? rangeSet(width, 0n, 1n) : topSet(width) };
        });
      case 'spawn': {
        const { argument, isReplicated, number } = model.bodies[node.body] as Body;
        const set = isReplicated ? threadNumbers(model, node.body) : constantSet(32, BigInt(number));
        const given = argument === null ? [] : [{ variable: argument, set: this.setOf(node.argument, state) }];
        return [{ variable: node.number, set }, ...given];
      }
      default:
        return [];
    }
  }

  #assigned(node: AnyNode, state: FlowState): FlowState {
    const after = new Map(state);
    for (const { variable, set } of this.assignedBy(node, state)) {
      const { owner } = this.#context.model.variables[variable] as Variable;
      const isOwn = this.#context.isPrivate(variable) && owner === this.#body.id;
      if (isOwn || state.has(variable)) after.set(variable, set);
    }
    return after;
  }

  // -------------------------------------------------------------- conditions

  /** Null where the condition cannot have this truth. */
  #passed(condition: Term, truth: boolean, state: FlowState): FlowState | null {
    const { graph } = this.#context.model;
    if (!hasValue(this.setOf(condition, state), truth ? 1n : 0n)) return null;
    const operands = graph.operandsOf(condition) as [Term, Term];
    switch (graph.operationOf(condition)) {
      case 'not':
        return this.#passed(operands[0], !truth, state);
      case 'and':
        return truth ? this.#passedBoth(operands, truth, state) : state;
      case 'or':
        return truth ? state : this.#passedBoth(operands, truth, state);
      case 'eq':
      case 'ult':
      case 'slt':
        return this.#compared(graph.operationOf(condition) as 'eq' | 'ult' | 'slt', truth, operands, state);
      default:
        return state;
    }
  }

  #passedBoth([a, b]: readonly [Term, Term], truth: boolean, state: FlowState): FlowState | null {
    const once = this.#passed(a, truth, state);
    return once && this.#passed(b, truth, once);
  }

  #compared(
    comparison: 'eq' | 'ult' | 'slt',
    truth: boolean,
    [a, b]: readonly [Term, Term],
    state: FlowState,
  ): FlowState | null {
    const { finder, isPrivate } = this.#context;
    const [setA, setB] = [this.setOf(a, state), this.setOf(b, state)];
    const after = new Map(state);
    const refine = (term: Term, set: ValueSet) => {
      const id = finder.idOf(term);
      if (id === undefined || !(isPrivate(id) || state.has(id))) return true;
      after.set(id, set);
      return !isEmpty(set);
    };
    const isPossible =
      refine(a, refineLeft(comparison, truth, setA, setB)) && refine(b, refineRight(comparison, truth, setA, setB));
    return isPossible ? after : null;
  }
}
