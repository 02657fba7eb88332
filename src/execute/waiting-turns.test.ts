import { describe, expect, it } from 'vitest';
import { prepareSteps, readCode } from '../../test/support/agreement.ts';
import { solveFreeOrder } from '../engines/order/solve-free-order.ts';
import type { CheckName } from '../program/check-names.ts';
import { createCadical } from '../solver/cadical-wasm.ts';

const CHECKS = new Set<CheckName>(['assertion', 'deadlock', 'mutex']);

/** One thread waits until `ready`; main does `wake`, and joins it. */
const handOver = (wake: string, loop = 'while (!ready) pthread_cond_wait(&c, &m);') => `
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, done;
void *wait(void *unused) {
  pthread_mutex_lock(&m);
  ${loop}
  done = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  ${wake}
  pthread_join(t, 0);
  assert(done == 1);
}`;

const WAKE = 'pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);';

/** `safe`: in all interleavings, and nothing is cut. */
async function verdictOf(text: string): Promise<string> {
  const program = prepareSteps(readCode(text, 'LP64', { checks: CHECKS }), 3, CHECKS);
  if (typeof program === 'string') throw new Error(program);
  const result = await solveFreeOrder(program, { createSolver: () => createCadical({ seed: 1 }) });
  if (result.kind === 'violation') return 'unsafe';
  return result.kind === 'none' && result.cuts?.length === 0 ? 'safe' : 'cut';
}

describe('turns around condition variables', () => {
  it('are left out where the thread could have slept on', async () => {
    expect(await verdictOf(handOver(WAKE))).toBe('safe');
    const after = 'pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); pthread_cond_broadcast(&c);';
    expect(await verdictOf(handOver(after))).toBe('safe');
  });

  it('stay where they count', async () => {
    const counted = 'int turns = 0; while (!ready) { turns++; pthread_cond_wait(&c, &m); }';
    expect(await verdictOf(handOver(WAKE, counted))).toBe('cut');
    const told = 'while (!ready) { done++; pthread_cond_wait(&c, &m); }';
    expect(await verdictOf(handOver(WAKE, told))).toBe('cut');
  });

  it('stay where somebody would notice', async () => {
    const tried = `${WAKE} if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);`;
    expect(await verdictOf(handOver(tried))).toBe('cut');
  });

  it('do not hide that a signal is lost', async () => {
    expect(await verdictOf(handOver('ready = 1; pthread_cond_signal(&c);'))).toBe('unsafe');
    expect(await verdictOf(handOver('pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);'))).toBe('unsafe');
  });

  it('do not hide that a signal is lost to a thread that woke up for no reason', async () => {
    // The signal comes when the thread waits, for sure; but it may look once more between the write and the signal.
    const late = `
      for (int seen = 0; !seen; ) { pthread_mutex_lock(&m); seen = asleep; pthread_mutex_unlock(&m); }
      pthread_cond_signal(&c); ready = 1;`;
    const text = handOver(late, 'asleep = 1; while (!ready) pthread_cond_wait(&c, &m);').replace(
      'int ready',
      'int asleep, ready',
    );
    expect(await verdictOf(text)).toBe('unsafe');
  });
});
