// The same random program with a small array, which has a cell for each element, and with a window of a large one at
// any place, which has a cell for each access: the answers must be the same, and every counterexample must replay. More
// programs with LAZULI_ARRAYS_COUNT, others with LAZULI_ARRAYS_SEED.

import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/support/random.ts';
import { checkText } from '../support/check-text.ts';

const COUNT = Number(process.env.LAZULI_ARRAYS_COUNT ?? 8);
const SEED = Number(process.env.LAZULI_ARRAYS_SEED ?? 1);

const VARIABLES = ['x', 'y', 'l'] as const;

function index(random: Random): string {
  return random.chance(1, 3) ? String(random.below(4)) : `(${random.pick(VARIABLES)} & 3)`;
}

function statement(random: Random): string {
  const [to, from] = [index(random), index(random)];
  switch (random.below(6)) {
    case 0:
      return `${random.pick(VARIABLES)} = AT(${from});`;
    case 1:
      return `${random.pick(VARIABLES)} = ${random.pick(VARIABLES)} + ${1 + random.below(3)};`;
    case 2:
      return `if (AT(${from}) ${random.pick(['==', '!=', '<'])} ${random.below(4)}) AT(${to}) = ${1 + random.below(3)};`;
    case 3:
      return `AT(${to}) = ${random.below(4)};`;
    default:
      return `AT(${to}) = AT(${from}) + ${1 + random.below(3)};`;
  }
}

function body(random: Random): string {
  return Array.from({ length: 2 + random.below(3) }, () => statement(random)).join(' ');
}

interface Variant {
  readonly array: string;
  readonly at: string;
  readonly start: string;
}

const SMALL: Variant = { array: 'unsigned char a[4];', at: 'a[i]', start: '' };
const LARGE: Variant = {
  array: 'unsigned char a[100000]; unsigned base;',
  at: 'a[base + (i)]',
  start: 'base = __VERIFIER_nondet_uint(); __VERIFIER_assume(base < 99000);',
};

function program(seed: number, { array, at, start }: Variant): string {
  const random = createRandom(seed);
  return `#include <assert.h>
#include <pthread.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
${array}
unsigned char x, y;
#define AT(i) ${at}
void *work(void *argument) { unsigned char l = 1; ${body(random)} return 0; }
int main(void) {
  unsigned char l = __VERIFIER_nondet_uint();
  ${start}
  ${random.chance(1, 2) ? body(random) : ''}
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  ${body(random)}
  pthread_join(t, 0);
  assert(AT(${random.below(4)}) + x != ${random.below(6)});
  return 0;
}
`;
}

describe('large arrays', () => {
  it(`behave like small ones in ${COUNT} random programs (from seed ${SEED})`, {
    timeout: 60_000 + 5_000 * COUNT,
  }, async () => {
    for (let seed = SEED; seed < SEED + COUNT; seed++) {
      const kinds: string[] = [];
      for (const variant of [SMALL, LARGE]) {
        const outcome = await checkText(program(seed, variant), { unwind: 1, rounds: 3 });
        kinds.push(outcome.kind === 'unsafe' ? 'unsafe' : outcome.kind === 'unknown' ? outcome.reason : 'none');
      }
      if (kinds[0] !== kinds[1]) expect.fail(`seed ${seed}: ${kinds.join(' and ')}\n${program(seed, LARGE)}`);
    }
  });
});
