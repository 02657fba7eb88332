// Small random programs with locks that are spun for: two words and a mutex, which are taken by exchanges, swaps and
// trylocks, one inside of another, in loops that count and in loops that poll. Now and then one is not given back, is
// taken at first, or given back by somebody else, so that many of the programs get stuck. What a thread stores into a
// lock may be another value each time, which it looks at when it gives the lock back. Who fails may count a little
// before he tries again. Another word is changed by who
// compares and swaps.

import { createRandom, type Random } from '../../src/support/random.ts';

export function randomSpinLocks(seed: number): string {
  return new SpinLocksWriter(createRandom(seed)).program();
}

const LOCKS = ['l', 'k', 'm'];

class SpinLocksWriter {
  readonly #random: Random;
  /** In which order locks are taken, mostly. */
  readonly #order: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#order = random.chance(1, 2) ? LOCKS : [...LOCKS].reverse();
  }

  program(): string {
    const seldom = (text: string) => (this.#random.chance(1, 8) ? text : '');
    return `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int l${seldom(' = 1')}, k, w;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f0(void *u) { int me = 1;\n  ${this.#body()}\n  return 0; }
void *f1(void *u) { int me = 2;\n  ${this.#body()}\n  return 0; }
int main(void) {
  pthread_t s, t; int me = 3;
  ${seldom('l = 1;')} ${seldom('k = 0;')}
  pthread_create(&s, 0, f0, 0);
  pthread_create(&t, 0, ${this.#random.pick(['f0', 'f1'])}, 0);
  ${seldom(this.#statement())}
  pthread_join(s, 0); pthread_join(t, 0);
  assert(${this.#random.pick(['x >= 0', 'x < 5', 'y <= x + 4', 'w < 3', 'w > -2', '1'])});
  return 0; }
`;
  }

  #body(): string {
    return Array.from({ length: 1 + this.#random.below(2) }, () => this.#statement()).join('\n  ');
  }

  #statement(): string {
    const [first, second] = this.#twoLocks();
    const section = this.#locked(first, this.#change());
    switch (this.#random.below(8)) {
      case 0:
      case 1:
        return this.#locked(first, this.#locked(second, this.#change()));
      case 2:
        return `for (int i = 0; i < 2; i++) { ${section} }`;
      case 3:
        return `for (int i = 0; ; i${this.#random.pick(['++', ' = 0'])}) { ${this.#locked(first, 'if (x > 0) y = 1;')} if (y) break; }`;
      case 4:
        return `${section} ${this.#random.chance(1, 3) ? 'while (!x) ;' : ''}`;
      case 5:
        return this.#update();
      default:
        return section;
    }
  }

  /** A word that is changed once nobody comes between; now and then more hangs on it, or it is looked at twice. */
  #update(): string {
    const { pick, chance } = this.#random;
    const isFine = pick(['1', 'o < 2', 'o == 0', 'o != me', 'o >= 0', 'x >= 0', 'w < 2']);
    const value = pick(['o + 1', 'o + 1', 'o - 1', 'me', '1 - o', 'w + 1']);
    const swap = `atomic_compare_exchange_${pick(['strong', 'weak'])}(&w, &o, ${value})`;
    const seen = chance(1, 3) ? pick(['me = o;', 'x = o;', 'assert(o < 2);']) : '';
    const failed = chance(1, 5) ? pick(['me++;', 'y = 1;', 'if (me > 4) break;', 'o = 0;']) : '';
    return pick([
      `for (int o; ; ) { o = w; if (${isFine} && ${swap}) { ${seen} break; } ${failed} }`,
      `{ int o = w; while (!(${isFine}) || !${swap}) { ${pick(['o = w;', 'o = w;', ''])} ${failed} } ${seen} }`,
      `{ int o; do { do o = w; while (!(${isFine})); } while (!${swap}); ${seen} }`,
      `{ int o = ${pick(['w', '0'])}; while (!${swap}) ; ${seen} }`,
    ]);
  }

  #twoLocks(): readonly [string, string] {
    const from = this.#random.below(2);
    const two = [this.#order[from] as string, this.#order[from + 1 + this.#random.below(2 - from)] as string] as const;
    return this.#random.chance(1, 8) ? [two[1], two[0]] : two;
  }

  #change(): string {
    return this.#random.pick(['x++;', 'y = x;', 'x = 1;', 'y++; y--;', 'if (x > 1) y = 1;', 'me++;', 'me = x + 1;']);
  }

  #locked(lock: string, inside: string): string {
    const leaves = this.#random.chance(1, 12) ? ` if (x > 1) ${this.#random.pick(['return 0;', 'for (;;) ;'])}` : '';
    const give =
      lock === 'm'
        ? 'pthread_mutex_unlock(&m);'
        : this.#random.pick([
            `${lock} = 0;`,
            `atomic_store(&${lock}, 0);`,
            `{ int o = atomic_exchange(&${lock}, 0); assert(o == ${this.#random.pick(['me', '1'])} || o == 1); }`,
          ]);
    return `${this.#take(lock)} ${inside}${leaves} ${this.#random.chance(1, 14) ? '' : give}`;
  }

  #take(lock: string): string {
    if (lock === 'm') return this.#random.pick(['pthread_mutex_lock(&m);', 'while (pthread_mutex_trylock(&m)) ;']);
    return this.#random.pick([
      `while (atomic_exchange(&${lock}, 1)) ;`,
      `do while (${lock}) ; while (atomic_exchange(&${lock}, 1));`,
      `for (int e = 0; !atomic_compare_exchange_strong(&${lock}, &e, 1); e = 0) ;`,
      `for (int e = 0; !atomic_compare_exchange_strong(&${lock}, &e, me); e = 0) ;`,
      `for (int e; e = 0, !atomic_compare_exchange_strong(&${lock}, &e, 1); ) while (${this.#look(lock)}) ;`,
      `for (int n = 1; atomic_exchange(&${lock}, 1); ) { ${this.#backoff()} }`,
    ]);
  }

  /** Mostly it only takes time; now and then something happens in it, it leaves the loop, or it never ends. */
  #backoff(): string {
    const turns = this.#random.pick(['n', 'n', '2', 'me']);
    const inside = this.#random.chance(1, 8)
      ? this.#random.pick(['y = 1;', 'me = i;', 'assert(x < 3);', 'i = 0;'])
      : '';
    const grows = this.#random.pick(['n = 2;', 'if (n < 2) n *= 2;', 'if (n > 1) n = 1; else n++;', '']);
    const leaves = this.#random.chance(1, 12) ? ' if (n > 1) break;' : '';
    return `for (int i = 0; i < ${turns}; i++) { ${inside} } ${grows}${leaves}`;
  }

  /** What a thread waits for before it tries again: mostly that the lock is free. */
  #look(lock: string): string {
    return this.#random.pick([lock, lock, `${lock} == 1`, `${lock} != 0`, `!${lock}`, `${lock} != 1`]);
  }
}
