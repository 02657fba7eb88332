/** Which accesses need no label because of a lock, and which do all the same. */

import { describe, expect, it } from 'vitest';
import { boundThreads } from '../../../test/support/bound-threads.ts';
import { lastLabel } from '../../program/bounded-program.ts';

const GLOBALS = `
  #include <assert.h>
  extern int __VERIFIER_nondet_int(void);
  extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
  pthread_mutex_t m, n;
  pthread_cond_t c;
  int x, y, l;
  struct { int count, at[3]; pthread_mutex_t lock; int last; } q;
  void take(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(l == 0); l = 1; __VERIFIER_atomic_end(); }`;

const locked = (what: string, mutex = 'm') => `pthread_mutex_lock(&${mutex}); ${what} pthread_mutex_unlock(&${mutex});`;
const ADDS = 'x = x + 1; x = x + 2;';
const CRITICAL = locked(ADDS);

/** How many labels the threads have besides that of their start: the last one stands at the end. */
function labels(one: string, other: string, after = ''): readonly number[] {
  return boundThreads({ globals: GLOBALS, one, other, after }, { unwind: 2 }).threads.map(lastLabel).slice(1);
}

describe('a critical section', () => {
  it('is one step, from taking the lock on', () => {
    expect(labels(CRITICAL, CRITICAL)).toEqual([1, 1]);
    expect(labels(`${CRITICAL} ${CRITICAL}`, CRITICAL)).toEqual([2, 1]);
  });

  it('is several if another thread touches the same without a lock, or with another one', () => {
    expect(labels(CRITICAL, 'x = 7;')).toEqual([5, 1]);
    expect(labels(CRITICAL, locked('x = 7;', 'n'))).toEqual([5, 2]);
  });

  it('is one step where all hold one of the locks in common', () => {
    expect(labels(locked(CRITICAL, 'n'), CRITICAL)).toEqual([2, 1]);
    expect(labels(locked(CRITICAL, 'n'), `${locked(ADDS, 'n')} ${locked('', 'm')}`)).toEqual([2, 2]);
  });

  it('has a label where it touches something else, or waits', () => {
    expect(labels(locked('x = x + 1; y = 2; x = x + 2;'), `${CRITICAL} y = y + 3;`)).toEqual([2, 3]);
    const waits = '__VERIFIER_assume(__VERIFIER_nondet_int());';
    expect(labels(locked(`x = x + 1; ${waits} x = x + 2;`), CRITICAL)).toEqual([2, 1]);
  });

  it('ends at a condition variable, and begins again', () => {
    expect(labels(locked('if (x == 0) pthread_cond_wait(&c, &m); x = x + 1;'), CRITICAL)).toEqual([2, 1]);
  });

  it('is one step with a lock that lies beside what it protects', () => {
    const adds = locked('q.at[q.count] = 1; q.count = q.count + 1;', 'q.lock');
    expect(labels(adds, adds)).toEqual([1, 1]);
    // Such an index could lead to the lock.
    const anywhere = locked('((int *)&q)[q.count] = 1; q.count = q.count + 1;', 'q.lock');
    expect(labels(adds, anywhere)[0]).toBeGreaterThan(4);
  });

  it('is one step with a lock that the program makes of an atomic section', () => {
    expect(labels(`take(); ${ADDS} l = 0;`, `take(); ${ADDS} l = 0;`)).toEqual([1, 1]);
  });

  it('is none if the lock is taken on one way only', () => {
    const [one = 0] = labels(`if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); ${ADDS}`, CRITICAL);
    expect(one).toBeGreaterThan(4);
  });
});

describe('what main does without the lock', () => {
  it('does not matter once it has waited for the threads', () => {
    const after = 'pthread_join(s, 0); pthread_join(t, 0); x = x + 1; pthread_mutex_destroy(&m);';
    // The end of a thread that others wait for is a step.
    expect(labels(CRITICAL, CRITICAL, after)).toEqual([2, 2]);
  });

  it('matters as long as one of them may run, for that one', () => {
    expect(labels(CRITICAL, CRITICAL, 'pthread_join(s, 0); x = x + 1;')).toEqual([2, 6]);
  });

  it('matters if it waits for a thread that is detached', () => {
    const detached = 'pthread_detach(s); pthread_join(s, 0); pthread_join(t, 0); x = x + 1;';
    expect(labels(CRITICAL, CRITICAL, detached)).toEqual([6, 2]);
  });
});

describe('a part is no lock', () => {
  const [whole = 0] = labels(`take(); ${ADDS} l = 0;`, 'x = 3; l = 5;');

  it.each([
    ['somebody lets it go without holding it', `take(); ${ADDS} l = 0; l = 0;`],
    ['somebody takes it without looking', `l = 1; ${ADDS} l = 0;`],
    ['somebody may write it through a pointer', `int *p = __VERIFIER_nondet_int() ? &l : &y; take(); ${ADDS} *p = 0;`],
    [
      'a value that means free for one is written by another to take it',
      `__VERIFIER_atomic_begin();
      __VERIFIER_assume(l == 1); l = 2; __VERIFIER_atomic_end(); ${ADDS} l = 0;`,
    ],
  ])('if %s', (_, other) => {
    expect(labels(`take(); ${ADDS} l = 0;`, other)[0]).toBe(whole);
  });
});

describe('to let go of a lock is a step', () => {
  const own = `take(); ${ADDS} l = 0;`;

  it('if somebody can tell whether it is held', () => {
    expect(labels(own, `take(); ${ADDS} l = 0; y = l; int k = y;`)[0]).toBe(2);
    expect(
      labels(own, `${own} __VERIFIER_atomic_begin(); __VERIFIER_assume(l == 1); __VERIFIER_atomic_end();`)[0],
    ).toBe(2);
    expect(
      labels(
        own,
        `${own} __VERIFIER_atomic_begin(); assert(l == 0); __VERIFIER_assume(l == 0); __VERIFIER_atomic_end();`,
      )[0],
    ).toBe(2);
  });

  it('but not if others only wait for it', () => {
    expect(
      labels(own, `${own} __VERIFIER_atomic_begin(); __VERIFIER_assume(l == 0); __VERIFIER_atomic_end();`)[0],
    ).toBe(1);
  });
});
