import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';

const TAKE = 'pthread_rwlock_wrlock(&l);';
const LOOK = 'pthread_rwlock_rdlock(&l);';
const GIVE = 'pthread_rwlock_unlock(&l);';

interface Parts {
  readonly write?: string;
  readonly read?: string;
  readonly main?: string;
  readonly more?: string;
}

/** Two that write a pair of words, and two that look at it. */
const pair = ({
  write = `${TAKE} x = v; y = v; ${GIVE}`,
  read = `${LOOK} int p = x, q = y; ${GIVE} assert(p == q);`,
  main = 'for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i % 2 ? writer : reader, 0); writer(0);',
  more = 'pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;',
}: Parts) => `${HEAD}
  int __VERIFIER_nondet_int(void);
  void __VERIFIER_assume(int);
  void __VERIFIER_atomic_begin(void);
  void __VERIFIER_atomic_end(void);
  ${more}
  int x, y;
  void *writer(void *unused) { for (;;) { int v = __VERIFIER_nondet_int(); ${write} } }
  void *reader(void *unused) { for (;;) { ${read} } }
  int main(void) { pthread_t t[4]; ${main} }`;

const SECTION = (text: string) => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`;
const OWN = {
  more: 'int w, r;',
  write: `${SECTION('__VERIFIER_assume(w == 0 && r == 0); w = 1;')} x = v; y = v; ${SECTION('w = 0;')}`,
  read: `${SECTION('__VERIFIER_assume(w == 0); r++;')} int p = x, q = y; ${SECTION('r--;')} assert(p == q);`,
};

describe('read-write locks', () => {
  it.each([
    ['by fixed threads', pair({})],
    [
      'by any number of threads',
      pair({ main: 'for (;;) { pthread_create(t, 0, writer, 0); pthread_create(t, 0, reader, 0); }' }),
    ],
    ['of its own', pair(OWN)],
    [
      'that main initializes',
      pair({
        more: 'pthread_rwlock_t l;',
        main: 'pthread_rwlock_init(&l, 0); pthread_create(t, 0, reader, 0); writer(0);',
      }),
    ],
    [
      'by a writer that reads as well',
      pair({ write: `${TAKE} x = v; y = x; ${GIVE} ${LOOK} int z = x; assert(z == y); ${GIVE}` }),
    ],
  ])(
    'guard a pair that is changed %s',
    async (_, text) => {
      expect((await proveText(text, ['mutex', 'deadlock'], 100_000)).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    ['to write under a lock to read', { write: `${LOOK} x = v; y = v; ${GIVE}` }],
    ['to write after it is given back', { write: `${TAKE} x = v; ${GIVE} y = v;` }],
    ['to read under two of them', { read: `${LOOK} int p = x; ${GIVE} ${LOOK} int q = y; ${GIVE} assert(p == q);` }],
    ['to read without', { read: 'int p = x, q = y; assert(p == q);' }],
    ['to give it back twice', { read: `${LOOK} ${GIVE} ${GIVE} int p = x, q = y; assert(p == q);` }],
    ['to give back what one does not hold', { read: `int p = x, q = y; ${GIVE} assert(p == q);` }],
    ['to take it or not', { write: `if (v) { ${TAKE} } x = v; y = v; if (v) { ${GIVE} }` }],
    [
      'to take it only where it is free',
      { read: `pthread_rwlock_tryrdlock(&l); int p = x, q = y; ${GIVE} assert(p == q);` },
    ],
    [
      'to read while somebody writes',
      { ...OWN, read: `${SECTION('r++;')} int p = x, q = y; ${SECTION('r--;')} assert(p == q);` },
    ],
    [
      'to write while somebody reads',
      { ...OWN, write: `${SECTION('__VERIFIER_assume(w == 0); w = 1;')} x = v; y = v; ${SECTION('w = 0;')}` },
    ],
    [
      'to count readers in two steps',
      { ...OWN, read: `${SECTION('__VERIFIER_assume(w == 0); r++;')} int p = x, q = y; r--; assert(p == q);` },
    ],
    ['to begin with readers', { ...OWN, more: 'int w, r = -1;' }],
    [
      'to look how many read when one begins',
      {
        ...OWN,
        read: `int k; ${SECTION('__VERIFIER_assume(w == 0); k = r; r++;')} ${SECTION('r--;')} assert(k == 0);`,
      },
    ],
    [
      'to do something else where nobody reads yet',
      {
        ...OWN,
        read: `int k; ${SECTION('__VERIFIER_assume(w == 0); k = r ? 1 : 2; r++;')} ${SECTION('r--;')} assert(k == 2);`,
      },
    ],
    [
      'to look how many read when one ends',
      {
        ...OWN,
        read: `int k; ${SECTION('__VERIFIER_assume(w == 0); r++;')} ${SECTION('r--; k = r;')} assert(k == 0);`,
      },
    ],
  ] as const)('are no excuse %s', async (_, parts) => {
    await expectNoProof(pair(parts), ['mutex'], 3_000);
  });

  const CROWD = 'for (;;) { pthread_create(t, 0, writer, 0); pthread_create(t, 0, reader, 0); }';
  const COUNT = `${SECTION('__VERIFIER_assume(w == 0); __sync_fetch_and_add(&r, 1);')} int p = x, q = y;`;

  it.each([
    [
      'by more threads than the count can tell',
      'unsigned char',
      `${SECTION('__sync_fetch_and_sub(&r, 1);')} assert(p == q);`,
    ],
    ['by threads that end without giving it back', 'unsigned', 'assert(p == q); pthread_exit(0);'],
  ])('are no locks where they are taken to read %s', async (_, type, rest) => {
    await expectNoProof(
      pair({ ...OWN, more: `${type} w, r;`, read: `${COUNT} ${rest}`, main: CROWD }),
      ['mutex'],
      3_000,
    );
  });

  it('may be taken by few threads where the count is small', async () => {
    const read = `${COUNT} ${SECTION('__sync_fetch_and_sub(&r, 1);')} assert(p == q);`;
    expect((await proveText(pair({ ...OWN, more: 'unsigned char w, r;', read }), ['mutex'], 100_000)).kind).toBe(
      'proved',
    );
  }, 120_000);

  it('are not known to be given back where somebody goes round under one for ever', async () => {
    const text = pair({ read: `${LOOK} while (x == y) ; ${GIVE}` });
    await expectNoProof(text, ['deadlock'], 4_000);
  });

  it('exclude races of what is written under them, and not of what is written under locks to read', async () => {
    const main = CROWD;
    expect((await proveText(pair({ main }), ['race'], 100_000)).kind).toBe('proved');
    const read = `${LOOK} int p = x; ${GIVE}`;
    await expectNoProof(pair({ write: `${LOOK} x = v; ${GIVE}`, read, main }), ['race'], 3_000);
  }, 120_000);
});
