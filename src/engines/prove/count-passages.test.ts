import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Any number of threads that change `x`, and one that looks at it meanwhile. */
const lost = (work: string, condition: string) => `${HEAD}
  void __VERIFIER_assume(int);
  int nondet(void);
  volatile int x, n;
  void *look(void *unused) { assert(${condition}); return 0; }
  void *work(void *unused) { int t; ${work} return 0; }
  int main(void) {
    pthread_t a, b;
    n = nondet();
    __VERIFIER_assume(n > 0);
    pthread_create(&a, 0, look, 0);
    for (int i = 0; i < n; i++) pthread_create(&b, 0, work, 0);
    return 0;
  }`;

describe('passages', () => {
  it('bound what threads add without a lock by how many there are', async () => {
    const outcome = await proveText(lost('t = x; x = t + 1;', 'x <= n'), [], 150_000);
    expect(outcome.kind).toBe('proved');
    expect(outcome.attempts.at(-1)?.attempt).toContain('counting passages');
    expect((await proveText(lost('x++;', 'x <= n'))).kind).toBe('proved');
  }, 300_000);

  it.each([
    ['that is one too few', lost('t = x; x = t + 1;', 'x < n')],
    ['of threads that add twice', lost('x++; x++;', 'x <= n')],
    ['of threads that add two', lost('t = x; x = t + 2;', 'x <= n')],
    ['of threads that add in a loop', lost('while (nondet()) x++;', 'x <= n')],
    ['that is equal, where writes may be lost', lost('t = x; x = t + 1;', 'x <= n && (x == 0 || x == n)')],
    ['where more threads are created than are counted', lost('x++;', 'x <= n').replace('i < n;', 'i <= n;')],
    [
      'that fixed threads break',
      lost('x++;', 'x <= n').replace('pthread_create(&a, 0, look, 0);', 'pthread_create(&a, 0, look, 0); x = 1;'),
    ],
  ])(
    'do not prove a bound %s',
    async (_, text) => {
      await expectNoProof(text, [], 3_000);
    },
    60_000,
  );

  /** Threads that enter and leave, one after the other or together: fewer have left than have entered. */
  const entered = (loop: string) => `${HEAD}
    void __VERIFIER_assume(int);
    void __VERIFIER_atomic_begin(void);
    void __VERIFIER_atomic_end(void);
    int nondet(void);
    volatile int in, out;
    void *work(void *unused) {
      __VERIFIER_atomic_begin(); in++; __VERIFIER_atomic_end();
      __VERIFIER_atomic_begin(); assert(out < in); __VERIFIER_atomic_end();
      __VERIFIER_atomic_begin(); out++; __VERIFIER_atomic_end();
      return 0;
    }
    int main(void) {
      pthread_t t;
      int n = nondet();
      __VERIFIER_assume(n > 0);
      ${loop} pthread_create(&t, 0, work, 0);
      return 0;
    }`;

  it('compare sums over threads that have ended, where these are too few to wrap', async () => {
    expect((await proveText(entered('for (int i = 0; i < n; i++)'))).kind).toBe('proved');
  }, 120_000);

  it('do not compare them where there may be so many that they wrap', async () => {
    await expectNoProof(entered('for (;;)'), [], 8_000);
  }, 60_000);
});
