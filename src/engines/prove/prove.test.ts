import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../lower/context.ts';
import type { CheckName } from '../../program/check-names.ts';
import { printInvariant } from '../../report/print-invariant.ts';
import { createIncrementalSolvers } from '../../solver/incremental-cadical.ts';
import { type ProveOutcome, prove } from './prove.ts';

function proveText(
  text: string,
  more: readonly CheckName[] = [],
  timeLimitMs = 60_000,
  confirmMs = 0,
): Promise<ProveOutcome> {
  const checks = new Set([...DEFAULT_LOWER_OPTIONS.checks, ...more]);
  return prove(
    lowerText(text, { checks }),
    { checks, timeLimitMs, confirmMs },
    { clock: () => performance.now(), createSolvers: createIncrementalSolvers },
  );
}

const HEAD = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n';

/** Any number of threads that add to a counter in a critical section, and main that looks. */
const counter = (lock: string, unlock: string) => `${HEAD}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
void *work(void *unused) {
  ${lock}
  inside++;
  assert(inside == 1);
  inside--;
  ${unlock}
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, work, 0);
}`;

describe('prove', () => {
  it('proves mutual exclusion for any number of threads', async () => {
    const outcome = await proveText(counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'));
    expect(outcome.kind).toBe('proved');
  });

  it('proves nothing where the lock is missing', async () => {
    const outcome = await proveText(counter('', ''), [], 5_000);
    expect(outcome.kind).toBe('unknown');
  });

  it('proves nothing where a thread unlocks what it does not own', async () => {
    const outcome = await proveText(counter('', 'pthread_mutex_unlock(&m);').replace('assert(inside == 1);', ''));
    expect(outcome.kind).toBe('unknown');
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

  it('waits for joined threads, and only for those', async () => {
    const text = (join: string) => `${HEAD}
      int done;
      void *work(void *unused) { done = 1; return 0; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, work, 0);
        pthread_create(&b, 0, work, 0);
        ${join}
        assert(done == 1);
      }`;
    expect((await proveText(text('pthread_join(a, 0); pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text('pthread_join(b, 0);'))).kind).toBe('proved');
    expect((await proveText(text(''))).kind).toBe('unknown');
  });

  /** Threads of any number, created and joined in loops; then main looks. */
  const joined = (last: string, condition: string, work = 'flag = 1; total++;') => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int flag, total;
    void *work(void *unused) { pthread_mutex_lock(&m); ${work} pthread_mutex_unlock(&m); return 0; }
    int main(void) {
      pthread_t t[100];
      for (int i = 0; i < 100; i++) pthread_create(&t[i], 0, work, 0);
      for (int i = 0; i < ${last}; i++) pthread_join(t[i], 0);
      assert(${condition});
      return 0;
    }`;

  it('waits for threads that are created and joined in loops, however many they are', async () => {
    expect((await proveText(joined('100', 'flag == 1'))).kind).toBe('proved');
    // After one join at least the lock was held once; but the others may still hold it.
    expect((await proveText(joined('1', 'flag == 2', 'flag = 1; flag = 2;'), [], 10_000)).kind).toBe('unknown');
  }, 120_000);

  it('does not take a thread for joined that is not', async () => {
    expect((await proveText(joined('99', 'total == 100'), [], 5_000)).kind).toBe('unknown');
    expect((await proveText(joined('101', 'flag == 1'), [], 5_000)).kind).toBe('unknown');
  }, 60_000);

  it('waits for threads that are created and joined one after the other for ever', async () => {
    const text = (join: string) => `${HEAD}
      int x;
      void *work(void *unused) { x = 1; x = 0; return 0; }
      int main(void) {
        pthread_t t;
        while (1) { pthread_create(&t, 0, work, 0); ${join} assert(x == 0); }
      }`;
    expect((await proveText(text('pthread_join(t, 0);'))).kind).toBe('proved');
    expect((await proveText(text(''), [], 5_000)).kind).toBe('unknown');
    expect((await proveText(text('pthread_join(t, 0); pthread_join(t, 0);'), [], 5_000)).kind).toBe('unknown');
  }, 120_000);

  it('sees that an object of a loop is another one each time', async () => {
    const outcome = await proveText(`${HEAD}
      int main(void) {
        int *old = 0;
        for (int i = 0; i < 2; i++) {
          int x = i;
          if (old) assert(*old == 0);
          old = &x;
        }
      }`);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported' });
  });

  it('keeps the locals of many threads apart', async () => {
    const outcome = await proveText(`${HEAD}
      int *shared;
      void *work(void *unused) {
        int x = 0;
        int *seen = shared;
        shared = &x;
        assert(seen != &x);
        return 0;
      }
      int main(void) { pthread_t t; while (1) pthread_create(&t, 0, work, 0); }`);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported' });
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

  it('knows what was freed', async () => {
    const text = (use: string) => `${HEAD}
      int main(void) {
        int *p = malloc(sizeof *p);
        *p = 3;
        ${use}
      }`;
    expect((await proveText(text('assert(*p == 3); free(p);'))).kind).toBe('proved');
    expect((await proveText(text('free(p); assert(*p == 3);'))).kind).toBe('unknown');
    expect((await proveText(text('free(p); free(p);'))).kind).toBe('unknown');
    expect((await proveText(text('free(p + 1);'))).kind).toBe('unknown');
  });

  /** A thread that allocates and frees for ever; main does the same, or nothing. */
  const allocating = (body: string, start = 'pthread_create(&t, 0, work, 0); pthread_exit(0);') => `${HEAD}
    struct node { int value; struct node *next; };
    struct node *last;
    void *work(void *unused) {
      struct node *old = 0;
      for (;;) { struct node *n = malloc(sizeof *n); ${body} }
    }
    int main(void) { pthread_t t; ${start} }`;
  const isProved = async (text: string) => (await proveText(text, [], 20_000)).kind === 'proved';

  it('follows allocations that run any number of times', async () => {
    const fine = 'n->value = 3; assert(n->value == 3); free(n);';
    expect(await isProved(allocating(fine))).toBe(true);
    expect(await isProved(allocating(fine, 'for (;;) pthread_create(&t, 0, work, 0);'))).toBe(true);
    // Two at a time.
    expect(await isProved(allocating('n->value = 3; if (old) { assert(old->value == 3); free(old); } old = n;'))).toBe(
      true,
    );
  }, 120_000);

  it('sees that what is allocated again is another object', async () => {
    expect(await isProved(allocating('n->value = 3; if (old) old->value = 4; free(n); old = n;'))).toBe(false);
    expect(await isProved(allocating('free(n); if (last) free(last); last = n;'))).toBe(false);
    expect(await isProved(allocating('assert(n != old); free(n); old = n; assert(old == 0);'))).toBe(false);
    // However many objects there are for it, it may have more.
    expect(await isProved(allocating('n->next = last; last = n; assert(n->next != n);'))).toBe(false);
    // The same memory, and the value that was there before.
    expect(await isProved(allocating('assert(n->value == 3); n->value = 3; free(n);'))).toBe(false);
  }, 120_000);

  it('refuses to lose sight of an address', async () => {
    const outcome = await proveText(
      allocating('unsigned char part = (unsigned char)(unsigned long)n; free(n); if (part) n = 0;'),
    );
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('kept in parts') });
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
    expect((await proveText(text('2'), [], 5_000)).kind).toBe('unknown');
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
});

describe('deadlocks', () => {
  const program = (first: string, second: string) => `${HEAD}
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    void *one(void *unused) { ${first} return 0; }
    void *two(void *unused) { ${second} return 0; }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, one, 0);
      pthread_create(&u, 0, two, 0);
      pthread_join(t, 0);
      pthread_join(u, 0);
    }`;
  const locked = (...locks: string[]) =>
    [
      ...locks.map((lock) => `pthread_mutex_lock(&${lock});`),
      ...[...locks].reverse().map((lock) => `pthread_mutex_unlock(&${lock});`),
    ].join(' ');

  it('are excluded where locks are taken in one order', async () => {
    expect((await proveText(program(locked('a', 'b'), locked('a', 'b')), ['deadlock'])).kind).toBe('proved');
  });

  it.each([
    ['locks are taken in two orders', locked('a', 'b'), locked('b', 'a')],
    ['a lock is taken twice', locked('a', 'a'), ''],
    ['a thread ends with a lock', 'pthread_mutex_lock(&a);', locked('a')],
  ])('are not excluded where %s', async (_, first, second) => {
    const outcome = await proveText(program(first, second), ['deadlock']);
    expect(outcome.kind === 'unknown' && outcome.reason).toContain("but 'deadlock'");
  });

  it('counts threads that are ahead of others', async () => {
    const text = (first: string, second: string) => `${HEAD}
      int behind, ahead;
      void *work(void *unused) {
        __VERIFIER_atomic_begin(); ${first}++; __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin(); assert(behind < ahead); __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin(); ${second}++; __VERIFIER_atomic_end();
        return 0;
      }
      int main(void) { pthread_t t; while (1) pthread_create(&t, 0, work, 0); }`;
    expect((await proveText(text('ahead', 'behind'))).kind).toBe('proved');
    expect((await proveText(text('behind', 'ahead'), [], 2_000)).kind).toBe('unknown');
  });

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
        assert(b == ${factor} * a);
        __VERIFIER_atomic_end();
      }`;
    expect((await proveText(text('__lazuli_invariant(b == 3 * a);', 3))).kind).toBe('proved');
    expect((await proveText(text('__lazuli_invariant(b == 3 * a || a > 7);', 3), [], 2_000)).kind).toBe('unknown');
    expect((await proveText(text('__lazuli_invariant(b == 2 * a);', 2), [], 2_000)).kind).toBe('unknown');
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
    expect((await proveText(text(2), [], 4_000)).kind).toBe('unknown');
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
});

describe('locals of main that threads are given', () => {
  const text = (end: string, before = '') => `${HEAD}
    extern unsigned __VERIFIER_nondet_uint(void);
    struct job { int limit; int seen; };
    void *work(void *given) {
      struct job *job = given;
      while (__VERIFIER_nondet_uint()) assert(job->limit == 7);
      return 0;
    }
    int main(void) {
      struct job job;
      pthread_t t;
      job.limit = 7;
      ${before}
      pthread_create(&t, 0, work, &job);
      ${end}
      return 0;
    }`;

  it('are alive until the program ends', async () => {
    expect((await proveText(text(''))).kind).toBe('proved');
    expect((await proveText(text('job.limit = 8;'), [], 3_000)).kind).toBe('unknown');
  });

  it('hold what main made of them before', async () => {
    expect((await proveText(text('', 'job.limit = 8; job.limit--;'))).kind).toBe('proved');
  });

  const inScope = (end: string) =>
    text(`${end} } while (__VERIFIER_nondet_uint());`)
      .replace('struct job job;', '')
      .replace('pthread_t t;', 'pthread_t t; { struct job job;')
      .replace('} while (__VERIFIER_nondet_uint());', '} while (__VERIFIER_nondet_uint()) limit++;')
      .replace('int main', 'int limit; int main');

  it('are alive until their scope is left', async () => {
    expect((await proveText(inScope('pthread_join(t, 0);'))).kind).toBe('proved');
    expect((await proveText(inScope(''), [], 3_000)).kind).toBe('unknown');
  });

  it('end the execution where they are left, unless that is looked for', async () => {
    const loose = `void __VERIFIER_error(void);\n${inScope('')}`.replace(
      'assert(job->limit == 7)',
      'if (job->limit != 7) __VERIFIER_error()',
    );
    const ask = (source: string) =>
      prove(
        lowerText(source, { checks: new Set<CheckName>(['assertion', 'bounds']) }),
        { checks: new Set<CheckName>(['assertion']), timeLimitMs: 60_000, confirmMs: 0 },
        { clock: () => performance.now(), createSolvers: createIncrementalSolvers },
      );
    expect((await ask(loose)).kind).toBe('proved');
    expect((await ask(loose.replace('job.limit = 7;', 'job.limit = 6;'))).kind).toBe('unknown');
  });
});

describe('arrays whose elements are not told apart', () => {
  const stack = (limit: number, pushed: string) => `${HEAD}
    extern unsigned __VERIFIER_nondet_uint(void);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int top, items[${limit}];
    void *push(void *unused) {
      for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&m);
        assert(top < 300);
        items[top++] = ${pushed};
        pthread_mutex_unlock(&m);
      }
      return 0;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, push, 0);
      for (;;) {
        pthread_mutex_lock(&m);
        if (top > 0) { int item = items[--top]; assert(item >= 0 && item < 7); }
        pthread_mutex_unlock(&m);
      }
    }`;

  it('hold what is stored in them, and counters with the same limit are compared', async () => {
    expect((await proveText(stack(300, '__VERIFIER_nondet_uint() % 7'))).kind).toBe('proved');
  });

  it('hold no less than that, and are not left', async () => {
    expect((await proveText(stack(300, '__VERIFIER_nondet_uint() % 8'), [], 3_000)).kind).toBe('unknown');
    expect((await proveText(stack(299, '__VERIFIER_nondet_uint() % 7'), [], 3_000)).kind).toBe('unknown');
  });

  it('have fields that hold what is stored in them, also by way of pointers', async () => {
    const text = (stored: string, most: number) => `${HEAD}
      extern unsigned __VERIFIER_nondet_uint(void);
      struct { int kind; char tag; int count; } table[100];
      void set(int *kind, int value) { *kind = value; }
      void *work(void *unused) {
        for (;;) {
          unsigned at = __VERIFIER_nondet_uint() % 100;
          set(&table[at].kind, __VERIFIER_nondet_uint() % 3);
          ${stored};
        }
      }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 100; i++) set(&table[i].kind, 1);
        pthread_create(&t, 0, work, 0);
        for (;;) assert(table[__VERIFIER_nondet_uint() % 100].kind <= ${most});
      }`;
    expect((await proveText(text('table[at].count = 70', 2))).kind).toBe('proved');
    expect((await proveText(text('table[at].count = 70', 1), [], 3_000)).kind).toBe('unknown');
    // Some field is written by another's way.
    expect((await proveText(text('*(int *)((char *)&table[0] + 4 * at) = 70', 2), [], 3_000)).kind).toBe('unknown');
  });

  /** Two tables are filled together; whoever looks compares them. */
  const tables = (filled: string, looked: string, other = '') => `${HEAD}
    extern int __VERIFIER_nondet_int(void);
    extern unsigned __VERIFIER_nondet_uint(void);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct { int first[100], second[100]; unsigned count; } t;
    void *fill(void *unused) {
      for (;;) {
        pthread_mutex_lock(&m);
        if (t.count < 100) { int value = __VERIFIER_nondet_int(); ${filled} t.count++; }
        pthread_mutex_unlock(&m);
        ${other}
      }
    }
    int main(void) {
      pthread_t id;
      pthread_create(&id, 0, fill, 0);
      for (;;) {
        pthread_mutex_lock(&m);
        unsigned at = __VERIFIER_nondet_uint();
        if (at < t.count) assert(${looked});
        pthread_mutex_unlock(&m);
      }
    }`;

  it('are proved to hold the same at every place by one that is chosen', async () => {
    const both = 't.first[t.count] = value; t.second[t.count] = value;';
    expect((await proveText(tables(both, 't.first[at] == t.second[at]'))).kind).toBe('proved');
  });

  it('are not proved to where some place differs', async () => {
    const ask = async (text: string) => (await proveText(text, [], 4_000)).kind;
    const both = 't.first[t.count] = value; t.second[t.count] = value;';
    expect(await ask(tables(both, 't.first[at] == t.second[99 - at]'))).toBe('unknown');
    expect(await ask(tables(both, 't.first[at] == t.second[at]', 't.second[7] = 7;'))).toBe('unknown');
    const late = 't.first[t.count] = value; if (t.count > 0) t.second[t.count - 1] = value;';
    expect(await ask(tables(late, 't.first[at] == t.second[at]'))).toBe('unknown');
    const once = 't.first[t.count] = value; t.second[t.count] = t.count == 57 ? 0 : value;';
    expect(await ask(tables(once, 't.first[at] == t.second[at]'))).toBe('unknown');
  });

  it('hold bytes of what is stored', async () => {
    const text = (least: number) => `${HEAD}
      unsigned words[100];
      extern unsigned __VERIFIER_nondet_uint(void);
      int main(void) {
        for (;;) {
          words[__VERIFIER_nondet_uint() % 100] = 0x200;
          unsigned char part = ((unsigned char *)words)[__VERIFIER_nondet_uint() % 400];
          assert(part < ${least});
        }
      }`;
    expect((await proveText(text(2))).kind).toBe('unknown');
  });
});

describe('that nobody waits for ever', () => {
  const proveWaits = (text: string) => proveText(text, ['deadlock'], 60_000);

  /** A thread that waits for main, in a loop around a condition variable. */
  const handOver = (signal: string, end = 'pthread_join(t, 0);') => `${HEAD}
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int ready;
    void *wait(void *unused) {
      pthread_mutex_lock(&m);
      while (!ready) pthread_cond_wait(&c, &m);
      pthread_mutex_unlock(&m);
      return 0;
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, wait, 0);
      ${signal}
      ${end}
    }`;

  it('is proved of loops around condition variables', async () => {
    const signal = 'pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);';
    expect((await proveWaits(handOver(signal))).kind).toBe('proved');
    expect((await proveWaits(handOver(signal, 'pthread_exit(0);'))).kind).toBe('proved');
  });

  it('is not proved where a signal is missing or comes too early', async () => {
    const unsignalled = 'pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);';
    expect((await proveWaits(handOver(unsignalled))).kind).toBe('unknown');
    expect((await proveWaits(handOver('ready = 1; pthread_cond_signal(&c);'))).kind).toBe('unknown');
    // Main is gone, and the other is stuck.
    expect((await proveWaits(handOver(unsignalled, 'pthread_exit(0);'))).kind).toBe('unknown');
    // The program ends, with whoever waits.
    expect((await proveWaits(handOver(unsignalled, 'return 0;'))).kind).toBe('proved');
  });

  it('is proved where main joins threads that never end, unless they wait for one another', async () => {
    const text = (first: string, second: string) => `${HEAD}
      pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
      int inside;
      void *work(void *unused) {
        for (;;) {
          pthread_mutex_lock(&${first}); pthread_mutex_lock(&${second});
          inside++; assert(inside == 1); inside--;
          pthread_mutex_unlock(&${second}); pthread_mutex_unlock(&${first});
        }
      }
      void *other(void *unused) {
        for (;;) {
          pthread_mutex_lock(&a); pthread_mutex_lock(&b);
          inside++; assert(inside == 1); inside--;
          pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
        }
      }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, work, 0); pthread_create(&u, 0, other, 0);
        pthread_join(t, 0); pthread_join(u, 0);
      }`;
    expect((await proveWaits(text('a', 'b'))).kind).toBe('proved');
    expect((await proveWaits(text('b', 'a'))).kind).toBe('unknown');
  });

  it('is proved of semaphores that go round', async () => {
    const text = (first: number) => `${HEAD}#include <semaphore.h>
      sem_t ping, pong;
      int turn;
      void *answer(void *unused) {
        for (;;) { sem_wait(&ping); assert(turn == 1); turn = 0; sem_post(&pong); }
      }
      int main(void) {
        pthread_t t;
        sem_init(&ping, 0, 0); sem_init(&pong, 0, ${first});
        pthread_create(&t, 0, answer, 0);
        for (;;) { sem_wait(&pong); assert(turn == 0); turn = 1; sem_post(&ping); }
      }`;
    expect((await proveWaits(text(1))).kind).toBe('proved');
    expect((await proveWaits(text(0))).kind).toBe('unknown');
  });
});

describe('that there are no data races', () => {
  const proveRaces = (text: string) => {
    const checks = new Set<CheckName>(['race']);
    return prove(
      lowerText(text, { checks }),
      { checks, timeLimitMs: 60_000 },
      { clock: () => performance.now(), createSolvers: createIncrementalSolvers },
    );
  };

  it('is proved of what a lock guards, for any number of threads', async () => {
    const outcome = await proveRaces(counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'));
    expect(outcome.kind).toBe('proved');
  });

  it('is not proved where the lock is missing', async () => {
    expect((await proveRaces(counter('', ''))).kind).toBe('unknown');
  });

  it('is proved of what a flag hands over, if that orders', async () => {
    const text = (order: string) => `${HEAD}#include <stdatomic.h>
      int data; atomic_int ready;
      void *give(void *unused) { data = 1; atomic_store_explicit(&ready, 1, memory_order_${order}); return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, give, 0);
        while (!atomic_load_explicit(&ready, memory_order_acquire));
        return data;
      }`;
    expect((await proveRaces(text('release'))).kind).toBe('proved');
    expect((await proveRaces(text('relaxed'))).kind).toBe('unknown');
  });

  it('is proved of threads that have a part of an array each, and of who joins them', async () => {
    const text = (index: string) => `${HEAD}
      int parts[2];
      void *work(void *part) { for (;;) if (++*(int *)part > 5) return 0; }
      int main(void) {
        pthread_t s, t;
        pthread_create(&s, 0, work, &parts[0]);
        pthread_create(&t, 0, work, &parts[${index}]);
        pthread_join(s, 0);
        int sum = parts[0];
        pthread_join(t, 0);
        return sum + parts[1];
      }`;
    expect((await proveRaces(text('1'))).kind).toBe('proved');
    expect((await proveRaces(text('0'))).kind).toBe('unknown');
  });
});
