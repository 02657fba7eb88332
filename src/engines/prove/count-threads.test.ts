import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Any number of threads, of which a semaphore lets so many in. */
const semaphore = (free: number, most: number, wait = 'sem_wait(&s);', post = 'sem_post(&s);') => `${HEAD}
  #include <semaphore.h>
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  sem_t s;
  int inside;
  void *work(void *unused) {
    for (;;) {
      ${wait}
      pthread_mutex_lock(&m);
      inside++;
      assert(inside <= ${most});
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
      inside--;
      pthread_mutex_unlock(&m);
      ${post}
    }
    return 0;
  }
  int main(void) {
    pthread_t t;
    sem_init(&s, 0, ${free});
    for (;;) pthread_create(&t, 0, work, 0);
  }`;

describe('counts of threads', () => {
  it('know how many a semaphore lets in, by what they took from it', async () => {
    expect((await proveText(semaphore(3, 3))).kind).toBe('proved');
  }, 120_000);

  it.each([
    ['that lets in more', semaphore(4, 3)],
    ['that is not waited for', semaphore(3, 3, '')],
    ['that is posted twice', semaphore(3, 3, undefined, 'sem_post(&s); sem_post(&s);')],
    ['that is posted too early', semaphore(3, 3, 'sem_wait(&s); sem_post(&s);', '')],
    ['that somebody tries only', semaphore(3, 3, 'sem_trywait(&s);')],
  ])(
    'prove nothing about a semaphore %s',
    async (_, text) => {
      await expectNoProof(text, [], 3_000);
    },
    60_000,
  );

  /** References of any number of threads, which take theirs by a swap; whoever gives back the last one frees. */
  const references = (get: string) => `${HEAD}
    #include <stdatomic.h>
    atomic_int refs = 1;
    int freed;
    int get(void) {
      int old = atomic_load(&refs);
      do { if (old <= 0) return 0; } while (!atomic_compare_exchange_weak(&refs, &old, old + 1));
      return 1;
    }
    void put(void) { if (atomic_fetch_sub(&refs, 1) == 1) freed = 1; }
    void *work(void *unused) {
      if (${get}) {
        assert(!freed);
        put();
      }
      return 0;
    }
    int main(void) {
      pthread_t t;
      int n = __VERIFIER_nondet_int();
      for (int i = 0; i < n; i++) pthread_create(&t, 0, work, 0);
      put();
    }`;

  it('know references that are taken by compare-and-swap', async () => {
    expect((await proveText(references('get()'))).kind).toBe('proved');
  }, 120_000);

  it.each([
    ['that are taken without a look', 'atomic_fetch_add(&refs, 1) >= 0'],
    ['that nobody takes', 'atomic_load(&refs) > 0'],
  ])(
    'prove nothing about references %s',
    async (_, get) => {
      await expectNoProof(references(get), [], 3_000);
    },
    60_000,
  );
});
