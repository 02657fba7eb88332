// Small random programs in which main creates threads in a loop and joins them in another, or some of them, or one at a
// time, and then looks at what they did: for the proof engine threads of any number that are waited for, for
// enumeration one to three threads. In those with two kinds of threads each kind has one or two.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomJoins(seed: number): string {
  return new JoinWriter(createRandom(seed)).program();
}

export function randomKindsOfJoins(seed: number): string {
  return new JoinWriter(createRandom(seed)).programOfTwoKinds();
}

class JoinWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const most = 1 + this.#random.below(3);
    const table = this.#table();
    const isAllocated = table.includes('malloc');
    return `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *u) { int l = 0;
  ${this.#body()}
  return ${this.#random.pick(['0', '0', '(void *)1'])}; }
int main(void) { int l = 0; void *r = 0;
  int n = ${this.#random.chance(1, 2) ? '__VERIFIER_nondet_int()' : most};
  if (n < 0 || n > ${most}) return 0;
  ${table}
  ${this.#main(isAllocated && this.#random.chance(1, 6) ? 'free(t);' : '')}
  ${this.#look()}
  return 0; }
`;
  }

  programOfTwoKinds(): string {
    const result = () => this.#random.pick(['0', '0', '(void *)1']);
    return `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *u) { int l = 0;
  ${this.#body()}
  return ${result()}; }
void *g(void *u) { int l = 0;
  ${this.#body()}
  return ${result()}; }
int main(void) { int l = 0; void *r = 0;
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > ${1 + this.#random.below(2)}) return 0;
  ${this.#random.pick(['pthread_t t[64], s[64];', 'static pthread_t t[64], s[64];'])}
  ${this.#mainOfTwoKinds()}
  ${this.#look()}
  return 0; }
`;
  }

  /** Identifiers of the second kind are in a table of their own, behind the others, or among them. */
  #mainOfTwoKinds(): string {
    if (this.#random.chance(1, 3)) return this.#mainWithOneMore();
    const place = this.#random.pick(['s[i]', 's[i]', 's[i]', 's[i + 1]', 't[i + 32]', 't[n + i]', 't[i]']);
    const other = this.#random.chance(1, 6) ? this.#random.pick(['s[i]', 's[0]', 't[i]']) : place;
    const result = () => this.#random.pick(['0', '0', '&r']);
    const create = ['pthread_create(&t[i], 0, f, 0);', `pthread_create(&${place}, 0, g, 0);`];
    const join = [`pthread_join(t[i], ${result()});`, `pthread_join(${other}, ${result()});`];
    if (this.#random.chance(1, 3)) join.reverse();
    const loops = (statements: readonly string[]) => {
      const kept = this.#random.chance(1, 8) ? statements.slice(0, 1) : statements;
      const bodies = this.#random.chance(1, 2) ? kept : [kept.join(' ')];
      return bodies.map((body) => `for (int i = 0; i < n; i++) { ${body} }`).join('\n  ');
    };
    const order = this.#random.pick(['<', '>']);
    const look = this.#random.chance(1, 8)
      ? `if (n > 0) assert((unsigned long)t[n - 1] ${order} (unsigned long)s[0]);`
      : '';
    return `${loops(create)}\n  ${look}\n  ${loops(join)}`;
  }

  /** Of the second kind there is one thread, which is created before the others, after them, or meanwhile. */
  #mainWithOneMore(): string {
    const one = 'pthread_create(&s[0], 0, g, 0);';
    const more = 'for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f, 0);';
    const joins = ['for (int i = 0; i < n; i++) pthread_join(t[i], 0);', 'pthread_join(s[0], &r);'];
    const order = this.#random.pick(['<', '>']);
    const look = this.#random.chance(1, 6)
      ? `if (n > 0) assert((unsigned long)t[0] ${order} (unsigned long)s[0]);`
      : '';
    const created = this.#random.chance(2, 3) ? [more, one] : [one, more];
    const joined = this.#random.chance(1, 2) ? joins : joins.toReversed();
    return [...created, look, ...(this.#random.chance(1, 6) ? joined.slice(1) : joined)].join('\n  ');
  }

  /** Where main keeps the identifiers. */
  #table(): string {
    return this.#random.pick([
      'pthread_t t[64];',
      'static pthread_t t[64];',
      'pthread_t *t = malloc(64 * sizeof *t);',
      'pthread_t *t = malloc(n * sizeof *t);',
    ]);
  }

  /** `between`: what is done between the loops. */
  #main(between: string): string {
    const extra = this.#random.chance(1, 4) ? this.#section('x', 'x + 1') : '';
    const from = this.#random.pick(['0', '0', '0', '0', '1']);
    const to = this.#random.pick(['n', 'n', 'n', 'n', 'n - 1', 'n + 1']);
    const index = this.#random.pick(['i', 'i', 'i', 'i', '0', 'n - 1 - i']);
    const result = this.#random.pick(['0', '0', '&r']);
    switch (this.#random.below(4)) {
      case 0:
        return `for (int i = 0; i < n; i++) { pthread_create(&t[0], 0, f, 0); ${extra} pthread_join(t[0], ${result}); }`;
      case 1:
        return `for (int i = 0; i < n; i++) { pthread_create(&t[i], 0, f, 0); ${extra} if (i > 0) pthread_join(t[i - 1], ${result}); }`;
      default:
        return `for (int i = 0; i < n; i++) { pthread_create(&t[i], 0, f, 0); ${extra} }
  ${between} for (int i = ${from}; i < ${to}; i++) pthread_join(t[${index}], ${result});`;
    }
  }

  #section(place: string, value: string): string {
    const text = `${place} = ${value};`;
    return this.#random.chance(2, 3) ? `pthread_mutex_lock(&m); ${text} pthread_mutex_unlock(&m);` : text;
  }

  #body(): string {
    const value = () => this.#random.pick(['1', '2', 'x + 1', 'y + 1', 'x - 1', '0', 'l']);
    const one = () =>
      this.#random.chance(1, 4)
        ? `l = ${this.#random.pick(['x', 'y'])};`
        : this.#section(this.#random.pick(['x', 'y']), value());
    return Array.from({ length: 1 + this.#random.below(3) }, one).join(' ');
  }

  #look(): string {
    const conditions = [
      'x == 0',
      'x == n',
      'x <= n',
      'n == 0 || x == 1',
      'n == 0 || x != 0',
      'y == 0',
      'x == y',
      'y <= 2',
    ];
    const more = ['r == 0', 'x >= 0', 'n == 0 || y == 1'];
    return Array.from({ length: 1 + this.#random.below(2) }, () => {
      return `assert(${this.#random.pick([...conditions, ...more])});`;
    }).join(' ');
  }
}
