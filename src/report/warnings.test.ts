import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';
import { describeWarnings } from './warnings.ts';

const PROGRAM = `#include <assert.h>
#include <pthread.h>
int count, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void add(int n) {
  pthread_mutex_lock(&m);
  count += n;
  pthread_mutex_unlock(&m);
}
void *inc(void *unused) {
  add(1);
  flag = 1;
  return 0;
}
void *dec(void *unused) {
  add(-1);
  if (flag == 0) count--;
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, inc, 0);
  pthread_create(&t, 0, dec, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(count < 100);
}
`;

const CIRCLE = `#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int turn;
void *one(void *unused) {
  for (;;) {
    while (turn != 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    turn = 1;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  for (;;) {
    while (turn != 1);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    turn = 0;
  }
}
`;

describe('warnings', () => {
  it('tell of races that concrete runs come across, and change no verdict', async () => {
    const outcome = await checkText(PROGRAM, { explore: true, checks: ['assertion'] });
    expect(outcome.kind).toBe('safe');
    const text = describeWarnings(outcome).join('\n');
    expect(text).toContain('also: a data race on flag, lines 12 and 17');
    expect(text).toContain(
      'a data race on count, lines 7 and 17; count is protected by m in 1 of 2 places, not at line 17',
    );
    expect(text).toContain('--check race asks for all');
  });

  it('are silent where races are part of the verdict', async () => {
    const outcome = await checkText(PROGRAM, { explore: true, checks: ['race'] });
    expect(outcome.kind).toBe('unsafe');
    expect(outcome.warnings ?? []).toEqual([]);
    const all = await checkText(PROGRAM, { explore: true, checks: ['race'], allRaces: true });
    expect(all.warnings?.length).toBe(1);
  });

  it('tell of locks that are taken in a circle, although nothing is stuck', async () => {
    const outcome = await checkText(CIRCLE, { explore: true, checks: ['deadlock'], unwind: 1, rounds: 2 });
    expect(outcome.kind).toBe('bounded');
    const [warning] = describeWarnings(outcome);
    expect(warning).toMatch(/^also: locks are taken in a circle, which may end in a deadlock: /);
    expect(warning).toContain('thread 1 takes b at line 9 holding a (since line 8)');
    expect(warning).toContain('thread 0 takes a at line 21 holding b (since line 20)');
  });
});
