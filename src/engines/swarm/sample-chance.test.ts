// The chance that a sample misses what some of all have, against counting all samples.

import { describe, expect, it } from 'vitest';
import { chanceToMiss } from './sample-chance.ts';

/** The share of all subsets of that size that have none of the first ones. */
function countMisses(total: number, bugs: number, taken: number): number {
  let [all, misses] = [0, 0];
  for (let subset = 0; subset < 2 ** total; subset++) {
    if ([...subset.toString(2)].filter((bit) => bit === '1').length !== taken) continue;
    all++;
    if (subset % 2 ** bugs === 0) misses++;
  }
  return misses / all;
}

describe('the chance that a sample has none', () => {
  it('is that of counting', () => {
    for (let total = 1; total <= 8; total++)
      for (let bugs = 0; bugs <= total; bugs++)
        for (let taken = 0; taken <= total; taken++)
          expect(chanceToMiss(BigInt(total), BigInt(bugs), taken)).toBeCloseTo(countMisses(total, bugs, taken), 12);
  });

  it('is that of drawing with repetition where there are very many', () => {
    expect(chanceToMiss(10n ** 30n, 10n ** 28n, 100)).toBeCloseTo(0.99 ** 100, 10);
  });
});
