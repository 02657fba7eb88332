// Small random programs whose threads fill two tables of 60 elements, copy one into the other and compare them, under a
// lock or without one, at places that few values of a shared counter denote: for the proof engine elements that it does
// not tell apart, for enumeration few. A table may be allocated, and shorter than what is accessed.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomTables(seed: number): string {
  return new TableWriter(createRandom(seed)).program();
}

class TableWriter {
  readonly #random: Random;
  readonly #element: string;

  constructor(random: Random) {
    this.#random = random;
    this.#element = random.pick(['int', 'int', 'unsigned char', 'struct pair']);
  }

  program(): string {
    const isRecord = this.#element === 'struct pair';
    const isHeap = this.#random.chance(1, 4);
    const initial = isRecord || this.#random.chance(2, 3) ? '' : ` = {${this.#random.pick(['1, 1', '0, 2', '1'])}}`;
    const create = this.#random.pick([
      'pthread_create(&s, 0, f, 0);',
      'pthread_create(&s, 0, f, 0); pthread_create(&s, 0, g, 0);',
      'for (int k = 0; __VERIFIER_nondet_bool() && k < 2; k++) pthread_create(&s, 0, f, 0);',
    ]);
    const length = this.#random.pick([60, 60, 1]);
    const made = `unsigned size = ${length} + __VERIFIER_nondet_bool(); a = calloc(size, sizeof *a);`;
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct pair { int first, value; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
${this.#element} ${isHeap ? '*a' : `a[60]${initial}`}, b[60];
unsigned n, filled;
void *f(void *u) { int x = 0; ${this.#sections()} return 0; }
void *g(void *u) { int x = 0; ${this.#sections()} return 0; }
int main(void) { pthread_t s; int x = 0; ${isHeap ? made : ''} ${this.#random.chance(1, 2) ? this.#statement() : ''} ${create}
  ${this.#sections()} return 0; }
`;
    return isRecord ? text.replace(/\b([ab])\[(?!60)([^\]]*)\]/g, '$1[$2].value') : text;
  }

  #sections(): string {
    return Array.from({ length: 1 + this.#random.below(2) }, () => this.#section()).join('\n  ');
  }

  #section(): string {
    const body = Array.from({ length: 1 + this.#random.below(3) }, () => this.#statement()).join(' ');
    return this.#random.chance(3, 4) ? `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);` : body;
  }

  #place(): string {
    return this.#random.pick(['n', 'n', 'n', 'filled', '0', 'n + 1', 'filled + 1']);
  }

  #value(): string {
    return this.#random.pick(['0', '1', '2', 'x', 'x', '__VERIFIER_nondet_bool()']);
  }

  #statement(): string {
    const [place, other, value] = [this.#place(), this.#place(), this.#value()];
    const [from, to] = this.#random.pick(['ab', 'ba', 'aa']) as unknown as [string, string];
    return this.#random.pick([
      () => `${to}[${place}] = ${value};`,
      () => `x = __VERIFIER_nondet_bool(); a[${place}] = x; b[${place}] = x;`,
      () => `a[n] = ${value}; b[n] = a[n]; n++; filled = n;`,
      () => `if (n < 3) { a[n] = 1; n = n + 1; }`,
      () => `for (unsigned i = 0; i < 2; i++) ${to}[i] = ${this.#random.pick(['i', '1', `${from}[i]`])};`,
      () => `${to}[${place}] = ${from}[${other}];`,
      () => `x = ${from}[${place}]; assert(x ${this.#random.pick(['== b', '<= a', '<= b'])}[${place}]);`,
      () => `x = ${from}[${place}]; assert(x <= ${1 + this.#random.below(2)});`,
      () => `if (filled > 0) { x = a[filled - 1]; assert(x == b[filled - 1]); }`,
      () => `if (filled > 0) { x = a[0]; assert(x ${this.#random.pick(['== b[0]', '== 1', '<= 1', '== 0'])}); }`,
      () => `filled = n;`,
      () => `n = ${this.#random.pick(['0', '1', 'filled'])};`,
    ])();
  }
}
