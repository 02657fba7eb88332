/**
 * Under a weak memory model: lets the stores of a backend's run reach memory when they did there. A store that the
 * interpreter puts into a buffer is one of the run if it stands at its place. What the run does not speak of is seen by
 * nobody else before it has to arrive, and so stays where it is.
 */

import type { SequentializedThread } from '../sequentialize/sequentialize.ts';
import { isModelPlace, type Loc, type SourceMap } from '../support/source.ts';
import { addSegment, type CountedSegment } from '../trace/counted-run.ts';
import type { Machine } from '../trace/interpreter/machine.ts';
import type { Thread } from '../trace/interpreter/state.ts';
import type { PendingStore } from '../trace/interpreter/store-buffer.ts';
import type { BackendRun, RunStore } from './read-run.ts';

/** How far ahead a store is looked for: the two roads may evaluate operands in another order. */
const LOOK_AHEAD = 4;

export class StoreFollower {
  readonly #machine: Machine;
  readonly #run: BackendRun;
  readonly #segments: CountedSegment[];
  readonly #threads: readonly SequentializedThread[];
  readonly #sources: SourceMap;
  /** By thread of the run: its stores that are still to come. */
  readonly #expected = new Map<number, RunStore[]>();
  readonly #pending = new Map<string, PendingStore>();
  #arrived = 0;

  /** What is done is added to the segments. */
  constructor(
    machine: Machine,
    run: BackendRun,
    threads: readonly SequentializedThread[],
    sources: SourceMap,
    segments: CountedSegment[],
  ) {
    this.#machine = machine;
    this.#run = run;
    this.#segments = segments;
    this.#threads = threads;
    this.#sources = sources;
    for (const store of run.stores) {
      this.#expected.set(store.thread, [...(this.#expected.get(store.thread) ?? []), store]);
    }
  }

  /** Stores arrive before this segment. */
  arriveBefore(segment: number): void {
    const { arrivals, created } = this.#run;
    for (let next = arrivals[this.#arrived]; next && next.segment <= segment; next = arrivals[this.#arrived]) {
      this.#arrived++;
      const thread = this.#machine.threads[created.indexOf(next.thread)];
      const store = this.#pending.get(`${next.thread} ${next.number}`);
      if (thread && store) this.#commit(thread, store);
    }
  }

  /** The thread has put a store into its buffer. */
  made(thread: Thread): void {
    const store = thread.buffer.at(-1);
    const number = this.#run.created[thread.id];
    if (store === undefined || number === undefined) return;
    const expected = this.#expected.get(number) ?? [];
    const place = this.#placeOf(store.instruction.loc);
    const at = expected.slice(0, LOOK_AHEAD).findIndex((one) => this.#placesOf(one).includes(place));
    const found = expected[at];
    if (found === undefined) return;
    expected.splice(at, 1);
    if (found.isAtOnce) this.#commit(thread, store);
    else this.#pending.set(`${number} ${found.number}`, store);
  }

  #placesOf({ thread, number }: RunStore): string[] {
    return (this.#threads[thread]?.stores[number] ?? []).map((loc) => this.#placeOf(loc));
  }

  #placeOf(loc: Loc): string {
    const spelled = this.#sources.spellingOf(loc);
    return isModelPlace(this.#sources, loc) ? `${spelled}` : `${spelled} ${this.#sources.expansionOf(loc)}`;
  }

  #commit(thread: Thread, store: PendingStore): void {
    const at = thread.buffer.indexOf(store);
    if (at < 0) return;
    this.#machine.buffers?.commit(thread, at);
    addSegment(this.#segments, { thread: thread.id, steps: 0, commits: [at] });
  }
}
