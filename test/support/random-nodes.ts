// Small random programs whose threads allocate and free nodes in loops, alone or under a lock, hand them over, keep
// pointers for too long or free them twice: for the proof engine allocations that run any number of times, for
// enumeration loops of a few turns.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomNodes(seed: number): string {
  return new NodeWriter(createRandom(seed)).program();
}

class NodeWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const create = this.#random.pick([
      'pthread_create(&a, 0, f, 0);',
      'pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);',
      'pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);',
      'for (int i = 0; __VERIFIER_nondet_bool() && i < 2; i++) pthread_create(&a, 0, f, 0);',
    ]);
    return `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int value; struct node *next; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node *top; int count;
void *f(void *u) { struct node *n = 0, *old = 0; ${this.#loop()} return 0; }
void *g(void *u) { struct node *n = 0, *old = 0; ${this.#loop()} return 0; }
int main(void) { pthread_t a, b; struct node *n = 0, *old = 0; ${create} ${this.#random.chance(1, 3) ? this.#loop() : ''} return 0; }
`;
  }

  #loop(): string {
    const turns = 1 + this.#random.below(2);
    return `for (int k = 0; __VERIFIER_nondet_bool() && k < ${turns}; k++) { ${this.#body()} }`;
  }

  #body(): string {
    const some = Array.from({ length: 1 + this.#random.below(3) }, () => this.#statement()).join(' ');
    const last = this.#random.pick(['free(n);', 'free(n); n = 0;', 'free(n); old = n;', '', 'if (n) free(n);']);
    const value = this.#random.pick(['n->value = 3;', 'n->value = 3; n->next = 0;', 'n->next = old; n->value = 3;']);
    return `n = ${this.#random.pick(['malloc', 'malloc', 'calloc'])}(${'sizeof *n'}); ${value} ${some} ${last}`.replace(
      'calloc(',
      'calloc(1, ',
    );
  }

  #locked(text: string): string {
    return this.#random.chance(3, 4) ? `pthread_mutex_lock(&m); ${text} pthread_mutex_unlock(&m);` : text;
  }

  #statement(): string {
    const one = this.#random.pick([
      'if (n) assert(n->value == 3);',
      'if (n) assert(n->value >= 3);',
      'if (old) old->value = 4;',
      'assert(n != old || n == 0);',
      'if (n) n->value = 4;',
      this.#locked('if (!top) { top = n; n = 0; }'),
      this.#locked('if (!top) { top = n; n = 0; }'),
      this.#locked('if (top) { old = top; top = 0; assert(old->value == 3); free(old); old = 0; }'),
      this.#locked('if (top) { old = top; top = top->next; free(old); old = 0; }'),
      this.#locked('if (n) { n->next = top; top = n; n = 0; }'),
      this.#locked('count++; assert(count > 0); count--;'),
      this.#locked('if (top) assert(top->value == 3);'),
      this.#locked('assert(top != n || !n);'),
      'old = 0;',
      'if (n && n->next == 0) n->value = 3;',
    ]);
    return one;
  }
}
