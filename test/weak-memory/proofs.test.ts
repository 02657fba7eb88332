// Proofs under weak memory: those of programs without data races, whose synchronisation waits for their stores, carry
// over from sequential consistency (src/engines/prove/carry-over.ts). No others.

import { describe, expect, it } from 'vitest';
import { checkText } from '../support/check-text.ts';

const program = (thread: string, check: string) => `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int x, y;
atomic_int turn;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
void *client(void *unused) {
  while (__VERIFIER_nondet_int()) { ${thread} }
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, client, 0);
  while (__VERIFIER_nondet_int()) { ${check} }
}`;

const prove = (text: string, memoryModel: 'tso' | 'pso') =>
  checkText(text, { goal: 'proof', memoryModel, timeLimitMs: 30_000 });

describe('a proof under weak memory', () => {
  it('carries over where a lock protects what threads share', { timeout: 60_000 }, async () => {
    const [lock, unlock] = ['pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'];
    const text = program(`${lock} x = 1 - x; y = 1 - y; ${unlock}`, `${lock} assert(x == y); ${unlock}`);
    const outcome = await prove(text, 'pso');
    expect(outcome).toMatchObject({ kind: 'safe', engine: 'prove' });
    expect(outcome.kind === 'safe' && outcome.proof.claim).toContain('there are no data races, so that PSO');
  });

  it('does not where there is a data race, though sequential consistency would be enough', async () => {
    const text = program('x = 1; y = 1;', 'if (y) assert(x);');
    expect(await checkText(text, { goal: 'proof', timeLimitMs: 20_000 })).toMatchObject({ kind: 'safe' });
    const outcome = await prove(text, 'pso');
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(outcome.kind === 'unknown' && outcome.reason).toContain(
      'that there are no data races has to be proved, too',
    );
    expect(await checkText(text, { memoryModel: 'pso' })).toMatchObject({ kind: 'unsafe' });
  });

  it('does not where a thread routine comes upon a store that is late', async () => {
    // For the user that is no data race: routines may do with objects of theirs what they like.
    const text = (late: string, routine: string, check: string) => `
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
pthread_t id;
sem_t semaphore;
atomic_int begun;
int seen;
void *nothing(void *unused) { return 0; }
void *early(void *unused) { ${late} seen = atomic_load(&begun); return 0; }
void *other(void *unused) { atomic_store(&begun, 1); ${routine} return 0; }
int main(void) {
  pthread_t a, b;
  int value;
  sem_init(&semaphore, 0, 0);
  pthread_create(&a, 0, early, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  sem_getvalue(&semaphore, &value);
  if (!seen) assert(${check});
}`;
    const programs = [
      text('id = 0;', 'pthread_create(&id, 0, nothing, 0);', 'id != 0'),
      text('*(int *)&semaphore = 0;', 'sem_post(&semaphore);', 'value == 1'),
    ];
    for (const each of programs) {
      expect(await checkText(each, { goal: 'proof', timeLimitMs: 20_000 })).toMatchObject({ kind: 'safe' });
      expect(await checkText(each, { memoryModel: 'tso' })).toMatchObject({ kind: 'unsafe' });
      expect(await prove(each, 'tso')).toMatchObject({ kind: 'unknown' });
    }
  });

  it('does not where atomic stores do not wait', async () => {
    const text = program('atomic_store_explicit(&turn, 1, memory_order_relaxed);', 'assert(turn >= 0);');
    const outcome = await prove(text, 'tso');
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('order relaxed does not wait') });
    // In a section or a read-modify-write they do; a section that is only sometimes open does not help.
    const section = (open: string, close: string) =>
      text.replace('atomic_store', `${open} atomic_store`).replace('relaxed);', `relaxed); ${close}`);
    const always = section('__VERIFIER_atomic_begin();', '__VERIFIER_atomic_end();');
    expect(await prove(always, 'tso')).toMatchObject({ kind: 'safe' });
    const sometimes = section('if (x) __VERIFIER_atomic_begin();', 'if (x) __VERIFIER_atomic_end();');
    expect(await prove(sometimes, 'tso')).toMatchObject({ kind: 'unknown' });
  });
});
