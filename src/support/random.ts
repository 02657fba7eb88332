/**
 * Seeded random numbers (xoshiro128**, seeded by splitmix32). Every random choice in Lazuli comes from one of these, so
 * that a run is repeated by its seed.
 */

export interface Random {
  /** A uniform integer in [0, bound). */
  below(bound: number): number;
  /** A uniform integer of 32 bits, unsigned. */
  word(): number;
  /** True with probability numerator / denominator. */
  chance(numerator: number, denominator: number): boolean;
  /** One element of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const split = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [split(), split(), split(), split()];
  const rotate = (x: number, k: number) => (x << k) | (x >>> (32 - k));
  const word = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotate(d, 11);
    return result;
  };
  const below = (bound: number) => Math.floor((word() / 0x1_0000_0000) * bound);
  return {
    below,
    word,
    chance: (numerator, denominator) => below(denominator) < numerator,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
