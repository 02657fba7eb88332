import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { createIncrementalSolvers } from '../../solver/incremental-cadical.ts';
import { prove } from './prove.ts';

/** The time of this process alone, whatever else runs. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Two threads that take a ticket lock again and again. */
const tickets = (drawn: string) => `
#include <assert.h>
#include <pthread.h>
unsigned next_ticket, now_serving, inside;
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *worker(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(next_ticket < 4000000000u);
    unsigned mine = next_ticket;
    next_ticket = ${drawn};
    __VERIFIER_atomic_end();
    while (now_serving != mine) ;
    inside = 1;
    assert(inside == 1);
    inside = 0;
    now_serving = mine + 1;
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  return 0;
}`;

function proveTickets(drawn: string) {
  const checks = new Set(['assertion'] as const);
  const code = lowerText(tickets(drawn), { checks });
  const environment = { clock: cpuMs, createSolvers: createIncrementalSolvers };
  return prove(code, { checks, timeLimitMs: 40_000, confirmMs: 0 }, environment);
}

describe('candidates about places', () => {
  it('prove that a ticket lock excludes, however often it is taken', async () => {
    const outcome = await proveTickets('mine + 1');
    expect(outcome.kind).toBe('proved');
    expect(outcome.kind === 'proved' && outcome.attempt).toContain('candidates for places');
  }, 300_000);

  it('prove nothing where two threads have the same ticket', async () => {
    expect((await proveTickets('mine')).kind).toBe('unknown');
  }, 300_000);
});

/** A producer adds a batch to a counter that consumers take from: that it is not negative needs that it never wraps. */
const batches = (acquire: string, release: string) => `
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int lock1, lock2, counter;
void __VERIFIER_atomic_acquire1(void) { __VERIFIER_assume(lock1 == 0); lock1 = 1; }
void __VERIFIER_atomic_release1(void) { __VERIFIER_assume(lock1 == 1); lock1 = 0; }
void __VERIFIER_atomic_acquire2(void) { __VERIFIER_assume(lock2 == 0); lock2 = 1; }
void __VERIFIER_atomic_release2(void) { __VERIFIER_assume(lock2 == 1); lock2 = 0; }
void *producer(void *unused) {
  int batch = __VERIFIER_nondet_int();
  ${acquire}
  __VERIFIER_atomic_acquire1();
  int isEmpty = counter <= 0;
  __VERIFIER_atomic_release1();
  if (isEmpty) {
    counter = 0;
    while (batch > 0) { counter++; batch--; }
  }
  ${release}
  return 0;
}
void *consumer(void *unused) {
  __VERIFIER_atomic_acquire1();
  if (counter > 0) { counter--; assert(counter >= 0); }
  __VERIFIER_atomic_release1();
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    if (__VERIFIER_nondet_int()) pthread_create(&t, 0, producer, 0);
    else pthread_create(&t, 0, consumer, 0);
}`;

describe('sums of two variables', () => {
  const proveBatches = (acquire: string, release: string, timeLimitMs: number) => {
    const checks = new Set(['assertion'] as const);
    const code = lowerText(batches(acquire, release), { checks });
    const environment = { clock: cpuMs, createSolvers: createIncrementalSolvers };
    return prove(code, { checks, timeLimitMs, confirmMs: 0 }, environment);
  };

  it('do not overflow where one grows by what the other falls', async () => {
    const lock = ['__VERIFIER_atomic_acquire2();', '__VERIFIER_atomic_release2();'] as const;
    expect((await proveBatches(...lock, 60_000)).kind).toBe('proved');
  }, 300_000);

  it('may overflow where two grow at once', async () => {
    expect((await proveBatches('', '', 20_000)).kind).toBe('unknown');
  }, 300_000);
});
