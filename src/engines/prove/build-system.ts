/**
 * From graphs to a transition system (transition-system.ts). A clause about k threads of the replicated bodies is
 * checked with k+1 slots: the step that breaks it may be that of a thread that it does not speak of, and two others are
 * all alike.
 *
 * A slot is one thread for ever: it is created into an idle slot, or into none (then it is one of those that nobody
 * looks at). What every step may assume of a state is in `constraints`; each is there with its reason.
 */

import { type Loc, NOWHERE } from '../../support/source.ts';
import { type Term, TermGraph } from '../../values/terms.ts';
import { maxUnsigned, minUnsigned, topSet, type ValueSet } from '../../values/value-set.ts';
import { restValue } from './analyse-values.ts';
import { constrainCounts } from './constrain-counts.ts';
import { constrainNumbers } from './constrain-numbers.ts';
import { countThreads } from './count-threads.ts';
import type { ProgramSteps } from './find-steps.ts';
import { areStuck, type StuckThread } from './find-stuck.ts';
import { type AnyNode, type Body, type Model, selfNumbers, threadNumbers, type Variable } from './graph.ts';
import { type HeldContext, isHeld } from './held-addresses.ts';
import { NarrowRebuilder, narrowSet, narrowWidth } from './narrow-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';
import type { Assigned, ProgramCounter, StateVariable, Transition, TransitionSystem } from './transition-system.ts';
import { type Spawned, type StepPath, type StepScope, walkStep } from './walk-step.ts';
import { variableWithin } from './within-set.ts';

export interface SystemOptions {
  /** Threads that a clause may speak of; 0 where nothing is replicated. */
  readonly views: number;
  /** The most bits of a word; null for all. */
  readonly width: number | null;
  /** Use the counting of threads. */
  readonly counting: boolean;
  /** Constrain variables to the sets of values that were found. */
  readonly sets: boolean;
  /** That all threads are stuck is an error. */
  readonly deadlocks: boolean;
  /** Called now and then; throws when time is up. */
  readonly poll: () => void;
  /** Threads keep what they needed and no longer need until they end, for clauses to speak of. */
  readonly keepsDead?: boolean;
  /** Told every node that some step comes to, and from where, as far as sets of values tell. */
  readonly onVisit?: StepScope['visit'];
}

export function buildSystem(model: Model, steps: ProgramSteps, options: SystemOptions): TransitionSystem {
  return new SystemBuilder(model, steps, options).build();
}

/** The step of one thread that may move: next values where they differ. */
interface Move {
  enabled: Term;
  readonly changed: Map<Term, Term>;
  readonly spawns: { readonly guard: Term; readonly spawned: Spawned }[];
}

class SystemBuilder {
  readonly #model: Model;
  readonly #steps: ProgramSteps;
  readonly #options: SystemOptions;
  readonly #graph = new TermGraph();
  readonly #slots: number;
  readonly #state: StateVariable[] = [];
  readonly #constraints: Term[] = [];
  readonly #inputs = new Map<string, Term>();
  /** What is read of a state term whose set is more than its width. */
  readonly #values = new Map<Term, Term>();
  /** State terms of variables: by variable for shared ones and fixed threads, and by slot. */
  readonly #shared = new Map<number, Term>();
  readonly #local: Map<number, Term>[] = [];
  /** Counters by body and node (or `idle`, `ended`): of fixed bodies, and of each slot. */
  readonly #counters: Map<string, Term>[] = [];
  readonly #slotCounters: Map<string, Term>[] = [];
  readonly #error: StateVariable;
  readonly #atomic: Term;
  readonly #hasAtomic: boolean;
  readonly #assigned: Assigned[] = [];
  readonly #transitions: Transition[] = [];
  #pathCount = 0;
  /** What a step of a fixed thread may take for granted that looks at no peer. */
  #alone: Term;

  constructor(model: Model, steps: ProgramSteps, options: SystemOptions) {
    this.#model = model;
    this.#steps = steps;
    this.#options = options;
    this.#slots = this.#replicated().length > 0 ? options.views + 1 : 0;
    this.#error = this.#addState({ name: 'error', width: 1, initial: 0n });
    this.#alone = this.#graph.true;
    this.#hasAtomic = steps.bodies.some(({ starts, depth }) => starts.some((start) => (depth[start] as number) > 0));
    this.#atomic = this.#hasAtomic ? this.#addState({ name: 'atomic', width: 1, initial: 0n }).term : this.#graph.false;
  }

  build(): TransitionSystem {
    this.#addCounters();
    this.#addVariables();
    this.#constrainNumbers();
    this.#count();
    const moves = this.#moves();
    const next = this.#next(moves);
    const { graph } = this;
    const selects = this.#selects(moves.length);
    const enabled = moves.reduceRight(
      (rest, { enabled: each }, i) => graph.ite(selects[i] as Term, each, rest),
      graph.false,
    );
    return {
      graph,
      slots: this.#slots,
      state: this.#state,
      next,
      inputs: [...this.#inputs.values()],
      enabled,
      error: this.#error,
      constraints: this.#constraints,
      candidates: this.#candidates(),
      assigned: this.#assigned,
      transitions: this.#transitions,
      pathCount: this.#pathCount,
    };
  }

  get graph(): TermGraph {
    return this.#graph;
  }

  #fixed(): readonly Body[] {
    return this.#model.bodies.filter(({ isReplicated }) => !isReplicated);
  }

  #replicated(): readonly Body[] {
    return this.#model.bodies.filter(({ isReplicated }) => isReplicated);
  }

  // -------------------------------------------------------------- state

  #addState(
    made: {
      readonly name: string;
      readonly width: number;
      readonly initial: bigint;
      readonly set?: ValueSet;
    } & Partial<Pick<StateVariable, 'slot' | 'variable' | 'pc' | 'isGhost'>>,
  ): StateVariable {
    const { name, initial, slot = null, variable = null, pc = null, isGhost = false } = made;
    const { variable: term, value, condition } = variableWithin(this.#graph, made.set ?? topSet(made.width), name);
    if (condition !== null) {
      this.#values.set(term, value);
      this.#constraints.push(condition);
    }
    const added = { name, term, initial, slot, variable, pc, isGhost };
    this.#state.push(added);
    return added;
  }

  #addCounters(): void {
    for (const body of this.#fixed()) {
      this.#counters[body.id] = this.#addCountersOf([body], `thread ${body.id}`, null, body.id === 0 ? body : null);
    }
    for (let slot = 0; slot < this.#slots; slot++) {
      this.#slotCounters.push(this.#addCountersOf(this.#replicated(), `slot ${slot}`, slot, null));
    }
  }

  /** `running`: the body that runs from the beginning. */
  #addCountersOf(bodies: readonly Body[], group: string, slot: number | null, running: Body | null): Map<string, Term> {
    const counters = new Map<string, Term>();
    const add = (key: string, pc: Omit<ProgramCounter, 'group'>, isInitial: boolean) => {
      const name = `${group} at ${key}`;
      const made = this.#addState({ name, width: 1, initial: isInitial ? 1n : 0n, slot, pc: { ...pc, group } });
      counters.set(key, made.term);
    };
    const [first] = bodies as [Body];
    add('idle', { body: first.id, node: null, state: 'idle', loc: NOWHERE }, running === null);
    add('ended', { body: first.id, node: null, state: 'ended', loc: NOWHERE }, false);
    for (const { id, nodes, entry } of bodies) {
      for (const node of this.#steps.bodies[id]?.starts ?? []) {
        const { loc } = nodes[node] as AnyNode;
        add(`${id}:${node}`, { body: id, node, state: 'running', loc }, running !== null && node === entry);
      }
    }
    // Exactly one of them holds.
    const terms = [...counters.values()];
    this.#constraints.push(this.#graph.orAll(terms));
    terms.forEach((a, i) => {
      for (const b of terms.slice(i + 1)) this.#constraints.push(this.#graph.not(this.#graph.and(a, b)));
    });
    return counters;
  }

  #addVariables(): void {
    const { variables } = this.#model;
    for (let slot = 0; slot < this.#slots; slot++) this.#local.push(new Map());
    for (const id of this.#stateVariables()) {
      const variable = variables[id] as Variable;
      const isLocal = this.#isLocal(variable);
      if (!isLocal) this.#shared.set(id, this.#addVariable(variable, null));
      else for (const [slot, terms] of this.#local.entries()) terms.set(id, this.#addVariable(variable, slot));
    }
  }

  /** What lives from step to step: what is read after a start before it is assigned, and what is shared. */
  #stateVariables(): number[] {
    const { variables, graph, bodies } = this.#model;
    const { users } = this.#steps;
    const needed = new Set<number>();
    for (const { starts, live } of this.#steps.bodies)
      for (const start of starts) for (const id of live[start] ?? []) needed.add(id);
    for (const { id, kind } of variables)
      if (kind === 'cell' && !users.isPrivate(id) && users.of(id).size > 0) needed.add(id);
    for (const { argument } of bodies) if (argument !== null && users.of(argument).size === 0) needed.delete(argument);
    // Others know a thread by its number, and how many there are.
    const { peers } = this.#model;
    if (peers !== null) needed.add(peers.created).add((bodies[peers.body] as Body).self as number);
    return [...needed]
      .filter((id) => graph.constantOf((variables[id] as Variable).term) === null)
      .sort((a, b) => a - b);
  }

  #isLocal({ owner }: Variable): boolean {
    return this.#model.bodies[owner]?.isReplicated ?? false;
  }

  #addVariable(variable: Variable, slot: number | null): Term {
    const { name, id } = variable;
    const set = this.#setOf(variable);
    const initial = BigInt.asUintN(set.width, restValue(variable));
    const named = slot === null ? name : `T${slot + 1}.${name}`;
    const { term } = this.#addState({ name: named, width: set.width, initial, set, slot, variable: id });
    return term;
  }

  #setOf({ set, width }: Variable): ValueSet {
    const known = this.#options.sets ? set : topSet(width);
    return this.#options.width === null ? known : narrowSet(known, this.#options.width);
  }

  #width(width: number): number {
    return this.#options.width === null ? width : narrowWidth(width, this.#options.width);
  }

  #constrainNumbers(): void {
    constrainNumbers({
      ...{ graph: this.#graph, model: this.#model },
      ...{ locals: this.#local, slotCounters: this.#slotCounters, shared: this.#shared },
      isNarrow: this.#options.width !== null,
      constrain: (term) => this.#constraints.push(term),
    });
  }

  // -------------------------------------------------------------- moves

  #moves(): Move[] {
    const moves = this.#fixed().map((body) => this.#moveOf([body], null));
    for (let slot = 0; slot < this.#slots; slot++) moves.push(this.#moveOf(this.#replicated(), slot));
    if (this.#options.deadlocks) moves.push(this.#stuckMove());
    return moves;
  }

  /** Not the step of a thread: somebody notices that none is left. */
  #stuckMove(): Move {
    const graph = this.#graph;
    const inputsOf = (name: string) => `stuck ${name}, `;
    const fixed = this.#fixed().map((body): StuckThread => {
      const scope = this.#scopeOf(null, inputsOf(`${body.id}`));
      return { bodies: [body], counters: this.#counters[body.id] as Map<string, Term>, scope };
    });
    const slots = this.#slotCounters.map((counters, slot): StuckThread => {
      return { bodies: this.#replicated(), counters, scope: this.#scopeOf(slot, inputsOf(`slot ${slot}`)) };
    });
    const { variables } = this.#model;
    const enabled = areStuck([...fixed, ...slots], this.#steps, { graph, variables });
    this.#transitions.push({ guard: enabled, changes: new Map(), isError: true });
    return { enabled, changed: new Map([[this.#error.term, graph.or(this.#error.term, enabled)]]), spawns: [] };
  }

  #stateTerm(id: number, slot: number | null): Term | undefined {
    return this.#shared.get(id) ?? (slot === null ? undefined : this.#local[slot]?.get(id));
  }

  /** `inputs` begins the names of inputs that are not those of the thread that moves. */
  #scopeOf(slot: number | null, inputs = ''): StepScope {
    const { variables, graph: from } = this.#model;
    const { width: most } = this.#options;
    const idOf = new Map(variables.map(({ term, id }) => [term, id]));
    const rest = (id: number) => {
      const variable = variables[id] as Variable;
      return this.#graph.constant(this.#width(variable.width), restValue(variable));
    };
    const lookUp = (values: ReadonlyMap<number, Term>, peer: number | null) => (term: Term) => {
      const id = idOf.get(term) as number;
      const state = this.#stateTerm(id, slot ?? peer);
      return values.get(id) ?? (state === undefined ? rest(id) : (this.#values.get(state) ?? state));
    };
    return {
      ...this.#peerScope(slot),
      isHeld: (object, body, node, values) => isHeld(this.#heldContext(), object, { body, node, slot, values }),
      graph: this.#graph,
      evaluate: (term, values, peer) =>
        (most === null
          ? new TermRebuilder(from, this.#graph, lookUp(values, peer ?? null))
          : new NarrowRebuilder(from, this.#graph, most, lookUp(values, peer ?? null))
        ).rebuild(term),
      input: (index, variable, isBool) => {
        const bits = this.#width((variables[variable] as Variable).width);
        if (!isBool) return this.#input(`${inputs}input ${index} of ${bits} bits`, bits);
        return this.#graph.extend(this.#input(`${inputs}choice ${index}`, 1), bits, false);
      },
      newNumber: (body, index) => {
        const { isReplicated, number } = this.#model.bodies[body] as Body;
        const bits = this.#width(32);
        if (!isReplicated) return this.#graph.constant(bits, BigInt(number));
        const numbers = threadNumbers(this.#model, 'created');
        const { width } = this.#options;
        const set = width === null ? numbers : narrowSet(numbers, width);
        return this.#inputOf(`${inputs}number ${index}`, set);
      },
      visit: (body, node, from) => this.#options.onVisit?.(body, node, from),
    };
  }

  #peerScope(
    slot: number | null,
  ): Pick<StepScope, 'peerCells' | 'firstValue' | 'peerSlots' | 'isPeer' | 'anyRuns' | 'unit'> {
    const { peers, variables, bodies } = this.#model;
    const self = peers === null ? null : (bodies[peers.body]?.self ?? null);
    return {
      peerCells: peers?.cells ?? new Set(),
      firstValue: (cell) => {
        const { width, initial } = variables[cell] as Variable;
        return this.#graph.constant(this.#width(width), initial);
      },
      peerSlots: slot === null ? this.#slotCounters.map((_, i) => i) : null,
      isPeer: (at, order) => {
        const graph = this.#graph;
        const state = this.#local[at]?.get(self as number) as Term;
        const isIdle = this.#slotCounters[at]?.get('idle') as Term;
        return graph.and(graph.not(isIdle), graph.eq(this.#values.get(state) ?? state, order));
      },
      anyRuns: () => this.#graph.orAll(this.#slotCounters.map((counters) => this.#runsAt(counters))),
      unit: peers?.unit ?? 0n,
    };
  }

  #heldContext(): HeldContext {
    return {
      ...{ graph: this.#graph, model: this.#model, steps: this.#steps },
      ...{ counters: this.#counters, slotCounters: this.#slotCounters },
      stateOf: (id, slot) => {
        const state = this.#stateTerm(id, slot);
        return state === undefined ? undefined : (this.#values.get(state) ?? state);
      },
    };
  }

  /** It exists, and is not before its end, either: there it does nothing that anybody notices. */
  #runsAt(counters: ReadonlyMap<string, Term>): Term {
    const isOver = (key: string) => {
      const [body, node] = key.split(':').map(Number) as [number, number];
      return key === 'idle' || key === 'ended' || this.#model.bodies[body]?.nodes[node]?.kind === 'finish';
    };
    return this.#graph.orAll([...counters].flatMap(([key, term]) => (isOver(key) ? [] : [term])));
  }

  #input(name: string, width: number): Term {
    return this.#inputOf(name, topSet(width));
  }

  #inputOf(name: string, set: ValueSet): Term {
    const known = this.#inputs.get(name);
    if (known !== undefined) return this.#values.get(known) ?? known;
    const { variable: made, value, condition } = variableWithin(this.#graph, set, name);
    if (condition !== null) this.#constraints.push(condition);
    this.#inputs.set(name, made);
    this.#values.set(made, value);
    return value;
  }

  /** The step of a fixed thread, or of a slot, whatever body it has. */
  #moveOf(bodies: readonly Body[], slot: number | null): Move {
    const graph = this.#graph;
    const scope = this.#scopeOf(slot);
    const move: Move = { enabled: graph.false, changed: new Map(), spawns: [] };
    for (const body of bodies) {
      const counters = slot === null ? this.#counters[body.id] : this.#slotCounters[slot];
      const steps = this.#steps.bodies[body.id] as ProgramSteps['bodies'][number];
      const reached = new Set([body.entry]);
      for (const start of reached) {
        const here = counters?.get(`${body.id}:${start}`) as Term;
        const inside = (steps.depth[start] as number) > 0;
        const mayMove = !this.#hasAtomic ? graph.true : inside ? this.#atomic : graph.not(this.#atomic);
        this.#options.poll();
        const paths = walkStep(body, steps, start, scope);
        this.#pathCount += paths.length;
        for (const path of paths) {
          const alone = slot === null && path.peer === null ? this.#alone : graph.true;
          const guard = graph.andAll([here, mayMove, path.guard, alone]);
          if (graph.isFalse(guard)) continue;
          this.#addPath(move, body, path, guard, slot, counters as Map<string, Term>, start);
          if (path.end.kind === 'node') reached.add(path.end.node);
        }
      }
    }
    return move;
  }

  #addPath(
    move: Move,
    body: Body,
    { end, values, spawned, peer }: StepPath,
    guard: Term,
    slot: number | null,
    counters: ReadonlyMap<string, Term>,
    start: number,
  ): void {
    const graph = this.#graph;
    if (end.kind === 'waits' || end.kind === 'stopped') return;
    move.enabled = graph.or(move.enabled, guard);
    const changes = new Map<Term, Term>();
    const put = (target: Term, value: Term) => {
      changes.set(target, value);
      move.changed.set(target, graph.ite(guard, value, move.changed.get(target) ?? target));
    };
    if (slot === null) this.#transitions.push({ guard, changes, isError: end.kind === 'error' });
    if (end.kind === 'error') {
      put(this.#error.term, graph.true);
      return;
    }
    const after = counters.get(end.kind === 'finish' ? 'ended' : `${body.id}:${end.node}`) as Term;
    const here = counters.get(`${body.id}:${start}`) as Term;
    if (after !== here) {
      put(here, graph.false);
      put(after, graph.true);
    }
    this.#putValues(put, body, end.kind === 'finish' ? null : end.node, values, slot, guard);
    const isInside = end.kind === 'node' && (this.#steps.bodies[body.id]?.depth[end.node] ?? 0) > 0;
    if (this.#hasAtomic) put(this.#atomic, graph.boolean(isInside));
    for (const each of spawned) this.#putSpawned(move, put, each, guard);
    for (const [id, value] of peer?.values ?? []) {
      const target = this.#local[peer?.slot as number]?.get(id);
      if (target === undefined) continue;
      put(target, value);
      this.#assigned.push({ variable: id, guard, value });
    }
  }

  #putValues(
    put: (target: Term, value: Term) => void,
    body: Body,
    end: number | null,
    values: ReadonlyMap<number, Term>,
    slot: number | null,
    guard: Term,
  ): void {
    const { variables } = this.#model;
    const { users, bodies } = this.#steps;
    const live = end === null ? new Set<number>() : (bodies[body.id]?.live[end] ?? new Set<number>());
    // Not what is given to it where nobody needs that: it may lie outside of the set of its needed values, to which
    // the state is constrained. What it had before is in there, for it was needed once, or is where it began.
    const isKept = (id: number) => this.#options.keepsDead === true && end !== null && !values.has(id);
    // A thread keeps its number; what else is its own and no longer needed is forgotten.
    const isForgotten = (id: number) => {
      const { owner, kind } = variables[id] as Variable;
      if (isKept(id)) return false;
      return owner === body.id && kind !== 'self' && users.isPrivate(id) && !live.has(id);
    };
    for (const [id, value] of values) {
      const target = this.#stateTerm(id, slot);
      if (target === undefined || isForgotten(id)) continue;
      put(target, value);
      this.#assigned.push({ variable: id, guard, value });
    }
    const own = slot === null ? this.#shared : (this.#local[slot] as Map<number, Term>);
    for (const [id, target] of own) {
      if (!isForgotten(id)) continue;
      put(target, this.#graph.constant(this.#graph.widthOf(target), restValue(variables[id] as Variable)));
    }
  }

  #putSpawned(move: Move, put: (target: Term, value: Term) => void, spawned: Spawned, guard: Term): void {
    const graph = this.#graph;
    const body = this.#model.bodies[spawned.body] as Body;
    if (body.isReplicated) {
      move.spawns.push({ guard, spawned });
      return;
    }
    const counters = this.#counters[body.id] as Map<string, Term>;
    put(counters.get('idle') as Term, graph.false);
    put(counters.get(`${body.id}:${body.entry}`) as Term, graph.true);
    const argument = body.argument === null ? undefined : this.#shared.get(body.argument);
    if (argument === undefined) return;
    put(argument, spawned.argument);
    this.#assigned.push({ variable: body.argument as number, guard, value: spawned.argument });
  }

  #candidates(): { readonly term: Term; readonly loc: Loc }[] {
    const scope = this.#scopeOf(null);
    const { graph, variables } = this.#model;
    const isState = (id: number) => this.#shared.has(id) || graph.constantOf((variables[id] as Variable).term) !== null;
    return this.#model.candidates.flatMap(({ condition, loc }) => {
      const isKnown = this.#steps.finder.in(condition).every(isState);
      return isKnown ? [{ term: scope.evaluate(condition, new Map()), loc }] : [];
    });
  }

  // -------------------------------------------------------------- next state

  #selects(count: number): Term[] {
    return Array.from({ length: count }, (_, i) => (i === count - 1 ? this.#graph.true : this.#input(`mover ${i}`, 1)));
  }

  #count(): void {
    if (this.#slots === 0 || !this.#options.counting) return;
    this.#alone = constrainCounts({
      graph: this.#graph,
      model: this.#model,
      slotCounters: this.#slotCounters,
      shared: this.#shared,
      isNarrow: this.#options.width !== null,
      counted: countThreads(this.#model, this.#steps, this.#shared, this.#scopeOf(0), this.#graph),
      addRest: (variable, width) => {
        const { name, initial } = this.#model.variables[variable] as Variable;
        return this.#addState({ name: `rest of ${name}`, width, initial, variable, isGhost: true }).term;
      },
      constrain: (term) => this.#constraints.push(term),
    });
  }

  #next(moves: readonly Move[]): Term[] {
    const graph = this.#graph;
    const selects = this.#selects(moves.length);
    const chosen = (pick: (move: Move, i: number) => Term) =>
      moves.reduceRight<Term | null>((rest, move, i) => {
        const value = pick(move, i);
        return rest === null ? value : graph.ite(selects[i] as Term, value, rest);
      }, null) as Term;
    const fixedCount = this.#fixed().length;
    const created = moves.map((move) => this.#createdBy(move));
    return this.#state.map(({ term, slot, isGhost, variable }) => {
      if (isGhost) {
        const target = this.#shared.get(variable as number) as Term;
        const grown = (move: Move) => graph.add(term, graph.sub(move.changed.get(target) ?? target, target));
        return chosen((move, i) => (i < fixedCount ? grown(move) : term));
      }
      return chosen((move, i) => {
        const moved = move.changed.get(term) ?? term;
        return slot === null || i === fixedCount + slot ? moved : (created[i]?.get(term) ?? moved);
      });
    });
  }

  /** Threads with larger numbers never run. */
  #runs(number: Term): Term {
    const graph = this.#graph;
    if (graph.widthOf(number) < 32) return graph.true;
    const numbers = selfNumbers(this.#model);
    const first = minUnsigned(numbers);
    const offset = graph.sub(number, graph.constant(32, first));
    return graph.less('ult', offset, graph.constant(32, maxUnsigned(numbers) + 1n - first));
  }

  /** What the creation of a replicated thread changes in the slots: it goes into the first chosen one, if idle. */
  #createdBy({ spawns, changed: moved }: Move): Map<Term, Term> {
    const graph = this.#graph;
    const changed = new Map<Term, Term>();
    let open = graph.true;
    for (let slot = 0; slot < this.#slots; slot++) {
      const takes = this.#input(`create into ${slot}`, 1);
      const counters = this.#slotCounters[slot] as Map<string, Term>;
      const isTaken = graph.and(open, graph.and(takes, counters.get('idle') as Term));
      open = graph.and(open, graph.not(takes));
      for (const { guard, spawned } of spawns) {
        const body = this.#model.bodies[spawned.body] as Body;
        const here = graph.andAll([guard, isTaken, this.#runs(spawned.number)]);
        const put = (target: Term | undefined, value: Term, variable: number | null = null) => {
          if (target === undefined) return;
          changed.set(target, graph.ite(here, value, changed.get(target) ?? moved.get(target) ?? target));
          if (variable !== null) this.#assigned.push({ variable, guard: here, value });
        };
        put(counters.get('idle'), graph.false);
        put(counters.get(`${body.id}:${body.entry}`), graph.true);
        const locals = this.#local[slot] as Map<number, Term>;
        if (body.argument !== null) put(locals.get(body.argument), spawned.argument, body.argument);
        if (body.self !== null) put(locals.get(body.self), spawned.number, body.self);
        const { peerCells, firstValue } = this.#peerScope(null);
        for (const id of peerCells) put(locals.get(id), spawned.values.get(id) ?? firstValue(id), id);
      }
    }
    return changed;
  }
}
