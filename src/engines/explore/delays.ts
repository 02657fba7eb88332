/**
 * When pending stores reach memory in a concrete run under a weak memory model: at random, each run in a temper of its
 * own. In some runs nothing arrives before something waits for it, in some a store rarely stays for long.
 */

import type { Random } from '../../support/random.ts';
import type { Machine } from '../../trace/interpreter/machine.ts';
import type { StoreBuffers } from '../../trace/interpreter/store-buffer.ts';
import { type Choice, commitChoice } from '../../trace/schedule-of-run.ts';

/** Chances in a hundred that a store arrives before the next step. */
const TEMPERS = [0, 3, 10, 30, 60, 90];

export class Delays {
  readonly #machine: Machine;
  readonly #buffers: StoreBuffers;
  readonly #random: Random;
  readonly #chance: number;
  /** Stores of this thread stay longer than those of the others. */
  readonly #slow: number;

  constructor(machine: Machine, buffers: StoreBuffers, random: Random) {
    this.#machine = machine;
    this.#buffers = buffers;
    this.#random = random;
    this.#chance = random.pick(TEMPERS);
    this.#slow = random.below(4);
  }

  /** Lets a store arrive, or none; `must`: there is nothing else to do. */
  choose(must: boolean): Choice | null {
    const { threads } = this.#machine;
    if (!must && !this.#random.chance(this.#chance, 100)) return null;
    const pending = threads.filter(({ buffer }) => buffer.length > 0);
    const quick = pending.filter(({ id }) => id !== this.#slow);
    const from = quick.length > 0 && (must || this.#random.chance(3, 4)) ? quick : pending;
    if (from.length === 0) return null;
    const thread = this.#random.pick(from);
    const place = this.#random.pick(this.#buffers.next(thread));
    this.#buffers.commit(thread, place);
    return commitChoice(thread.id, place);
  }
}
