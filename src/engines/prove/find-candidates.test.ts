import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Two threads move amounts between two accounts; the sum is looked at in the end. */
const accounts = (move: string, check = 'assert(a + b == 200);') => `${HEAD}
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  int a = 100, b = 100;
  void *give(void *unused) {
    for (int i = 0; i < 100; i++) { pthread_mutex_lock(&m); if (a >= 10) { ${move} } pthread_mutex_unlock(&m); }
    return 0;
  }
  void *take(void *unused) {
    for (int i = 0; i < 100; i++) { pthread_mutex_lock(&m); if (b >= 5) { b -= 5; a += 5; } pthread_mutex_unlock(&m); }
    return 0;
  }
  int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, give, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    ${check}
    return 0;
  }`;

describe('candidates', () => {
  it.each([
    ['in an assertion', undefined],
    ['in a part of an assertion', 'assert(a >= 0 && a + b == 200 && b >= 0);'],
    ['in a call that must not be reached', 'if (a + b != 200) __VERIFIER_error();'],
  ])(
    'are sums that the program looks at in the end, %s',
    async (_, check) => {
      const outcome = await proveText(accounts('a -= 10; b += 10;', check));
      expect(outcome.kind).toBe('proved');
      const facts = outcome.kind === 'proved' ? outcome.invariant.facts : [];
      expect(facts.some(({ holds }) => holds?.includes('what is asserted in line'))).toBe(true);
    },
    120_000,
  );

  it('are dropped where they do not hold', async () => {
    await expectNoProof(accounts('a -= 10; b += 9;'), [], 4_000);
    expect(
      (
        await proveText(
          accounts('a -= 10; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); b += 10;', 'assert(a + b <= 190);'),
          [],
          4_000,
        )
      ).kind,
    ).toBe('unknown');
  }, 60_000);
});
