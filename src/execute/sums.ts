/**
 * Sums of what a thread adds to a cell along its paths: of all additions together, of those that go up and of those
 * that go down, each as the extremes over the paths.
 */

export interface Sums {
  /** Extremes of the net sum. */
  readonly least: bigint;
  readonly most: bigint;
  /** The largest sum of steps up, the smallest of steps down. */
  readonly up: bigint;
  readonly down: bigint;
}

export const NO_SUMS: Sums = { least: 0n, most: 0n, up: 0n, down: 0n };

const lesser = (a: bigint, b: bigint) => (a < b ? a : b);
const greater = (a: bigint, b: bigint) => (a > b ? a : b);

/** After one more write that adds something from `least` to `most`. */
export function addToSums(sums: Sums, least: bigint, most: bigint): Sums {
  return {
    least: sums.least + least,
    most: sums.most + most,
    up: sums.up + greater(most, 0n),
    down: sums.down + lesser(least, 0n),
  };
}

/** What covers both. */
export function coverSums(a: Sums, b: Sums): Sums {
  if (a === b) return a;
  return {
    least: lesser(a.least, b.least),
    most: greater(a.most, b.most),
    up: greater(a.up, b.up),
    down: lesser(a.down, b.down),
  };
}

export function mergeSums(a: ReadonlyMap<number, Sums>, b: ReadonlyMap<number, Sums>): ReadonlyMap<number, Sums> {
  if (a === b) return a;
  const merged = new Map(a);
  for (const [cell, sums] of b) merged.set(cell, coverSums(sums, a.get(cell) ?? NO_SUMS));
  for (const [cell, sums] of a) if (!b.has(cell)) merged.set(cell, coverSums(sums, NO_SUMS));
  return merged;
}
