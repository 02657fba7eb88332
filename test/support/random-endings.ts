// Small random programs whose threads end in odd ways, or never: main returns, leaves by pthread_exit or goes round a
// loop for ever, with a lock or without; threads look for ever at what nobody writes, go round and round, or use locals
// of functions that main has left.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomEndings(seed: number): string {
  return new EndingsWriter(createRandom(seed)).program();
}

const LOCK = 'pthread_mutex_lock(&m);';
const UNLOCK = 'pthread_mutex_unlock(&m);';

class EndingsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const threads = 1 + this.#random.below(2);
    const bodies = Array.from(
      { length: threads },
      (_, i) => `void *f${i}(void *u) { int *p = u;\n  ${this.#body()}\n  return 0; }`,
    );
    const ids = Array.from({ length: threads }, (_, i) => i);
    const argument = this.#random.pick(['&local', '&local', '&x', '&y']);
    const start = ids.map((i) => `pthread_create(&id[${i}], 0, f${i}, ${argument});`).join(' ');
    return `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
pthread_t id[2];
int x, y, flag, never;
${bodies.join('\n')}
void start(void) { int local = 0; (void)local; ${start} ${this.#random.chance(1, 2) ? this.#join(threads) : ''} }
int main(void) {
  sem_init(&s, 0, ${this.#random.below(2)});
  ${this.#random.chance(1, 4) ? LOCK : ''}
  start();
  ${this.#random.chance(1, 2) ? this.#statement() : ''}
  ${this.#end(threads)} }
`;
  }

  #join(threads: number): string {
    return `pthread_join(id[${this.#random.below(threads)}], 0);`;
  }

  #end(threads: number): string {
    return this.#random.pick([
      'return 0;',
      'pthread_exit(0);',
      'pthread_exit(0);',
      'while (1) ;',
      'while (!flag) ;',
      `${this.#join(threads)} assert(x >= 0);`,
      'sem_wait(&s); return 0;',
      `${LOCK} assert(x <= 2); ${UNLOCK} return 0;`,
    ]);
  }

  #body(): string {
    const uses = this.#random.chance(1, 3) ? ['*p = 1;'] : [];
    return [...Array.from({ length: 1 + this.#random.below(2) }, () => this.#statement()), ...uses].join('\n  ');
  }

  #statement(): string {
    return this.#random.pick([
      'flag = 1;',
      'while (!flag) ;',
      'while (!never) ;',
      'if (!flag) while (!never) ;',
      'for (;;) ;',
      'for (;;) x = 1 - x;',
      'for (;;) { x = 1; y = 1; x = 0; y = 0; }',
      'for (;;) { x = 1; y = 1; x = y = 0; if (flag) break; }',
      `for (;;) { ${LOCK} x++; assert(x > 0); x--; ${UNLOCK} }`,
      `for (;;) { ${LOCK} if (flag) break; ${UNLOCK} }`,
      `${LOCK} x++; ${UNLOCK}`,
      `${LOCK} y = x; x = 0; ${UNLOCK}`,
      `${LOCK} x = 1;`,
      'sem_wait(&s);',
      'sem_post(&s);',
      'pthread_exit(0);',
    ]);
  }
}
