import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { analyse } from '../../test/support/watch-ranges.ts';
import { printSet } from '../values/value-set.ts';
import { spellBits } from './describe-range.ts';
import type { VariableRange } from './make-range.ts';

/** The ranges of the user's variables, by function and name. */
function rangesOf(text: string, unwind = 2): Map<string, VariableRange> {
  const { ranges } = analyse(readCode(text), unwind);
  const own = ranges.filter(({ isInternal }) => !isInternal);
  return new Map(own.map((range) => [range.function === null ? range.name : `${range.function}.${range.name}`, range]));
}

function textOf(range: VariableRange | undefined): string {
  return range ? printSet(range.set, range.signed) : 'missing';
}

describe('variable ranges', () => {
  it('join what all activations and threads assign', () => {
    const ranges = rangesOf(`
      #include <pthread.h>
      int x;
      static int twice(int a) { int b = 2 * a; return b; }
      void *run(void *unused) { x = twice(3); return unused; }
      int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = twice(-1); return 0; }`);
    expect(textOf(ranges.get('twice.a'))).toBe('{-1, 3}');
    expect(textOf(ranges.get('twice.b'))).toBe('{-2, 6}');
    expect(textOf(ranges.get('x'))).toBe('{-2, 0, 6}');
  });

  it('do not count what a local holds before every path has assigned it', () => {
    const ranges = rangesOf(`
      extern _Bool __VERIFIER_nondet_bool(void);
      int main(void) {
        int always, sometimes, taken;
        int *pointer = &taken;
        if (__VERIFIER_nondet_bool()) { always = 1; sometimes = 1; } else always = 2;
        *pointer = 5;
        return always + sometimes + taken;
      }`);
    expect(textOf(ranges.get('main.always'))).toBe('{1, 2}');
    expect(textOf(ranges.get('main.taken'))).toBe('{5}');
    expect(ranges.get('main.sometimes')?.neededBits).toBe(32);
    expect(ranges.get('main.sometimes')?.least?.origin.kind).toBe('uninitialised');
  });

  it('put pieces of memory together', () => {
    const ranges = rangesOf(`
      union { unsigned whole; unsigned char bytes[4]; } u = { 0x100 };
      struct { unsigned low : 4; signed high : 4; } bits;
      int main(void) { u.bytes[0] = 7; bits.low = 9; bits.high = -3; return 0; }`);
    expect(textOf(ranges.get('u.whole'))).toBe('{256, 263}');
    expect(textOf(ranges.get('u.bytes[1]'))).toBe('{1}');
    expect(textOf(ranges.get('bits.low'))).toBe('{0, 9}');
    expect(textOf(ranges.get('bits.high'))).toBe('{-3, 0}');
  });

  it('tell which store gives the byte that decides', () => {
    const ranges = rangesOf(`union { int whole; unsigned char bytes[4]; } u;
      int main(void) {
        u.bytes[3] = 0;
        u.bytes[0] = 5;
        u.bytes[1] = 1;
        return 0;
      }`);
    const most = ranges.get('u.whole')?.most;
    expect(most?.value).toBe(261n);
    const stores = [3, 2, 1].map((byte) => ranges.get(`u.bytes[${byte}]`)?.most?.origin);
    expect(most?.origin).toEqual(stores[2]);
  });

  it('order floats as numbers', () => {
    const ranges = rangesOf(`#include <math.h>
      extern float __VERIFIER_nondet_float(void);
      float down = 7, zero, any, none, only = 0.1f;
      int main(void) {
        down = -2.5f;
        zero = -0.0f;
        any = __VERIFIER_nondet_float();
        none = NAN;
        return only > 0;
      }`);
    const extremes = (name: string) => {
      const range = ranges.get(name);
      return [range?.least, range?.most].map((extreme) => extreme && spellBits(extreme.value, 32));
    };
    expect(extremes('down')).toEqual(['-2.5', '7']);
    expect(ranges.get('down')?.most?.origin.kind).toBe('initial');
    expect(extremes('zero')).toEqual(['-0', '0']);
    expect(extremes('any')).toEqual(['-Infinity', 'Infinity']);
    expect(ranges.get('any')?.least?.origin.kind).toBe('assigned');
    expect(extremes('none')).toEqual(['0', '0']);
    expect(extremes('only')).toEqual(['0.1', '0.1']);
  });

  it('tell the elements of arrays of variable length, as many as there can be', () => {
    const ranges = rangesOf(
      `
      extern _Bool __VERIFIER_nondet_bool(void);
      int main(void) {
        int length = 2 + __VERIFIER_nondet_bool();
        short numbers[length];
        for (int i = 0; i < length; i++) numbers[i] = 10 * i;
        return numbers[0];
      }`,
      3,
    );
    expect(['0', '1', '2', '3'].map((i) => textOf(ranges.get(`main.numbers[${i}]`)))).toEqual([
      '{0}',
      '{10}',
      '{20}',
      'missing',
    ]);
  });

  it('stand for all elements of long arrays', () => {
    const ranges = rangesOf(`
      extern unsigned __VERIFIER_nondet_uint(void);
      short many[1000] = { [3] = 8 };
      struct { int key; char name[40]; } rows[50];
      int main(void) { many[__VERIFIER_nondet_uint() % 4] = -2; rows[7].name[5] = 'a'; return 0; }`);
    expect(textOf(ranges.get('many[0..999]'))).toBe('{-2, 0, 8}');
    expect(ranges.get('many[0..999]')?.count).toBe(1000);
    expect(textOf(ranges.get('rows[0..49].name[0..39]'))).toBe('{0, 97}');
    expect(textOf(ranges.get('rows[0..49].key'))).toBe('{0}');
  });

  it('stand for all places of arrays that are too large to tell them apart', () => {
    const ranges = rangesOf(`
      #include <stdlib.h>
      extern unsigned __VERIFIER_nondet_uint(void);
      struct { int key; short rank; char mark; } rows[100000] = { { 7, 2, 0 } };
      int flat[90000], mixed[5000], *list;
      int main(void) {
        unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
        if (i >= 50000 || j >= 5000) return 0;
        rows[i].key = 3;
        rows[i + 1].rank = -1;
        flat[i] = flat[i + 2] + 1;
        mixed[j] = 1;
        ((char *)mixed)[j] = 1;
        list = malloc(50000 * sizeof *list);
        list[i] = 5;
        return list[1];
      }`);
    expect(textOf(ranges.get('rows[0..99999].key'))).toBe('{0, 3, 7}');
    expect(textOf(ranges.get('rows[0..99999].rank'))).toBe('{-1, 0, 2}');
    expect(textOf(ranges.get('rows[0..99999].mark'))).toBe('{0}');
    expect(textOf(ranges.get('flat[0..89999]'))).toBe('{0, 1}');
    expect(ranges.get('mixed[0..4999]')?.neededBits).toBe(32);
    expect(ranges.get('allocated@14+0 step 4')?.count).toBe(50000);
    expect(ranges.get('allocated@14+0 step 4')?.most?.origin.kind).toBe('uninitialised');
  });

  it('count elements that are incremented through an index', () => {
    const ranges = rangesOf(`
      #include <pthread.h>
      extern unsigned __VERIFIER_nondet_uint(void);
      int seen[3];
      void *run(void *unused) {
        for (int i = 0; i < 20; i++) seen[__VERIFIER_nondet_uint() % 3]++;
        return unused;
      }
      int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); return 0; }`);
    expect(textOf(ranges.get('seen[1]'))).toBe('0 … 40');
  });

  it('count from each of the values that a cell starts from or is set to', () => {
    const ranges = rangesOf(`
      #include <pthread.h>
      int cells[40], *position, far = -100;
      void *run(void *unused) { position = &cells[5]; position++; far++; return unused; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, run, 0);
        position = cells;
        far = 100;
        return *position;
      }`);
    expect(ranges.get('position')?.neededBits).toBe(5);
    expect(textOf(ranges.get('far'))).toBe('{-100, -99, 100, 101}');
  });

  it('follow conditions, conditional values and assertions', () => {
    const ranges = rangesOf(`
      #include <assert.h>
      extern int __VERIFIER_nondet_int(void);
      int main(void) {
        int input = __VERIFIER_nondet_int();
        int least = input < 3 ? 3 : input;
        int both = least > 7 ? 7 : least;
        assert(input >= 0);
        int passed = input;
        if (passed > 9) return 0;
        int branched = passed;
        return both + branched;
      }`);
    expect(textOf(ranges.get('main.both'))).toBe('{3, 4, 5, 6, 7}');
    expect(textOf(ranges.get('main.passed'))).toBe('0 … 2147483647');
    expect(textOf(ranges.get('main.branched'))).toBe('0 … 9');
  });

  it('name allocations by their line', () => {
    const ranges = rangesOf(`#include <stdlib.h>
      struct pair { int first; char second; };
      int main(void) {
        for (int i = 0; i < 3; i++) { struct pair *p = malloc(sizeof *p); p->first = i; p->second = 1; }
        return 0;
      }`);
    expect(textOf(ranges.get('allocated@4+0'))).toBe('{0, 1, 2}');
    expect(textOf(ranges.get('allocated@4+4'))).toBe('{1}');
  });

  it('follow the writes where values are many, and no further', () => {
    const ranges = rangesOf(
      `
      #include <pthread.h>
      int i = 1, j = 1;
      void *left(void *unused) { for (int k = 0; k < 5; k++) i += j; return unused; }
      void *right(void *unused) { for (int k = 0; k < 5; k++) j += i; return unused; }
      int main(void) { pthread_t a, b; pthread_create(&a, 0, left, 0); pthread_create(&b, 0, right, 0); return 0; }`,
      5,
    );
    expect(textOf(ranges.get('i'))).toBe('1 … 49984');
  });
});
