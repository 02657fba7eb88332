// Small random programs in which main creates and joins threads in loops that add to shared variables, in loops of all
// forms, and asserts what they come to: the right sum, or almost. Some increments may get lost, depend on what others
// do, come twice, or are left out by one of the threads; some threads are not joined, or main adds something, too.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomCrowdTotals(seed: number): string {
  return new CrowdTotalsWriter(createRandom(seed)).program();
}

interface Added {
  readonly loop: string;
  /** Of all turns, if nothing goes wrong. */
  readonly times: number;
}

class CrowdTotalsWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const threads = 2 + this.#random.below(2);
    const [first, second] = [this.#work('x'), this.#work(this.#random.pick(['x', 'y']))];
    const hasSecond = this.#random.chance(1, 8);
    const main = this.#random.chance(1, 8) ? this.#once('x', 1) : '';
    const expected = threads * first.times + (hasSecond && second.loop.includes('x') ? second.times : 0);
    const shown = expected + (main === '' ? 0 : 1) + (this.#random.chance(1, 4) ? this.#random.pick([-1, 1, 2]) : 0);
    const joined = this.#random.chance(9, 10) ? threads : threads - 1;
    // Threads of a number that nobody knows, or of one that enumeration can try.
    const count = this.#random.chance(1, 6) ? `${threads}` : 'n';
    const total = count === 'n' ? `n * ${first.times} + ${shown - threads * first.times}` : `${shown}`;
    return `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *u) { int k = 0;
  ${first.loop}
  return 0; }
void *g(void *u) { int k = 0;
  ${second.loop}
  return 0; }
int main(void) { pthread_t t[${threads}], s; int n = __VERIFIER_nondet_int(), k = 0;
  __VERIFIER_assume(n > 0 && n <= ${threads});
  for (int i = 0; i < ${count}; i++) pthread_create(&t[i], 0, f, 0);
  ${hasSecond ? 'pthread_create(&s, 0, g, 0);' : ''} ${main}
  for (int i = 0; i < ${count === 'n' ? 'n' : joined}; i++) pthread_join(t[i], 0);
  ${hasSecond ? 'pthread_join(s, 0);' : ''}
  assert(x ${this.#random.pick(['==', '==', '==', '<='])} ${total});
  return 0; }
`;
  }

  #work(variable: string): Added {
    const by = this.#random.pick([1, 1, 2, -1]);
    const turn = this.#once(variable, by);
    const odd = this.#random.chance(2, 5) ? this.#odd(variable) : '';
    const [loop, turns] = this.#random.pick([
      [`for (int i = 0; i < 2; i++) { ${turn} ${odd} }`, 2],
      [`for (int i = 3; i > 1; i--) { ${turn} ${odd} }`, 2],
      [`for (int i = 0; i != 4; i += 2) { ${odd} ${turn} }`, 2],
      [`int i = 2; while (i-- > 0) { ${turn} ${odd} }`, 2],
      [`for (int i = 0; i < 2; i++) for (int j = 0; j < 1; j++) { ${turn} ${odd} }`, 2],
      [`for (int i = 0; i < 3; i++) k += ${by}; ${odd} ${this.#section(`${variable} += k;`)}`, 3],
      [`int i = 0; do { ${turn} ${odd} } while (++i < 2);`, 2],
      [`${turn} ${odd} ${turn}`, 2],
    ] as const);
    return { loop, times: turns * by };
  }

  #once(variable: string, by: number): string {
    const added = by < 0 ? `${variable} -= ${-by};` : by === 1 ? `${variable}++;` : `${variable} += ${by};`;
    const late = `{ int r = ${variable}; r = r + (${by}); ${variable} = r; }`;
    return this.#section(this.#random.chance(3, 4) ? added : late);
  }

  #section(inner: string): string {
    switch (this.#random.below(6)) {
      case 0:
        return inner;
      case 1:
        return `__VERIFIER_atomic_begin(); ${inner} __VERIFIER_atomic_end();`;
      default:
        return `pthread_mutex_lock(&m); ${inner} pthread_mutex_unlock(&m);`;
    }
  }

  #odd(variable: string): string {
    const again = this.#section(`${variable}++;`);
    return this.#random.pick([
      `if (${variable} == ${1 + this.#random.below(3)}) { ${again} }`,
      `if (${variable} == ${1 + this.#random.below(3)}) return 0;`,
      `if (${variable} == ${this.#random.below(4)}) k++;`,
      `if (y) { ${again} } y = 1;`,
      'if (y) return 0;',
      'y = 1;',
      `if (__VERIFIER_nondet_int()) { ${again} }`,
      'if (__VERIFIER_nondet_int()) return 0;',
      `if (__VERIFIER_nondet_int()) { ${variable}++; ${variable}--; }`,
      `pthread_mutex_lock(&m); if (${variable} == 2) ${variable} = 2; pthread_mutex_unlock(&m);`,
    ]);
  }
}
