import { describe, expect, it } from 'vitest';
import { prepareSteps, readCode } from '../../../test/support/agreement.ts';
import { findLockSections } from '../../execute/lock-sections.ts';
import { createCadical } from '../../solver/cadical-wasm.ts';
import { compileProgram } from '../../trace/interpreter/compile-instructions.ts';
import { replayCompiled } from '../../trace/replay.ts';
import { askReference } from './reference-order.ts';
import { solveFreeOrder } from './solve-free-order.ts';

const HEAD = '#include <pthread.h>\n#include <assert.h>\n';
const createSolver = () => createCadical({ seed: 1 });

/** The verdict with and without reductions, and that of the reference; they agree, and what is found replays. */
async function verdictOf(text: string): Promise<string> {
  const checks = new Set(['assertion'] as const);
  const code = readCode(HEAD + text, 'LP64', { checks });
  const program = prepareSteps(code, 4, checks);
  if (typeof program === 'string') throw new Error(program);
  const verdicts: string[] = [];
  for (const isPlain of [false, true]) {
    const result = await solveFreeOrder(program, { createSolver, isPlain });
    if (result.kind === 'violation') {
      const replayed = replayCompiled(compileProgram(code), result.schedule, { checks });
      expect(replayed.kind).toBe('violated');
    }
    const kind = result.kind === 'none' ? (result.cuts?.length === 0 ? 'safe' : 'cut') : result.kind;
    verdicts.push(kind);
  }
  // With all that makes the order transitive from the start, and as answers need it.
  for (const options of [{}, { mostTriples: 0 }]) verdicts.push(await askReference(program, createSolver, options));
  const [first = ''] = verdicts;
  const reference = first === 'safe' ? 'safe' : 'not-safe';
  expect(verdicts).toEqual([first, first, reference, reference]);
  return first;
}

function lockCount(text: string): number {
  const program = prepareSteps(readCode(HEAD + text, 'LP64', { checks: new Set(['assertion']) }), 4);
  if (typeof program === 'string') throw new Error(program);
  return findLockSections(program).locks.filter(({ isClosed }) => isClosed).length;
}

const start = (...names: readonly string[]) => `int main(void) {
  pthread_t ${names.map((name) => `t${name}`).join(', ')};
  ${names.map((name) => `pthread_create(&t${name}, 0, ${name}, 0);`).join('\n  ')}
  ${names.map((name) => `pthread_join(t${name}, 0);`).join('\n  ')}
  check();
}`;

describe('the free order', () => {
  it('has no execution in which two threads both miss the other’s store', async () => {
    const text = (expected: string) => `int x, y, a, b;
      void *p(void *u) { x = 1; a = y; return 0; }
      void *q(void *u) { y = 1; b = x; return 0; }
      void check(void) { assert(${expected}); }
      ${start('p', 'q')}`;
    expect(await verdictOf(text('a || b'))).toBe('safe');
    expect(await verdictOf(text('a && b'))).toBe('violation');
  });

  it('excludes circles through four threads', async () => {
    const text = (expected: string) => `int x, y, a, b, c, d;
      void *p(void *u) { x = 1; return 0; }
      void *q(void *u) { y = 1; return 0; }
      void *r(void *u) { a = x; b = y; return 0; }
      void *s(void *u) { c = y; d = x; return 0; }
      void check(void) { assert(${expected}); }
      ${start('p', 'q', 'r', 's')}`;
    expect(await verdictOf(text('!(a && !b && c && !d)'))).toBe('safe');
    expect(await verdictOf(text('!(a && !b && !c && d)'))).toBe('violation');
  });

  it('keeps sections of a lock apart', async () => {
    const text = (lock: string, unlock: string) => `int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *p(void *u) { ${lock} int seen = n; n = seen + 1; ${unlock} return 0; }
      void *q(void *u) { ${lock} int seen = n; if (seen) { n = seen + 2; ${unlock} return 0; } n = 3; ${unlock} return 0; }
      void check(void) { assert(n == 3 || n == 4); }
      ${start('p', 'q')}`;
    const locked = text('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);');
    expect(lockCount(locked)).toBe(1);
    expect(await verdictOf(locked)).toBe('safe');
    expect(await verdictOf(text('', ''))).toBe('violation');
  });

  it('sees what threads did that wait for one another’s locks for ever', async () => {
    // Both orders of the accesses before the inner locks occur in one stuck execution, and a third thread sees it.
    const text = `int x, y, seen; pthread_mutex_t m, n;
      void *p(void *u) { pthread_mutex_lock(&m); x = 1; int a = y; seen |= a;
        pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return 0; }
      void *q(void *u) { pthread_mutex_lock(&n); y = 1; int b = x; seen |= 2 * b;
        pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }
      int main(void) {
        pthread_mutex_init(&m, 0); pthread_mutex_init(&n, 0);
        pthread_t s, t; pthread_create(&s, 0, p, 0); pthread_create(&t, 0, q, 0);
        assert(seen != 3);
      }`;
    expect(await verdictOf(text)).toBe('violation');
  });

  it('does not take a lock that somebody else frees for one', async () => {
    const text = `int n; int m;
      void lock(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end(); }
      void *p(void *u) { lock(); int seen = n; n = seen + 1; m = 0; return 0; }
      void *q(void *u) { m = 0; return 0; }
      void check(void) { assert(n == 2); }
      ${start('p', 'q').replace('pthread_join(tp', 'p(0); pthread_join(tp')}`;
    const declared = `void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);\n${text}`;
    expect(lockCount(declared)).toBe(0);
    expect(await verdictOf(declared)).toBe('violation');
  });

  it('lets a thread stop inside of a section', async () => {
    const text = `int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *p(void *u) { pthread_mutex_lock(&m); n = 1; assert(n == 1); n = 2; pthread_mutex_unlock(&m); return 0; }
      void *q(void *u) { int seen = n; assert(seen != 1); return 0; }
      void check(void) {}
      ${start('p', 'q')}`;
    expect(await verdictOf(text)).toBe('violation');
  });

  it('knows a failed trylock from a section', async () => {
    const text = (held: string) => `int n, missed; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
      void *p(void *u) { if (pthread_mutex_trylock(&m)) { missed = 1; return 0; } n++; pthread_mutex_unlock(&m); return 0; }
      void *q(void *u) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
      void check(void) { assert(${held}); }
      ${start('p', 'q')}`;
    expect(await verdictOf(text('n == 2 - missed'))).toBe('safe');
    expect(await verdictOf(text('n == 2'))).toBe('violation');
  });

  it('finds cuts that need many switches', async () => {
    const text = `int x; void *p(void *u) { for (int i = 0; i < x; i++) ; return 0; }
      void *q(void *u) { x = 9; return 0; }
      void check(void) {} ${start('p', 'q')}`;
    expect(await verdictOf(text)).toBe('cut');
  });

  it('does not deduce anything from threads that join each other', async () => {
    const text = `pthread_t a, b; int go, x;
      void *p(void *u) { x = 1; while (!go) ; pthread_join(b, 0); return 0; }
      void *q(void *u) { while (!go) ; pthread_join(a, 0); return 0; }
      int main(void) { pthread_create(&a, 0, p, 0); pthread_create(&b, 0, q, 0); go = 1; assert(x == 0); }`;
    expect(await verdictOf(text)).toBe('violation');
  });
});
