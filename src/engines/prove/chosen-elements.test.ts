// Contents of arrays by one element that is chosen, allocations of unknown size, and counters that as many threads
// change as there are.

import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../lower/context.ts';
import type { DataModel } from '../../program/data-model.ts';
import { createIncrementalSolvers } from '../../solver/incremental-cadical.ts';
import { prove } from './prove.ts';

async function ask(text: string, timeLimitMs: number, dataModel: DataModel = 'LP64'): Promise<string> {
  const { checks } = DEFAULT_LOWER_OPTIONS;
  const outcome = await prove(
    lowerText(text, { checks }, dataModel),
    { checks, timeLimitMs, confirmMs: 0 },
    { clock: () => performance.now(), createSolvers: createIncrementalSolvers },
  );
  return outcome.kind;
}

const LONG_MS = 120_000;
const SHORT_MS = 4_000;

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);`;

describe('arrays whose elements are not told apart', () => {
  /** Two tables are filled together; whoever looks compares them. */
  const tables = (filled: string, looked: string, other = '') => `${HEAD}
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
    expect(await ask(tables(both, 't.first[at] == t.second[at]'), LONG_MS)).toBe('proved');
  });

  it('are not proved to where some place differs', async () => {
    const both = 't.first[t.count] = value; t.second[t.count] = value;';
    expect(await ask(tables(both, 't.first[at] == t.second[99 - at]'), SHORT_MS)).toBe('unknown');
    expect(await ask(tables(both, 't.first[at] == t.second[at]', 't.second[7] = 7;'), SHORT_MS)).toBe('unknown');
    const late = 't.first[t.count] = value; if (t.count > 0) t.second[t.count - 1] = value;';
    expect(await ask(tables(late, 't.first[at] == t.second[at]'), SHORT_MS)).toBe('unknown');
    const once = 't.first[t.count] = value; t.second[t.count] = t.count == 57 ? 0 : value;';
    expect(await ask(tables(once, 't.first[at] == t.second[at]'), SHORT_MS)).toBe('unknown');
  });
});

describe('allocations of unknown size', () => {
  const filled = (last: string, from = '0') => `${HEAD}
    int *items, count;
    void *look(void *unused) {
      for (;;) { int at = __VERIFIER_nondet_int(); if (at >= 0 && at < count) assert(items[at] == 7); }
    }
    int main(void) {
      pthread_t t;
      int n = __VERIFIER_nondet_int();
      __VERIFIER_assume(n > 0);
      count = n;
      items = malloc(n * sizeof(int));
      for (int i = ${from}; i < ${last}; i++) items[i] = 7;
      pthread_create(&t, 0, look, 0);
      pthread_exit(0);
    }`;

  it('are as long as they are, and hold what is stored in them', async () => {
    expect(await ask(filled('n'), LONG_MS)).toBe('proved');
  });

  it('are not longer, and hold anything at first', async () => {
    expect(await ask(filled('n + 1'), SHORT_MS)).toBe('unknown');
    expect(await ask(filled('n', '1'), SHORT_MS)).toBe('unknown');
    // The size in bytes may wrap.
    expect(await ask(filled('n'), SHORT_MS, 'ILP32')).toBe('unknown');
  });
});

describe('counters', () => {
  const counted = (work: string, start = 'pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0);') => `${HEAD}
    int x;
    void *work(void *unused) { ${work} assert(x > 0); return 0; }
    int main(void) { pthread_t t, u; ${start} }`;

  it('do not overflow where two threads add to them once', async () => {
    expect(await ask(counted('x++;'), LONG_MS)).toBe('proved');
  });

  it('may where any number of threads do, one after the other', async () => {
    const start = 'for (;;) { pthread_create(&t, 0, work, 0); pthread_join(t, 0); }';
    expect(await ask(counted('x++;', start), SHORT_MS)).toBe('unknown');
  });

  it('may where they add again and again, or much', async () => {
    expect(await ask(counted('while (__VERIFIER_nondet_int()) x++; x++;'), SHORT_MS)).toBe('unknown');
    expect(await ask(counted('x += 2000000000;'), SHORT_MS)).toBe('unknown');
  });
});
