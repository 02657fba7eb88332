import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Any number of threads of two kinds, under a read-write lock. */
const crowd = (write: string, read: string, condition = '') => `${HEAD}
  int nondet(void);
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  int x;
  void *writer(void *unused) { ${write} return 0; }
  void *reader(void *unused) { ${read} return 0; }
  int main(void) {
    pthread_t t;
    for (; ${condition}; ) {
      pthread_create(&t, 0, writer, 0);
      pthread_create(&t, 0, reader, 0);
    }
    pthread_exit(0);
  }`;

const WRITE = 'pthread_rwlock_wrlock(&l); x = 1; x = 0; pthread_rwlock_unlock(&l);';
const READ = 'pthread_rwlock_rdlock(&l); assert(x == 0); pthread_rwlock_unlock(&l);';

describe('read-write locks of threads of any number', () => {
  it('keep writers from readers', async () => {
    expect((await proveText(crowd(WRITE, READ), ['deadlock'])).kind).toBe('proved');
  });

  it.each([
    ['a writer only reads', WRITE.replace('wrlock', 'rdlock'), READ],
    ['a reader has given the lock back', WRITE, READ.replace('assert(x == 0);', '') + READ.replace('rdlock', 'unlock')],
    ['a reader looks without the lock', WRITE, 'assert(x == 0);'],
    ['a writer becomes a reader', WRITE.replace('x = 0;', 'assert(!pthread_rwlock_rdlock(&l));'), READ],
  ])('are not taken to do so where %s', async (_, write, read) => {
    await expectNoProof(crowd(write, read), ['deadlock'], 6_000);
  });

  // Who goes on for ever is not stuck, so that main has to leave the others alone.
  it('are waited for for ever where a writer never gives them back', async () => {
    const text = crowd(WRITE.replace('pthread_rwlock_unlock(&l);', ''), READ, 'nondet()');
    const outcome = await proveText(text, ['deadlock']);
    expect(outcome.kind === 'unknown' && outcome.reason).toContain("but 'deadlock'");
  });
});
