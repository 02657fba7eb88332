/**
 * What a random sample without repetition says: the chance that it has none of those that have a bug. Exact for small
 * numbers (of 108 instances, 100 miss a single one with 8 in 108 and not with 37 %), and without listing anything.
 */

/** `bugs` of `total` have a bug, `taken` were drawn. */
export function chanceToMiss(total: bigint, bugs: bigint, taken: number): number {
  const drawn = BigInt(taken);
  if (bugs + drawn > total) return 0;
  // Drawing is symmetric: those with a bug could as well be drawn among those that were taken.
  const [turns, others] = bugs < drawn ? [Number(bugs), drawn] : [taken, bugs];
  const [all, rest] = [Number(total), Number(total - others)];
  let logarithm = 0;
  for (let turn = 0; turn < turns; turn++) logarithm += Math.log((rest - turn) / (all - turn));
  return Math.exp(logarithm);
}
