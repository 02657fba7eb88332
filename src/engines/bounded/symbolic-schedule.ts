/**
 * Schedules: which steps have been passed when. A schedule has slots; in each slot every thread (rounds) or one thread
 * of the solver's choice (contexts) passes some of its steps, threads in a fixed order. After the last round main goes
 * on once more, as in Lazy-CSeq's driver: programs that check their results there need no round for it.
 * `passed(slot, thread, step)` is order-encoded: the literal says that the step has been passed by the end of the slot.
 *
 * A step whose guard is false goes with its predecessor, so that a schedule has one encoding only. A thread's first
 * step needs its creation to have been passed.
 *
 * Where threads may not stop before every step, the steps between two stops are a group: they share their literals, and
 * memory takes them as one (encode-memory.ts).
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import type { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not } from '../../logic/literal.ts';

export interface ScheduleOptions {
  readonly kind: 'rounds' | 'contexts';
  /** Number of rounds, or of contexts (context switches plus one). */
  readonly slots: number;
  /** After the last round main goes on once more; so by default. */
  readonly closingMain?: boolean;
  /**
   * Whether the thread may stop before the step; without it, before all. It must be so before every step at which a
   * thread may fail to go on: where an assumption or a cut hangs on it.
   */
  readonly isStop?: ((thread: number, step: number) => boolean) | undefined;
  /** Whoever will ask for schedules with fewer stops says false. */
  readonly stopsAnywhere?: boolean;
}

/** A `before` literal: step a of one thread is before step b of the other. */
interface OrderedPair {
  readonly a: number;
  readonly b: number;
  readonly literal: Literal;
}

export class SymbolicSchedule {
  readonly slots: number;
  /** The first step of each step's group. */
  readonly #groups: readonly (readonly number[])[];
  readonly #passed: Literal[][][] = [];
  readonly #circuit: Circuit;
  readonly #befores = new Map<string, Literal>();
  /** The `before` literals by the two threads, writer first. */
  readonly #pairs = new Map<string, OrderedPair[]>();

  constructor(program: SteppedProgram, encoder: TermEncoder, options: ScheduleOptions) {
    const isRounds = options.kind === 'rounds';
    const { threads } = program;
    this.slots = isRounds && options.closingMain !== false && threads.length > 1 ? options.slots + 1 : options.slots;
    this.#circuit = encoder.circuit;
    this.#groups = threads.map((thread) => groupSteps(thread, options.isStop));
    this.#passed.push(threads.map((thread) => thread.steps.map(() => FALSE)));
    for (let slot = 1; slot <= this.slots; slot++) {
      const before = this.#passed[slot - 1] as Literal[][];
      const moves = (thread: SteppedThread) => slot <= options.slots || thread.index === 0;
      this.#passed.push(
        threads.map((thread, t) => (moves(thread) ? this.#freshGroups(thread) : (before[t] as Literal[]))),
      );
      for (const thread of threads) if (moves(thread)) this.#orderSteps(thread, slot, encoder);
    }
    for (const thread of threads) this.#requireCreation(thread, encoder);
    if (!isRounds) this.#oneThreadPerSlot(threads);
  }

  /** The first of the steps that are always passed together with this one. */
  groupOf(thread: number, step: number): number {
    return this.#groups[thread]?.[step] as number;
  }

  #freshGroups(thread: SteppedThread): Literal[] {
    const literals: Literal[] = [];
    for (let l = 0; l < thread.steps.length; l++) {
      const first = this.groupOf(thread.index, l);
      literals.push(first === l ? this.#circuit.fresh() : (literals[first] as Literal));
    }
    return literals;
  }

  /** The step has been passed by the end of the slot (0: before the first). */
  passed(slot: number, thread: number, step: number): Literal {
    return this.#passed[slot]?.[thread]?.[step] as Literal;
  }

  /** The step is passed at some time. */
  everPassed(thread: number, step: number): Literal {
    return this.passed(this.slots, thread, step);
  }

  /** The step is passed in this very slot. */
  passedIn(slot: number, thread: number, step: number): Literal {
    return this.#circuit.and(this.passed(slot, thread, step), not(this.passed(slot - 1, thread, step)));
  }

  /** By the time a step of thread `observer` is passed in the slot: had the other thread's step been passed? */
  passedForObserver(slot: number, thread: number, step: number, observer: number): Literal {
    return this.passed(thread < observer ? slot : slot - 1, thread, step);
  }

  /**
   * The step `a` of one thread comes before the step `b` of another; means nothing when b is never passed. One literal
   * a pair of groups, defined from the slots, monotone along both threads.
   */
  before(threadA: number, stepA: number, threadB: number, stepB: number): Literal {
    const a = this.groupOf(threadA, stepA);
    const b = this.groupOf(threadB, stepB);
    const key = `${threadA} ${a} ${threadB} ${b}`;
    const known = this.#befores.get(key);
    if (known !== undefined) return known;
    const circuit = this.#circuit;
    const literal = circuit.fresh();
    this.#befores.set(key, literal);
    for (let slot = 1; slot <= this.slots; slot++) {
      const other = this.passedForObserver(slot, threadA, a, threadB);
      circuit.addClause([not(literal), not(this.passed(slot, threadB, b)), other]);
      circuit.addClause([literal, not(other), this.passed(slot - 1, threadB, b)]);
    }
    this.#pairsOf(threadA, threadB).push({ a, b, literal });
    return literal;
  }

  #pairsOf(threadA: number, threadB: number): OrderedPair[] {
    const key = `${threadA} ${threadB}`;
    let pairs = this.#pairs.get(key);
    if (!pairs) {
      pairs = [];
      this.#pairs.set(key, pairs);
    }
    return pairs;
  }

  /**
   * Says what follows for the `before` literals made so far: they are monotone along the observing thread, and what is
   * before something has nothing after it that is before something earlier. Both follow from the slots, but the solver
   * should not have to find out.
   */
  relateOrders(): void {
    const circuit = this.#circuit;
    for (const [key, pairs] of this.#pairs) {
      const [threadA, threadB] = key.split(' ').map(Number) as [number, number];
      const byWrite = new Map<number, OrderedPair[]>();
      for (const pair of pairs) byWrite.set(pair.a, [...(byWrite.get(pair.a) ?? []), pair]);
      for (const list of byWrite.values()) {
        list.sort((x, y) => x.b - y.b);
        for (const [i, pair] of list.entries()) {
          const next = list[i + 1];
          if (next) circuit.addClause([not(pair.literal), next.literal]);
        }
      }
      if (threadA < threadB) this.#excludeCycles(pairs, this.#pairs.get(`${threadB} ${threadA}`) ?? []);
    }
  }

  /** If a is before b, nothing at or after b is before anything at or before a. Only the nearest such pair is named. */
  #excludeCycles(forth: readonly OrderedPair[], back: readonly OrderedPair[]): void {
    for (const { a, b, literal } of forth) {
      let nearest: OrderedPair | null = null;
      for (const pair of back) {
        if (pair.a < b || pair.b > a) continue;
        if (!nearest || pair.a - b + (a - pair.b) < nearest.a - b + (a - nearest.b)) nearest = pair;
      }
      if (nearest) this.#circuit.addClause([not(literal), not(nearest.literal)]);
    }
  }

  #orderSteps(thread: SteppedThread, slot: number, encoder: TermEncoder): void {
    const circuit = this.#circuit;
    for (const [l, step] of thread.steps.entries()) {
      if (this.groupOf(thread.index, l) !== l) continue;
      const now = this.passed(slot, thread.index, l);
      circuit.addClause([not(this.passed(slot - 1, thread.index, l)), now]);
      if (l === 0) continue;
      const predecessor = this.passed(slot, thread.index, l - 1);
      circuit.addClause([not(now), predecessor]);
      circuit.addClause([encoder.literalOf(step.guard), not(predecessor), now]);
    }
  }

  #requireCreation(thread: SteppedThread, encoder: TermEncoder): void {
    if (!thread.spawn || thread.steps.length === 0) return;
    const { thread: parent, step, guard } = thread.spawn;
    this.#circuit.addClause([not(this.everPassed(thread.index, 0)), encoder.literalOf(guard)]);
    for (let slot = 1; slot <= this.slots; slot++) {
      this.#circuit.addClause([
        not(this.passed(slot, thread.index, 0)),
        this.passedForObserver(slot, parent, step, thread.index),
      ]);
    }
  }

  #oneThreadPerSlot(threads: readonly SteppedThread[]): void {
    const circuit = this.#circuit;
    for (let slot = 1; slot <= this.slots; slot++) {
      const active = threads.map(() => circuit.fresh());
      for (const thread of threads) {
        for (let l = 0; l < thread.steps.length; l++) {
          const here = this.passed(slot, thread.index, l);
          circuit.addClause([not(here), this.passed(slot - 1, thread.index, l), active[thread.index] as Literal]);
        }
        for (let other = 0; other < thread.index; other++) {
          circuit.addClause([not(active[thread.index] as Literal), not(active[other] as Literal)]);
        }
      }
    }
  }
}

function groupSteps({ index, steps }: SteppedThread, isStop: ScheduleOptions['isStop']): readonly number[] {
  let first = 0;
  return steps.map((_, l) => {
    if (!isStop || isStop(index, l)) first = l;
    return first;
  });
}
