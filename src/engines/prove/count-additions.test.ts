import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

const LOCK = 'pthread_mutex_lock(&m);';

/** Threads that add to a variable so often, and main, which knows the total. */
const totals = (turns: string, total: string, add = 'x++;', lock = LOCK, threads = ['t', 'u']) => `${HEAD}
  extern int __VERIFIER_nondet_int(void);
  extern void __VERIFIER_assume(int);
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  int x, n;
  void *work(void *unused) {
    for (int i = 0; i < ${turns}; i++) {
      ${lock}
      ${add}
      ${lock === '' ? '' : 'pthread_mutex_unlock(&m);'}
    }
    return 0;
  }
  int main(void) {
    pthread_t ${threads.join(', ')};
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= n && n <= 10000);
    ${threads.map((each) => `pthread_create(&${each}, 0, work, 0);`).join(' ')}
    ${threads.map((each) => `pthread_join(${each}, 0);`).join(' ')}
    assert(x == ${total});
  }`;

describe('what threads add in loops', () => {
  it.each([
    ['a constant number of times', totals('1000', '2000')],
    ['two at a time', totals('300', '1200', 'x += 2;')],
    ['by three', totals('1000', '3000', 'x++;', LOCK, ['t', 'u', 'v'])],
  ])(
    'is known in sum, %s',
    async (_, text) => {
      expect((await proveText(text)).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    ['without a lock', totals('1000', '2000', 'x++;', '')],
    ['for one turn more', totals('1001', '2000')],
    ['by three, for one turn more', totals('1001', '3000', 'x++;', LOCK, ['t', 'u', 'v'])],
    ['and take back', totals('1000', '2000', 'x++; if (n == 7) x--;')],
  ])(
    'is not proved %s',
    async (_, text) => {
      await expectNoProof(text, [], 6_000);
    },
    60_000,
  );
});
