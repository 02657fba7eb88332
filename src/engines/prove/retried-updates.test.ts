import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Two threads that update a word, and main, which joins them and looks at it. */
const updates = (update: string, last = '', declared = '') => `${HEAD}
  #include <stdatomic.h>
  atomic_int w;
  int x, y;
  ${declared}
  void *work(void *unused) { int seen = 0; ${update} return 0; }
  int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    ${last}
    return 0;
  }`;
const SWAP = (value: string) => `atomic_compare_exchange_weak(&w, &o, ${value})`;
const STRONG = (value: string) => `atomic_compare_exchange_strong(&w, &o, ${value})`;
/** Takes one of two places, and gives it back. */
const PLACES = (take: string, give = 'atomic_fetch_sub(&w, 1);') =>
  `for (;;) { ${take} assert(w >= 1 && w <= 1); ${give} }`;

describe('updates that are tried again', () => {
  it.each([
    ['that add', updates(`int o = w; while (!${SWAP('o + 1')}) ;`, 'assert(w == 2);')],
    [
      'that add after a new look',
      updates(`for (int o; ; ) { o = w; if (${SWAP('o + 2')}) break; }`, 'assert(w == 4);'),
    ],
    [
      'that count in a loop',
      updates(`for (int i = 0; i < 30; i++) { int o; do o = w; while (!${STRONG('o + 1')}); }`, 'assert(w == 60);'),
    ],
    ['that tell what they found', updates(`int o = w; while (!${SWAP('o + 1')}) ; assert(o < 2);`)],
    ['that wait', updates(PLACES(`for (;;) { int o = w; if (o < 1 && ${SWAP('o + 1')}) break; }`))],
    [
      'that wait before they look',
      updates(PLACES(`int o; do { while (w > 0) ; o = w; } while (o > 0 || !${STRONG('o + 1')});`)),
    ],
    [
      'that count how often they have failed',
      updates(PLACES(`for (int n = 0; ; n++) { int o = w; if (o < 1 && ${SWAP('o + 1')}) break; if (n > 3) n = 0; }`)),
    ],
  ])(
    'are one step: those %s',
    async (_, text) => {
      expect((await proveText(text, ['deadlock'], 60_000)).kind).toBe('proved');
    },
    90_000,
  );

  it.each([
    ['that look again for what they store', updates(`int o = w; while (!${SWAP('w + 1')}) ;`, 'assert(w == 2);')],
    ['that do not compare', updates('int o = w; w = o + 1;', 'assert(w == 2);')],
    [
      'that compare with something else',
      updates(`int k = w; for (int o = 0; !${SWAP('k + 1')}; o = 0) ;`, 'assert(w == 2);'),
    ],
    [
      'that compare with what was seen long ago',
      updates(`int k = w; for (int o = k; !${STRONG('k + 1')}; o = w) ;`, 'assert(w == 2);'),
    ],
    [
      'that are given up',
      updates(`int o = w; for (int n = 0; !${SWAP('o + 1')}; n++) if (n > 2) break;`, 'assert(w == 2);'),
    ],
    [
      'that wait for less than they should',
      updates(PLACES(`for (;;) { int o = w; if (o < 2 && ${SWAP('o + 1')}) break; }`)),
    ],
    [
      'that have looked before they wait',
      updates(PLACES(`int o = w; while (o >= 1) o = w; while (!${SWAP('o + 1')}) ;`)),
    ],
    [
      'that do something else when they fail',
      updates(`int o = w; while (!${SWAP('o + 1')}) x = 1;`, 'assert(x == 0);'),
    ],
    ['that remember that they failed', updates(`int o = w; while (!${SWAP('o + 1')}) seen = 1; assert(seen == 0);`)],
    [
      'that remember what they saw',
      updates(`int o = w; do { seen = w; } while (!${STRONG('o + 1')}); assert(seen == 0);`),
    ],
    [
      'that do more when they succeed',
      updates(`for (int o = w; ; ) if (${SWAP('o + 1')}) { x++; break; }`, 'assert(x == 2);'),
    ],
    ['that may never get on', updates(`for (;;) { int o = w; if (o < 1 && ${SWAP('o + 1')}) break; }`)],
    [
      'that wait for what they have seen once',
      updates(`int o = w; while (o >= 1 || !${STRONG('o + 1')}) ; atomic_fetch_sub(&w, 1);`),
    ],
  ])(
    'are looked at step by step: those %s',
    async (_, text) => {
      await expectNoProof(text, ['deadlock'], 4_000);
    },
    60_000,
  );

  it('are looked at step by step where they begin again with what was seen long ago', async () => {
    const work = `
      int n = __VERIFIER_nondet_int(), i = 0, o = w, d = o + 1;
      again: while (!${STRONG('d')}) d = o + 1;
      if (i++ == 2) return 0;
      if (n == 123456789) d = 100;
      goto again;`;
    const less = 'extern int __VERIFIER_nondet_int(void); void *less(void *unused) { w--; return 0; }';
    const text = updates(work, 'assert(w < 50);', less).replace('&u, 0, work', '&u, 0, less');
    await expectNoProof(text, [], 8_000);
  }, 60_000);
});
