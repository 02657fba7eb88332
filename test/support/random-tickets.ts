// Small random programs of threads of any number, of which enumeration sees two or three, that let one another in by
// tickets that are counted round, turns, stages or flags: right, or with tickets for too few, looks in two steps,
// sections that are not atomic. What holds of the section they guard is asserted, or what may not hold.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomTickets(seed: number): string {
  return new TicketWriter(createRandom(seed)).program();
}

class TicketWriter {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const modulus = 2 + this.#random.below(3);
    const most = 1 + this.#random.below(3);
    const other = this.#random.chance(1, 3);
    return `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned next, serving, stage; int c, turn, flag;
void *f(void *u) { unsigned my = 0; int k = 0; ${this.#body(modulus)} return 0; }
void *g(void *u) { unsigned my = 0; int k = 0; ${this.#body(modulus)} return 0; }
int main(void) { pthread_t id; int i = 0, k = 0;
  for (;;) { if (__VERIFIER_nondet_bool() || i++ >= ${most}) break;
    pthread_create(&id, 0, f, ${this.#random.pick(['0', '0', '(void *)1'])});
    ${other ? 'pthread_create(&id, 0, g, 0);' : ''} }
  ${this.#random.chance(1, 4) ? this.#section() : ''}
  return 0; }
`;
  }

  #atomic(text: string): string {
    return this.#random.chance(7, 8) ? `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();` : text;
  }

  #body(modulus: number): string {
    switch (this.#random.below(5)) {
      case 0:
      case 1:
        return this.#ticket(modulus);
      case 2:
        return `${this.#atomic(`__VERIFIER_assume(turn == 0); turn = ${this.#random.pick(['1', '1', 'c'])};`)} ${this.#section()} turn = 0;`;
      case 3:
        return `${this.#atomic('k = stage; if (stage < 2) stage++;')} if (k == ${this.#random.below(3)}) { ${this.#section()} }`;
      default:
        return `k = flag; if (!k) { flag = 1; ${this.#section()} ${this.#random.chance(1, 2) ? 'flag = 0;' : ''} }`;
    }
  }

  #ticket(modulus: number): string {
    const round = (value: string) => (this.#random.chance(7, 8) ? `(${value}) % ${modulus}` : value);
    const wait = this.#random.chance(3, 4) ? `__VERIFIER_assume(${round('next + 1')} != serving);` : '';
    const take = this.#atomic(`${wait} my = next; next = ${round('next + 1')};`);
    const pass = this.#random.chance(7, 8) ? 'while (serving != my) ;' : '__VERIFIER_assume(serving == my);';
    return `${take} ${pass} ${this.#section()} serving = ${round('serving + 1')};`;
  }

  /** Sometimes an input decides whether there is a section at all. */
  #section(): string {
    const constant = this.#random.pick([0, 1, 2]);
    const input = `${this.#random.pick(['==', '!=', '<', '>='])} ${constant}`;
    const section = this.#plainSection();
    return this.#random.chance(1, 4) ? `if (__VERIFIER_nondet_int() ${input}) { ${section} }` : section;
  }

  #plainSection(): string {
    return this.#random.pick([
      'c++; assert(c == 1); c--;',
      'c = 1; assert(c == 1); c = 0;',
      'c = 1; c = 0;',
      'assert(c == 0); c = 1; c = 0;',
      'k = c; c = 1 - k; assert(c != k); c = k;',
    ]);
  }
}
