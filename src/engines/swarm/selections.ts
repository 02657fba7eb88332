/**
 * Selections: which tiles of each thread a swarm's instance takes. All of them are numbered, in the order of their
 * tiles, the last thread's changing fastest; the number of selections is exact, and the i-th is computed from i, so
 * that nobody ever lists what is not run.
 */

import { invariant } from '../../support/invariant.ts';

/** The numbers of the selected tiles of each thread, ascending. */
export type Selection = readonly (readonly number[])[];

/** `picks` tiles a thread, or all of them where a thread has fewer. */
export class Selections {
  readonly count: bigint;
  readonly #tileCounts: readonly number[];
  readonly #picks: number;
  readonly #counts: readonly bigint[];

  constructor(tileCounts: readonly number[], picks: number) {
    this.#tileCounts = tileCounts;
    this.#picks = picks;
    this.#counts = tileCounts.map((tiles) => binomial(tiles, this.#picksOf(tiles)));
    this.count = this.#counts.reduce((product, count) => product * count, 1n);
  }

  at(index: bigint): Selection {
    invariant(index >= 0n && index < this.count, 'the number of a selection is less than their count');
    let rest = index;
    const selection: (readonly number[])[] = [];
    for (let thread = this.#tileCounts.length - 1; thread >= 0; thread--) {
      const tiles = this.#tileCounts[thread] as number;
      const count = this.#counts[thread] as bigint;
      selection.push(combinationAt(tiles, this.#picksOf(tiles), rest % count));
      rest /= count;
    }
    return selection.reverse();
  }

  #picksOf(tiles: number): number {
    return Math.min(this.#picks, tiles);
  }
}

/** Of all ways to pick from 0 … size - 1, in lexicographic order, the one with this number. */
function combinationAt(size: number, picks: number, index: bigint): readonly number[] {
  const picked: number[] = [];
  let rest = index;
  for (let item = 0; picked.length < picks; item++) {
    // Those that pick this item next come before those that do not.
    const withItem = binomial(size - item - 1, picks - picked.length - 1);
    if (rest < withItem) picked.push(item);
    else rest -= withItem;
  }
  return picked;
}

function binomial(size: number, picks: number): bigint {
  if (picks < 0 || picks > size) return 0n;
  let result = 1n;
  for (let i = 1; i <= Math.min(picks, size - picks); i++) result = (result * BigInt(size - i + 1)) / BigInt(i);
  return result;
}
