// Small random programs whose threads go round loops without end: they wait for semaphores, take and give locks, look
// whether these are free, change shared or private variables back and forth, or do nothing at all. Whether somebody
// goes on for ever, or all of them are stuck or spin beside somebody who waits, is a matter of details.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomPolls(seed: number): string {
  return new PollsWriter(createRandom(seed)).program();
}

class PollsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const threads = 2 + this.#random.below(2);
    const ids = Array.from({ length: threads }, (_, i) => i);
    const bodies = ids.map((i) => `void *f${i}(void *u) { int i = 0, k = 0;\n  ${this.#body()}\n  return 0; }`);
    const joins = ids.map((i) => `pthread_join(id[${i}], 0);`).join(' ');
    const end = this.#random.pick([joins, joins, `${joins} pthread_exit(0);`, 'pthread_exit(0);', this.#body()]);
    return `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
sem_t s, t;
int x, y, never;
${bodies.join('\n')}
int main(void) { int i = 0, k = 0; pthread_t id[${threads}];
  sem_init(&s, 0, ${this.#random.below(2)}); sem_init(&t, 0, ${this.#random.below(2)});
  ${ids.map((i) => `pthread_create(&id[${i}], 0, f${i}, 0);`).join(' ')}
  ${end}
  return 0; }
`;
  }

  #body(): string {
    const before = this.#random.chance(1, 3) ? this.#statement() : '';
    const condition = this.#random.pick(['1', '1', '1', '1', '!never', '!x', 'x == y', 'i < 2']);
    const count = 1 + this.#random.below(3);
    const turn = Array.from({ length: count }, () => this.#statement()).join(' ');
    const loop = `while (${condition}) { ${turn} }`;
    return `${before} ${this.#random.chance(5, 6) ? loop : turn}`;
  }

  #statement(): string {
    const semaphore = this.#random.pick(['s', 't']);
    const change = this.#random.pick(['x = 1;', 'x = 0;', 'x = 1 - x;', 'y = x;', 'x++; x--;', 'y = 1;', '']);
    switch (this.#random.below(16)) {
      case 0:
      case 1:
      case 2:
        return `sem_wait(&${semaphore});`;
      case 3:
      case 4:
      case 5:
        return `sem_post(&${semaphore});`;
      case 6:
        return `pthread_mutex_lock(&m); ${change} pthread_mutex_unlock(&m);`;
      case 7:
        return `pthread_rwlock_${this.#random.pick(['rd', 'wr'])}lock(&rw); ${change} pthread_rwlock_unlock(&rw);`;
      case 8:
        return `if (pthread_mutex_trylock(&m) == 0) { ${change} pthread_mutex_unlock(&m); }`;
      case 9:
        return `if (sem_trywait(&${semaphore}) == 0) { ${change} sem_post(&${this.#random.pick(['s', 't'])}); }`;
      case 10:
        return `if (${this.#random.pick(['x', 'y', '!x', 'never', 'k'])}) ${this.#random.pick(['x = 1;', 'sem_post(&s);', 'for (;;) ;', 'x = 0;'])}`;
      case 11:
        return this.#random.pick(['i = 1 - i;', 'k = x;', 'i = x; k = i;', 'k = 0;', 'i = i < 2 ? i + 1 : 0;']);
      case 12:
        return `__VERIFIER_atomic_begin(); ${change} ${this.#random.pick(['if (!y) x = y;', 'y = 1 - y;', ''])} __VERIFIER_atomic_end();`;
      case 13:
        return this.#random.pick(['pthread_join(pthread_self(), 0);', 'if (pthread_join(pthread_self(), 0)) x = 1;']);
      case 14:
        // It waits as a whole.
        return `__VERIFIER_atomic_begin(); ${change} ${this.#random.pick([`sem_wait(&${semaphore});`, 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m);', `sem_post(&${semaphore}); sem_wait(&s);`])} __VERIFIER_atomic_end();`;
      default:
        return change;
    }
  }
}
