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

  /** A lock in one word: what writer and readers do to take it and to give it back. */
  const word = (parts: {
    type?: string;
    takeWrite?: string;
    giveWrite?: string;
    takeRead?: string;
    giveRead?: string;
    inside?: string;
    main?: string;
  }) => {
    const {
      type = 'atomic_int',
      takeWrite = 'for (;;) { int z = 0; if (atomic_compare_exchange_weak(&l, &z, -1)) break; }',
      giveWrite = 'atomic_store(&l, 0);',
      takeRead = 'for (;;) { int o = l; if (o >= 0 && atomic_compare_exchange_weak(&l, &o, o + 1)) break; }',
      giveRead = 'atomic_fetch_sub(&l, 1);',
      inside = 'int p = x, q = y;',
      main,
    } = parts;
    return pair({
      more: `#include <stdatomic.h>\n${type} l;`,
      write: `${takeWrite} x = v; y = v; ${giveWrite}`,
      read: `${takeRead} ${inside} ${giveRead} assert(p == q);`,
      ...(main && { main }),
    });
  };
  const BIT = {
    type: 'atomic_uint',
    takeWrite: 'for (unsigned z = 0; !atomic_compare_exchange_strong(&l, &z, 1u << 31); z = 0) ;',
    giveWrite: 'atomic_fetch_and(&l, ~(1u << 31));',
    takeRead: `unsigned o = atomic_load(&l);
      do while (o & 1u << 31) o = atomic_load(&l); while (!atomic_compare_exchange_weak(&l, &o, o + 1) && (o = l, 1));`,
  };
  const ABOVE = {
    type: 'atomic_uint',
    takeWrite: 'unsigned z; do { while (l != 0) ; z = 0; } while (!atomic_compare_exchange_strong(&l, &z, 1));',
    giveWrite: 'atomic_fetch_sub(&l, 1);',
    takeRead: 'unsigned o; do { o = l; } while ((o & 1) || !atomic_compare_exchange_strong(&l, &o, o + 2));',
    giveRead: 'unsigned g; do { g = l; } while (!atomic_compare_exchange_weak(&l, &g, g - 2));',
  };

  it.each([
    ['in which -1 is a writer', word({})],
    ['by any number of threads', word({ main: CROWD })],
    ['with a bit for the writer', word(BIT)],
    ['with the bit below the readers', word(ABOVE)],
    [
      'that is taken in atomic sections',
      word({
        type: 'int',
        takeWrite: SECTION('__VERIFIER_assume(l == 0); l = 100;'),
        giveWrite: SECTION('l = 0;'),
        takeRead: SECTION('__VERIFIER_assume(l < 50); l++;'),
        giveRead: SECTION('l--;'),
        main: 'pthread_create(t, 0, reader, 0); pthread_create(t, 0, reader, 0); writer(0);',
      }),
    ],
  ])(
    'may be one word %s',
    async (_, text) => {
      expect((await proveText(text, ['deadlock'], 100_000)).kind).toBe('proved');
    },
    120_000,
  );

  it.each([
    [
      'where readers do not wait for the writer',
      { takeRead: 'for (;;) { int o = l; if (atomic_compare_exchange_weak(&l, &o, o + 1)) break; }' },
    ],
    [
      'where the writer does not wait for readers',
      { takeWrite: 'for (;;) { int z = l; if (z >= 0 && atomic_compare_exchange_weak(&l, &z, -1)) break; }' },
    ],
    [
      'where a reader looks once and waits no more',
      {
        takeRead:
          'int o = l; if (o >= 0) for (o = 0; !atomic_compare_exchange_weak(&l, &o, o + 1); ) ; else for (o = 0; !atomic_compare_exchange_weak(&l, &o, o + 1); ) ;',
      },
    ],
    [
      'where a reader looks at the word before it has taken it',
      { takeRead: 'int o = l; while (!atomic_compare_exchange_strong(&l, &o, o + 1)) ;' },
    ],
    ['where a reader adds without a look', { takeRead: 'while (l < 0) ; atomic_fetch_add(&l, 1);' }],
    ['where the word is stored to after a look', { takeRead: 'int o; do o = l; while (o < 0); l = o + 1;' }],
    ['that a reader gives back twice', { giveRead: 'atomic_fetch_sub(&l, 1); atomic_fetch_sub(&l, 1);' }],
    ['that a reader gives back as a writer', { giveRead: 'atomic_store(&l, 0);' }],
    ['that is given back too early', { inside: 'int p = x; atomic_fetch_sub(&l, 1); int q = y;', giveRead: '' }],
    [
      'where a reader takes as much as the writer stores',
      { takeWrite: 'for (;;) { int z = 0; if (atomic_compare_exchange_weak(&l, &z, 1)) break; }' },
    ],
    [
      'where so many readers are what the writer stores',
      {
        takeWrite: 'for (;;) { int z = 0; if (atomic_compare_exchange_weak(&l, &z, 2)) break; }',
        takeRead: 'for (;;) { int o = l; if (o != 2 && atomic_compare_exchange_weak(&l, &o, o + 1)) break; }',
        giveWrite: 'atomic_fetch_sub(&l, 2);',
      },
    ],
    [
      'that readers give up',
      {
        takeRead:
          'for (int n = 0; ; n++) { int o = l; if (n > 3 || (o >= 0 && atomic_compare_exchange_weak(&l, &o, o + 1))) break; }',
      },
    ],
    [
      'that tells how many read',
      {
        inside: 'int p = o, q = 0;',
        takeRead: 'int o; for (;;) { o = l; if (o >= 0 && atomic_compare_exchange_weak(&l, &o, o + 1)) break; }',
      },
    ],
  ] as const)('are no excuse in one word %s', async (_, parts) => {
    await expectNoProof(word(parts), [], 4_000);
  });

  it('are waited for in one word, too', async () => {
    const once = (give: string) =>
      word({ giveWrite: give })
        .replaceAll('for (;;) { int v', 'for (int i = 0; i < 5; i++) { int v')
        .replaceAll('{ for (;;) { for', '{ for (int i = 0; i < 5; i++) { for');
    await expectNoProof(once(''), ['deadlock'], 4_000);
  });
});
