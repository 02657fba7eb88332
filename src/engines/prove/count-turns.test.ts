import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

const INCREMENT = 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);';

interface Shape {
  readonly work?: string;
  readonly threads?: string;
  readonly joined?: string;
  readonly main?: string;
  readonly total?: string;
}

/** Threads that add to a variable in loops, and main, which joins them and knows the total. */
const totals = ({ work, threads = '8', joined, main = '', total = '8000' }: Shape) => `${HEAD}
  extern int __VERIFIER_nondet_int(void);
  extern void __VERIFIER_assume(int);
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  int x, y;
  void *work(void *unused) {
    ${work ?? `for (int i = 0; i < 1000; i++) { ${INCREMENT} }`}
    return 0;
  }
  int main(void) {
    pthread_t t[100];
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n <= 100);
    for (int i = 0; i < ${threads}; i++) pthread_create(&t[i], 0, work, 0);
    ${main}
    for (int i = 0; i < ${joined ?? threads}; i++) pthread_join(t[i], 0);
    assert(x == ${total});
  }`;

describe('what threads of any number add in loops', () => {
  it.each([
    ['a constant number of times', totals({})],
    ['where nobody knows how many they are', totals({ threads: 'n', total: '1000 * n' })],
    ['by twos, counting down', totals({ work: `for (int i = 500; i > 0; i--) { ${INCREMENT} ${INCREMENT} }` })],
    [
      'in loops in loops',
      totals({ work: `for (int i = 0; i < 10; i++) for (int j = 0; j < 100; j++) { ${INCREMENT} }` }),
    ],
    [
      'after they have summed it up',
      totals({
        work: 'int s = 0; for (int i = 0; i < 1000; i++) s++; pthread_mutex_lock(&m); x += s; pthread_mutex_unlock(&m);',
      }),
    ],
  ])(
    'is known in sum once they are joined, %s',
    async (_, text) => {
      const outcome = await proveText(text);
      expect(outcome.kind).toBe('proved');
      expect(outcome.attempts.at(-1)?.attempt).toContain('counting turns');
    },
    150_000,
  );

  it.each([
    ['without a lock', totals({ work: 'for (int i = 0; i < 1000; i++) x++;' })],
    ['for one turn more', totals({ work: `for (int i = 0; i <= 1000; i++) { ${INCREMENT} }` })],
    ['and once more at the end', totals({ work: `for (int i = 0; i < 1000; i++) { ${INCREMENT} } ${INCREMENT}` })],
    ['where one is not joined', totals({ joined: '7' })],
    ['where main adds as well', totals({ main: INCREMENT })],
    [
      'where some leave a turn out',
      totals({ work: `for (int i = 0; i < 1000; i++) { if (x == 7977) i++; ${INCREMENT} }` }),
    ],
    ['where some take back', totals({ work: `for (int i = 0; i < 1000; i++) { ${INCREMENT} if (y) x--; } y = 1;` })],
    [
      'of sums that depend on others',
      totals({
        work: 'int s = 0; for (int i = 0; i < 1000; i++) if (!y) s++; y = 1; pthread_mutex_lock(&m); x += s; pthread_mutex_unlock(&m);',
      }),
    ],
  ])(
    'is not proved %s',
    async (_, text) => {
      await expectNoProof(text, [], 20_000);
    },
    60_000,
  );
});
