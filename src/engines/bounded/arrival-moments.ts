/**
 * The moments at which delayed stores can reach memory (store-arrivals.ts), in the order of time: in each slot, for
 * each thread, the beginning of its turn, and then the moments before its steps that touch a cell to which another
 * thread delays stores. In its own turn a thread's late stores arrive at the beginning: nobody else could notice.
 */

import type { Access, CellId, SteppedProgram } from '../../execute/steps.ts';
import { invariant } from '../../support/invariant.ts';
import type { ScheduleOptions } from './symbolic-schedule.ts';

export interface ArrivalMoment {
  readonly slot: number;
  readonly thread: number;
  /** It is before this step; null for the beginning of the turn. */
  readonly step: number | null;
}

export class ArrivalMoments {
  /** The first one is before everything, and none of the list. */
  readonly #list: ArrivalMoment[] = [];
  readonly #turns = new Map<string, { readonly begin: number; readonly end: number }>();
  readonly #kind: ScheduleOptions['kind'];
  /** By owner of a buffer and other thread: the steps of the other that touch what the owner delays. */
  readonly #watching: readonly (readonly ReadonlySet<number>[])[];

  constructor(program: SteppedProgram, slots: number, kind: ScheduleOptions['kind']) {
    this.#kind = kind;
    this.#watching = findWatching(program);
    for (let slot = 1; slot <= slots; slot++) {
      for (const { index: thread } of program.threads) {
        const begin = this.#list.push({ slot, thread, step: null });
        for (const step of this.#stepsOf(thread)) this.#list.push({ slot, thread, step });
        this.#turns.set(`${slot} ${thread}`, { begin, end: this.#list.length });
      }
    }
  }

  get count(): number {
    return this.#list.length;
  }

  /** From 1. */
  at(moment: number): ArrivalMoment {
    const found = this.#list[moment - 1];
    invariant(found, 'a moment of the schedule');
    return found;
  }

  beginOf(slot: number, thread: number): number {
    return this.#turnOf(slot, thread).begin;
  }

  endOf(slot: number, thread: number): number {
    return this.#turnOf(slot, thread).end;
  }

  /** The last moment of a turn that is not behind the step. */
  before(slot: number, thread: number, step: number): number {
    const { begin, end } = this.#turnOf(slot, thread);
    let at = end;
    while (at > begin && (this.at(at).step ?? 0) > step) at--;
    return at;
  }

  /** Whether it matters that a store of the thread arrives then, and not later. */
  isChance(moment: number, owner: number): boolean {
    const { thread, step } = this.at(moment);
    if (thread === owner) return step === null;
    if (this.#kind !== 'rounds') return thread === 0 && step === null;
    const watched = this.#watching[owner]?.[thread];
    return step === null ? (watched?.size ?? 0) > 0 : watched?.has(step) === true;
  }

  #turnOf(slot: number, thread: number): { readonly begin: number; readonly end: number } {
    const turn = this.#turns.get(`${slot} ${thread}`);
    invariant(turn, 'a turn of the schedule');
    return turn;
  }

  /** The first step that a thread comes to in a turn is as good as its beginning. */
  #stepsOf(thread: number): number[] {
    if (this.#kind !== 'rounds') return [];
    const steps = new Set(
      this.#watching.flatMap((others, owner) => (owner === thread ? [] : [...(others[thread] ?? [])])),
    );
    return [...steps].sort((a, b) => a - b).slice(1);
  }
}

function findWatching({ threads }: SteppedProgram): ReadonlySet<number>[][] {
  return threads.map(({ steps, index }) => {
    const all = steps.flatMap(({ accesses }) => accesses);
    const delayed = cellsIn(all.filter((access) => access.kind === 'write' && access.isDelayed));
    return threads.map((other) => {
      if (other.index === index || delayed.size === 0) return new Set<number>();
      const touches = other.steps.map(({ accesses }) => [...cellsIn(accesses)].some((cell) => delayed.has(cell)));
      return new Set(touches.flatMap((isTouching, step) => (isTouching ? [step] : [])));
    });
  });
}

function cellsIn(accesses: readonly Access[]): Set<CellId> {
  return new Set(accesses.flatMap(({ targets }) => targets.map(({ cell }) => cell)));
}
