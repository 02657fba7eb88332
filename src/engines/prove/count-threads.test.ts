import { describe, expect, it } from 'vitest';
import { HEAD, proveText } from '../../../test/support/prove-text.ts';

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
      expect((await proveText(text, [], 3_000)).kind).toBe('unknown');
    },
    60_000,
  );
});
