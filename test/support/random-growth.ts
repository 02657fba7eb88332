// Small random programs whose threads add to shared variables in loops of two or three turns, without locks, and bound
// what becomes of them: for the proof engine states that cover others, because some variables only grow.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomGrowth(seed: number): string {
  return new GrowthWriter(createRandom(seed)).program();
}

class GrowthWriter {
  readonly #random: Random;
  readonly #type: string;

  constructor(random: Random) {
    this.#random = random;
    this.#type = random.pick(['int', 'int', 'unsigned', 'unsigned char', 'long long']);
  }

  program(): string {
    const first = this.#random.pick(['1', '1', '0', '3', '200', '100']);
    return `#include <assert.h>
#include <pthread.h>
${this.#type} i = ${first}, j = ${this.#random.pick(['1', first])};
void *f(void *u) { for (int k = 0; k < ${this.#turns()}; k++) { ${this.#change('i', 'j')} } return 0; }
void *g(void *u) { for (int k = 0; k < ${this.#turns()}; k++) { ${this.#change('j', 'i')} } return 0; }
int main(void) { pthread_t t, v;
  pthread_create(&t, 0, f, 0);
  pthread_create(&v, 0, g, 0);
  ${this.#random.chance(1, 3) ? 'pthread_join(t, 0); pthread_join(v, 0);' : ''}
  ${this.#look()}
  return 0; }
`;
  }

  #turns(): number {
    return 1 + this.#random.below(3);
  }

  #change(own: string, other: string): string {
    const text = this.#random.pick([
      `${own} += ${other};`,
      `${own} += ${other};`,
      `${own} = ${other} + 1;`,
      `${own} = ${own} + ${other} + k;`,
      `if (${other} < 5) ${own} += ${other};`,
      `${own} -= 1;`,
      `${own} = ${own} - ${other};`,
      `${own} = 2 * ${other};`,
      `if (${own} < ${other}) ${own} = ${other}; else ${own}++;`,
      `${own} ^= ${other};`,
    ]);
    return this.#random.chance(1, 5) ? `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();` : text;
  }

  #look(): string {
    const bound = this.#random.pick([2, 3, 4, 5, 8, 9, 13, 21, 34, 55, 144, 1000]);
    const name = this.#random.pick(['i', 'j', 'i + j']);
    const low = this.#random.pick([-3, -1, 0, 1, 2, 90, 190]);
    return this.#random.pick([
      `assert(${name} <= ${bound});`,
      `assert(${name} <= ${bound});`,
      `assert(${name} >= ${low});`,
      `assert(i <= ${bound} && j >= ${low});`,
      `assert(${name} != ${bound});`,
    ]);
  }
}
