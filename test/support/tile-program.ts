// All instances of a program whose threads are cut into tiles of one length, for tests that try them all.

import { createInstances, type Instances } from '../../src/engines/swarm/instances.ts';
import type { ThreadPlaces } from '../../src/engines/swarm/places.ts';
import { tileThreads, type Window } from '../../src/engines/swarm/tiling.ts';
import { createRandom } from '../../src/support/random.ts';

/** Shifted for odd seeds; null where there are more than so many instances. */
export function tileProgram(
  threads: readonly ThreadPlaces[],
  { length, picks, seed, most }: { length: number; picks: number; seed: number; most: bigint },
): Instances | null {
  const shift = seed % 2 === 0 ? null : createRandom(seed);
  const bounds = threads.map(({ name, first, places }) => ({ name, first, end: places.length }));
  const tiles = tileThreads(bounds, { size: { kind: 'length', length }, shift });
  const configured = new Map(
    threads.map(({ name, places }, t) => [name, { statements: places.length, tiles: tiles[t] as readonly Window[] }]),
  );
  const common = { kind: 'tiling', threads: configured, picks, random: null, first: 0n } as const;
  const { total } = createInstances({ ...common, count: 0n }, threads);
  return total !== null && total <= most ? createInstances({ ...common, count: total }, threads) : null;
}
