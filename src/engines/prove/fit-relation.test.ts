import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRelation } from './fit-relation.ts';

const small = fc.bigInt({ min: -20n, max: 20n });

describe('a relation among samples', () => {
  it('is found where there is one, whatever the samples are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(small, small), { minLength: 3, maxLength: 12 }),
        small,
        small,
        small,
        (counters, constant, a, b) => {
          const samples = counters.map(([x, y]) => ({ counters: [x, y], value: constant + a * x + b * y }));
          const found = fitRelation(samples);
          // Where samples do not vary, a constant says as much.
          if (found === null) return new Set(samples.map(({ value }) => value)).size === 1;
          return samples.every(
            ({ counters: [x, y], value }) =>
              found.scale * value ===
              found.constant +
                (found.coefficients[0] as bigint) * (x as bigint) +
                (found.coefficients[1] as bigint) * (y as bigint),
          );
        },
      ),
    );
  });

  it.each([
    [
      'of a loop in another',
      [
        [0n, 0n],
        [0n, 1n],
        [0n, 2n],
        [1n, 0n],
        [1n, 1n],
      ],
      (i: bigint, j: bigint) => 3n * i + j,
    ],
    [
      'of a loop that counts down',
      [
        [9n, 0n],
        [8n, 0n],
        [7n, 0n],
        [6n, 0n],
      ],
      (i: bigint) => 9n - i,
    ],
    [
      'of one that counts by two',
      [
        [0n, 0n],
        [2n, 0n],
        [4n, 0n],
        [6n, 0n],
      ],
      (i: bigint) => i / 2n,
    ],
  ])('is found %s', (_, counters, value) => {
    const samples = counters.map(([i, j]) => ({
      counters: [i as bigint, j as bigint],
      value: value(i as bigint, j as bigint),
    }));
    const { scale, constant, coefficients } = fitRelation(samples) as NonNullable<ReturnType<typeof fitRelation>>;
    for (const {
      counters: [i, j],
      value: expected,
    } of samples)
      expect(constant + (coefficients[0] as bigint) * (i as bigint) + (coefficients[1] as bigint) * (j as bigint)).toBe(
        scale * expected,
      );
  });

  it('is none where no line goes through the samples, or they are too few', () => {
    const squares = [0n, 1n, 2n, 3n].map((i) => ({ counters: [i], value: i * i }));
    expect(fitRelation(squares)).toBeNull();
    expect(fitRelation(squares.slice(0, 2))).toBeNull();
  });
});
