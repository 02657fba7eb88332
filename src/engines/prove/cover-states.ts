/**
 * A proof by enumeration: all states of the system that are reached, each once, and of states that differ in growing
 * variables only (find-growing.ts) those that no other one covers. For bounded loops of several threads these are few
 * where neither the free order nor clauses come to an end: what two threads make of `i += j` and `j += i` in eleven
 * turns each is 2,000 states.
 *
 * Why it is sound: whatever a state can do, the state that covers it can do as well, so that by induction every state
 * that is reached is covered by one of those that were kept, whose steps were all taken, none of them into the error.
 * Where there are too many states, or a growing variable leaves the range for which the order is known, nothing is
 * said. What depends on inputs of many values may have any value: such a state stands for many, and its steps for
 * theirs.
 */

import { type Growing, isWithin, type SignedRange } from './find-growing.ts';
import { open, type ReachedState, type StateGroup, StateSteps, TOO_MANY } from './state-steps.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

const STATES_BETWEEN_POLLS = 32;

export interface CoverOptions {
  readonly growing: Growing;
  /** Smaller values cover larger ones. */
  readonly isDown: boolean;
  readonly mostStates: number;
  /** Throws when time is up. */
  readonly poll: () => void;
}

export interface Covering {
  readonly kind: 'covered';
  readonly states: readonly ReachedState[];
  /** The state variables of the values. */
  readonly variables: readonly StateVariable[];
  readonly groups: readonly StateGroup[];
}

export type CoverResult = Covering | { readonly kind: 'open'; readonly reason: string };

export function coverStates(system: TransitionSystem, options: CoverOptions): CoverResult {
  return new StateCover(system, options).run();
}

interface Entry extends ReachedState {
  isCovered: boolean;
}

class StateCover {
  readonly #steps: StateSteps;
  readonly #options: CoverOptions;
  readonly #isGrowing: readonly boolean[];
  readonly #ranges: readonly (SignedRange | undefined)[];
  readonly #widths: readonly number[];
  readonly #entries = new Map<string, Entry[]>();
  readonly #queue: Entry[] = [];

  constructor(system: TransitionSystem, options: CoverOptions) {
    this.#steps = new StateSteps(system);
    this.#options = options;
    const { variables } = this.#steps;
    this.#isGrowing = variables.map(({ term }) => options.growing.variables.has(term));
    this.#ranges = variables.map(({ term }) => options.growing.ranges.get(term));
    this.#widths = variables.map(({ term }) => system.graph.widthOf(term));
  }

  run(): CoverResult {
    this.#add(this.#steps.initial());
    for (let i = 0; i < this.#queue.length; i++) {
      if (i % STATES_BETWEEN_POLLS === 0) this.#options.poll();
      const entry = this.#queue[i] as Entry;
      if (entry.isCovered) continue;
      const reason = this.#steps.follow(entry, ({ state }) => {
        if (!state.values.every((value, at) => this.#isInRange(value, at))) return 'values grow too large';
        this.#add(state);
        return null;
      });
      if (reason !== null) return open(reason);
      if (this.#queue.length > this.#options.mostStates) return open(TOO_MANY);
    }
    const states = this.#queue.filter(({ isCovered }) => !isCovered);
    const { variables, groups } = this.#steps;
    return { kind: 'covered', states, variables, groups };
  }

  #isInRange(value: bigint | null, i: number): boolean {
    const range = this.#ranges[i];
    return range === undefined || (value !== null && isWithin(range, value, this.#widths[i] as number));
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
  #covers(one: ReachedState['values'], other: ReachedState['values']): boolean {
    const { isDown } = this.#options;
    return this.#isGrowing.every((isGrowing, i) => {
      const [a, b] = [one[i] ?? null, other[i] ?? null];
      if (!isGrowing || a === null) return true;
      if (b === null) return false;
      const [x, y] = [a, b].map((value) => BigInt.asIntN(this.#widths[i] as number, value)) as [bigint, bigint];
      return isDown ? x <= y : x >= y;
    });
  }
}
