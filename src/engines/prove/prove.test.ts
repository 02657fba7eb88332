import { describe, expect, it } from 'vitest';
import { counter, expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';
import { printInvariant } from '../../report/print-invariant.ts';

describe('prove', () => {
  it('proves mutual exclusion for any number of threads', async () => {
    const outcome = await proveText(counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'));
    expect(outcome.kind).toBe('proved');
  });

  it('takes more threads than are told apart for any number of them', async () => {
    const text = (lock: string) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int a, b;
      void *set(void *unused) { ${lock} a++; b++; pthread_mutex_unlock(&m); return 0; }
      void *look(void *unused) { pthread_mutex_lock(&m); assert(a == b); pthread_mutex_unlock(&m); return 0; }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 25; i++) pthread_create(&t, 0, set, 0);
        for (int i = 0; i < 25; i++) pthread_create(&t, 0, look, 0);
      }`;
    expect((await proveText(text('pthread_mutex_lock(&m);'))).kind).toBe('proved');
    await expectNoProof(text('pthread_mutex_trylock(&m);'), [], 3_000);
  });

  it('proves nothing where the lock is missing', async () => {
    const outcome = await proveText(counter('', ''), [], 5_000);
    expect(outcome.kind).toBe('unknown');
  });

  it('proves nothing where a thread unlocks what it does not own', async () => {
    const outcome = await proveText(counter('', 'pthread_mutex_unlock(&m);').replace('assert(inside == 1);', ''));
    expect(outcome.kind).toBe('unknown');
  });

  it('proves nothing of identifiers that depend on how many threads there are', async () => {
    const text = (create: string, check: string) => `${HEAD}
      int __VERIFIER_nondet_int(void);
      void *work(void *unused) { return 0; }
      void *other(void *unused) { return 0; }
      int main(void) {
        pthread_t a, b = 0;
        ${create}
        assert(${check});
      }`;
    const sometimes = 'if (__VERIFIER_nondet_int() != 1041) pthread_create(&a, 0, work, 0);';
    const twice = `${sometimes} pthread_create(&b, 0, other, 0);`;
    await expectNoProof(text(twice, '(unsigned long)b == 3'), [], 3_000);
    expect((await proveText(text(twice, 'b != 0'))).kind).toBe('proved');
    const many = 'while (__VERIFIER_nondet_int()) pthread_create(&a, 0, work, 0);';
    await expectNoProof(text(`${many} pthread_create(&b, 0, other, 0);`, '(unsigned long)b < 20'), [], 3_000);
    // As many as can run have other numbers than those that come after them.
    await expectNoProof(
      text('while (1) { pthread_create(&a, 0, work, 0);', '(unsigned long)a < 600); }; assert(1'),
      [],
      3_000,
    );
    const few = 'for (int i = 0; i < 4; i++) pthread_create(&a, 0, work, 0); pthread_create(&b, 0, other, 0);';
    await expectNoProof(text(few, '__VERIFIER_nondet_int() != 1041 || (unsigned long)b == 3'), [], 3_000);
  });

  it('proves nothing of how the bytes of such identifiers compare', async () => {
    const text = `${HEAD}
      #include <string.h>
      int __VERIFIER_nondet_int(void);
      pthread_t s[2];
      void *work(void *unused) { return 0; }
      void *create(void *unused) { pthread_create(&s[0], 0, work, 0); return 0; }
      int main(void) {
        pthread_t a;
        pthread_create(&a, 0, create, 0);
        pthread_create(&s[1], 0, work, 0);
        pthread_join(a, 0);
        if (__VERIFIER_nondet_int() == 1041) assert(memcmp(&s[0], &s[1], 8) > 0);
      }`;
    await expectNoProof(text, [], 3_000);
  });

  it('proves nothing of numbers that routines make of identifiers', async () => {
    const text = (look: string) => `${HEAD}
      int __VERIFIER_nondet_int(void);
      pthread_t s[2];
      void *work(void *unused) { return 0; }
      void *create(void *unused) { pthread_create(&s[0], 0, work, 0); return 0; }
      int main(void) {
        pthread_t a;
        pthread_create(&a, 0, create, 0); pthread_create(&s[1], 0, work, 0); pthread_join(a, 0);
        if (__VERIFIER_nondet_int() == 123456789) assert(${look});
      }`;
    await expectNoProof(text('labs((long)s[1]) != 4'), [], 3_000);
    await expectNoProof(text('!pthread_equal(s[1], 4)'), [], 3_000);
    expect((await proveText(text('!pthread_equal(s[1], s[0]) || s[1] == s[0]'))).kind).toBe('proved');
  });

  it('proves loops without bound', async () => {
    const text = (relation: string) => `${HEAD}
      unsigned x;
      void *up(void *unused) { while (1) { __VERIFIER_atomic_begin(); x += 2; __VERIFIER_atomic_end(); } }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, up, 0);
        while (1) assert(x % 2 ${relation} 1);
      }`;
    expect((await proveText(text('!='))).kind).toBe('proved');
    expect((await proveText(text('=='))).kind).toBe('unknown');
  });

  it('proves the other checks too', async () => {
    const text = (index: string, divisor: string) => `${HEAD}
      int a[4];
      int __VERIFIER_nondet_int(void);
      int main(void) {
        for (unsigned i = 0; ; i++) { a[${index}] = 10 / ${divisor}; }
      }`;
    expect((await proveText(text('i % 4', '(a[i % 4] + 1 ? 1 : 2)'))).kind).toBe('proved');
    expect((await proveText(text('i % 5', '1'))).kind).toBe('unknown');
    expect((await proveText(text('i % 4', '(i % 3)'))).kind).toBe('unknown');
  });

  it('proves nothing where a check is asked for that it does not know', async () => {
    const outcome = await proveText('int main(void) { return 0; }', ['leak']);
    expect(outcome).toMatchObject({ kind: 'unknown', reason: "the check 'leak' is not proved" });
  });

  it('inlines recursion that constant arguments end', async () => {
    const text = (last: string) => `${HEAD}
      int x;
      int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
      void *work(void *unused) { for (;;) { x = depth(3); assert(x == ${last}); } }
      int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_exit(0); }`;
    expect((await proveText(text('3'))).kind).toBe('proved');
    await expectNoProof(text('2'), [], 5_000);
  });

  it('refuses recursion with a place', async () => {
    const outcome = await proveText(
      'int x;\nint f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(x); }',
    );
    expect(outcome).toMatchObject({
      kind: 'unknown',
      cause: 'unsupported',
      reason: "cannot be proved: recursion of 'f'",
    });
  });

  it('counts threads that are ahead of others', async () => {
    const text = (first: string, second: string, condition = 'ahead - behind > 0') => `${HEAD}
      int behind, ahead;
      void *work(void *unused) {
        __VERIFIER_atomic_begin(); ${first}++; __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin(); assert(${condition}); __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin(); ${second}++; __VERIFIER_atomic_end();
        return 0;
      }
      int main(void) { pthread_t t; while (1) pthread_create(&t, 0, work, 0); }`;
    expect((await proveText(text('ahead', 'behind'))).kind).toBe('proved');
    await expectNoProof(text('behind', 'ahead'), [], 2_000);
    // After 2^31 threads one of them is negative, and the other not yet.
    await expectNoProof(text('ahead', 'behind', 'behind < ahead'), [], 3_000);
  });

  it('sees how far apart two shared variables are, where the program compares that with constants', async () => {
    const text = (room: string, most: number) => `${HEAD}
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      int head, tail;
      void *put(void *unused) {
        for (;;) { pthread_mutex_lock(&m); if (${room}) tail++; pthread_mutex_unlock(&m); }
      }
      void *take(void *unused) {
        for (;;) {
          pthread_mutex_lock(&m);
          if (head != tail) head++;
          assert(tail - head >= 0 && tail - head <= ${most});
          pthread_mutex_unlock(&m);
        }
      }
      int nondet(void);
      int main(void) {
        pthread_t t;
        for (;;) if (nondet()) pthread_create(&t, 0, put, 0); else pthread_create(&t, 0, take, 0);
      }`;
    expect((await proveText(text('tail - head < 8', 8))).kind).toBe('proved');
    await expectNoProof(text('tail - head <= 8', 8), [], 2_000);
  }, 120_000);

  it('takes invariants of the program for candidates, and only those that hold', async () => {
    const text = (claim: string, factor: number) => `${HEAD}
      void __lazuli_invariant(int);
      unsigned a, b;
      void *work(void *unused) {
        while (1) { __VERIFIER_atomic_begin(); a += 5; b += 15; __VERIFIER_atomic_end(); }
      }
      int main(void) {
        ${claim}
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        __VERIFIER_atomic_begin();
        assert(b != ${factor} * a + 1);
        __VERIFIER_atomic_end();
      }`;
    expect((await proveText(text('__lazuli_invariant(b == 3 * a);', 3))).kind).toBe('proved');
    // Conditions with ways of their own.
    expect((await proveText(text('__lazuli_invariant(a != b + 1 && b == 3 * a);', 3))).kind).toBe('proved');
    await expectNoProof(text('__lazuli_invariant(b == 3 * a || a > 7);', 3), [], 2_000);
    await expectNoProof(text('__lazuli_invariant(b == 2 * a);', 2), [], 2_000);
  });

  it('tells what an attempt could not exclude', async () => {
    const outcome = await proveText(`${HEAD}
      int x;
      void *work(void *unused) { x = 2; return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);
        assert(x != 2); }`);
    expect(outcome.attempts[0]?.outcome).toContain('whenever main is at line 8 and T1 is at its end: x != 2');
  });

  it('confirms a proof on a model without reductions', async () => {
    const locked = counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);');
    const outcome = await proveText(locked, [], 120_000, 60_000);
    expect(outcome).toMatchObject({ kind: 'proved', confirmation: { isConfirmed: true } });
    const joined = `${HEAD}
      int x;
      void *work(void *unused) { x = 1; return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); assert(x == 1); }`;
    const fixed = await proveText(joined, [], 120_000, 60_000);
    expect(fixed).toMatchObject({ kind: 'proved', confirmation: { isConfirmed: true, trusted: [] } });
  });

  it('takes threads that begin alike for any number of them, where that is enough', async () => {
    const text = (least: number) => `${HEAD}
      int x, y;
      void __VERIFIER_atomic_first(void) { x++; y++; }
      void __VERIFIER_atomic_second(void) { assert(x >= ${least}); x--; }
      void *work(void *unused) { __VERIFIER_atomic_first(); __VERIFIER_atomic_second(); return 0; }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 9; i++) pthread_create(&t, 0, work, 0);
        return 0;
      }`;
    const outcome = await proveText(text(1));
    expect(outcome.kind === 'proved' && outcome.attempts.at(-1)?.attempt).toContain('any number of threads');
    await expectNoProof(text(2), [], 4_000);
  });

  it('tells the invariant in C, at lines of the source', async () => {
    const outcome = await proveText(`${HEAD}
      int ready, data;
      void *make(void *unused) { data = 7; ready = 1; return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, make, 0);
        if (ready)
          assert(data == 7);
      }`);
    const facts = outcome.kind === 'proved' ? printInvariant(outcome.invariant) : [];
    expect(facts).toContain('always: data == 0 || data == 7');
    expect(facts).toContain('always: ready != 1 || data != 0');
  });

  it('gives threads no number twice, however often their creator is copied', async () => {
    const outcome = await proveText(`${HEAD}
      int x, turn;
      void *work(void *unused) { x = 1; return 0; }
      int main(void) {
        __VERIFIER_assume(0 <= turn && turn <= 1);
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        assert(x <= 1);
      }`);
    expect(outcome.kind === 'proved' && outcome.invariant.threads).toHaveLength(2);
  });

  describe('of threads whose start routine an expression chooses', () => {
    const chosen = (create: string, lock: string) => `${HEAD}
      int x;
      pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *one(void *unused) { pthread_mutex_lock(&m); x = 1; assert(x == 1); pthread_mutex_unlock(&m); return 0; }
      void *two(void *unused) { ${lock} x = 2; pthread_mutex_unlock(&m); return 0; }
      void *(*routines[2])(void *) = { one, two };
      int main(void) {
        pthread_t t;
        int c = __VERIFIER_nondet_int();
        ${create}
      }`;
    const creations = [
      ['once', 'pthread_create(&t, 0, c ? one : two, 0); pthread_create(&t, 0, c ? two : one, 0);'],
      ['in a loop', 'for (;;) pthread_create(&t, 0, __VERIFIER_nondet_int() ? one : two, 0);'],
      ['from a table', 'for (int i = 0; i < 2; i++) pthread_create(&t, 0, routines[i], 0);'],
    ] as const;

    it.each(creations)(
      'creates each of them, %s',
      async (_, create) => {
        expect((await proveText(chosen(create, 'pthread_mutex_lock(&m);'))).kind).toBe('proved');
        await expectNoProof(chosen(create, ''), [], 3_000);
      },
      120_000,
    );

    it('proves nothing where it may be another', async () => {
      const create = 'void *(*f)(void *) = (void *(*)(void *))(long)c; pthread_create(&t, 0, f, 0);';
      await expectNoProof(chosen(create, 'pthread_mutex_lock(&m);'), [], 3_000);
    }, 60_000);
  });
});
