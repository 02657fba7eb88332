// Small random programs whose threads take semaphores for locks, call routines that run once, and take mutexes, one
// under another: many of them get stuck, because something is not given back, is taken twice, or in two orders.
// Threads are a few, or as many as an input says.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomClaims(seed: number): string {
  return new ClaimsWriter(createRandom(seed)).program();
}

interface Section {
  readonly take: string;
  readonly give: string;
}

const SEMAPHORE = { take: 'sem_wait(&s);', give: 'sem_post(&s);' };
const SECTIONS: readonly Section[] = [
  SEMAPHORE,
  SEMAPHORE,
  { take: 'sem_wait(&t);', give: 'sem_post(&t);' },
  { take: 'pthread_mutex_lock(&m);', give: 'pthread_mutex_unlock(&m);' },
];

class ClaimsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const isCrowd = this.#random.chance(1, 2);
    const create = isCrowd
      ? 'for (;;) { if (__VERIFIER_nondet_bool() || i++ >= 3) break; pthread_create(&id[0], 0, work, 0); }'
      : 'pthread_create(&id[0], 0, work, 0); pthread_create(&id[1], 0, other, 0);';
    const join = isCrowd ? '' : 'pthread_join(id[0], 0); pthread_join(id[1], 0);';
    return `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t once = PTHREAD_ONCE_INIT, again = PTHREAD_ONCE_INIT;
sem_t s, t;
int x, y;
void first(void) { ${this.#inner()} }
void second(void) { ${this.#random.chance(1, 2) ? 'pthread_once(&once, first);' : this.#inner()} }
void *work(void *unused) { ${this.#section()} ${this.#section()} return 0; }
void *other(void *unused) { ${this.#section()} return 0; }
int main(void) {
  pthread_t id[2]; int i = 0;
  sem_init(&s, 0, ${this.#random.pick([0, 1, 1, 1, 2])});
  sem_init(&t, 0, 1);
  ${create}
  ${this.#random.chance(1, 4) ? this.#section() : ''}
  ${join}
  ${isCrowd ? 'pthread_exit(0);' : 'return 0;'}
}
`;
  }

  #section(): string {
    const { take, give } = this.#random.pick(SECTIONS);
    const condition = this.#random.pick(['x', 'y', '__VERIFIER_nondet_int()']);
    return this.#random.pick([
      `${take} ${this.#inner()} ${this.#random.chance(9, 10) ? give : ''}`,
      `${take} ${this.#inner()} ${give}`,
      `${take} ${this.#inner()} ${give}`,
      `if (${condition}) { ${take} ${this.#inner()} ${give} }`,
      `{ int taken = ${condition}; if (taken) { ${take} } ${this.#change()} if (taken) { ${give} } }`,
      `if (sem_trywait(&s) == 0) { ${this.#inner()} sem_post(&s); }`,
      `pthread_once(&${this.#random.pick(['once, first', 'again, second'])});`,
      `${give} ${this.#inner()} ${take}`,
    ]);
  }

  #inner(): string {
    const { take, give } = this.#random.pick(SECTIONS);
    switch (this.#random.below(8)) {
      case 0:
      case 1:
        return `${take} ${this.#change()} ${this.#random.chance(9, 10) ? give : ''}`;
      case 2:
        return `if (${this.#random.pick(['x', 'y'])}) pthread_exit(0);`;
      default:
        return this.#change();
    }
  }

  #change(): string {
    return this.#random.pick(['x = 1;', 'y = 1;', 'x++;', 'y = x;', 'x = 0;', 'assert(x < 4);']);
  }
}
