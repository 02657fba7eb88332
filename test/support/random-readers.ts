// Small random programs in which main creates readers and writers in a loop: for the proof engine any number of
// threads, for enumeration few. They use a read-write lock of the library or one of their own, in two variables or in
// one word, mostly as it is meant, and assert what holds under it or does not; with their own they also look how many
// read.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomReaders(seed: number): string {
  return new ReadersWriter(createRandom(seed)).program();
}

/** A lock that a program has made itself. */
const OWN_HEAD = `extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned char readers, writer;`;

/** One in a single word, which a writer sets to -1. */
const WORD_HEAD = '#include <stdatomic.h>\natomic_int word;';

class ReadersWriter {
  readonly #random: Random;
  readonly #isOwn: boolean;
  readonly #isWord: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#isOwn = random.chance(1, 3);
    this.#isWord = !this.#isOwn && random.chance(1, 2);
  }

  program(): string {
    const most = 1 + this.#random.below(2);
    const [first, second] = this.#random.chance(3, 4) ? ['f', 'g'] : ['f', 'f'];
    const destroy = !this.#isOwn && !this.#isWord && this.#random.chance(1, 8) ? 'pthread_rwlock_destroy(&l);' : '';
    return `#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
${this.#isOwn ? OWN_HEAD : this.#isWord ? WORD_HEAD : 'pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;'}
int x, y;
void *f(void *u) { int k = 0; ${this.#body()} return 0; }
void *g(void *u) { int k = 0; ${this.#body()} return 0; }
int main(void) { pthread_t id; int i = 0, k = 0;
  for (;;) { if (__VERIFIER_nondet_bool() || i++ >= ${most}) break;
    pthread_create(&id, 0, ${first}, 0); pthread_create(&id, 0, ${second}, 0); }
  ${this.#random.chance(1, 3) ? this.#section() : ''} ${destroy}
  return 0; }
`;
  }

  #body(): string {
    const count = this.#random.chance(3, 4) ? 1 : 2;
    return Array.from({ length: count }, () => this.#section()).join(' ');
  }

  #section(): string {
    if (this.#isOwn) return this.#ownSection();
    if (this.#isWord) return this.#wordSection();
    const unlock = 'pthread_rwlock_unlock(&l);';
    switch (this.#random.below(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `pthread_rwlock_wrlock(&l); ${this.#write()} ${unlock}`;
      case 4:
      case 5:
      case 6:
        return `pthread_rwlock_rdlock(&l); ${this.#read()} ${unlock}`;
      case 7:
        return `if (pthread_rwlock_try${this.#random.pick(['rd', 'wr'])}lock(&l) == 0) { ${this.#read()} ${unlock} }`;
      case 8:
        return `pthread_rwlock_rdlock(&l); ${this.#write()} ${unlock}`;
      case 9:
        return `pthread_rwlock_${this.#random.pick(['rd', 'wr'])}lock(&l); k = pthread_rwlock_${this.#random.pick(['rd', 'wr'])}lock(&l); assert(k ${this.#random.pick(['==', '!='])} 0); ${unlock}`;
      case 10:
        return `${this.#random.chance(1, 2) ? 'pthread_rwlock_rdlock(&l);' : ''} ${this.#read()} ${unlock}`;
      default:
        return this.#random.pick([this.#read(), this.#write(), `pthread_rwlock_wrlock(&l); x = 1;`]);
    }
  }

  #ownSection(): string {
    const atomic = (text: string) => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`;
    if (this.#random.chance(2, 5)) {
      const take = `__VERIFIER_assume(writer == 0${this.#random.chance(7, 8) ? ' && readers == 0' : ''}); writer = 1;`;
      return `${atomic(take)} ${this.#write()} ${atomic('writer = 0;')}`;
    }
    const look = () => this.#random.pick(['', '', '', 'k = readers;', 'k = readers ? 1 : 2;']);
    const wait = this.#random.chance(7, 8) ? '__VERIFIER_assume(writer == 0);' : '';
    const take = `${wait} ${look()} __sync_fetch_and_add(&readers, 1); ${look()}`;
    const give = this.#random.chance(7, 8) ? atomic(`${look()} __sync_fetch_and_sub(&readers, 1); ${look()}`) : '';
    const about = this.#random.pick(['', 'assert(k < 2);', 'assert(k == 0);', 'assert(k != 1);']);
    return `${atomic(take)} ${this.#random.chance(1, 2) ? this.#read() : ''} ${give} ${about}`;
  }

  /** Compare-and-swap in loops; now and then without a look, given back otherwise than it was taken, or not at all. */
  #wordSection(): string {
    const { pick, chance } = this.#random;
    const swap = pick(['strong', 'weak', 'strong']);
    const retry = (look: string, isFree: string, value: string) =>
      pick([
        `for (;;) { int o = ${look}; if (${isFree} && atomic_compare_exchange_${swap}(&word, &o, ${value})) break; }`,
        `{ int o; do { o = ${look}; } while (!(${isFree}) || !atomic_compare_exchange_${swap}(&word, &o, ${value})); }`,
        `{ int o = ${look}; while (!(${isFree}) || !atomic_compare_exchange_${swap}(&word, &o, ${value})) o = ${look}; }`,
      ]);
    const seldom = (text: string, other: string) => (chance(1, 8) ? other : text);
    const stored = seldom('-1', pick(['1', '-2', '2']));
    if (chance(2, 5)) {
      const take = pick([
        `for (int z = 0; !atomic_compare_exchange_${swap}(&word, &z, ${stored}); ${seldom('z = 0', '')}) ;`,
        retry('word', seldom('o == 0', 'o >= 0'), stored),
      ]);
      return `${take} ${this.#write()} ${seldom('word = 0;', pick(['', 'atomic_fetch_add(&word, 1);']))}`;
    }
    const take = chance(1, 8)
      ? 'atomic_fetch_add(&word, 1);'
      : retry('word', seldom('o >= 0', pick(['1', 'o > 0'])), 'o + 1');
    const give = pick(['atomic_fetch_sub(&word, 1);', retry('word', '1', 'o - 1'), seldom('word--;', 'word = 0;')]);
    const about = pick(['', '', 'k = word; assert(k < 3);']);
    return `${take} ${chance(3, 4) ? this.#read() : this.#write()} ${seldom(give, '')} ${about}`;
  }

  #write(): string {
    return this.#random.pick([
      'x = 1; x = 0;',
      'x = 1; y = 1; x = y = 0;',
      'x = 1 - x; y = x;',
      'y = 1 - y;',
      'x = 1;',
    ]);
  }

  #read(): string {
    return this.#random.pick(['assert(x == 0);', 'assert(x == y);', 'k = x; assert(k == x);', 'assert(x <= 1);', '']);
  }
}
