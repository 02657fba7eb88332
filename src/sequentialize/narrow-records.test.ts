/**
 * Narrow members of records, and integers that pointers lead to: which ones, and that CBMC says the same about them.
 */

import { describe, expect, it } from 'vitest';
import { emitBoth, expectSameVerdict } from '../../test/support/narrowing.ts';

const THREADS = '#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n';

const PROGRAMS = {
  'a pool of records, reached by indexes and by pointers to a member': `
    struct item { volatile int value; int next; };
    struct pool { struct item items[3]; int head; int count; } pool;
    int take(int *place, int by) { int old = *place; *place = by; return old; }
    void *run(void *given) {
      int index = (int)given;
      int next = take(&pool.items[index].next, -1);
      if (next >= 0) { pool.head = next; pool.count++; pool.items[next].value = index + 1; }
      return 0;
    }
    int main(void) {
      pthread_t a, b;
      for (int i = 0; i < 3; i++) pool.items[i].next = i - 1;
      pthread_create(&a, 0, run, (void *)1);
      pthread_create(&b, 0, run, (void *)2);
      pthread_join(a, 0); pthread_join(b, 0);
      assert(pool.count == 2);
      return 0;
    }`,
  'a list in the heap': `
    struct node { int key; struct node *next; short rank; };
    struct node *first;
    int sum;
    void add(int key) {
      struct node *made = malloc(sizeof(struct node));
      made->key = key; made->rank = key * 7; made->next = first;
      first = made;
    }
    void *run(void *unused) { add(3); return 0; }
    int main(void) {
      pthread_t t;
      add(1);
      pthread_create(&t, 0, run, 0);
      add(2);
      pthread_join(t, 0);
      for (struct node *at = first; at; at = at->next) sum += at->key + at->rank;
      assert(sum == 48);
      return 0;
    }`,
  'records that are copied, nested and passed by address': `
    struct point { int x, y; };
    struct line { struct point from, to; unsigned char colour; } lines[2];
    void *run(void *given) {
      struct line *line = given;
      struct point corner = line->to;
      corner.x = corner.x + 3;
      line->from = corner;
      line->colour = 5;
      return 0;
    }
    int main(void) {
      pthread_t t;
      lines[1].to.x = 6;
      pthread_create(&t, 0, run, &lines[1]);
      pthread_join(t, 0);
      lines[0] = lines[1];
      assert(lines[0].from.x == 9 && lines[0].colour == 5 && sizeof(struct line) == 20);
      return 0;
    }`,
  'pointers that are copied, compared and moved': `
    int numbers[4] = { 1, 2, 3, 4 }, other, *at = 0, *end;
    void *run(void *unused) { if (at != 0 && at != end) { *at = *at + 9; at = at + 1; } return 0; }
    int main(void) {
      pthread_t t;
      end = &numbers[3];
      at = other ? &other : numbers;
      pthread_create(&t, 0, run, 0);
      pthread_join(t, 0);
      assert(numbers[0] == 10 && *at == 2 && end - at == 2);
      return 0;
    }`,
} as const;

describe('CBMC on narrow members', { timeout: 120_000 }, () => {
  for (const [name, text] of Object.entries(PROGRAMS)) {
    it(`says the same, and loses no value: ${name}`, () => {
      expectSameVerdict(THREADS + text, 4);
      expectSameVerdict(THREADS + text.replace(/assert\((.*)\);/, 'assert(!($1));'), 4);
    });
  }
});

describe('members and what pointers lead to', () => {
  const narrowed = (text: string) => emitBoth(THREADS + text, 4).narrow;

  it('are narrow where every access names them', () => {
    const pool = narrowed(PROGRAMS['a pool of records, reached by indexes and by pointers to a member']);
    expect(pool).toMatch(/__lazuli_bits_8 value;\n {2}__lazuli_signed_8 next;/);
    expect(pool).toMatch(/__lazuli_signed_8 \*place;/);
    expect(pool).toContain('*place = -1;');
    const list = narrowed(PROGRAMS['a list in the heap']);
    expect(list).toMatch(/__lazuli_bits_8 key;\n.*\n {2}__lazuli_bits_8 rank;/);
    expect(list).toContain('malloc(sizeof(struct node))');
    const lines = narrowed(PROGRAMS['records that are copied, nested and passed by address']);
    expect(lines).toMatch(/__lazuli_bits_8 x;\n {2}__lazuli_bits_8 y;/);
    expect(lines).not.toMatch(/assume\(.*sizeof/);
    expect(narrowed(PROGRAMS['pointers that are copied, compared and moved'])).toMatch(/^__lazuli_bits_8 \*end;$/m);
  });

  const RECORD = 'struct pair { int a, b; } pair; int result; extern int __VERIFIER_nondet_int(void);';
  const odd: Readonly<Record<string, string>> = {
    'bytes are copied':
      'int main(void) { struct pair copy; pair.a = 1; memcpy(&copy, &pair, 8); result = copy.a; return 0; }',
    'a pointer is converted': 'int main(void) { pair.a = 1; result = ((char *)&pair)[0]; return 0; }',
    'a pointer is converted by way of void *':
      'int main(void) { void *at = __VERIFIER_nondet_int() ? &pair : 0; pair.a = 1; int *other = at; result = other[1]; return 0; }',
    'it lies in a union':
      'union { struct pair pair; int words[2]; } both; int main(void) { both.pair.a = 1; pair.a = both.words[0]; return 0; }',
    'an allocation is seen as two things': `struct other { int b; int c; };
      int main(void) { void *made = malloc(8); struct pair *p = made; struct other *o = made; p->a = 1; o->c = 2; result = o->b; return 0; }`,
    'a record is found by its member': `
      #define container(p) ((struct pair *)((char *)(p) - 4))
      int main(void) { int *at = &pair.b; pair.a = 1; result = container(at)->a; return 0; }`,
    'the constants of others are not known':
      'const struct pair table[2] = { { 1000, 2 }, { 3, 4 } }; int main(void) { pair.a = 1; result = table[pair.a].a; return 0; }',
    'a pointer to it is reached by a pointer':
      'int main(void) { int *at = &pair.a, *to = &pair.b, **reached = __VERIFIER_nondet_int() ? &at : &to; **reached = 1; result = *at; return 0; }',
  };
  for (const [what, text] of Object.entries(odd)) {
    it(`keep their types where ${what}`, () => {
      expect(narrowed(RECORD + text)).toMatch(/ int a;/);
    });
  }
});
