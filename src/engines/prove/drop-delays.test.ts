import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

const CHECKS = ['deadlock'] as const;

/** Two threads that do something between two critical sections, and may look at what it leaves. */
const between = (text: string, after = '', declared = '') => `${HEAD}
  extern int __VERIFIER_nondet_int(void);
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  int x, table[3];
  ${declared}
  void *work(void *unused) {
    int n = __VERIFIER_nondet_int();
    for (int turn = 0; turn < 100; turn++) {
      pthread_mutex_lock(&m); x++; assert(x == 1); x--; pthread_mutex_unlock(&m);
      ${text}
      pthread_mutex_lock(&m); x += 2; ${after} x -= 2; pthread_mutex_unlock(&m);
    }
    return 0;
  }
  int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
  }`;

describe('what only takes time', () => {
  it.each([
    ['a loop', between('for (int i = 0; i < n; i++) ;')],
    ['one that grows', between('for (int i = 0; i < n; i++) ; if (n < 64) n *= 2; else n = 1;')],
    ['one in another', between('for (int i = 0; i < n; i++) for (int k = n; k > i; k--) ;')],
    ['choices', between('if (n & 1) n = 3 * n + 1; else n /= 2; switch (n) { case 1: n = 7; break; case 2: n++; }')],
  ])(
    'is left out: %s',
    async (_, text) => {
      expect((await proveText(text, CHECKS, 20_000)).kind).toBe('proved');
    },
    60_000,
  );

  it.each([
    ['that ends in a failure only', between('if (turn == 3) for (;;) assert(table[n & 3] <= 2);')],
    ['with an assertion', between('for (int i = 0; i < 5; i++) assert(i < 4);')],
    ['that others notice', between('for (int i = 0; i < 3; i++) x = i;')],
    ['whose result is looked at', between('n = 0; for (int i = 0; i < 3; i++) n += i;', 'assert(n == 2);')],
    [
      'that is left in two ways',
      between('int i; for (i = 0; i < 5; i++) if (i == n) break;', 'if (i < 5) assert(x == 3);'),
    ],
    [
      'that decides what comes next',
      between('for (int i = 0; i < 5; i++) if (i == n) goto out;', '', '').replace(
        'return 0;',
        'return 0; out: x = 9; pthread_mutex_lock(&m); assert(x < 5); return 0;',
      ),
    ],
    [
      'that never ends',
      between('while (n == 7) ;', '').replace(
        'for (int turn',
        'pthread_mutex_lock(&m); while (n == 7) ; pthread_mutex_unlock(&m); for (int turn',
      ),
    ],
    ['that never ends under a lock', between('', 'for (int i = 0; n == 7; ) ;')],
    ['whose counter goes to and fro', between('', 'for (int i = 0; i < 5; i++) if (i == 3) i = 1;')],
  ])(
    'is none of what happens: a loop %s',
    async (_, text) => {
      await expectNoProof(text, CHECKS, 4_000);
    },
    60_000,
  );
});
