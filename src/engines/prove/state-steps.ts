/**
 * The steps of a system on states whose values are known: for those who enumerate states (cover-states.ts) or what is
 * seen of them (cover-views.ts). A step is one way through a thread's step, for all values of its inputs.
 */

import { InvariantError } from '../../support/invariant.ts';
import { listConjuncts } from '../../values/simplify-guards.ts';
import type { Term, TermOperation } from '../../values/terms.ts';
import { enumerateValues, isSubset, topSet } from '../../values/value-set.ts';
import { collectVariables } from './rebuild-term.ts';
import { TermProgram, termsBelow } from './term-program.ts';
import type { StateVariable, Transition, TransitionSystem } from './transition-system.ts';

/** Values of inputs of one step, all combinations. */
const MOST_CHOICES = 64;
/** The system comes to its error; why does not matter to the order of states. */
export const VIOLATION = 'a violation is reached';
/** For some values of inputs that were not tried one by one. */
export const PERHAPS = 'a violation may be reached';

export const open = (reason: string) => ({ kind: 'open', reason }) as const;

/** A state: where each thread is, by group of counters, and the values of the other state variables. */
export interface ReachedState {
  readonly at: readonly number[];
  readonly values: readonly bigint[];
}

/** The counters of one thread. */
export type StateGroup = readonly StateVariable[];

/** A thread of a replicated body that a step has created. */
export interface SpawnedThread {
  readonly body: number;
  readonly argument: bigint;
}

export interface TakenStep {
  readonly state: ReachedState;
  readonly isError: boolean;
  readonly spawned: readonly SpawnedThread[];
}

/** Says why it cannot go on, or null. */
export type StepListener = (taken: TakenStep) => string | null;

/**
 * Whether each step has few inputs: otherwise there is nothing to enumerate. Those that lead to the error need none,
 * for that they may do so is enough.
 */
export function hasFewInputs(system: TransitionSystem): boolean {
  return system.transitions.every((each) => each.isError || inputsOf(system, each) !== null);
}

/** What of a transition is no state, with all values; null where these are too many. */
function inputsOf({ graph, state }: TransitionSystem, transition: Transition): readonly Input[] | null {
  const variables = variablesOf(graph, transition);
  for (const { term } of state) variables.delete(term);
  const inputs: Input[] = [];
  let choices = 1;
  for (const term of variables) {
    const values = enumerateValues(graph.setOf(term), MOST_CHOICES) ?? kindsOf(graph, term, transition);
    choices *= values?.length ?? MOST_CHOICES + 1;
    if (values === null || choices > MOST_CHOICES) return null;
    inputs.push({ term, values });
  }
  return inputs;
}

/**
 * One value of each kind that a transition tells apart, where it does no more with an input than to compare it with
 * constants: these, those next to them, and the ends. Null where it does something else with it.
 */
function kindsOf(graph: TransitionSystem['graph'], input: Term, transition: Transition): readonly bigint[] | null {
  const width = graph.widthOf(input);
  if (!isSubset(topSet(width), graph.setOf(input))) return null;
  const [half, end] = [1n << BigInt(width - 1), 1n << BigInt(width)];
  const kinds = new Set([0n, half - 1n, half, end - 1n]);
  const same = new Set([input]);
  const roots = termsOf(transition);
  for (const term of termsBelow(graph, roots)) {
    const operands = graph.operandsOf(term);
    if (!operands.some((each) => same.has(each))) continue;
    const operation = graph.operationOf(term);
    if (operation === 'refine') {
      same.add(term);
      continue;
    }
    const constants = operands.flatMap((each) => graph.constantOf(each) ?? []);
    if (!COMPARISONS.has(operation) || constants.length !== 1) return null;
    for (const each of constants)
      for (const kind of [each - 1n, each, each + 1n]) kinds.add(BigInt.asUintN(width, kind));
  }
  return roots.some((each) => same.has(each)) ? null : [...kinds];
}

const COMPARISONS: ReadonlySet<TermOperation> = new Set(['eq', 'ult', 'slt']);

function termsOf({ guard, changes, spawned }: Transition): Term[] {
  return [guard, ...changes.values(), ...spawned.map(({ argument }) => argument)];
}

/** What a transition depends on. */
export function variablesOf(graph: TransitionSystem['graph'], transition: Transition): Set<Term> {
  const variables = new Set<Term>();
  for (const term of termsOf(transition)) collectVariables(graph, term, variables);
  return variables;
}

/** A transition, ready to be taken. */
interface Way {
  readonly guard: TermProgram;
  /** The new values, and then what created threads are given. */
  readonly values: TermProgram;
  /** The state variables that get these values. */
  readonly targets: readonly number[];
  /** Threads that come to another place. */
  readonly moves: readonly { readonly group: number; readonly to: number }[];
  /** Null where there are too many: then it is only asked whether it may be open. */
  readonly inputs: readonly Input[] | null;
  readonly transition: Transition;
}

interface Input {
  readonly term: Term;
  readonly values: readonly bigint[];
}

/** Of a system whose steps have few inputs. */
export class StateSteps {
  readonly #system: TransitionSystem;
  readonly groups: readonly StateGroup[];
  readonly variables: readonly StateVariable[];
  /** Where the value of a state term is: in a group, or among the values. */
  readonly #counterOf = new Map<Term, { readonly group: number; readonly index: number }>();
  readonly #valueOf = new Map<Term, number>();
  /** The ways that may be open by the place of their thread, as group and index; and those that name none. */
  readonly #byPlace = new Map<string, Way[]>();
  readonly #anywhere: Way[] = [];

  constructor(system: TransitionSystem) {
    this.#system = system;
    const byGroup = new Map<string, StateVariable[]>();
    for (const state of system.state)
      if (state.pc !== null) byGroup.set(state.pc.group, [...(byGroup.get(state.pc.group) ?? []), state]);
    this.groups = [...byGroup.values()];
    for (const [group, counters] of this.groups.entries())
      for (const [index, { term }] of counters.entries()) this.#counterOf.set(term, { group, index });
    this.variables = system.state.filter(({ pc }) => pc === null);
    for (const [i, { term }] of this.variables.entries()) this.#valueOf.set(term, i);
    for (const transition of system.transitions) this.#sort(this.#prepare(transition));
  }

  initial(): ReachedState {
    const at = this.groups.map((counters) => counters.findIndex(({ initial }) => initial === 1n));
    return { at, values: this.variables.map(({ initial }) => initial) };
  }

  /**
   * All steps of fixed threads from a state, or of one in a slot, for all inputs; says why where one cannot be
   * followed, or what the listener says.
   */
  follow(state: ReachedState, listener: StepListener, slot: number | null = null): string | null {
    for (const way of this.#waysFrom(state)) {
      if (way.transition.slot !== slot) continue;
      const reason = this.#take(way, state, listener);
      if (reason !== null) return reason;
    }
    return null;
  }

  #prepare(transition: Transition): Way {
    const { guard, changes, spawned } = transition;
    const { graph } = this.#system;
    const moves: { group: number; to: number }[] = [];
    const [targets, values]: [number[], Term[]] = [[], []];
    for (const [target, value] of changes) {
      const counter = this.#counterOf.get(target);
      const variable = this.#valueOf.get(target);
      if (counter !== undefined && graph.isTrue(value)) moves.push({ group: counter.group, to: counter.index });
      if (counter !== undefined && graph.constantOf(value) === null) throw new InvariantError('an unknown place');
      if (variable === undefined) continue;
      targets.push(variable);
      values.push(value);
    }
    const inputs = inputsOf(this.#system, transition);
    const given = spawned.map(({ argument }) => argument);
    const programs = { guard: new TermProgram(graph, [guard]), values: new TermProgram(graph, [...values, ...given]) };
    return { ...programs, targets, moves, inputs, transition };
  }

  #sort(way: Way): void {
    const conjuncts = listConjuncts(this.#system.graph, way.transition.guard);
    const [here] = conjuncts.flatMap((term) => this.#counterOf.get(term) ?? []);
    if (here === undefined) {
      this.#anywhere.push(way);
      return;
    }
    const key = `${here.group}:${here.index}`;
    const known = this.#byPlace.get(key);
    if (known) known.push(way);
    else this.#byPlace.set(key, [way]);
  }

  #waysFrom({ at }: ReachedState): Way[] {
    return [...this.#anywhere, ...at.flatMap((index, group) => this.#byPlace.get(`${group}:${index}`) ?? [])];
  }

  #take(
    { guard, values: program, targets, moves, inputs, transition }: Way,
    from: ReachedState,
    listener: StepListener,
  ) {
    const { isError } = transition;
    if (inputs === null) {
      return guard.mayHold((variable) => this.#readState(from, variable)) ? PERHAPS : null;
    }
    for (const chosen of combinations(inputs)) {
      const read = (variable: Term) => chosen.get(variable) ?? (this.#readState(from, variable) as bigint);
      const isOpen = guard.run(read)?.[0];
      if (isOpen === undefined) return 'a condition without a value';
      if (isOpen === 0n) continue;
      const changed = program.run(read);
      if (changed === null) return 'a variable without a value';
      const at = [...from.at];
      for (const { group, to } of moves) at[group] = to;
      const values = [...from.values];
      targets.forEach((target, i) => {
        values[target] = changed[i] as bigint;
      });
      const spawned = transition.spawned.map(({ body }, i) => {
        return { body, argument: changed[targets.length + i] as bigint };
      });
      const reason = listener({ state: { at, values }, isError, spawned });
      if (reason !== null) return reason;
    }
    return null;
  }

  /** Null for an input. */
  #readState({ at, values }: ReachedState, variable: Term): bigint | null {
    const counter = this.#counterOf.get(variable);
    if (counter !== undefined) return at[counter.group] === counter.index ? 1n : 0n;
    return values[this.#valueOf.get(variable) ?? values.length] ?? null;
  }
}

function* combinations(inputs: readonly Input[]): Generator<ReadonlyMap<Term, bigint>> {
  const [first, ...others] = inputs;
  if (first === undefined) {
    yield new Map();
    return;
  }
  for (const rest of combinations(others)) for (const value of first.values) yield new Map(rest).set(first.term, value);
}
