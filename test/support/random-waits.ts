// Small random programs whose threads wait for one another: loops around condition variables, semaphores, a barrier,
// read-write locks, joins, an end of main that leaves the others running. Signals are missing or come too early now
// and then, so that many of the programs get stuck. What is waited for stands in memory that main allocates now and
// then. An array that no access tells apart is written and read on the way.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomWaits(seed: number): string {
  return new WaitsWriter(createRandom(seed)).program();
}

const STATIC = `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
int x, y;`;
const ALLOCATED = `struct all { pthread_mutex_t m_; pthread_cond_t c_, d_; int x_, y_; } *h;
#define m h->m_
#define c h->c_
#define d h->d_
#define x h->x_
#define y h->y_`;

class WaitsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const threads = 1 + this.#random.below(2);
    const bodies = Array.from(
      { length: threads },
      (_, i) => `void *f${i}(void *u) {\n  ${this.#body()}\n  return 0; }`,
    );
    const ids = Array.from({ length: threads }, (_, i) => i);
    const isAllocated = this.#random.chance(1, 3);
    return `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
${isAllocated ? ALLOCATED : STATIC}
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
sem_t s;
int a[60];
${bodies.join('\n')}
int main(void) {
  pthread_t id[${threads}];
  ${isAllocated ? this.#allocate() : ''}
  sem_init(&s, 0, ${this.#random.below(2)});
  pthread_barrier_init(&b, 0, 2);
  ${ids.map((i) => `pthread_create(&id[${i}], 0, f${i}, 0);`).join(' ')}
  ${this.#random.chance(2, 3) ? this.#body() : ''}
  ${ids.map((i) => (this.#random.chance(3, 4) ? `pthread_join(id[${i}], 0);` : '')).join(' ')}
  ${isAllocated && this.#random.chance(1, 3) ? this.#release() : ''}
  ${this.#random.chance(1, 4) ? 'pthread_exit(0);' : `assert(${this.#condition()});`}
  return 0; }
`;
  }

  /** In new memory, which is made ready for the most part. */
  #allocate(): string {
    const make = this.#random.pick(['h = malloc(sizeof *h);', 'h = calloc(1, sizeof *h);']);
    const ready = [
      'pthread_mutex_init(&m, 0);',
      'pthread_cond_init(&c, 0);',
      'pthread_cond_init(&d, 0);',
      'x = y = 0;',
    ];
    const done = ready.filter(() => this.#random.chance(11, 12));
    const more = this.#random.pick([
      '',
      '',
      '',
      'pthread_mutex_lock(&m);',
      'pthread_mutex_lock(&m); pthread_mutex_unlock(&m);',
    ]);
    return [make, ...done, more].join(' ');
  }

  #release(): string {
    return this.#random.pick([
      'pthread_mutex_destroy(&m);',
      'free(h); return 0;',
      'pthread_mutex_destroy(&m); free(h); return 0;',
    ]);
  }

  #body(): string {
    return Array.from({ length: 1 + this.#random.below(2) }, () => this.#statement()).join('\n  ');
  }

  #condition(): string {
    return this.#random.pick(['x < 3', 'x >= 0', 'y <= 2', 'x == y', 'a[(unsigned)x % 60] < 5']);
  }

  #change(): string {
    return this.#random.pick([
      'x = 1;',
      'y = 1;',
      'x++;',
      'y--;',
      'x = 0;',
      'a[(unsigned)x % 60] = y & 3;',
      'y = a[x & 31];',
    ]);
  }

  #signal(): string {
    const condition = this.#random.pick(['c', 'd']);
    return this.#random.pick([`pthread_cond_signal(&${condition});`, `pthread_cond_broadcast(&${condition});`, '']);
  }

  #waitLoop(): string {
    const [test, condition] = [this.#random.pick(['x == 0', '!y', 'x > y']), this.#random.pick(['c', 'd'])];
    const wait = `pthread_cond_wait(&${condition}, &m);`;
    return this.#random.pick([
      `while (${test}) ${wait}`,
      `while (${test}) ${wait}`,
      `while (${test}) ${wait}`,
      // Others see more of these.
      `while (${test}) { y++; ${wait} y--; }`,
      `{ int seen = x; while (${test}) { ${wait} seen = y; } x = seen; }`,
      `{ int turns = 0; while (${test}) { ${wait} if (++turns == 2) x = 2; } }`,
      `while (${test}) { ${wait} assert(x != 2); }`,
    ]);
  }

  #statement(): string {
    const [lock, unlock] = ['pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'];
    switch (this.#random.below(9)) {
      case 0:
      case 1:
        return `${lock} ${this.#waitLoop()} ${this.#change()} ${this.#signal()} ${unlock}`;
      case 2:
      case 3:
        return `${lock} ${this.#change()} ${this.#signal()} ${unlock}${this.#random.chance(1, 3) ? ` ${this.#signal()}` : ''}`;
      case 4:
        return this.#random.chance(1, 2) ? 'sem_wait(&s);' : 'sem_post(&s);';
      case 5:
        return this.#random.chance(1, 2)
          ? 'pthread_barrier_wait(&b);'
          : `for (;;) { sem_wait(&s); ${this.#change()} break; }`;
      case 6:
        return `pthread_rwlock_${this.#random.pick(['rd', 'wr'])}lock(&rw); ${this.#change()} pthread_rwlock_unlock(&rw);`;
      case 7:
        // Without the mutex, or with it only if it is free.
        return this.#random.chance(2, 3)
          ? `${this.#change()} ${this.#signal()}`
          : `if (pthread_mutex_trylock(&m) == 0) { ${this.#change()} ${this.#signal()} ${unlock} } else y = 2;`;
      default:
        return `for (int k = 0; k < 2; k++) { ${lock} ${this.#change()} ${this.#signal()} ${unlock} }`;
    }
  }
}
