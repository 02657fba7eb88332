/**
 * A proof by enumeration: all states of the system that are reached, each once, and of states that differ in growing
 * variables only (find-growing.ts) those that no other one covers. For bounded loops of several threads these are few
 * where neither the free order nor clauses come to an end: what two threads make of `i += j` and `j += i` in eleven
 * turns each is 2,000 states.
 *
 * Why it is sound: whatever a state can do, the state that covers it can do as well, so that by induction every state
 * that is reached is covered by one of those that were kept, whose steps were all taken, none of them into the error.
 * Where there are too many states or too many inputs, or a growing variable leaves the range for which the order is
 * known, nothing is said.
 */

import { InvariantError, invariant } from '../../support/invariant.ts';
import { listConjuncts } from '../../values/simplify-guards.ts';
import type { Term } from '../../values/terms.ts';
import { enumerateValues } from '../../values/value-set.ts';
import { type Growing, isWithin, type SignedRange } from './find-growing.ts';
import { collectVariables } from './rebuild-term.ts';
import { TermProgram } from './term-program.ts';
import type { StateVariable, Transition, TransitionSystem } from './transition-system.ts';

/** Values of inputs of one step, all combinations. */
const MOST_CHOICES = 64;
const STATES_BETWEEN_POLLS = 32;
/** The system comes to its error; why does not matter to the order of states. */
export const VIOLATION = 'a violation is reached';

export interface CoverOptions {
  readonly growing: Growing;
  /** Smaller values cover larger ones. */
  readonly isDown: boolean;
  readonly mostStates: number;
  /** Throws when time is up. */
  readonly poll: () => void;
}

/** A state: where each thread is, by group of counters, and the values of the other state variables. */
export interface ReachedState {
  readonly at: readonly number[];
  readonly values: readonly bigint[];
}

export interface Covering {
  readonly kind: 'covered';
  readonly states: readonly ReachedState[];
  /** The state variables of the values. */
  readonly variables: readonly StateVariable[];
  /** By group, the counters. */
  readonly groups: readonly (readonly StateVariable[])[];
}

export type CoverResult = Covering | { readonly kind: 'open'; readonly reason: string };

/** Of a system whose steps have few inputs. */
export function coverStates(system: TransitionSystem, options: CoverOptions): CoverResult {
  invariant(hasFewInputs(system), 'inputs are enumerated');
  return new StateCover(system, options).run();
}

interface Entry extends ReachedState {
  isCovered: boolean;
}

/** Whether each step has few inputs: otherwise there is nothing to enumerate. */
export function hasFewInputs(system: TransitionSystem): boolean {
  return system.transitions.every((each) => inputsOf(system, each) !== null);
}

/** What of a transition is no state, with all values; null where these are too many. */
function inputsOf({ graph, state }: TransitionSystem, { guard, changes }: Transition): Way['inputs'] | null {
  const variables = new Set<Term>();
  for (const term of [guard, ...changes.values()]) collectVariables(graph, term, variables);
  for (const { term } of state) variables.delete(term);
  const inputs: { term: Term; values: readonly bigint[] }[] = [];
  let choices = 1;
  for (const term of variables) {
    const values = enumerateValues(graph.setOf(term), MOST_CHOICES);
    choices *= values?.length ?? MOST_CHOICES + 1;
    if (values === null || choices > MOST_CHOICES) return null;
    inputs.push({ term, values });
  }
  return inputs;
}

/** A transition, ready to be taken. */
interface Way {
  readonly guard: TermProgram;
  readonly values: TermProgram;
  /** The state variables that get these values. */
  readonly targets: readonly number[];
  /** Threads that come to another place. */
  readonly moves: readonly { readonly group: number; readonly to: number }[];
  readonly inputs: readonly { readonly term: Term; readonly values: readonly bigint[] }[];
  readonly isError: boolean;
}

class StateCover {
  readonly #system: TransitionSystem;
  readonly #options: CoverOptions;
  readonly #groups: StateVariable[][] = [];
  readonly #variables: StateVariable[];
  /** Where the value of a state term is: in a group, or among the values. */
  readonly #counterOf = new Map<Term, { readonly group: number; readonly index: number }>();
  readonly #valueOf = new Map<Term, number>();
  readonly #isGrowing: readonly boolean[];
  readonly #ranges: readonly (SignedRange | undefined)[];
  readonly #widths: readonly number[];
  readonly #entries = new Map<string, Entry[]>();
  readonly #queue: Entry[] = [];

  constructor(system: TransitionSystem, options: CoverOptions) {
    this.#system = system;
    this.#options = options;
    const byGroup = new Map<string, StateVariable[]>();
    for (const state of system.state)
      if (state.pc !== null) byGroup.set(state.pc.group, [...(byGroup.get(state.pc.group) ?? []), state]);
    for (const counters of byGroup.values()) {
      const group = this.#groups.length;
      for (const [index, { term }] of counters.entries()) this.#counterOf.set(term, { group, index });
      this.#groups.push(counters);
    }
    this.#variables = system.state.filter(({ pc }) => pc === null);
    for (const [i, { term }] of this.#variables.entries()) this.#valueOf.set(term, i);
    this.#isGrowing = this.#variables.map(({ term }) => options.growing.variables.has(term));
    this.#ranges = this.#variables.map(({ term }) => options.growing.ranges.get(term));
    this.#widths = this.#variables.map(({ term }) => system.graph.widthOf(term));
  }

  run(): CoverResult {
    const byPlace = this.#sortByPlace(this.#system.transitions.map((each) => this.#prepare(each)));
    this.#add(this.#initial());
    for (let i = 0; i < this.#queue.length; i++) {
      if (i % STATES_BETWEEN_POLLS === 0) this.#options.poll();
      const entry = this.#queue[i] as Entry;
      if (entry.isCovered) continue;
      for (const way of byPlace(entry)) {
        const reason = this.#take(way, entry);
        if (reason !== null) return open(reason);
      }
      if (this.#queue.length > this.#options.mostStates) return open('too many states');
    }
    const states = this.#queue.filter(({ isCovered }) => !isCovered);
    return { kind: 'covered', states, variables: this.#variables, groups: this.#groups };
  }

  #initial(): ReachedState {
    const at = this.#groups.map((counters) => counters.findIndex(({ initial }) => initial === 1n));
    return { at, values: this.#variables.map(({ initial }) => initial) };
  }

  #prepare(transition: Transition): Way {
    const { guard, changes, isError } = transition;
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
    const inputs = inputsOf(this.#system, transition) ?? [];
    const programs = { guard: new TermProgram(graph, [guard]), values: new TermProgram(graph, values) };
    return { ...programs, targets, moves, inputs, isError };
  }

  /** The ways that may be open from a state: each names the place of its thread, or none. */
  #sortByPlace(ways: readonly Way[]): (state: ReachedState) => Way[] {
    const { graph, transitions } = this.#system;
    const byCounter = new Map<string, Way[]>();
    const anywhere: Way[] = [];
    ways.forEach((way, i) => {
      const { guard } = transitions[i] as Transition;
      const here = listConjuncts(graph, guard).flatMap((term) => this.#counterOf.get(term) ?? [])[0];
      if (here === undefined) {
        anywhere.push(way);
        return;
      }
      const key = `${here.group}:${here.index}`;
      byCounter.set(key, [...(byCounter.get(key) ?? []), way]);
    });
    return ({ at }) => [...anywhere, ...at.flatMap((index, group) => byCounter.get(`${group}:${index}`) ?? [])];
  }

  /** All that the way does from a state, for all inputs; says why where that cannot be followed. */
  #take(way: Way, state: ReachedState): string | null {
    for (const inputs of combinations(way.inputs)) {
      const read = (variable: Term) => inputs.get(variable) ?? this.#read(state, variable);
      const isOpen = way.guard.run(read)?.[0];
      if (isOpen === undefined) return 'a condition without a value';
      if (isOpen === 0n) continue;
      if (way.isError) return VIOLATION;
      const changed = way.values.run(read);
      if (changed === null) return 'a variable without a value';
      const at = [...state.at];
      for (const { group, to } of way.moves) at[group] = to;
      const values = [...state.values];
      way.targets.forEach((target, i) => {
        values[target] = changed[i] as bigint;
      });
      if (!values.every((value, i) => this.#isInRange(value, i))) return 'values grow too large';
      this.#add({ at, values });
    }
    return null;
  }

  #isInRange(value: bigint, i: number): boolean {
    const range = this.#ranges[i];
    return range === undefined || isWithin(range, value, this.#widths[i] as number);
  }

  #read({ at, values }: ReachedState, variable: Term): bigint {
    const counter = this.#counterOf.get(variable);
    if (counter !== undefined) return at[counter.group] === counter.index ? 1n : 0n;
    return values[this.#valueOf.get(variable) as number] as bigint;
  }

  #add({ at, values }: ReachedState): void {
    const exact = values.filter((_, i) => !this.#isGrowing[i]);
    const key = `${at.join()}|${exact.join()}`;
    const known = this.#entries.get(key) ?? [];
    if (known.some((entry) => this.#covers(entry.values, values))) return;
    for (const entry of known) if (this.#covers(values, entry.values)) entry.isCovered = true;
    const added = { at, values, isCovered: false };
    this.#entries.set(key, [...known.filter(({ isCovered }) => !isCovered), added]);
    this.#queue.push(added);
  }

  /** Of two states that differ in growing variables only. */
  #covers(one: readonly bigint[], other: readonly bigint[]): boolean {
    const { isDown } = this.#options;
    return this.#isGrowing.every((isGrowing, i) => {
      if (!isGrowing) return true;
      const [a, b] = [one, other].map((values) => BigInt.asIntN(this.#widths[i] as number, values[i] as bigint));
      return isDown ? (a as bigint) <= (b as bigint) : (a as bigint) >= (b as bigint);
    });
  }
}

export const open = (reason: string) => ({ kind: 'open', reason }) as const;

function* combinations(inputs: Way['inputs']): Generator<ReadonlyMap<Term, bigint>> {
  const [first, ...others] = inputs;
  if (first === undefined) {
    yield new Map();
    return;
  }
  for (const rest of combinations(others)) for (const value of first.values) yield new Map(rest).set(first.term, value);
}
