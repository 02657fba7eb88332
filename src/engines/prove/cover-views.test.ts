import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

/** Any number of threads that take tickets, counted round, and wait until theirs is served. */
const tickets = ({ modulus = 3, isFull = 'NEXT(next) == serving', pass = 'NEXT(serving)' }) => `${HEAD}
  void __VERIFIER_assume(int);
  void __VERIFIER_atomic_begin(void);
  void __VERIFIER_atomic_end(void);
  #define NEXT(e) ((e + 1) % ${modulus})
  unsigned next, serving;
  int inside;
  void *work(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!(${isFull}));
    unsigned my = next;
    next = NEXT(next);
    __VERIFIER_atomic_end();
    while (serving != my) ;
    inside++;
    assert(inside == 1);
    inside--;
    serving = ${pass};
    return 0;
  }
  int main(void) {
    pthread_t t;
    while (1) pthread_create(&t, 0, work, 0);
  }`;

const VIEWS = { kind: 'proved', attempt: 'all views of a few threads', evidence: { kind: 'views' } } as const;

describe('views of threads of any number', () => {
  it('show that tickets which are counted round let in one at a time', async () => {
    const outcome = await proveText(tickets({}), [], 100_000, 20_000);
    expect(outcome).toMatchObject({ ...VIEWS, confirmation: { isConfirmed: true, trusted: ['sets of values'] } });
    expect(outcome.kind === 'proved' && outcome.invariant.facts.map(({ holds }) => holds)).toEqual([
      '0 <= next && next <= 2',
      '0 <= serving && serving <= 2',
      '0 <= inside && inside <= 1',
    ]);
    expect(outcome.kind === 'proved' && outcome.invariant.threads.map(({ isReplicated }) => isReplicated)).toEqual([
      false,
      true,
    ]);
  }, 120_000);

  it('show that nobody comes in any more where the count of those served leaves that of tickets behind', async () => {
    expect(await proveText(tickets({ pass: 'serving + 1' }), [], 100_000)).toMatchObject(VIEWS);
  }, 120_000);

  it.each([
    ['there are fewer tickets than threads', { isFull: '0' }],
    ['it is full one ticket too late', { isFull: 'next == serving && inside' }],
  ])('say nothing where %s', async (_, options) => {
    await expectNoProof(tickets(options), [], 8_000);
  });

  /** What threads are given tells them apart. */
  const turns = (last: number) => `${HEAD}
    _Bool __VERIFIER_nondet_bool(void);
    void __VERIFIER_assume(int);
    int turn, inside;
    void *work(void *which) {
      for (;;) {
        __VERIFIER_assume(turn == (which ? 1 : 0));
        inside++;
        assert(inside == 1);
        inside--;
        turn = which ? ${last} : 1;
      }
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, work, 0);
      while (1) pthread_create(&t, 0, work, __VERIFIER_nondet_bool() ? (void *)1 : (void *)2);
    }`;

  it('keep what threads are given when they are created', async () => {
    // Several have the second turn, and come in together.
    await expectNoProof(turns(0), [], 8_000);
    await expectNoProof(turns(2), [], 8_000);
    const first = turns(0).replace('while (1)', 'if (1)');
    expect((await proveText(first, [], 60_000)).kind).toBe('proved');
  }, 120_000);

  /** Threads that do one thing or another, as an input says. */
  const chosen = (condition: string) => `${HEAD}
    int __VERIFIER_nondet_int(void);
    int turn, inside;
    void *work(void *unused) {
      for (;;) {
        int what = __VERIFIER_nondet_int();
        if (${condition}) {
          while (!__sync_bool_compare_and_swap(&turn, 0, what > 100 ? 2 : 1)) ;
          inside++;
          assert(inside == 1);
          inside--;
          turn = 0;
        } else if (what == -7 && inside > 1) assert(0);
      }
    }
    int main(void) {
      pthread_t t;
      while (__VERIFIER_nondet_int() > 3) pthread_create(&t, 0, work, 0);
    }`;

  it('tell apart of inputs what is compared with constants', async () => {
    expect((await proveText(chosen('what > -5 && what != 7'), [], 100_000)).kind).toBe('proved');
    // The one value of which the lock is not taken.
    const open = chosen('what != 2147483647').replace('what == -7', 'what == 2147483647').replace('inside > 1', '1');
    await expectNoProof(open, [], 4_000);
  }, 120_000);
});
