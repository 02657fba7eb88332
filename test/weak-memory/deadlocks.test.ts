// Deadlocks under weak memory: by concrete runs, rounds and the free order, and what they find replays.

import { expect, it } from 'vitest';
import { checkText } from '../support/check-text.ts';

/** Both take a lock that nobody gives back if both miss the other's store. */
const program = (fence: string) => `
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *p(void *unused) { x = 1; ${fence} if (!y) pthread_mutex_lock(&m); return 0; }
void *q(void *unused) { y = 1; ${fence} if (!x) pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}`;

it.each(['tso', 'pso'] as const)(
  'a lock that both threads take under %s is found and can be repaired',
  async (memoryModel) => {
    for (const explore of [true, false]) {
      const outcome = await checkText(program(''), { memoryModel, explore, checks: ['deadlock'] });
      expect(outcome).toMatchObject({ kind: 'unsafe', trace: { violation: { check: 'deadlock' } } });
    }
    const checks = ['deadlock'] as const;
    expect(await checkText(program(''), { checks })).toMatchObject({ kind: 'safe' });
    expect(await checkText(program('__sync_synchronize();'), { memoryModel, checks })).toMatchObject({ kind: 'safe' });
  },
);
