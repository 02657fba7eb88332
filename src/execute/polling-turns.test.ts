import { describe, expect, it } from 'vitest';
import { prepareSteps, readCode } from '../../test/support/agreement.ts';
import { solveFreeOrder } from '../engines/order/solve-free-order.ts';
import type { CheckName } from '../program/check-names.ts';
import { createCadical } from '../solver/cadical-wasm.ts';

const CHECKS = new Set<CheckName>(['assertion', 'deadlock', 'mutex', 'pointer', 'free']);

/** One thread polls; main does `hand`, and joins it. */
const polling = (poll: string, hand: string, end = 'assert(done == 1);') => `
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int ready, done, looked;
struct node { struct node *next; } *list;
void *wait(void *unused) { ${poll} return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  ${hand}
  pthread_join(t, 0);
  ${end}
}`;

const LOCK = 'pthread_mutex_lock(&m);';
const UNLOCK = 'pthread_mutex_unlock(&m);';
const POLL = `for (;;) { ${LOCK} if (ready) break; ${UNLOCK} } done = 1; ${UNLOCK}`;
const HAND = `${LOCK} ready = 1; ${UNLOCK}`;

/** `safe`: in all interleavings, and nothing is cut. */
async function verdictOf(text: string): Promise<string> {
  const program = prepareSteps(readCode(text, 'LP64', { checks: CHECKS }), 3, CHECKS);
  if (typeof program === 'string') throw new Error(program);
  const result = await solveFreeOrder(program, { createSolver: () => createCadical({ seed: 1 }) });
  if (result.kind === 'violation') return 'unsafe';
  return result.kind === 'none' && result.cuts?.length === 0 ? 'safe' : 'cut';
}

describe('turns that take a lock, look, and give it back', () => {
  it('are left out', async () => {
    expect(await verdictOf(polling(POLL, HAND))).toBe('safe');
    const twice = `for (int n = 0; n < 2;) { ${LOCK} if (ready) { ready = 0; n++; } ${UNLOCK} } done = 1;`;
    const full = `for (;;) { ${LOCK} if (!ready) break; ${UNLOCK} } ready = 1; ${UNLOCK}`;
    expect(await verdictOf(polling(twice, `${full} ${full}`))).toBe('safe');
  });

  it('are left out where other turns free and allocate', async () => {
    const take = `
      for (int n = 0; n < 2;) {
        ${LOCK} struct node *p = list; if (p) list = p->next; ${UNLOCK}
        if (p) { free(p); free(malloc(4)); n++; }
      }
      done = 1;`;
    const give = `{ struct node *p = malloc(sizeof *p); ${LOCK} p->next = list; list = p; ${UNLOCK} }`;
    expect(await verdictOf(polling(take, `${give} ${give}`))).toBe('safe');
    expect(await verdictOf(polling(take.replace('free(p);', 'free(p); free(p);'), `${give} ${give}`))).toBe('unsafe');
  });

  it('do not hide that a thread polls for ever', async () => {
    expect(await verdictOf(polling(POLL, ''))).toBe('unsafe');
    expect(await verdictOf(polling(POLL, `${LOCK} ready = 1;`))).toBe('unsafe');
    expect(await verdictOf(polling(POLL, `${HAND} ${LOCK} ready = 0; ${UNLOCK}`))).toBe('unsafe');
    // Who polls holds the lock only for a moment.
    const given = `${LOCK} ${UNLOCK} ${HAND}`;
    expect(await verdictOf(polling(POLL, given))).toBe('safe');
  });

  it('stay where somebody would notice', async () => {
    const tried = `if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); ${HAND}`;
    expect(await verdictOf(polling(POLL, tried))).toBe('cut');
    const failed = `if (pthread_mutex_trylock(&m)) looked = 1; else { ${UNLOCK} } ${HAND}`;
    expect(await verdictOf(polling(POLL, failed, 'assert(!looked);'))).toBe('unsafe');
  });

  it('stay where they count, or write', async () => {
    const counted = `for (int n = 0;; n++) { ${LOCK} if (ready) break; if (n == 1) looked = 1; ${UNLOCK} } done = 1; ${UNLOCK}`;
    expect(await verdictOf(polling(counted, HAND, 'assert(!looked);'))).toBe('unsafe');
    const told = `for (;;) { ${LOCK} if (ready) break; looked++; ${UNLOCK} } done = 1; ${UNLOCK}`;
    expect(await verdictOf(polling(told, HAND))).toBe('cut');
  });

  it('stay where a lock is given away and taken again', async () => {
    const again = `${LOCK} while (!ready) { looked = 1; ${UNLOCK} ${LOCK} } done = 1; ${UNLOCK}`;
    expect(await verdictOf(polling(again, `${HAND}`))).toBe('cut');
  });

  it('do not matter to locks that others wait for', async () => {
    const nested = `for (;;) { pthread_mutex_lock(&other); ${LOCK} int r = ready; ${UNLOCK} pthread_mutex_unlock(&other); if (r) break; } done = 1;`;
    expect(await verdictOf(polling(nested, HAND))).toBe('safe');
    const crossed = `${LOCK} pthread_mutex_lock(&other); ready = 1; pthread_mutex_unlock(&other); ${UNLOCK}`;
    expect(await verdictOf(polling(nested, crossed))).toBe('unsafe');
  });
});
