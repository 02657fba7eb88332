// Small random programs in which main creates threads in a loop: for the proof engine any number of threads, for
// enumeration as many as the inputs of the program allow, which are few. Shared variables, a mutex, hand-written locks,
// atomic sections, arrays, thread-locals, loops, threads that are detached; assertions that hold or do not.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomCrowd(seed: number): string {
  return new CrowdWriter(createRandom(seed)).program();
}

class CrowdWriter {
  readonly #random: Random;
  readonly #shared: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#shared = ['x', 'y', 'z'].slice(0, 1 + random.below(3));
  }

  program(): string {
    const [first, second] = [this.#body(), this.#body()];
    const initial = this.#shared.map((name) => `${name} = ${this.#random.below(2)}`).join(', ');
    return `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ${initial}, a[2], w, *p = &w;
_Thread_local int t;
void *f(void *u) { int l = 0, k = 0;
  ${first}
  return 0; }
void *g(void *u) { int l = 0, k = 0;
  ${second}
  return 0; }
int main(void) { pthread_t id; int i = 0, l = 0, k = 0;
  ${this.#creation()}
  ${this.#random.chance(1, 2) ? this.#statement(1) : ''}
  return 0; }
`;
  }

  #creation(): string {
    const extra = this.#random.chance(1, 3) ? this.#statement(1) : '';
    const detach = this.#random.chance(1, 4) ? 'pthread_detach(id);' : '';
    if (this.#random.chance(1, 2))
      return `int n = __VERIFIER_nondet_int(); while (n-- > 0) { pthread_create(&id, 0, f, 0); ${detach} ${extra} }`;
    const body = this.#random.pick(['f', 'f', 'g']);
    const most = 1 + this.#random.below(3);
    const other = this.#random.chance(1, 3) ? 'if (__VERIFIER_nondet_bool()) pthread_create(&id, 0, g, 0);' : '';
    return `for (;;) { if (__VERIFIER_nondet_bool() || i++ >= ${most}) break; pthread_create(&id, 0, ${body}, 0); ${detach} } ${other}`;
  }

  #body(): string {
    return Array.from({ length: 1 + this.#random.below(4) }, () => this.#statement(2)).join('\n  ');
  }

  #place(): string {
    return this.#random.pick(this.#shared);
  }

  #value(): string {
    const place = this.#place();
    return this.#random.pick([`${this.#random.below(3)}`, place, `${place} + 1`, `${place} - 1`, 'l', 'l + 1', 't']);
  }

  #condition(): string {
    const [place, number] = [this.#place(), this.#random.below(3)];
    const forms = [
      `${place} == ${number}`,
      `${place} != ${number}`,
      `l < ${place}`,
      `l == ${place}`,
      `${place} <= ${number + 1}`,
    ];
    return this.#random.pick(forms);
  }

  #block(depth: number): string {
    const one = () => (depth > 0 ? this.#statement(depth) : `${this.#place()} = ${this.#value()};`);
    return this.#random.chance(1, 2) ? one() : `${one()} ${one()}`;
  }

  #statement(depth: number): string {
    const inner = depth - 1;
    const index = this.#random.pick(['0', '1', 'l & 1', 'l % 2']);
    switch (this.#random.below(depth > 0 ? 17 : 9)) {
      case 0:
      case 1:
        return `${this.#place()} = ${this.#value()};`;
      case 2:
        return `l = ${this.#value()};`;
      case 3:
        return `${this.#place()}${this.#random.pick(['++', '--'])};`;
      case 4:
        return `__VERIFIER_assume(${this.#condition()});`;
      case 5:
        return `assert(${this.#condition()});`;
      case 6:
        return `a[${index}] = ${this.#value()};`;
      case 7:
        return `l = a[${index}];`;
      case 8:
        return this.#random.pick(['*p = l;', 't = l;', 'k = l;', 'l = t;']);
      case 9:
      case 10:
        return `if (${this.#condition()}) { ${this.#block(inner)} } else { ${this.#block(inner)} }`;
      case 11:
      case 12:
        return `pthread_mutex_lock(&m); ${this.#block(inner)} pthread_mutex_unlock(&m);`;
      case 13:
        return `__VERIFIER_atomic_begin(); ${this.#block(inner)} __VERIFIER_atomic_end();`;
      case 14: {
        const lock = this.#place();
        const section = `__VERIFIER_atomic_begin(); __VERIFIER_assume(${lock} == 0); ${lock} = 1; __VERIFIER_atomic_end();`;
        return `${section} ${this.#block(inner)} ${lock} = 0;`;
      }
      case 15:
        return `assert(${this.#condition()});`;
      default:
        return `while (${this.#condition()}) { ${this.#block(inner)} if (k++ > 1) break; }`;
    }
  }
}
