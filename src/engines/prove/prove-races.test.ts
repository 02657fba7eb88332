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

  /** Two threads that add to two counters for ever, under locks; a third takes the locks of what it looks at. */
  const locked = (first: string, second: string, looking: string) => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
    int x, y;
    void *add(void *unused) {
      for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&${first});
        x++;
        pthread_mutex_unlock(&${first});
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&${second});
        y = y + 1;
        pthread_mutex_unlock(&${second});
      }
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, add, 0);
      pthread_create(&t, 0, add, 0);
      for (;;) {
        pthread_mutex_lock(&${looking});
        if (x > y) x = 0;
        pthread_mutex_unlock(&${looking});
      }
    }`;

  it('is proved by the locks that accesses have in common, and by these alone', async () => {
    expect(await proveRaces(locked('o', 'o', 'o'))).toMatchObject({
      kind: 'proved',
      evidence: { kind: 'clauses', count: 1 },
    });
    const limits = { timeLimitMs: 3_000 };
    const checks = new Set(['race'] as const);
    for (const wrong of [locked('o', 'm', 'o'), locked('o', 'o', 'm')])
      expect((await proveChecks(wrong, checks, checks, limits)).kind).toBe('unknown');
  }, 120_000);

  it('is not proved where a thread frees what main still looks at', async () => {
    const text = (freed: string) => `${HEAD}
      int nondet(void);
      pthread_t *t;
      void *work(void *given) { free(given); return 0; }
      int main(void) {
        int n = nondet();
        if (n < 1 || n > 9) return 0;
        t = malloc(n * sizeof *t);
        for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, i == 0 ? ${freed} : 0);
        for (int i = 0; i < n; i++) pthread_join(t[i], 0);
        return 0;
      }`;
    const limits = { timeLimitMs: 3_000 };
    const checks = new Set(['race'] as const);
    expect((await proveChecks(text('t'), checks, checks, limits)).kind).toBe('unknown');
  }, 60_000);

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
