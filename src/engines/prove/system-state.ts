/**
 * The state of a transition system: program counters, shared variables, and those of threads, once for every fixed
 * thread and once for every slot; and the inputs of its steps. Exactly one counter of a thread holds. A variable has
 * the values of its set only: where the set is not all of its width, that takes a constraint, and what is read is not
 * the term of the state itself (within-set.ts).
 *
 * Who owns it: one system, while it is built; the makers of moves and of constraints read it, and ask for inputs.
 */

import { NOWHERE } from '../../support/source.ts';
import { type Term, TermGraph } from '../../values/terms.ts';
import { topSet, type ValueSet } from '../../values/value-set.ts';
import { restValue } from './analyse-values.ts';
import type { ProgramSteps } from './find-steps.ts';
import type { AnyNode, Body, Model, Variable } from './graph.ts';
import { narrowSet, narrowWidth } from './narrow-terms.ts';
import type { ProgramCounter, StateVariable } from './transition-system.ts';
import { variableWithin } from './within-set.ts';

export interface StateOptions {
  /** Threads that a clause may speak of; 0 where nothing is replicated. */
  readonly views: number;
  /** The most bits of a word; null for all. */
  readonly width: number | null;
  /** Constrain variables to the sets of values that were found. */
  readonly sets: boolean;
}

type Counters = ReadonlyMap<string, Term>;

const ENDED = 'ended';

/**
 * The key of the counter of threads of a body that have ended. Where main sees threads of several bodies one by one, it
 * stays known which of them a thread has run.
 */
export function endedKey({ peers }: Pick<Model, 'peers'>, { id, isReplicated }: Body): string {
  return isReplicated && peers.length > 1 ? `${id}:${ENDED}` : ENDED;
}

export class SystemState {
  readonly model: Model;
  readonly steps: ProgramSteps;
  readonly options: StateOptions;
  readonly graph = new TermGraph();
  readonly slots: number;
  /** Bodies that one thread runs, and those of slots. */
  readonly fixed: readonly Body[];
  readonly replicated: readonly Body[];
  readonly variables: StateVariable[] = [];
  readonly constraints: Term[] = [];
  /** State terms of variables: by variable for shared ones and fixed threads, and by slot. */
  readonly shared = new Map<number, Term>();
  readonly local: Map<number, Term>[] = [];
  /** Counters by body and node (or `idle`, `ended`): of fixed bodies, and of each slot. */
  readonly counters: Counters[] = [];
  readonly slotCounters: Counters[] = [];
  readonly error: StateVariable;
  /** That some thread is inside of an atomic section; null where none can stop there. */
  readonly atomic: Term | null;
  readonly #inputs = new Map<string, Term>();
  /** What is read of a state term whose set is more than its width. */
  readonly #values = new Map<Term, Term>();

  constructor(model: Model, steps: ProgramSteps, options: StateOptions) {
    this.model = model;
    this.steps = steps;
    this.options = options;
    this.fixed = model.bodies.filter(({ isReplicated }) => !isReplicated);
    this.replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
    this.slots = this.replicated.length > 0 ? options.views + 1 : 0;
    this.error = this.add({ name: 'error', width: 1, initial: 0n });
    const hasAtomic = steps.bodies.some(({ starts, depth }) => starts.some((start) => (depth[start] as number) > 0));
    this.atomic = hasAtomic ? this.add({ name: 'atomic', width: 1, initial: 0n }).term : null;
    this.#addCounters();
    this.#addVariables();
  }

  get inputs(): Term[] {
    return [...this.#inputs.values()];
  }

  /** The counters of the thread with that body, or of the slot. */
  countersOf(body: Body, slot: number | null): Counters {
    return (slot === null ? this.counters[body.id] : this.slotCounters[slot]) as Counters;
  }

  /** Whether the thread of a slot is one of a body, and exists. */
  isOf(slot: number, body: number): Term {
    const counters = this.slotCounters[slot] as Counters;
    if (this.replicated.length === 1) return this.graph.not(counters.get('idle') as Term);
    return this.graph.orAll([...counters].flatMap(([key, term]) => (key.startsWith(`${body}:`) ? [term] : [])));
  }

  add(
    made: {
      readonly name: string;
      readonly width: number;
      readonly initial: bigint;
      readonly set?: ValueSet;
    } & Partial<Pick<StateVariable, 'slot' | 'variable' | 'pc' | 'isGhost'>>,
  ): StateVariable {
    const { name, initial, slot = null, variable = null, pc = null, isGhost = false } = made;
    const { variable: term, value, condition } = variableWithin(this.graph, made.set ?? topSet(made.width), name);
    if (condition !== null) {
      this.#values.set(term, value);
      this.constraints.push(condition);
    }
    const added = { name, term, initial, slot, variable, pc, isGhost };
    this.variables.push(added);
    return added;
  }

  #addCounters(): void {
    for (const body of this.fixed) {
      this.counters[body.id] = this.#addCountersOf([body], `thread ${body.id}`, null, body.id === 0 ? body : null);
    }
    for (let slot = 0; slot < this.slots; slot++) {
      this.slotCounters.push(this.#addCountersOf(this.replicated, `slot ${slot}`, slot, null));
    }
  }

  /** `running`: the body that runs from the beginning. */
  #addCountersOf(bodies: readonly Body[], group: string, slot: number | null, running: Body | null): Map<string, Term> {
    const counters = new Map<string, Term>();
    const add = (key: string, pc: Omit<ProgramCounter, 'group'>, isInitial: boolean) => {
      const name = `${group} at ${key}`;
      const made = this.add({ name, width: 1, initial: isInitial ? 1n : 0n, slot, pc: { ...pc, group } });
      counters.set(key, made.term);
    };
    const [first] = bodies as [Body];
    const only = slot === null ? first.id : null;
    add('idle', { body: only, node: null, state: 'idle', loc: NOWHERE }, running === null);
    for (const key of new Set(bodies.map((body) => endedKey(this.model, body)))) {
      const body = key === ENDED ? only : Number.parseInt(key, 10);
      add(key, { body, node: null, state: 'ended', loc: NOWHERE }, false);
    }
    for (const { id, nodes, entry } of bodies) {
      for (const node of this.steps.bodies[id]?.starts ?? []) {
        const { loc } = nodes[node] as AnyNode;
        add(`${id}:${node}`, { body: id, node, state: 'running', loc }, running !== null && node === entry);
      }
    }
    // Exactly one of them holds.
    const terms = [...counters.values()];
    this.constraints.push(this.graph.orAll(terms));
    terms.forEach((a, i) => {
      for (const b of terms.slice(i + 1)) this.constraints.push(this.graph.not(this.graph.and(a, b)));
    });
    return counters;
  }

  #addVariables(): void {
    const { variables } = this.model;
    for (let slot = 0; slot < this.slots; slot++) this.local.push(new Map());
    for (const id of this.#stateVariables()) {
      const variable = variables[id] as Variable;
      const isLocal = this.model.bodies[variable.owner]?.isReplicated ?? false;
      if (!isLocal) this.shared.set(id, this.#addVariable(variable, null));
      else for (const [slot, terms] of this.local.entries()) terms.set(id, this.#addVariable(variable, slot));
    }
  }

  /** What lives from step to step: what is read after a start before it is assigned, and what is shared. */
  #stateVariables(): number[] {
    const { variables, graph, bodies } = this.model;
    const { users } = this.steps;
    const needed = new Set<number>();
    for (const { starts, live } of this.steps.bodies)
      for (const start of starts) for (const id of live[start] ?? []) needed.add(id);
    for (const { id, kind } of variables)
      if (kind === 'cell' && !users.isPrivate(id) && users.of(id).size > 0) needed.add(id);
    for (const { argument } of bodies) if (argument !== null && users.of(argument).size === 0) needed.delete(argument);
    // Others know a thread by its number, and how many there are.
    for (const { created, body } of this.model.peers) needed.add(created).add((bodies[body] as Body).self as number);
    return [...needed]
      .filter((id) => graph.constantOf((variables[id] as Variable).term) === null)
      .sort((a, b) => a - b);
  }

  #addVariable(variable: Variable, slot: number | null): Term {
    const { name, id } = variable;
    const set = this.#setOf(variable);
    const initial = BigInt.asUintN(set.width, restValue(variable));
    const named = slot === null ? name : `T${slot + 1}.${name}`;
    const { term } = this.add({ name: named, width: set.width, initial, set, slot, variable: id });
    return term;
  }

  #setOf({ set, width }: Variable): ValueSet {
    const known = this.options.sets ? set : topSet(width);
    return this.options.width === null ? known : narrowSet(known, this.options.width);
  }

  /** How many bits a word of that width has in the system. */
  widthOf(width: number): number {
    return this.options.width === null ? width : narrowWidth(width, this.options.width);
  }

  /** Where a variable is kept, for the thread in that slot. */
  termOf(id: number, slot: number | null): Term | undefined {
    return this.shared.get(id) ?? (slot === null ? undefined : this.local[slot]?.get(id));
  }

  /** What is read of a term of the state, or of an input. */
  valueOf(term: Term): Term {
    return this.#values.get(term) ?? term;
  }

  input(name: string, width: number): Term {
    return this.inputOf(name, topSet(width));
  }

  inputOf(name: string, set: ValueSet): Term {
    const known = this.#inputs.get(name);
    if (known !== undefined) return this.valueOf(known);
    const { variable: made, value, condition } = variableWithin(this.graph, set, name);
    if (condition !== null) this.constraints.push(condition);
    this.#inputs.set(name, made);
    this.#values.set(made, value);
    return value;
  }
}
