/**
 * A seeded permutation of 0 … count - 1, one index at a time: random choice without repetition from sets of any size,
 * with nothing kept. A Feistel network permutes all numbers of an even number of bits; a result that is not below the
 * count goes through it again, until one is (cycle walking). The network's numbers are less than four times the count,
 * so that this takes fewer than four turns on average.
 */

import { invariant } from '../../support/invariant.ts';

const ROUNDS = 6;
const WORD_BITS = 64n;
const WORD = (1n << WORD_BITS) - 1n;

export function permuteIndex(index: bigint, count: bigint, seed: number): bigint {
  invariant(index >= 0n && index < count, 'an index is less than the count');
  const half = BigInt(Math.max(1, Math.ceil((count - 1n).toString(2).length / 2)));
  let result = index;
  do result = encipher(result, half, seed);
  while (result >= count);
  return result;
}

function encipher(value: bigint, halfBits: bigint, seed: number): bigint {
  const mask = (1n << halfBits) - 1n;
  let left = value >> halfBits;
  let right = value & mask;
  for (let round = 0; round < ROUNDS; round++) {
    [left, right] = [right, left ^ (scramble(right, halfBits, seed, round) & mask)];
  }
  return (left << halfBits) | right;
}

/** At least as many bits as are asked for, all of which depend on all of the value. */
function scramble(value: bigint, bits: bigint, seed: number, round: number): bigint {
  let state = mix(BigInt(seed) * 0x9e3779b97f4a7c15n + BigInt(round));
  for (let rest = value; rest > 0n; rest >>= WORD_BITS) state = mix(state ^ (rest & WORD));
  let result = 0n;
  for (let made = 0n; made < bits; made += WORD_BITS) {
    state = mix(state + 0x9e3779b97f4a7c15n);
    result = (result << WORD_BITS) | state;
  }
  return result;
}

/** The finisher of splitmix64. */
function mix(word: bigint): bigint {
  let z = word & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}
