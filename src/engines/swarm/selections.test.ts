import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../support/random.ts';
import { permuteIndex } from './permute-index.ts';
import { Selections } from './selections.ts';
import { tileThreads } from './tiling.ts';

function all(selections: Selections): string[] {
  return Array.from({ length: Number(selections.count) }, (_, i) => JSON.stringify(selections.at(BigInt(i))));
}

describe('selections', () => {
  it('are all different, sorted, and as many as the product of the choices', () => {
    const selections = new Selections([4, 1, 3], 2);
    expect(selections.count).toBe(6n * 1n * 3n);
    const texts = all(selections);
    expect(new Set(texts).size).toBe(18);
    expect([...texts].sort()).toEqual(texts);
    expect(texts[0]).toBe('[[0,1],[0],[0,1]]');
    expect(texts[17]).toBe('[[2,3],[0],[1,2]]');
  });

  it('take all tiles of a thread that has too few, and none of one that has none', () => {
    expect(all(new Selections([0, 2], 3))).toEqual(['[[],[0,1]]']);
  });

  it('are counted exactly, and the last one is computed, where nobody could list them', () => {
    const selections = new Selections(
      Array.from({ length: 12 }, () => 40),
      4,
    );
    expect(selections.count).toBe(91390n ** 12n);
    expect(selections.at(selections.count - 1n)).toEqual(Array.from({ length: 12 }, () => [36, 37, 38, 39]));
  });
});

describe('the permutation of indices', () => {
  it('gives every index once, whatever the count and the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(), (count, seed) => {
        const seen = new Set(Array.from({ length: count }, (_, i) => permuteIndex(BigInt(i), BigInt(count), seed)));
        expect(seen.size).toBe(count);
        for (const index of seen) expect(index < BigInt(count) && index >= 0n).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('draws without repetition from more than 10^30, and differently for each seed', () => {
    const count = 10n ** 30n + 57n;
    const draw = (seed: number) => Array.from({ length: 2000 }, (_, i) => permuteIndex(BigInt(i), count, seed));
    const drawn = draw(7);
    expect(new Set(drawn).size).toBe(2000);
    expect(drawn).not.toEqual(draw(8));
    // Spread over the whole range: each tenth of it gets a fair share.
    const tenths = Array.from({ length: 10 }, (_, i) => drawn.filter((x) => (x * 10n) / count === BigInt(i)).length);
    for (const share of tenths) expect(share).toBeGreaterThan(140);
  });

  it('spreads over a small range', () => {
    const firsts = Array.from({ length: 300 }, (_, seed) => permuteIndex(0n, 10n, seed));
    for (let i = 0n; i < 10n; i++) expect(firsts.filter((x) => x === i).length).toBeGreaterThan(10);
  });
});

describe('tilings', () => {
  const threads = [
    { name: 'main', first: 3, end: 10 },
    { name: 'a', first: 0, end: 2 },
    { name: 'b', first: 0, end: 0 },
  ];

  it('cut threads into windows, the last one shorter', () => {
    const size = { kind: 'length', length: 3 } as const;
    expect(tileThreads(threads, { size, shift: null })).toEqual([
      [
        [3, 5],
        [6, 8],
        [9, 9],
      ],
      [[0, 1]],
      [],
    ]);
  });

  it('take shares of each thread, at least one statement', () => {
    const size = { kind: 'percent', percent: 40 } as const;
    expect(tileThreads(threads, { size, shift: null })).toEqual([
      [
        [3, 5],
        [6, 8],
        [9, 9],
      ],
      [
        [0, 0],
        [1, 1],
      ],
      [],
    ]);
    const none = { kind: 'percent', percent: 1 } as const;
    expect(tileThreads(threads, { size: none, shift: null })[0]).toHaveLength(7);
  });

  it('may be shifted, and still have every statement once', () => {
    const size = { kind: 'length', length: 4 } as const;
    const starts = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const [windows = []] = tileThreads(threads, { size, shift: createRandom(seed) });
      const labels = windows.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
      expect(labels).toEqual([3, 4, 5, 6, 7, 8, 9]);
      for (const [first, last] of windows) expect(last - first).toBeLessThan(4);
      starts.add((windows[0]?.[1] ?? 0) + 1);
    }
    // By half a window up and down: what lies two up and two down cuts at the same places.
    expect([...starts].sort()).toEqual([4, 5, 6, 7]);
  });
});
