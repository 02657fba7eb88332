import { describe, expect, it } from 'vitest';
import { counter, HEAD, proveChecks } from '../../../test/support/prove-text.ts';

describe('that there are no data races', () => {
  const proveRaces = (text: string) => proveChecks(text, new Set(['race']));

  it('is proved of what a lock guards, for any number of threads', async () => {
    const outcome = await proveRaces(counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'));
    expect(outcome.kind).toBe('proved');
  });

  it('is not proved where the lock is missing', async () => {
    expect((await proveRaces(counter('', ''))).kind).toBe('unknown');
  });

  it('is proved of what a flag hands over, if that orders', async () => {
    const text = (order: string) => `${HEAD}#include <stdatomic.h>
      int data; atomic_int ready;
      void *give(void *unused) { data = 1; atomic_store_explicit(&ready, 1, memory_order_${order}); return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, give, 0);
        while (!atomic_load_explicit(&ready, memory_order_acquire));
        return data;
      }`;
    expect((await proveRaces(text('release'))).kind).toBe('proved');
    expect((await proveRaces(text('relaxed'))).kind).toBe('unknown');
  });

  it('is proved of threads that have a part of an array each, and of who joins them', async () => {
    const text = (index: string) => `${HEAD}
      int parts[2];
      void *work(void *part) { for (;;) if (++*(int *)part > 5) return 0; }
      int main(void) {
        pthread_t s, t;
        pthread_create(&s, 0, work, &parts[0]);
        pthread_create(&t, 0, work, &parts[${index}]);
        pthread_join(s, 0);
        int sum = parts[0];
        pthread_join(t, 0);
        return sum + parts[1];
      }`;
    expect((await proveRaces(text('1'))).kind).toBe('proved');
    expect((await proveRaces(text('0'))).kind).toBe('unknown');
  });
});
