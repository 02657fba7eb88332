/**
 * What concrete runs come across beside what they look for: data races, where which locks were held, and in which order
 * locks were taken. One object serves many runs; whoever makes them reads it afterwards.
 */

import type { Loc } from '../../support/source.ts';
import type { HeldLock } from './held-locks.ts';
import type { Machine } from './machine.ts';
import { nameObject } from './name-memory.ts';
import type { Race } from './race-detector.ts';

/** One lock taken under another. */
export interface LockEdge {
  readonly from: string;
  readonly to: string;
  readonly thread: number;
  /** Where the first was taken, and the second. */
  readonly places: readonly [Loc, Loc];
  /** The other locks that were held. */
  readonly gates: readonly string[];
  /** The run, and what of other threads was over when it happened, as far as creation and join tell. */
  readonly run: number;
  readonly time: readonly number[];
}

const MOST_RACES = 64;
const MOST_EDGES = 400;

export class RunNotes {
  /** By the two places, each pair once. */
  readonly races = new Map<string, Race>();
  /** Of static memory: by address and place, the locks that were always held there. */
  readonly #protection = new Map<number, Map<Loc, ReadonlySet<string>>>();
  readonly edges = new Map<string, LockEdge>();
  #run = 0;

  beginRun(): void {
    this.#run++;
  }

  noteRace(race: Race): void {
    const key = race.sides
      .map(({ loc, kind }) => `${loc} ${kind}`)
      .sort()
      .join(', ');
    if (this.races.size < MOST_RACES && !this.races.has(key)) this.races.set(key, race);
  }

  noteAccess(machine: Machine, address: number, loc: Loc, held: readonly HeldLock[]): void {
    if (machine.memory.find(address)?.kind !== 'static') return;
    const places = this.#protection.get(address) ?? new Map<Loc, ReadonlySet<string>>();
    this.#protection.set(address, places);
    const before = places.get(loc);
    if (before?.size === 0) return;
    const names = held.map((lock) => nameObject(machine, lock.address));
    places.set(loc, new Set(before ? names.filter((name) => before.has(name)) : names));
  }

  noteOrder(
    machine: Machine,
    thread: number,
    taken: HeldLock,
    held: readonly HeldLock[],
    time: readonly number[],
  ): void {
    const to = nameObject(machine, taken.address);
    for (const lock of held) {
      if (lock.address === taken.address) continue;
      const from = nameObject(machine, lock.address);
      const others = held.filter(({ address }) => address !== lock.address && address !== taken.address);
      const gates = others.map(({ address }) => nameObject(machine, address)).sort();
      const key = `${from} ${to} ${thread} ${gates.join(' ')} ${lock.loc} ${taken.loc}`;
      if (this.edges.has(key) || this.edges.size >= MOST_EDGES) continue;
      const places = [lock.loc, taken.loc] as const;
      this.edges.set(key, { from, to, thread, places, gates, run: this.#run, time: [...time] });
    }
  }

  /** The lock that is held at most of the places that touch the address, if it is not held at all of them. */
  protectionAt(
    address: number,
  ): { readonly lock: string; readonly places: number; readonly without: readonly Loc[] } | null {
    const places = this.#protection.get(address);
    if (!places) return null;
    const counts = new Map<string, number>();
    for (const names of places.values()) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    if (!best || best[1] === places.size) return null;
    const without = [...places].filter(([, names]) => !names.has(best[0])).map(([loc]) => loc);
    return { lock: best[0], places: places.size, without };
  }
}
