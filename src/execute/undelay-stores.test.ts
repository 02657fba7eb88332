import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { findsInOrder, findsInRounds, prepareWeak } from '../../test/support/weak-agreement.ts';

const LOCK = 'pthread_mutex_lock(&m);';
const UNLOCK = 'pthread_mutex_unlock(&m);';

const program = (first: string, second: string) => `
#include <assert.h>
#include <pthread.h>
int x, y, *p = &x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) { ${first} return 0; }
void *two(void *unused) { ${second} return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  return 0;
}`;

/** The cells to which stores are delayed. */
function delayed(text: string): string[] {
  const { threads, cells } = prepareWeak(readCode(text), 'pso');
  const written = threads.flatMap(({ steps }) =>
    steps.flatMap(({ accesses }) =>
      accesses.flatMap((access) => (access.kind === 'write' && access.isDelayed ? access.targets : [])),
    ),
  );
  return [...new Set(written.map(({ cell }) => cells.find(({ id }) => id === cell)?.name ?? ''))].sort();
}

describe('stores that nobody sees before they have arrived', () => {
  it('are those to what a lock protects at every access', () => {
    const check = `${LOCK} assert(x == y); ${UNLOCK}`;
    expect(delayed(program(`${LOCK} x = 1; y = 1; ${UNLOCK}`, check))).toEqual([]);
    expect(delayed(program(`${LOCK} x = 1; y = 1; ${UNLOCK}`, 'assert(x == y);'))).toEqual(['x', 'y']);
    expect(delayed(program(`${LOCK} x = 1; ${UNLOCK} y = 1;`, check))).toEqual(['y']);
  });

  it('are not those that may go elsewhere, too, nor others to the same cell', async () => {
    const text = program(
      `${LOCK} x = 1; int *q = p; *q = 2; ${UNLOCK}`,
      `p = &y; int seen = y; ${LOCK} assert(seen == 0 || x == 1); ${UNLOCK}`,
    );
    expect(delayed(text)).toEqual(['p', 'x', 'y']);
    expect(await findsInRounds(readCode(text), 'pso', 3)).toBe(false);
    expect(await findsInOrder(readCode(text), 'pso')).toBe(false);
  });

  it('need a lock whose release waits for them', async () => {
    const spin = 'while (__sync_lock_test_and_set(&p, (int *)1));';
    const text = program(`${spin} x = 1; y = 1; p = 0;`, `${spin} assert(x == y); p = 0;`).replace(', *p = &x', ', *p');
    expect(delayed(text)).toEqual(['p', 'x', 'y']);
    expect(await findsInOrder(readCode(text), 'tso', 2)).toBe(false);
    expect(await findsInOrder(readCode(text), 'pso', 2)).toBe(true);
  });
});
