/**
 * Which values each variable can have: private ones along the graph of their body (value-flow.ts), shared ones whatever
 * the order of execution. The two are repeated until nothing changes, with widening, and twice more to narrow. Then all
 * terms are made anew with what was found, in a graph of their own: variables with one value become constants, and
 * conditions that are decided where they stand fold away.
 */

import { type Term, TermGraph } from '../../values/terms.ts';
import {
  constantSet,
  emptySet,
  hasValue,
  isEmpty,
  joinSets,
  minUnsigned,
  sameSet,
  topSet,
  type ValueSet,
} from '../../values/value-set.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { type AnyNode, type Model, SHARED, selfNumbers, type Variable } from './graph.ts';
import { findLive, mapTerms, VariableFinder, VariableUsers } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';
import { type FlowState, ValueFlow } from './value-flow.ts';

const ROUNDS_BEFORE_WIDENING = 6;
const NARROWING_ROUNDS = 2;

/** `poll` is called now and then, and throws when time is up. */
export function analyseValues(model: Model, poll: () => void): void {
  const analysis = new ValueAnalysis(model, poll);
  analysis.run();
  rebuildModel(model);
}

class ValueAnalysis {
  readonly #model: Model;
  readonly #poll: () => void;
  readonly #finder: VariableFinder;
  readonly #users: VariableUsers;
  readonly #live: readonly (readonly ReadonlySet<number>[])[];
  #sets: ValueSet[];

  constructor(model: Model, poll: () => void) {
    this.#model = model;
    this.#poll = poll;
    this.#finder = new VariableFinder(model);
    this.#users = new VariableUsers(model, this.#finder);
    this.#live = model.bodies.map((body) => findLive(body, this.#finder));
    this.#sets = model.variables.map((variable) => this.#startSet(variable));
  }

  run(): void {
    for (let round = 0; ; round++) {
      const after = this.#collect();
      const isStable = after.every((set, id) =>
        sameSet(joinSets(this.#sets[id] as ValueSet, set), this.#sets[id] as ValueSet),
      );
      if (isStable) break;
      this.#sets = this.#sets.map((before, id) => {
        const joined = joinSets(before, after[id] as ValueSet);
        return round > ROUNDS_BEFORE_WIDENING ? widenSets(before, joined) : joined;
      });
    }
    for (let round = 0; round < NARROWING_ROUNDS; round++) this.#sets = this.#collect();
    this.#decideConditions();
    for (const variable of this.#model.variables) variable.set = this.#sets[variable.id] as ValueSet;
  }

  /** Cells start with their first value; private variables only where that can be read. */
  #startSet({ id, width, kind, initial, owner }: Variable): ValueSet {
    if (kind === 'self') return selfNumbers(this.#model);
    const isRead = owner === SHARED || !this.#users.isPrivate(id) || this.#isLiveAtEntry(id, owner);
    return kind !== 'argument' && isRead ? constantSet(width, initial) : emptySet(width);
  }

  #isLiveAtEntry(id: number, owner: number): boolean {
    const body = this.#model.bodies[owner];
    return body !== undefined && (this.#live[owner]?.[body.entry]?.has(id) ?? false);
  }

  #flows(): {
    readonly flow: ValueFlow;
    readonly states: readonly (FlowState | null)[];
    readonly nodes: readonly AnyNode[];
  }[] {
    return this.#model.bodies.map((body) => {
      this.#poll();
      const flow = new ValueFlow(
        {
          model: this.#model,
          finder: this.#finder,
          isPrivate: (id) => this.#users.isPrivate(id) && this.#model.variables[id]?.kind !== 'argument',
          shared: (id) => this.#sets[id] as ValueSet,
          live: this.#live[body.id] as readonly ReadonlySet<number>[],
        },
        body,
      );
      return { flow, states: flow.run(), nodes: body.nodes };
    });
  }

  /** First values, and everything that is assigned under the present sets. */
  #collect(): ValueSet[] {
    const collected = this.#model.variables.map((variable) => this.#startSet(variable));
    for (const { flow, states, nodes } of this.#flows()) {
      nodes.forEach((node, at) => {
        const state = states[at];
        if (!state) return;
        for (const { variable, set } of flow.assignedBy(node, state)) {
          collected[variable] = joinSets(collected[variable] as ValueSet, set);
        }
      });
    }
    return collected;
  }

  /** Conditions that are the same whenever their node is reached, and nodes that never are. */
  #decideConditions(): void {
    const { graph, bodies, heap } = this.#model;
    for (const [i, { flow, states }] of this.#flows().entries()) {
      const body = bodies[i] as Model['bodies'][number];
      body.nodes = body.nodes.map((node, at): AnyNode => {
        const state = states[at];
        if (!state) return { kind: 'stop', loc: node.loc, isModel: node.isModel, next: [] };
        if (node.kind !== 'branch' && node.kind !== 'assume' && node.kind !== 'assert') return node;
        if (this.#finder.in(node.condition).some((id) => heap?.pointers.has(id))) return node;
        const set = flow.setOf(node.condition, state);
        if (hasValue(set, 0n) === hasValue(set, 1n)) return node;
        return { ...node, condition: graph.boolean(hasValue(set, 1n)) };
      });
    }
  }
}

/** All terms anew, in a new graph, from the sets of the variables. */
function rebuildModel(model: Model): void {
  const { graph: before, variables } = model;
  const after = new TermGraph();
  const made = new Map<Term, Term>();
  for (const variable of variables) {
    // What is never assigned is never read either. Pointers to what is freed and allocated again stay to be seen where
    // they are looked at, even if that has one outcome only (held-addresses.ts).
    const isPointer = model.heap?.pointers.has(variable.id) === true;
    const term = isPointer
      ? after.variable(topSet(variable.width), variable.name)
      : isEmpty(variable.set)
        ? after.constant(variable.width, variable.initial)
        : after.variable(variable.set, variable.name);
    made.set(variable.term, term);
    variable.term = term;
  }
  const rebuilder = new TermRebuilder(before, after, (term) => made.get(term) as Term);
  const isConstant = (id: number) => after.constantOf((variables[id] as Variable).term) !== null;
  model.graph = after;
  for (const candidate of model.candidates) candidate.condition = rebuilder.rebuild(candidate.condition);
  for (const body of model.bodies) {
    body.nodes = body.nodes.map((node) =>
      withoutConstants(
        mapTerms(node, (term) => rebuilder.rebuild(term)),
        isConstant,
      ),
    );
  }
}

/** Variables that are constant need no assignment. */
function withoutConstants(node: AnyNode, isConstant: (id: number) => boolean): AnyNode {
  if (node.kind === 'set')
    return { ...node, assignments: node.assignments.filter(({ variable }) => !isConstant(variable)) };
  if (node.kind === 'havoc') return { ...node, variables: node.variables.filter((variable) => !isConstant(variable)) };
  return node;
}

/** What a variable holds while its value does not matter: one that its set allows. */
export function restValue({ initial, set }: Variable): bigint {
  return isEmpty(set) || hasValue(set, initial) ? initial : minUnsigned(set);
}
