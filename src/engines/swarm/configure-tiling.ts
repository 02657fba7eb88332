/** The tiling of a program, and how many of its selections are to be run. */

import type { Random } from '../../support/random.ts';
import type { TilingConfiguration } from './configuration.ts';
import { createInstances } from './instances.ts';
import type { ThreadPlaces } from './places.ts';
import { tileThreads, type WindowSize } from './tiling.ts';

export interface TilingWish {
  readonly size: WindowSize;
  /** Moves the tiles of each thread; null: they stay. */
  readonly shift: Random | null;
  /** Tiles a thread. */
  readonly picks: number;
  readonly seed: number;
  /** In a random order also where all are run. */
  readonly isRandom: boolean;
  /** At most so many, at random where there are more; 0: all of them. */
  readonly limit: bigint;
}

export function configureTiling(
  threads: readonly ThreadPlaces[],
  { size, shift, picks, seed, isRandom, limit }: TilingWish,
): TilingConfiguration {
  const bounds = threads.map(({ name, first, places }) => ({ name, first, end: places.length }));
  const tiles = tileThreads(bounds, { size, shift });
  const whole: TilingConfiguration = {
    kind: 'tiling',
    threads: new Map(
      threads.map(({ name, places }, t) => [name, { statements: places.length, tiles: tiles[t] ?? [] }]),
    ),
    picks,
    random: isRandom ? seed : null,
    first: 0n,
    count: 0n,
  };
  const total = createInstances(whole, threads).total ?? 0n;
  const isSample = limit > 0n && limit < total;
  return { ...whole, count: isSample ? limit : total, random: isRandom || isSample ? seed : null };
}
