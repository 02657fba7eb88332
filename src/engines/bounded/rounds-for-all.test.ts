import { describe, expect, it } from 'vitest';
import { roundsForAll } from './rounds-for-all.ts';

/** The most rounds that some interleaving of so many steps needs. */
function mostRounds(left: readonly number[], last = -1): number {
  const rests = left.flatMap((count, thread) => {
    if (count === 0) return [];
    const rest = mostRounds(
      left.map((each, t) => (t === thread ? each - 1 : each)),
      thread,
    );
    return [rest + (last > thread ? 1 : 0)];
  });
  return Math.max(last < 0 ? 1 : 0, ...rests.map((rest) => rest + (last < 0 ? 1 : 0)));
}

describe('the rounds for all interleavings', () => {
  const counts = [0, 1, 2];
  const programs = counts.flatMap((a) =>
    counts.flatMap((b) => [[a], [a, b], ...counts.flatMap((c) => [[a, b, c], ...[0, 1].map((d) => [a, b, c, d])])]),
  );

  it('are enough', () => {
    for (const steps of programs) expect(roundsForAll(steps), `${steps}`).toBeGreaterThanOrEqual(mostRounds(steps));
  });

  it('are no more than two threads need', () => {
    for (const [a, b] of [
      [2, 2],
      [3, 3],
      [1, 3],
    ] as const)
      expect(roundsForAll([a, b])).toBeLessThanOrEqual(mostRounds([a, b]) + 1);
  });
});
