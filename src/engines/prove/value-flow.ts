/**
 * Which values the private variables of a body can have at each of its nodes, given what shared variables can have:
 * an interval-like analysis along the graph. Branches, assumptions and assertions that were passed narrow what they
 * compare. Loops are widened, and then walked through twice more to get back what the widening lost.
 *
 * Every result contains all values: a step of the analysis from sets that contain everything gives such sets again.
 */

import { type Term, TermGraph } from '../../values/terms.ts';
import { constantSet, isEmpty, joinSets, rangeSet, sameSet, topSet, type ValueSet } from '../../values/value-set.ts';
import { refineLeft, refineRight } from '../../values/value-set-comparisons.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { type AnyNode, type Body, type Model, threadNumbers, type Variable } from './graph.ts';
import type { VariableFinder } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** Private variables by number; null where a node is not reached. */
export type FlowState = ReadonlyMap<number, ValueSet>;

const VISITS_BEFORE_WIDENING = 6;
const NARROWING_PASSES = 2;

export interface FlowContext {
  readonly model: Model;
  readonly finder: VariableFinder;
  readonly isPrivate: (variable: number) => boolean;
  /** What other variables can have. */
  readonly shared: (variable: number) => ValueSet;
  /** What is live before each node of the body. */
  readonly live: readonly ReadonlySet<number>[];
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
  #scratch = new TermGraph();

  constructor(context: FlowContext, body: Body) {
    this.#context = context;
    this.#body = body;
    this.#entry = body.nodes.map(() => null);
  }

  /** The states before the nodes. */
  run(): readonly (FlowState | null)[] {
    const { nodes, entry } = this.#body;
    const start = this.#startState();
    this.#entry[entry] = start;
    const visits = nodes.map(() => 0);
    const dirty = new Set([entry]);
    while (dirty.size > 0) {
      const at = least(dirty);
      dirty.delete(at);
      for (const { next, state } of this.#leave(at)) {
        const isWidened = (visits[next] as number) > VISITS_BEFORE_WIDENING;
        if (!this.#enter(next, state, isWidened)) continue;
        (visits[next] as number)++;
        dirty.add(next);
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
    return state;
  }

  #enter(at: number, state: FlowState, isWidened: boolean): boolean {
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
      after.set(id, known && isWidened ? widenSets(known, joined) : joined);
      changed = true;
    }
    if (changed) this.#entry[at] = after;
    return changed;
  }

  #narrow(start: FlowState): void {
    const { nodes, entry } = this.#body;
    const after: (Map<number, ValueSet> | null)[] = nodes.map(() => null);
    after[entry] = new Map(start);
    for (let at = 0; at < nodes.length; at++) {
      if (!this.#entry[at]) continue;
      for (const { next, state } of this.#leave(at)) {
        const into = after[next] ?? new Map<number, ValueSet>();
        for (const [id, set] of state) {
          const known = into.get(id);
          into.set(id, known ? joinSets(known, set) : set);
        }
        after[next] = into;
      }
    }
    after.forEach((state, at) => {
      this.#entry[at] = state;
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
      const set = isPrivate(id) ? (state.get(id) ?? constantSet(width, initial)) : shared(id);
      return scratch.variable(set, '');
    });
  }

  setOf(term: Term, state: FlowState): ValueSet {
    const made = this.#evaluator(state).rebuild(term);
    return this.#scratch.setOf(made);
  }

  #leave(at: number): { readonly next: number; readonly state: FlowState }[] {
    const node = this.#body.nodes[at] as AnyNode;
    const state = this.#entry[at] as FlowState;
    const follow = (after: FlowState | null, branch = 0) =>
      after === null
        ? []
        : [{ next: node.next[branch] as number, state: this.#livingAt(after, node.next[branch] as number) }];
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
    const live = this.#context.live[at] as ReadonlySet<number>;
    return new Map([...state].filter(([id]) => live.has(id)));
  }

  /** The values that a node gives to variables. */
  assignedBy(node: AnyNode, state: FlowState): { readonly variable: number; readonly set: ValueSet }[] {
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
        const set = isReplicated ? threadNumbers(model, 'created') : constantSet(32, BigInt(number));
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
      if (this.#context.isPrivate(variable) && this.#context.model.variables[variable]?.owner === this.#body.id)
        after.set(variable, set);
    }
    return after;
  }

  // -------------------------------------------------------------- conditions

  /** Null where the condition cannot have this truth. */
  #passed(condition: Term, truth: boolean, state: FlowState): FlowState | null {
    const { graph } = this.#context.model;
    const decided = this.#scratch.constantOf(this.#evaluator(state).rebuild(condition));
    if (decided !== null && (decided === 1n) !== truth) return null;
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
      if (id === undefined || !isPrivate(id)) return true;
      after.set(id, set);
      return !isEmpty(set);
    };
    const isPossible =
      refine(a, refineLeft(comparison, truth, setA, setB)) && refine(b, refineRight(comparison, truth, setA, setB));
    return isPossible ? after : null;
  }
}
