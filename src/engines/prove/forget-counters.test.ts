import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Two threads that do something a thousand times. */
const turns = (turn: string, { before = '', end = '', loop = 'int i = 0; i < 1000; i++' } = {}) => `${HEAD}
#include <stdatomic.h>
atomic_int flag[2], turn;
int inside, x;
${before}
void *work(void *given) {
  int me = given != 0, other = 1 - me;
  for (${loop}) { ${turn} }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, &x);
  pthread_join(t, 0);
  pthread_join(u, 0);
  ${end}
}`;

const PETERSON = `
  flag[me] = 1; turn = other;
  while (flag[other] && turn == other) ;
  inside++; assert(inside == 1); inside--;
  flag[me] = 0;`;

describe('loops without their counters', () => {
  it('are proved whenever they end', async () => {
    const outcome = await proveText(turns(PETERSON), ['deadlock']);
    expect(outcome.kind).toBe('proved');
    expect(outcome.attempts.map(({ attempt }) => attempt)).toContainEqual(expect.stringContaining('without counters'));
  }, 60_000);

  it.each([
    ['protocols are broken', turns(PETERSON.replace('turn = other', 'turn = me'))],
    ['what is counted is asserted', turns('x = 1;', { end: 'assert(x == 0);' })],
    ['something is done in the last turn only', turns('if (i == 999) x = 1;', { end: 'assert(x == 0);' })],
  ])('prove nothing where %s', async (_, text) => {
    await expectNoProof(text, [], 8_000);
  });

  /** A loop that counts only if somebody lets it does not end by itself. */
  it.each([
    ['counts where somebody lets it', turns('if (flag[me]) i++;', { loop: 'int i = 0; i < 1000;' })],
    ['begins anew', turns('if (flag[me] == 0) i = 0;')],
    ['waits in its last turn', turns('if (me && i == 999) while (!flag[1]) ;')],
    ['counts up and down', turns('i--;')],
  ])('do not hide a thread that %s', async (_, text) => {
    await expectNoProof(text, ['deadlock'], 8_000);
  });
});
