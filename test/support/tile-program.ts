// All instances of a program whose threads are cut into tiles of one length, for tests that try them all.

import { configureTiling } from '../../src/engines/swarm/configure-tiling.ts';
import { createInstances, type Instances } from '../../src/engines/swarm/instances.ts';
import type { ThreadPlaces } from '../../src/engines/swarm/places.ts';
import { createRandom } from '../../src/support/random.ts';

/** Shifted for odd seeds; null where there are more than so many instances. */
export function tileProgram(
  threads: readonly ThreadPlaces[],
  { length, picks, seed, most }: { length: number; picks: number; seed: number; most: bigint },
): Instances | null {
  const shift = seed % 2 === 0 ? null : createRandom(seed);
  const size = { kind: 'length', length } as const;
  const configuration = configureTiling(threads, { size, shift, picks, seed, isRandom: false, limit: 0n });
  return configuration.count <= most ? createInstances(configuration, threads) : null;
}
