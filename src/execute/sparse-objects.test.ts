/** Arrays that are too large for a cell a place: what their accesses see, and what it costs. */

import { describe, expect, it } from 'vitest';
import { checkText, violatedCheck } from '../../test/support/check-text.ts';
import type { FormulaSize } from '../outcome/progress.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
unsigned any(unsigned below) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < below); return i; }
`;

/** The check that is violated (after a replay), or the kind of the answer; by the solver alone. */
async function answer(body: string): Promise<string> {
  const outcome = await checkText(HEAD + body, { unwind: 2, rounds: 3 });
  return violatedCheck(outcome);
}

describe('a large array', () => {
  it('keeps what is written where it is written', async () => {
    const body = (assertion: string) => `
      int a[100000];
      int main(void) {
        unsigned i = any(100000), j = any(100000);
        a[i] = 7;
        a[j] = a[j] + 1;
        a[99999] = a[99999] + 2;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('i == j ? a[i] >= 8 : a[i] == 7 || a[i] == 9'))).toBe('safe');
    expect(await answer(body('a[i] != 9'))).toBe('assertion');
    expect(await answer(body('a[i] != 10'))).toBe('assertion');
    expect(await answer(body('a[i] != 11'))).toBe('safe');
    expect(await answer(body('a[5] != 8'))).toBe('assertion');
  });

  it('has been written at known places before', async () => {
    const body = (assertion: string) => `
      int a[100000];
      int main(void) {
        a[3] = 1;
        unsigned i = any(100000);
        if (any(2)) a[i] = 2;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('a[3] == 1 || i == 3'))).toBe('safe');
    expect(await answer(body('a[3] == 1'))).toBe('assertion');
  });

  it('is shared between threads', async () => {
    const body = (assertion: string) => `
      int a[1000000];
      unsigned at;
      void *work(void *argument) { a[at] = 1; a[any(1000000)] = 2; return 0; }
      int main(void) {
        at = any(1000000);
        a[17] = 3;
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        unsigned i = any(1000000);
        int v = a[i], w = a[i];
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('v >= 0 && v <= 3'))).toBe('safe');
    expect(await answer(body('v != 3 || i == 17'))).toBe('safe');
    expect(await answer(body('v == w || i != 17'))).toBe('assertion');
    expect(await answer(body('v != 2 || w == 2'))).toBe('safe');
    expect(await answer(body('v != 1 || w != 2'))).toBe('assertion');
  });

  it('starts with its initial values', async () => {
    const body = (assertion: string) => `
      short a[50000] = {[3] = 5, [40000] = 6};
      int main(void) { unsigned i = any(50000); assert(${assertion}); return 0; }`;
    expect(await answer(body('a[i] == (i == 3 ? 5 : i == 40000 ? 6 : 0)'))).toBe('safe');
    expect(await answer(body('a[i] != 6'))).toBe('assertion');
  });

  it('starts unknown on the heap, the same at each read, and replays so', async () => {
    const body = (assertion: string) => `
      int main(void) {
        int *a = malloc(400000);
        unsigned i = any(100000), j = any(100000);
        int v = a[i], w = a[j];
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('i != j || v == w'))).toBe('safe');
    expect(await answer(body('v != 12345 || w != 54321 || i + 5 != j'))).toBe('assertion');
  });

  it('of records has fields that do not touch', async () => {
    const body = (assertion: string) => `
      struct record { int key; char mark; } a[20000];
      int main(void) {
        unsigned i = any(20000), j = any(20000);
        a[i].key = 0x01010101;
        a[j].mark = 9;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('a[j].mark == 9 && a[i].key == 0x01010101'))).toBe('safe');
    expect(await answer(body('a[i].mark == 0'))).toBe('assertion');
  });

  it('is published with its contents', async () => {
    const body = (assertion: string) => `
      int *shared;
      void *work(void *argument) { int *a = calloc(100000, 4); a[any(100000)] = 5; a[8] = 6; shared = a; return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        if (shared) { unsigned i = any(100000); int v = shared[i]; assert(${assertion}); }
        return 0;
      }`;
    expect(await answer(body('i == 8 ? v == 6 : v == 0 || v == 5'))).toBe('safe');
    expect(await answer(body('v != 5'))).toBe('assertion');
  });

  it('has bounds', async () => {
    expect(await answer('int a[100000]; int main(void) { return a[any(100001)]; }')).toBe('bounds');
    expect(await answer('int main(void) { int *a = malloc(400000); a[any(100001)] = 1; return 0; }')).toBe('pointer');
  });

  it('is accessed in pieces when its accesses overlap in part', async () => {
    const body = (assertion: string) => `
      int a[100000];
      int main(void) {
        unsigned i = any(100000), j = any(400000);
        a[i] = 0x01020304;
        char c = ((char *)a)[j];
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('j / 4 == i ? c == 4 - (char)(j % 4) : c == 0'))).toBe('safe');
    expect(await answer(body('c != 3'))).toBe('assertion');
  });

  it('may be accessed in any way if it is not so large', async () => {
    const body = (assertion: string) => `
      int a[500];
      int main(void) {
        unsigned i = any(500), j = any(2000);
        a[i] = 0x01020304;
        ((char *)a)[j] = 9;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('a[i] != 0x01090304'))).toBe('assertion');
    expect(await answer(body('a[i] != 0x09090304'))).toBe('safe');
  });

  it('costs by its accesses', async () => {
    const sizes: FormulaSize[] = [];
    const observer = { onFormula: (_: unknown, size: FormulaSize) => sizes.push(size) };
    for (const length of [1000, 1_000_000]) {
      const body = `int a[${length}]; int main(void) { a[any(${length})] = 1; assert(a[any(${length})] < 2); return 0; }`;
      await checkText(HEAD + body, { unwind: 1, rounds: 1, observer });
    }
    expect(sizes[1]?.terms).toBe(sizes[0]?.terms);
  });

  it('ends where its length does, though that is not constant', async () => {
    const body = (index: string) => `
      int main(void) {
        unsigned n = any(101) + 100, i = __VERIFIER_nondet_uint();
        char *a = malloc(n);
        if (!a) return 0;
        __VERIFIER_assume(${index});
        a[i] = 1;
        free(a);
        return 0;
      }`;
    expect(await answer(body('i < n'))).toBe('safe');
    expect(await answer(body('i >= n && i < 200'))).toBe('pointer');
  });

  it('leaves the members beside it alone', async () => {
    const body = (assertion: string) => `
      struct { int head; int slots[300]; int tail; } queue;
      void *work(void *argument) { queue.slots[any(300)] = 5; queue.head = 1; return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        queue.tail = 7;
        int seen = queue.slots[any(300)], head = queue.head;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('(seen == 0 || seen == 5) && queue.tail == 7 && head >= 0 && head <= 1'))).toBe('safe');
    expect(await answer(body('seen == 0 || head == 1'))).toBe('assertion');
  });

  it('of records has members that do not mix', async () => {
    const body = (assertion: string) => `
      struct { int key; char mark; } table[500];
      void *work(void *argument) { unsigned i = any(500); table[i].key = 70000; table[i].mark = 1; return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        unsigned i = any(500);
        char mark = table[i].mark;
        int key = table[i].key;
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('mark <= 1 && (!mark || key == 70000)'))).toBe('safe');
    expect(await answer(body('!key || mark'))).toBe('assertion');
  });

  it('costs little where its contents decide nothing', async () => {
    const sizes: FormulaSize[] = [];
    const body = (use: string) => `${HEAD}
      int log[1000], n;
      void *work(void *argument) { for (int i = 0; i < 12; i++) { log[any(1000)] = i; n = ${use}; } return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        for (int i = 0; i < 12; i++) log[any(1000)] = i;
        assert(n < 3);
        return 0;
      }`;
    for (const use of ['i', 'log[any(1000)]']) {
      const observer = { onFormula: (_: unknown, size: FormulaSize) => sizes.push(size) };
      await checkText(body(use), { unwind: 2, rounds: 1, observer });
    }
    const [unused, used] = sizes as [FormulaSize, FormulaSize];
    expect(used.clauses).toBeGreaterThan(10 * unused.clauses);
  });
});
