import { describe, expect, it } from 'vitest';
import { HEAD, proveText } from '../../../test/support/prove-text.ts';

describe('joins', () => {
  it('waits for joined threads, and only for those', async () => {
    const text = (join: string) => `${HEAD}
      int done;
      void *work(void *unused) { done = 1; return 0; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, work, 0);
        pthread_create(&b, 0, work, 0);
        ${join}
        assert(done == 1);
      }`;
    expect((await proveText(text('pthread_join(a, 0); pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text('pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text(''))).kind).toBe('unknown');
  });

  /** Threads of any number, created and joined in loops; then main looks. */
  const joined = (last: string, condition: string, work = 'flag = 1; total++;') => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int flag, total;
    void *work(void *unused) { pthread_mutex_lock(&m); ${work} pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t t[100];
      for (int i = 0; i < 100; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
      assert(${condition});
      return 0;
    }`;

  it('waits for threads that are created and joined in loops, however many they are', async () => {
    expect((await proveText(joined('100', 'flag == 1'))).kind).toBe('proved');
    // After one join at least the lock was held once; but the others may still hold it.
    expect((await proveText(joined('1', 'flag == 2', 'flag = 1; flag = 2;'), [], 10_000)).kind).toBe('unknown');
  }, 120_000);

  it('does not take a thread for joined that is not', async () => {
    expect((await proveText(joined('99', 'total == 100'), [], 5_000)).kind).toBe('unknown');
    expect((await proveText(joined('101', 'flag == 1'), [], 5_000)).kind).toBe('unknown');
  }, 60_000);

  it('waits for threads whose identifiers are in allocated memory', async () => {
    const text = (last: string, end = 'free(t);') => `${HEAD}
      int nondet(void), done;
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *work(void *unused) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
      int main(void) {
        int n = nondet();
        if (n < 1 || n > 1000) return 0;
        pthread_t *t = malloc(n * sizeof *t);
        for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
        for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
        ${end}
        assert(done == 1);
        return 0;
      }`;
    expect((await proveText(text('n'))).kind).toBe('proved');
    for (const wrong of [text('0'), text('n', 'free(t); pthread_join(t[0], 0);')])
      expect((await proveText(wrong, [], 2_000)).kind).toBe('unknown');
  }, 120_000);

  it('waits for threads that are created and joined one after the other for ever', async () => {
    const text = (join: string) => `${HEAD}
      int x;
      void *work(void *unused) { x = 1; x = 0; return 0; }
      int main(void) {
        pthread_t t;
        while (1) { pthread_create(&t, 0, work, 0); ${join} assert(x == 0); }
      }`;
    expect((await proveText(text('pthread_join(t, 0);'))).kind).toBe('proved');
    expect((await proveText(text(''), [], 5_000)).kind).toBe('unknown');
    expect((await proveText(text('pthread_join(t, 0); pthread_join(t, 0);'), [], 5_000)).kind).toBe('unknown');
  }, 120_000);
});
