// Small random programs that count: threads of any number (of which enumeration sees up to three) add to shared
// variables, with a lock, at once or in two steps, some of them only now and then, or take from a semaphore; another
// thread, or main before and after its joins, looks at the sums.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomTotals(seed: number): string {
  return new TotalWriter(createRandom(seed)).program();
}

class TotalWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const most = 1 + this.#random.below(3);
    const isJoined = this.#random.chance(2, 3);
    const hasLooker = this.#random.chance(1, 2);
    const create = `for (int i = 0; i < ${this.#mostly('n', 'n + 1')}; i++) pthread_create(&t[${isJoined ? 'i' : '0'}], 0, f, 0);`;
    const join = `for (int i = 0; i < ${this.#mostly('n', 'n - 1')}; i++) pthread_join(t[i], 0);`;
    return `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t s;
volatile int n, x, y;
void *f(void *u) { int l = 0;
  ${Array.from({ length: 1 + this.#random.below(2) }, () => this.#statement()).join('\n  ')}
  return 0; }
void *g(void *u) { ${this.#look()} return 0; }
int main(void) { pthread_t a; static pthread_t t[64];
  sem_init(&s, 0, ${1 + this.#random.below(2)});
  n = ${this.#random.chance(2, 3) ? '__VERIFIER_nondet_int()' : most};
  if (n < 0 || n > ${most}) return 0;
  ${hasLooker ? 'pthread_create(&a, 0, g, 0);' : ''}
  ${create}
  ${this.#random.chance(1, 3) ? this.#look() : ''}
  ${isJoined ? `${join} ${this.#look()}` : ''}
  return 0; }
`;
  }

  #mostly(usual: string, other: string): string {
    return this.#random.chance(9, 10) ? usual : other;
  }

  #name(): string {
    return this.#random.pick(['x', 'x', 'y']);
  }

  #statement(): string {
    const name = this.#name();
    const other = this.#name();
    const add = `${name} += ${this.#random.pick(['1', '1', '1', '2'])};`;
    switch (this.#random.below(7)) {
      case 0:
        return `pthread_mutex_lock(&m); ${add} pthread_mutex_unlock(&m);`;
      case 1:
        return `__VERIFIER_atomic_begin(); ${add} __VERIFIER_atomic_end();`;
      case 2:
        return `l = ${name}; ${this.#mostly(name, other)} = l + 1;`;
      case 3:
        return `if (${this.#random.pick(['__VERIFIER_nondet_int()', `${other} == 0`])}) { ${add} }`;
      case 4:
        return `sem_wait(&s); ${name}++; ${this.#random.chance(1, 2) ? `assert(${name} <= 2);` : ''} ${name}--; sem_post(&s);`;
      case 5:
        return `pthread_mutex_lock(&m); ${add} ${other}--; pthread_mutex_unlock(&m);`;
      default:
        return `for (int k = 0; k < 2; k++) { pthread_mutex_lock(&m); ${add} pthread_mutex_unlock(&m); }`;
    }
  }

  #look(): string {
    const conditions = [
      'x == n',
      'x <= n',
      'x <= n',
      'x <= 2 * n',
      'x == 2 * n',
      'x >= 0',
      'y == 0',
      'y <= x',
      'x + y == n',
      'y <= n',
      'x < n || n == 0',
    ];
    const condition = this.#random.pick(conditions);
    return this.#random.chance(1, 3)
      ? `pthread_mutex_lock(&m); assert(${condition}); pthread_mutex_unlock(&m);`
      : `assert(${condition});`;
  }
}
