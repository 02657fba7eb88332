import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { MODEL } from '../../../test/support/model-options.ts';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';
import { type Body, findLoops } from './graph.ts';
import { prepareModel } from './prepare-model.ts';

const program = (text: string, more = '') => `${HEAD}
  unsigned __VERIFIER_nondet_uint(void);
  int x, seen;
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  void *work(void *unused) { unsigned n = __VERIFIER_nondet_uint(), k = x; ${text} seen = k; return 0; }
  int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 1;
    ${more}
    assert(seen < 2);
    return 0;
  }`;

/** How many loops are left in the thread. */
function loopsOf(text: string, waits = false): number {
  const { model } = prepareModel(lowerText(program(`k = __VERIFIER_nondet_uint(); ${text}`)), { ...MODEL, waits });
  return findLoops((model.bodies[1] as Body).nodes).length;
}

describe('loops that only take time', () => {
  it.each([
    ['count down', 'while (n--) ;'],
    ['count up', 'for (unsigned i = 0; i < n; i++) ;'],
    ['draw inputs', 'while (__VERIFIER_nondet_uint()) ;'],
    ['are nested', 'for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < i; j++) ;'],
  ])('are left out where they %s', (_, text) => {
    expect(loopsOf(text)).toBe(0);
    expect(loopsOf(text, true)).toBeGreaterThan(0);
  });

  it.each([
    ['what they count is needed', 'while (k < n) k++;'],
    ['they look at what others write', 'while (x < 1 && n--) ;'],
    ['they have no end', 'if (n) for (;;) n++;'],
    ['their end says what does not change', 'unsigned i = 0; while (k > 1) i++;'],
    ['they lead to several places', 'while (n--) if (n == 7) { k = 0; break; }'],
  ])('stay where %s', (_, text) => {
    expect(loopsOf(text)).toBe(1);
  });

  it('are no reason for what is not so', async () => {
    expect((await proveText(program('while (n--) ;'))).kind).toBe('proved');
    const looks = 'k = __VERIFIER_nondet_uint(); while (k > 1) n++;';
    expect((await proveText(program(looks))).kind).toBe('proved');
    await expectNoProof(program('while (n--) ;', 'x = 2;'), [], 3_000);
    await expectNoProof(program('while (n--) k = n + 2;'), [], 3_000);
    const endless = 'pthread_mutex_lock(&m); while (n + 1 > n || n) n = n;';
    await expectNoProof(program(endless, 'pthread_mutex_lock(&m);'), ['deadlock'], 3_000);
  }, 60_000);
});
