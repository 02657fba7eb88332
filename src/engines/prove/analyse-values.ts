/**
 * Which values each variable can have: private ones along the graph of their body (value-flow.ts), shared ones whatever
 * the order of execution, once there are several threads. The two are repeated until nothing changes, with widening,
 * and twice more to narrow. Then all terms are made anew with what was found, in a graph of their own: variables with
 * one value become constants, and conditions that are decided where they stand fold away.
 */

import { type Term, TermGraph } from '../../values/terms.ts';
import {
  constantSet,
  emptySet,
  hasValue,
  isEmpty,
  joinSets,
  meetSets,
  minUnsigned,
  sameSet,
  topSet,
  type ValueSet,
} from '../../values/value-set.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { beforeThreads } from './before-threads.ts';
import { boundCounters } from './bound-counters.ts';
import { type AnyNode, type Body, type Model, SHARED, selfNumbers, type Variable } from './graph.ts';
import { findLive, mapTerms, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';
import type { ModelOptions } from './prepare-model.ts';
import { TermRebuilder } from './rebuild-term.ts';
import { type FlowState, ValueFlow } from './value-flow.ts';

const ROUNDS_BEFORE_WIDENING = 6;
const NARROWING_ROUNDS = 2;
/** Shared cells times nodes of main before there are other threads. */
const MOST_FOLLOWED = 200_000;
const NO_NODES: ReadonlySet<number> = new Set();

/** `poll` is called now and then, and throws when time is up. */
export function analyseValues(model: Model, { poll, checks }: Pick<ModelOptions, 'poll' | 'checks'>): void {
  const analysis = new ValueAnalysis(model, poll, checks.has('deadlock') ? findUnawaited(model) : null);
  analysis.run();
  rebuildModel(model);
}

/**
 * Cells that nobody waits for: lifetimes, and what thread routines alone look at and nobody writes any more once there
 * are threads, such as the kind of a mutex. Who waits in a loop is seen by what the loop reads: where deadlocks are
 * searched for, all else must not be folded away.
 */
function findUnawaited(model: Model): ReadonlySet<number> {
  const finder = new VariableFinder(model);
  const before = beforeThreads(model.bodies[0] as Body);
  const others = new Set<number>();
  for (const { id, nodes } of model.bodies) {
    nodes.forEach((node, at) => {
      if (!node.isModel) for (const variable of finder.readBy(node)) others.add(variable);
      if (id !== 0 || !before.has(at)) for (const variable of writtenBy(node)) others.add(variable);
    });
  }
  return new Set(model.variables.flatMap(({ id }) => (model.lifetimes.has(id) || !others.has(id) ? [id] : [])));
}

interface Flow {
  readonly flow: ValueFlow;
  readonly states: readonly (FlowState | null)[];
  readonly nodes: readonly AnyNode[];
  /** Those of main while there is no other thread. */
  readonly alone: ReadonlySet<number>;
}

/** Main with a second copy of its nodes, behind the others: where it is until it creates its first thread. */
function withStart(main: Body): Body {
  const { nodes, entry } = main;
  const first = nodes.map((node): AnyNode => {
    return node.kind === 'spawn' ? node : { ...node, next: node.next.map((next) => nodes.length + next) };
  });
  return { ...main, nodes: [...nodes, ...first], entry: nodes.length + entry };
}

/** What is written in atomic sections that may wait. */
function writtenWhereWaited(nodes: readonly AnyNode[]): number[] {
  return nodes.flatMap((begin) => {
    if (begin.kind !== 'begin') return [];
    const section = [...begin.next];
    for (let i = 0; i < section.length; i++) {
      const node = nodes[section[i] as number] as AnyNode;
      if (node.kind !== 'end') for (const next of node.next) if (!section.includes(next)) section.push(next);
    }
    const within = section.map((at) => nodes[at] as AnyNode);
    return within.some(({ kind }) => kind === 'assume') ? within.flatMap((node) => writtenBy(node)) : [];
  });
}

class ValueAnalysis {
  readonly #model: Model;
  readonly #poll: () => void;
  readonly #finder: VariableFinder;
  readonly #users: VariableUsers;
  readonly #live: readonly (readonly ReadonlySet<number>[])[];
  readonly #followed: ReadonlySet<number> | null;
  /** Shared cells are followed while main is alone; not where that is too much. */
  readonly #followsStart: boolean;
  /** What waits and is written in one: what a lock was when main took it must not be folded away (find-locks.ts). */
  readonly #locks: ReadonlySet<number>;
  /** What counters hold because at most so many threads run. */
  readonly #bounds: ReadonlyMap<number, ValueSet>;
  /** Once there are others, for shared variables. */
  #sets: ValueSet[];

  /** `followed`: the cells that may be followed while main is alone; null for all. */
  constructor(model: Model, poll: () => void, followed: ReadonlySet<number> | null) {
    this.#model = model;
    this.#poll = poll;
    this.#followed = followed;
    this.#finder = new VariableFinder(model);
    this.#users = new VariableUsers(model, this.#finder);
    this.#live = model.bodies.map((body) => findLive(body, this.#finder));
    this.#locks = new Set(model.bodies.flatMap(({ nodes }) => writtenWhereWaited(nodes)));
    this.#bounds = boundCounters(model, this.#finder);
    const cells = model.variables.filter(({ id }) => this.#isSharedCell(id));
    const main = model.bodies[0] as Body;
    this.#followsStart = cells.length > 0 && cells.length * main.nodes.length <= MOST_FOLLOWED;
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
    const first = this.#whileAlone();
    for (const variable of this.#model.variables)
      variable.set = joinSets(this.#sets[variable.id] as ValueSet, first[variable.id] as ValueSet);
  }

  /** Cells start with their first value; private variables only where that can be read. */
  #startSet({ id, width, kind, initial, owner }: Variable): ValueSet {
    if (kind === 'self') return selfNumbers(this.#model, owner);
    if (this.#followsStart && this.#isSharedCell(id)) return emptySet(width);
    const isRead = owner === SHARED || !this.#users.isPrivate(id) || this.#isLiveAtEntry(id, owner);
    return kind !== 'argument' && isRead ? constantSet(width, initial) : emptySet(width);
  }

  #isLiveAtEntry(id: number, owner: number): boolean {
    const body = this.#model.bodies[owner];
    return body !== undefined && (this.#live[owner]?.[body.entry]?.has(id) ?? false);
  }

  #flows(): Flow[] {
    return this.#model.bodies.map((body) => {
      this.#poll();
      const live = this.#live[body.id] as readonly ReadonlySet<number>[];
      const isTwice = body.id === 0 && this.#followsStart;
      const followed = isTwice ? withStart(body) : body;
      const alone = isTwice ? new Set(body.nodes.map((_, i) => body.nodes.length + i)) : NO_NODES;
      const flow = new ValueFlow(
        {
          model: this.#model,
          finder: this.#finder,
          isPrivate: (id) => this.#users.isPrivate(id) && this.#model.variables[id]?.kind !== 'argument',
          shared: (id) => this.#sets[id] as ValueSet,
          live: isTwice ? [...live, ...live] : live,
          alone,
          isFollowedAlone: (id) => this.#isSharedCell(id),
        },
        followed,
      );
      return { flow, states: flow.run(), nodes: followed.nodes, alone };
    });
  }

  /**
   * What private variables are given under the present sets, what shared ones are while there are several threads, and
   * what these begin with: their first values, or what main has made of them before.
   */
  #collect(): ValueSet[] {
    const collected = this.#model.variables.map((variable) => this.#startSet(variable));
    const add = (variable: number, set: ValueSet) => {
      const bound = this.#bounds.get(variable);
      collected[variable] = joinSets(collected[variable] as ValueSet, bound ? meetSets(set, bound) : set);
    };
    for (const { flow, states, nodes, alone } of this.#flows()) {
      nodes.forEach((node, at) => {
        const state = states[at];
        if (!state) return;
        for (const { variable, set } of flow.assignedBy(node, state))
          if (!alone.has(at) || !this.#isSharedCell(variable)) add(variable, set);
      });
      for (const { variable, set } of flow.sharedAtStart()) add(variable, set);
    }
    return collected;
  }

  /** Of the program or of main, others access it, and it is followed while main is alone. */
  #isSharedCell(id: number): boolean {
    const { owner, kind } = this.#model.variables[id] as Variable;
    if (this.#locks.has(id) || this.#followed?.has(id) === false) return false;
    return kind === 'cell' && (owner === SHARED || owner === 0) && !this.#users.isPrivate(id);
  }

  /** What shared cells hold before there are other threads. */
  #whileAlone(): ValueSet[] {
    const held = this.#model.variables.map(({ id, width, initial }) =>
      this.#followsStart && this.#isSharedCell(id) ? constantSet(width, initial) : emptySet(width),
    );
    if (!this.#followsStart) return held;
    for (const { flow, states, nodes, alone } of this.#flows()) {
      nodes.forEach((node, at) => {
        const state = states[at];
        if (!state || !alone.has(at)) return;
        for (const { variable, set } of flow.assignedBy(node, state))
          if (this.#isSharedCell(variable)) held[variable] = joinSets(held[variable] as ValueSet, set);
      });
    }
    return held;
  }

  /** Conditions that are the same whenever their node is reached, and nodes that never are. */
  #decideConditions(): void {
    const { graph, bodies, heap } = this.#model;
    for (const [i, { flow, states }] of this.#flows().entries()) {
      const body = bodies[i] as Model['bodies'][number];
      const { length } = body.nodes;
      body.nodes = body.nodes.map((node, at): AnyNode => {
        const reached = [states[at], states[length + at]].filter((state) => state !== undefined && state !== null);
        if (reached.length === 0) return { kind: 'stop', loc: node.loc, isModel: node.isModel, next: [] };
        if (node.kind !== 'branch' && node.kind !== 'assume' && node.kind !== 'assert') return node;
        if (this.#finder.in(node.condition).some((id) => heap?.pointers.has(id))) return node;
        const sets = reached.map((state) => flow.truthsOf(node.condition, state));
        const [canFail, canHold] = [0n, 1n].map((value) => sets.some((set) => hasValue(set, value)));
        return canFail === canHold ? node : { ...node, condition: graph.boolean(canHold === true) };
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
