// Small random programs, by seed, for comparing what engines say of data races. Each variable has a protection: a lock,
// atomic sections, a flag that hands it over (in any memory order), the joining of threads, a semaphore, or a thread
// that owns it. Most accesses keep to it, some do not; so there are programs of both kinds.

import { createRandom, type Random } from '../../src/support/random.ts';

const PREFIX = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
atomic_int flag, other;
_Atomic char tiny[2];
sem_t sem;
struct { int low : 4; int high : 4; int : 0; char next; char last; } s;
int x, y, a[3], *p;
char bytes[8];
`;

const ORDERS = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst', 'seq_cst', 'seq_cst'] as const;
const LOAD_ORDERS = ['relaxed', 'acquire', 'acquire', 'seq_cst', 'seq_cst'] as const;
const STORE_ORDERS = ['relaxed', 'release', 'release', 'seq_cst', 'seq_cst'] as const;

/** The text of a program. The same seed gives the same text. */
export function randomRaces(seed: number, size = 3): string {
  return new RaceWriter(seed, size).program();
}

class RaceWriter {
  readonly #random: Random;
  readonly #size: number;

  constructor(seed: number, size: number) {
    this.#random = createRandom(seed);
    this.#size = size;
  }

  program(): string {
    const count = this.#random.chance(1, 4) ? 3 : 2;
    const threads = Array.from({ length: count }, (_, t) => this.#thread(t)).join('\n');
    const isJoined = this.#random.chance(3, 4);
    const lines = ['sem_init(&sem, 0, 0);', 'p = malloc(8);', 'if (p == 0) return 0;', 'pthread_t t[3];', 'int r = 0;'];
    if (this.#random.chance(1, 2)) lines.push(this.#access());
    for (let t = 0; t < count; t++) {
      lines.push(`pthread_create(&t[${t}], 0, f${t}, 0);`);
      if (this.#random.chance(1, 5)) lines.push(this.#statement(3));
    }
    for (let t = 0; t < count; t++) if (isJoined || this.#random.chance(1, 2)) lines.push(`pthread_join(t[${t}], 0);`);
    lines.push(this.#random.chance(1, 2) ? this.#access() : this.#statement(3));
    if (this.#random.chance(1, 6)) lines.push('free(p);');
    return `${PREFIX}${threads}\nint main(void) {\n  ${lines.join('\n  ')}\n  return 0;\n}\n`;
  }

  #thread(t: number): string {
    const lines: string[] = [];
    const count = 1 + this.#random.below(this.#size);
    for (let i = 0; i < count; i++) lines.push(this.#statement(t));
    return `void *f${t}(void *argument) {\n  int r = 0;\n  ${lines.join('\n  ')}\n  return 0;\n}`;
  }

  #access(): string {
    return this.#random.pick([
      'x = 1;',
      'y = x;',
      'x++;',
      'a[1] = 2;',
      'if (a[1]) y = 1;',
      's.low = 1;',
      's.next = 1;',
      '*p = 1;',
      'bytes[1] = 1;',
      'memcpy(bytes, &y, 4);',
    ]);
  }

  /** What must hold for a section to be completed, if anything. */
  #condition(): string {
    const random = this.#random;
    if (random.chance(1, 2)) return '';
    const what = `${random.pick(['x', 'y', 'a[1]'])} ${random.pick(['==', '!='])} ${random.below(2)}`;
    return random.pick([`__VERIFIER_assume(${what});`, `if (${what}) abort();`]);
  }

  /** Something with or without protection, in thread t. */
  #statement(t: number): string {
    const random = this.#random;
    const lock = random.chance(5, 6) ? 0 : 1;
    switch (random.below(14)) {
      case 0:
      case 1:
        return `pthread_mutex_lock(&m[${lock}]); ${this.#random.pick(['x++;', 'y = x;', 'a[1]++;', '*p = 2;'])} pthread_mutex_unlock(&m[${lock}]);`;
      case 2:
        return `__VERIFIER_atomic_begin(); ${this.#condition()} ${this.#random.pick(['y = 1;', 'if (y) x = 1;', 's.high = 1;', 'y++;'])} __VERIFIER_atomic_end();`;
      case 3:
        return `${this.#random.pick(['x = 2;', 'a[2] = 1;', '*p = 3;', 's.last = 1;'])} atomic_store_explicit(&flag, 1, memory_order_${this.#random.pick(STORE_ORDERS)});`;
      case 4:
        return `if (atomic_load_explicit(&flag, memory_order_${this.#random.pick(LOAD_ORDERS)})) { ${this.#random.pick(['y = x;', 'a[2] = 2;', '*p = 4;', 's.last = 2;'])} }`;
      case 5:
        return `a[${t % 3}] = ${random.below(3)};`;
      case 6:
        return `if (atomic_fetch_add_explicit(&other, 1, memory_order_${this.#random.pick(ORDERS)}) == ${random.below(2)}) { ${this.#random.pick(['x = 3;', 'y = 3;', 'bytes[5] = 1;'])} }`;
      case 7:
        return `${this.#access()} sem_post(&sem);`;
      case 8:
        return `sem_wait(&sem); ${this.#access()}`;
      case 9:
        return `pthread_rwlock_${this.#random.pick(['rd', 'wr'])}lock(&rw); ${this.#random.pick(['y = x;', 'x = 4;', 'if (x) y = 2;'])} pthread_rwlock_unlock(&rw);`;
      case 10:
        return `if (pthread_mutex_trylock(&m[0]) == 0) { ${this.#random.pick(['x = 5;', 'y++;'])} pthread_mutex_unlock(&m[0]); }`;
      case 11:
        return `bytes[${2 * (t % 3)}] = 1; r = bytes[${2 * (t % 3)}];`;
      case 12:
        return `__VERIFIER_assume(tiny[${random.below(2)}] == ${random.below(2)}); ${random.chance(1, 2) ? this.#access() : ''} tiny[${random.below(2)}] = 1;`;
      default:
        return random.chance(1, 3) ? this.#access() : `r = ${this.#random.pick(['y', 'a[0]', 'other', 'r'])};`;
    }
  }
}

/**
 * The text of a program in which memory orders and fences decide whether there is a race: data are handed on by flags,
 * by updates in between, from thread to thread.
 */
export function randomOrders(seed: number): string {
  const random = createRandom(seed);
  const order = (list: readonly string[]) => `memory_order_${random.pick(list)}`;
  const [loads, stores, updates] = [
    ['relaxed', 'relaxed', 'acquire', 'acquire'],
    ['relaxed', 'relaxed', 'release', 'release'],
    ['relaxed', 'relaxed', 'acquire', 'release', 'acq_rel'],
  ];
  const fence = (kinds: readonly string[]) => (random.chance(1, 3) ? `atomic_thread_fence(${order(kinds)}); ` : '');
  const word = () => random.pick(['flag', 'flag', 'other']);
  const giveOn = () => {
    const place = word();
    const given = random.chance(1, 3)
      ? `atomic_fetch_add_explicit(&${place}, 1, ${order(updates)});`
      : `atomic_store_explicit(&${place}, ${1 + random.below(2)}, ${order(stores)});`;
    return `${fence(['release', 'release', 'acq_rel'])}${given}`;
  };
  const take = (use: string) => {
    const body = `{ ${fence(['acquire', 'acquire', 'seq_cst'])}${use} }`;
    if (random.chance(1, 4)) {
      // Its order depends on whether it succeeds.
      const orders = `${order(updates)}, ${order(loads)}`;
      const exchange = `atomic_compare_exchange_strong_explicit(&${word()}, &e, ${random.below(3)}, ${orders})`;
      return `e = ${random.below(3)}; if (${random.pick(['', '!'])}${exchange}) ${body}`;
    }
    const test = random.pick(['', ' == 1', ' == 2', ' > 1']);
    const load = random.chance(1, 5)
      ? `atomic_fetch_or_explicit(&${word()}, 0, ${order(updates)})`
      : `atomic_load_explicit(&${word()}, ${order(loads)})`;
    return `if (${load}${test}) ${body}`;
  };
  const use = () => random.pick(['r = x;', 'x = 2;', 'y = x;', giveOn(), `r = x; ${giveOn()}`]);
  const statement = (t: number): string => {
    if (t === 0) return random.pick(['x = 1;', giveOn(), giveOn(), fence(['release']) || 'x++;', take(use())]);
    return random.pick([
      take(use()),
      take(use()),
      take(take(use())),
      giveOn(),
      fence(['acquire', 'acq_rel']) || 'r++;',
    ]);
  };
  const count = random.chance(1, 2) ? 3 : 2;
  const threads = Array.from({ length: count }, (_, t) => {
    const lines = t === 0 ? ['x = 1;'] : [];
    for (let i = 0; i < (count === 3 ? 1 : 2) + random.below(2); i++) lines.push(statement(t));
    return `void *f${t}(void *argument) {\n  int r = 0, e;\n  ${lines.join('\n  ')}\n  return 0;\n}`;
  });
  const creations = threads.map((_, t) => `pthread_create(&t[${t}], 0, f${t}, 0);`).join('\n  ');
  return `${PREFIX}${threads.join('\n')}\nint main(void) {\n  pthread_t t[3];\n  ${creations}\n  return 0;\n}\n`;
}
