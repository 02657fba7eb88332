/**
 * The steps of a system on states whose values are known: for those who enumerate states (cover-states.ts) or what is
 * seen of them (cover-views.ts). A step is one way through a thread's step, for all values of its inputs.
 */

import { InvariantError } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import { listConjuncts } from '../../values/simplify-guards.ts';
import type { Term, TermOperation } from '../../values/terms.ts';
import { enumerateValues, isSubset, topSet } from '../../values/value-set.ts';
import { collectVariables } from './rebuild-term.ts';
import { TermProgram, termsBelow } from './term-program.ts';
import type { StateVariable, Transition, TransitionSystem } from './transition-system.ts';

/** Values of inputs of one step, all combinations. */
const MOST_CHOICES = 64;
/** So often the condition of a step with more is looked at, with some of them chosen. */
const MOST_GUESSES = 500;
/** The system comes to its error; why does not matter to the order of states. */
export const VIOLATION = 'a violation is reached';
/** For some values of inputs that were not tried one by one. */
export const PERHAPS = 'a violation may be reached';
export const TOO_MANY = 'too many states';

export const open = (reason: string) => ({ kind: 'open', reason }) as const;

/**
 * A state: where each thread is, by group of counters, and the values of the other state variables; null for one that
 * may have any.
 */
export interface ReachedState {
  readonly at: readonly number[];
  readonly values: readonly (bigint | null)[];
}

/** The counters of one thread. */
export type StateGroup = readonly StateVariable[];

/** A thread of a replicated body that a step has created. */
export interface SpawnedThread {
  readonly body: number;
  readonly argument: bigint | null;
}

export interface TakenStep {
  readonly state: ReachedState;
  readonly spawned: readonly SpawnedThread[];
}

/** Says why it cannot go on, or null. */
export type StepListener = (taken: TakenStep) => string | null;

/**
 * Whether each step has few inputs: otherwise there is nothing to enumerate. Those that lead to the error need none,
 * for that they may do so is enough.
 */
export function hasFewInputs(system: TransitionSystem): boolean {
  return system.transitions.every((each) => each.isError || inputsOf(system, each).areAll);
}

/** What of a transition is no state, with all values, as far as these are few in all; the others may have any. */
function inputsOf({ graph, state }: TransitionSystem, transition: Transition): Inputs {
  const variables = variablesOf(graph, transition);
  for (const { term } of state) variables.delete(term);
  const uses = new TermUses(graph, transition);
  const all = [...variables].map((term) => ({ term, values: valuesOf(graph, term, uses) }));
  const known: Input[] = [];
  let choices = 1;
  for (const { term, values } of all.toSorted((a, b) => sizeOf(a.values) - sizeOf(b.values))) {
    choices *= sizeOf(values);
    if (values !== null && choices <= MOST_CHOICES) known.push({ term, values });
  }
  return { known, areAll: known.length === all.length, uses };
}

interface Inputs {
  readonly uses: TermUses;
  readonly known: readonly Input[];
  readonly areAll: boolean;
}

function sizeOf(values: readonly bigint[] | null): number {
  return values?.length ?? MOST_CHOICES + 1;
}

/** Null where an input has too many. */
function valuesOf(graph: TransitionSystem['graph'], input: Term, uses: TermUses): readonly bigint[] | null {
  return enumerateValues(graph.setOf(input), MOST_CHOICES) ?? kindsOf(graph, input, uses);
}

/** Which terms of a transition have a term among their operands. */
class TermUses {
  readonly #by = new Map<Term, Term[]>();
  readonly #roots: ReadonlySet<Term>;

  constructor(graph: TransitionSystem['graph'], transition: Transition) {
    const roots = termsOf(transition);
    this.#roots = new Set(roots);
    for (const term of termsBelow(graph, roots)) {
      for (const operand of new Set(graph.operandsOf(term))) {
        const known = this.#by.get(operand);
        if (known) known.push(term);
        else this.#by.set(operand, [term]);
      }
    }
  }

  of(term: Term): readonly Term[] {
    return this.#by.get(term) ?? [];
  }

  /** It is assigned, or decides, as a whole. */
  isRoot(term: Term): boolean {
    return this.#roots.has(term);
  }
}

/**
 * One value of each kind that a transition tells apart, where it does no more with an input than to compare it with
 * constants: these, those next to them, and the ends; or than to look at a few of its bits: all values of these. Null
 * where it does something else with it.
 */
function kindsOf(graph: TransitionSystem['graph'], input: Term, uses: TermUses): readonly bigint[] | null {
  const width = graph.widthOf(input);
  if (!isSubset(topSet(width), graph.setOf(input))) return null;
  const [half, end] = [1n << BigInt(width - 1), 1n << BigInt(width)];
  const kinds = new Set([0n, half - 1n, half, end - 1n]);
  let [isCompared, mask] = [false, 0n];
  const same = new Set([input]);
  for (const own of same) for (const term of uses.of(own)) if (graph.operationOf(term) === 'refine') same.add(term);
  for (const term of new Set([...same].flatMap((own) => uses.of(own)))) {
    const operation = graph.operationOf(term);
    if (operation === 'refine') continue;
    const [other, ...more] = graph.operandsOf(term).filter((each) => !same.has(each));
    if (other === undefined || more.length > 0) return null;
    const constant = graph.constantOf(other);
    if (operation === 'and') {
      const values = enumerateValues(graph.setOf(other), MOST_CHOICES);
      if (values === null) return null;
      mask = values.reduce((all, each) => all | each, mask);
    } else {
      if (!COMPARISONS.has(operation) || constant === null) return null;
      isCompared = true;
      for (const kind of [constant - 1n, constant, constant + 1n]) kinds.add(BigInt.asUintN(width, kind));
    }
  }
  if ([...same].some((own) => uses.isRoot(own)) || (isCompared && mask !== 0n)) return null;
  return mask === 0n ? [...kinds] : subsetsOf(mask);
}

/** All numbers with no other bits; null where there are many. */
function subsetsOf(mask: bigint): bigint[] | null {
  const subsets = [0n];
  for (let rest = mask; rest !== 0n; rest &= rest - 1n) {
    if (2 * subsets.length > MOST_CHOICES) return null;
    const bit = rest & -rest;
    pushAll(
      subsets,
      subsets.map((each) => each | bit),
    );
  }
  return subsets;
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
  readonly inputs: Inputs;
  /** What may have any value, as far as it mattered to whether the way is open: its values. */
  readonly valuesOf: Map<Term, readonly bigint[] | null>;
  readonly transition: Transition;
}

interface Input {
  readonly term: Term;
  readonly values: readonly bigint[];
}

/**
 * Where a system has more inputs than are tried one by one, they may have any value, and so may what is computed from
 * them: there are more steps than in the system then, but none less.
 */
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
  /** No state is reached that the system does not reach. */
  readonly #isExact: boolean;

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
    this.#isExact = hasFewInputs(system) && this.variables.every(({ initial }) => initial !== null);
  }

  initial(): ReachedState {
    const at = this.groups.map((counters) => counters.findIndex(({ initial }) => initial === 1n));
    return { at, values: this.variables.map(({ initial }) => initial) };
  }

  /**
   * All steps of fixed threads from a state, or of one in a slot, for all inputs; says so where one is or may be into
   * the error, or what the listener says.
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
    return { ...programs, targets, moves, inputs, transition, valuesOf: new Map() };
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

  #take(way: Way, from: ReachedState, listener: StepListener): string | null {
    const { guard, values: program, targets, moves, inputs, transition } = way;
    if (transition.isError && this.#mayHold(way, from)) return this.#isExact && inputs.areAll ? VIOLATION : PERHAPS;
    if (transition.isError) return null;
    for (const chosen of combinations(inputs.known)) {
      const read = (variable: Term) => chosen.get(variable) ?? this.#readState(from, variable);
      const [isOpen] = guard.guessAll(read);
      if (isOpen === 0n) continue;
      const changed = program.guessAll(read);
      const at = [...from.at];
      for (const { group, to } of moves) at[group] = to;
      const values = [...from.values];
      targets.forEach((target, i) => {
        values[target] = changed[i] as bigint | null;
      });
      const spawned = transition.spawned.map(({ body }, i) => {
        return { body, argument: changed[targets.length + i] as bigint | null };
      });
      const reason = listener({ state: { at, values }, spawned });
      if (reason !== null) return reason;
    }
    return null;
  }

  /** Whether the way may be open, for some values of its inputs: only those are tried on which that depends. */
  #mayHold({ guard, valuesOf: known, inputs }: Way, from: ReachedState): boolean {
    const { graph } = this.#system;
    let guesses = 0;
    const mayHold = (chosen: ReadonlyMap<Term, bigint>): boolean => {
      const found = guard.guess((variable) => chosen.get(variable) ?? this.#readState(from, variable));
      if ('value' in found) return found.value !== 0n;
      const input = found.dependsOn;
      if (input === null) return true;
      if (!known.has(input)) known.set(input, valuesOf(graph, input, inputs.uses));
      const values = ++guesses > MOST_GUESSES ? null : (known.get(input) as readonly bigint[] | null);
      return values === null || values.some((value) => mayHold(new Map(chosen).set(input, value)));
    };
    return mayHold(new Map());
  }

  /** Null for what may have any value. */
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
