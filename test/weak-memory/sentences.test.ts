// What docs/semantics.md says of weak memory beyond the litmus tests of the literature: which routines and instructions
// let all stores arrive, or keep them in order, and what a thread and its joiner see.

import { describe, expect, it } from 'vitest';
import { modelDefines } from '../../src/program/check-names.ts';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { readCode } from '../support/agreement.ts';
import { checkByCbmc } from '../support/check-by-cbmc.ts';
import { requireTool } from '../support/tools.ts';
import { findsInRounds } from '../support/weak-agreement.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
int x, y, z, a, b;
sem_t s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t l;
pthread_once_t o = PTHREAD_ONCE_INIT;
void init(void) {}
void *nothing(void *unused) { return 0; }
`;

const start = (check: string) => `
int main(void) {
  pthread_t first, second;
  sem_init(&s, 0, 0);
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  ${check}
}`;

/** Store buffering: only a late store lets both threads read 0. The second one has a fence. */
const storeThenLoad = (between: string, before = '') => `${HEAD}
void *one(void *unused) { ${before} x = 1; ${between} a = y; return 0; }
void *two(void *unused) { y = 1; __sync_synchronize(); b = x; return 0; }
${start('assert(a || b);')}`;

/** Message passing: only exchanged stores let the second thread read the flag and not the data. */
const storeThenStore = (between: string) => `${HEAD}
void *one(void *unused) { x = 1; ${between} y = 1; return 0; }
void *two(void *unused) { a = y; b = x; return 0; }
${start('assert(!a || b);')}`;

/** With LAZULI_ALL_PROGRAMS=1 CBMC must say the same. */
async function breaks(text: string, model: MemoryModel): Promise<boolean> {
  const defines = modelDefines([], model);
  const isFound = await findsInRounds(readCode(text, 'ILP32', { defines }), model, 3);
  if (process.env.LAZULI_ALL_PROGRAMS === '1' && requireTool('cbmc') !== null)
    expect((await checkByCbmc(text, model, 3)).split(' ')[0]?.split('-')[0], text).toBe(isFound ? 'unsafe' : 'safe');
  return isFound;
}

describe('stores have arrived when the thread goes on behind', () => {
  it.each([
    ['a full fence of C11', 'atomic_thread_fence(memory_order_seq_cst);'],
    ['mfence', '__asm__ volatile("mfence" ::: "memory");'],
    ['an instruction with a lock prefix', '__asm__ volatile("lock; addl $0, 0(%%esp)" ::: "memory");'],
    ['a relaxed read-modify-write', '__atomic_fetch_add(&z, 1, __ATOMIC_RELAXED);'],
    ['a compare-and-exchange that fails', 'int e = 5; __sync_val_compare_and_swap(&z, e, 1);'],
    ['an atomic section', '__VERIFIER_atomic_begin(); z = 1; __VERIFIER_atomic_end();'],
    ['an atomic section that does nothing', '__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();'],
    ['locking', 'pthread_mutex_lock(&n);'],
    ['unlocking', 'pthread_mutex_unlock(&m);', 'pthread_mutex_lock(&m);'],
    ['a lock that is not free', 'pthread_mutex_trylock(&m);', 'pthread_mutex_trylock(&m);'],
    ['read locks', 'pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);'],
    ['posting', 'sem_post(&s);'],
    ['what is done once, for the first time', 'pthread_once(&o, init);'],
    ['taking a spin lock', 'pthread_spin_lock(&l);'],
    ['creation of a thread', 'pthread_t id; pthread_create(&id, 0, nothing, 0);'],
    ['a seq_cst store', '__atomic_store_n(&z, 1, __ATOMIC_SEQ_CST);'],
  ])('%s', async (_, between, before = '') => {
    // What PSO excludes TSO excludes, too.
    expect(await breaks(storeThenLoad(between, before), 'pso')).toBe(false);
  });
});

describe('stores may still be late behind', () => {
  it.each([
    ['nothing', ''],
    ['a fence for the compiler', '__asm__ volatile("" ::: "memory");'],
    ['a fence of another order', 'atomic_thread_fence(memory_order_acq_rel);'],
    ['sfence', '__asm__ volatile("sfence" ::: "memory");'],
    ['a release store', '__atomic_store_n(&z, 1, __ATOMIC_RELEASE);'],
    ['a load into a variable', 'int seen; __atomic_load(&z, &seen, __ATOMIC_SEQ_CST);'],
    ['a relaxed store from a variable', 'int one = 1; __atomic_store(&z, &one, __ATOMIC_RELAXED);'],
    ['a call', 'nothing(0);'],
    ['a signal that nobody waits for', 'pthread_cond_signal(&c);'],
    ['a spin lock that is given back', 'pthread_spin_unlock(&l);', 'pthread_spin_lock(&l);'],
    ['what was done once', 'pthread_once(&o, init);', 'pthread_once(&o, init);'],
  ])('%s', async (_, between, before = '') => {
    const text = storeThenLoad(between, before);
    expect(await breaks(text, 'sc')).toBe(false);
    expect(await breaks(text, 'tso')).toBe(true);
  });
});

describe('stores keep their order under PSO', () => {
  it.each([
    ['across sfence', '__asm__ volatile("sfence" ::: "memory");', false],
    ['across a release fence', 'atomic_thread_fence(memory_order_release);', false],
    ['across a fence that is only sometimes passed, when it is', 'int on = 1; if (on) __sync_synchronize();', false],
    ['not across an acquire fence', 'atomic_thread_fence(memory_order_acquire);', true],
    ['not across a fence for the compiler', '__asm__ volatile("" ::: "memory");', true],
    ['not across a fence of another thread', 'if (z) __sync_synchronize();', true],
  ])('%s', async (_, between, isBroken) => {
    expect(await breaks(storeThenStore(between), 'pso')).toBe(isBroken);
    expect(await breaks(storeThenStore(between), 'tso')).toBe(false);
  });
});

describe('what threads see', () => {
  const threads = (one: string, two: string, check = '') =>
    `${HEAD}void *one(void *unused) { ${one} return 0; }\nvoid *two(void *unused) { ${two} return 0; }\n${start(check)}`;

  it('is what their creator has stored, and what threads have stored that they have joined', async () => {
    const created = `${HEAD}void *one(void *unused) { assert(x == 1); return 0; }
      int main(void) { pthread_t id; pthread_create(&id, 0, nothing, 0); x = 1; pthread_create(&id, 0, one, 0); }`;
    expect(await breaks(created, 'pso')).toBe(false);
    expect(await breaks(threads('x = 1;', 'y = 1;', 'assert(x && y);'), 'pso')).toBe(false);
  });

  it('is what they have stored themselves, also in an assertion', async () => {
    expect(await breaks(threads('x = 1; assert(x == 1);', 'a = x;', 'assert(!a || x);'), 'pso')).toBe(false);
    expect(await breaks(threads('x = 1; assert(x == 1);', 'x = 2;'), 'pso')).toBe(true);
  });

  it('is what others have stored who never go on', async () => {
    const text = threads('x = 1; __VERIFIER_assume(z);', 'a = x; assert(!a);');
    expect(await breaks(text.replace('pthread_join(first, 0);', ''), 'pso')).toBe(true);
  });
});
