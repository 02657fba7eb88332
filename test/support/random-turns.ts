// Small random programs in which a thread counts some twenty turns of a loop beside one that does little: it waits,
// takes a lock, looks at flags, leaves the loop early, does something in its last turn, or does not count in every
// turn, so that it goes round for ever. What is asserted may depend on how often the loop has turned.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomTurns(seed: number): string {
  return new TurnsWriter(createRandom(seed)).program();
}

class TurnsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    return `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int flag, other;
int x, y;
void *count(void *u) { int k = 0;
  ${this.#loop()}
  ${this.#random.chance(1, 3) ? this.#statement() : ''}
  return 0; }
void *beside(void *u) { int i = 0, k = 0;
  ${this.#statement()} ${this.#random.chance(1, 2) ? this.#statement() : ''}
  return 0; }
int main(void) { pthread_t s, t; int i = 0, k = 0;
  pthread_create(&s, 0, count, 0); pthread_create(&t, 0, beside, 0);
  ${this.#random.chance(1, 3) ? this.#statement() : ''}
  pthread_join(s, 0); pthread_join(t, 0);
  assert(${this.#random.pick(['x <= 1', 'y != 2', 'x == y || x != y', 'flag >= 0', 'x < 20', 'y == 0 || x == 0'])});
  return 0; }
`;
  }

  #loop(): string {
    const turn = `${this.#inLoop()} ${this.#random.chance(1, 2) ? this.#inLoop() : ''}`;
    return this.#random.pick([
      `for (int i = 0; i < 20; i++) { ${turn} }`,
      `for (int i = 0; i < 20; i++) { ${turn} }`,
      `for (int i = 20; i > 0; i--) { ${turn} }`,
      `for (int i = 0; i < 60 && ${this.#random.pick(['!flag', '1', 'k == 0'])}; i += 3) { ${turn} }`,
      `int i = 0; while (i < 20) { ${turn} i++; }`,
      // It does not count in every turn.
      `int i = 0; while (i < 20) { ${turn} if (${this.#random.pick(['flag', '!x', 'k == 0'])}) i++; }`,
      `int i = 0; while (i < 20) { if (${this.#random.pick(['other', 'x', 'flag'])}) continue; ${turn} i++; }`,
      `for (int i = 0; i < 20; i++) { ${turn} if (${this.#random.pick(['other', 'x == 2'])}) i = 0; }`,
    ]);
  }

  #inLoop(): string {
    return this.#random.pick([
      `if (i == ${this.#random.pick([3, 17, 19])}) { ${this.#statement()} }`,
      `if (${this.#random.pick(['flag', 'x', 'other'])}) ${this.#random.pick(['break;', 'k = 1;', 'y = 1;'])}`,
      this.#statement(),
      this.#statement(),
      'k = i;',
      'assert(i < 60);',
    ]);
  }

  #statement(): string {
    const change = this.#random.pick([
      'x = 1;',
      'x = 0;',
      'y = 1;',
      'y = x;',
      'flag = 1;',
      'other = 1 - other;',
      'x = 2;',
    ]);
    switch (this.#random.below(8)) {
      case 0:
      case 1:
        return `pthread_mutex_lock(&m); ${change} ${this.#random.chance(9, 10) ? 'pthread_mutex_unlock(&m);' : ''}`;
      case 2:
        return `while (${this.#random.pick(['!flag', 'other', '!x'])}) ;`;
      case 3:
        return `if (${this.#random.pick(['flag', 'x == 1', 'other'])}) { ${change} }`;
      default:
        return change;
    }
  }
}
