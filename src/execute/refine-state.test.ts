import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { analyse } from '../../test/support/watch-ranges.ts';
import { printSet } from '../values/value-set.ts';

/** Which elements of `int a[10]` a function body can give the value 1. */
function touched(body: string, globals = ''): string {
  const code = readCode(`
    #include <pthread.h>
    extern int __VERIFIER_nondet_int(void);
    extern unsigned __VERIFIER_nondet_uint(void);
    extern short __VERIFIER_nondet_short(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    int a[10];
    ${globals}
    int main(void) { ${body} return 0; }`);
  const { ranges } = analyse(code, 3);
  const elements = ranges.filter(({ name }) => name.startsWith('a['));
  return elements.flatMap(({ set }, i) => (printSet(set, true) === '{0}' ? [] : [i])).join(' ');
}

describe('conditions narrow the places that an index reaches', () => {
  it('in one condition or several', () => {
    expect(touched('int i = __VERIFIER_nondet_int(); if (i >= 0) if (i < 3) a[i] = 1;')).toBe('0 1 2');
    expect(touched('int i = __VERIFIER_nondet_int(); if (i >= 2 && i < 4) a[i] = 1;')).toBe('2 3');
    expect(touched('int i = __VERIFIER_nondet_int(); if (i < 7 || i > 8) return 0; a[i] = 1;')).toBe('7 8');
    expect(touched('int i = __VERIFIER_nondet_int(); if (!(i < 0 || i >= 2)) a[i] = 1;')).toBe('0 1');
  });

  it('of narrow types, which are compared in wide ones', () => {
    expect(touched('short i = __VERIFIER_nondet_short(); if (i >= 1 && i < 3) a[i] = 1;')).toBe('1 2');
    expect(touched('unsigned char i = __VERIFIER_nondet_uchar(); if (i < 3) *(a + i) = 1;')).toBe('0 1 2');
    expect(touched('long i = __VERIFIER_nondet_int(); if (i > 5 && i < 8) a[i] = 1;')).toBe('6 7');
  });

  it('across signs', () => {
    expect(touched('int i = __VERIFIER_nondet_int(); if ((unsigned)i < 3u) a[i] = 1;')).toBe('0 1 2');
    expect(touched('unsigned i = __VERIFIER_nondet_uint(); if (i < 3) a[(int)i + 1] = 1;')).toBe('1 2 3');
    expect(touched('unsigned i = __VERIFIER_nondet_uint(); if ((int)i >= 0 && (int)i < 2) a[i] = 1;')).toBe('0 1');
  });

  it('through sums', () => {
    expect(touched('int i = __VERIFIER_nondet_int(); if (i + 1 > 0 && i + 1 < 4) a[i] = 1;')).toBe('0 1 2');
    expect(touched('int i = __VERIFIER_nondet_int(), j = i + 2; if (i >= 0 && i < 2) a[j] = 1;')).toBe('2 3');
    expect(
      touched('int i = __VERIFIER_nondet_int(); if (i < -9 || i > 9) return 0; int *p = a + i; if (i > 7) *p = 1;'),
    ).toBe('8 9');
  });

  it('of locals that were read from shared memory', () => {
    const globals = 'int shared; void *other(void *unused) { shared = __VERIFIER_nondet_int(); return unused; }';
    const start = 'pthread_t t; pthread_create(&t, 0, other, 0);';
    expect(touched(`${start} int i = shared; if (i >= 0 && i < 4) a[i] = 1;`, globals)).toBe('0 1 2 3');
    // What is read again may be something else.
    expect(touched(`${start} if (shared >= 0 && shared < 4) a[shared] = 1;`, globals)).toBe('0 1 2 3 4 5 6 7 8 9');
  });

  it('in loops', () => {
    const loop = 'unsigned n = __VERIFIER_nondet_uint(); if (n > 4) return 0;';
    expect(touched(`${loop} for (unsigned i = 0; i < n; i++) a[i] = 1;`)).toBe('0 1 2');
    expect(touched(`${loop} for (int i = (int)n - 1; i >= 0; i--) a[i] = 1;`)).toBe('0 1 2 3');
  });

  it('in conditional expressions', () => {
    expect(touched('int i = __VERIFIER_nondet_int(); int k = i >= 0 && i < 3 ? i + 1 : 9; a[k] = 1;')).toBe('1 2 3 9');
  });

  it('of choices between values, although comparing them chooses between comparisons', () => {
    const choice = 'int c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_uint() & 3;';
    expect(touched(`${choice} int k = c ? n : d ? 1 : 0; a[k < 3 ? k + 1 : 0] = 1;`)).toBe('0 1 2 3');
    expect(touched(`${choice} int k = c ? (d ? 2 : n) : 3; if (k != 3) a[k + 5] = 1;`)).toBe('5 6 7');
  });
});

/** The values of the global r of a program. */
function resultOf(body: string, globals = ''): string {
  const code = readCode(`
    #include <pthread.h>
    extern int __VERIFIER_nondet_int(void);
    int r;
    ${globals}
    int main(void) { ${body} return 0; }`);
  const range = analyse(code, 4).ranges.find(({ name }) => name === 'r');
  return range ? printSet(range.set, true) : 'none';
}

describe('conditions decide choices that were made on them', () => {
  const n = 'int n = __VERIFIER_nondet_int();';

  it('so that a loop finds what the loop before has stored', () => {
    const loops = 'int a[3]; for (int i = 0; i < n; i++) a[i] = i + 1; for (int i = 0; i < n; i++) r = a[i];';
    expect(resultOf(`${n} if (n < 0 || n > 3) return 0; ${loops}`)).toBe('{0, 1, 2, 3}');
  });

  it('so that joining threads that were created cannot fail', () => {
    const create = 'for (int i = 0; i < n; i++) pthread_create(&t[i], 0, f, 0);';
    const join = 'for (int i = 0; i < n; i++) r = pthread_join(t[i], 0);';
    const body = `${n} if (n < 0 || n > 3) return 0; pthread_t t[n]; ${create} ${join}`;
    expect(resultOf(body, 'void *f(void *x) { return x; }')).toBe('{0}');
  });

  it('by the same condition, by its parts, or by what it compares', () => {
    expect(resultOf(`${n} int x; if (n > 5) x = 1; if (n > 5) r = x;`)).toBe('{0, 1}');
    expect(resultOf(`${n} int x; if (n > 5 && n != 7) x = 1; if (n == 6) r = x;`)).toBe('{0, 1}');
    expect(resultOf(`${n} int x; if (n > 5) x = 1; else if (n > 2) x = 2; if (n == 4) r = x;`)).toBe('{0, 2}');
    expect(resultOf(`${n} int x = 3, m = n; if (m > 5) x = 1; if (!(n > 5)) return 0; r = x;`)).toBe('{0, 1}');
  });

  it('by which function is called through a pointer', () => {
    const functions = 'void more(int x) { r = x; } void less(int x) { r = 9; }';
    const call = 'void (*f)(int) = n > 5 && n < 8 ? more : less; f(n);';
    expect(resultOf(`${n} ${call}`, functions)).toBe('{0, 6, 7, 9}');
  });

  it('and not by what has changed since', () => {
    expect(resultOf(`${n} int x = 3; if (n > 5) x = 1; n = __VERIFIER_nondet_int(); if (n > 5) r = x;`)).toBe(
      '{0, 1, 3}',
    );
  });
});

describe('where paths meet', () => {
  it('a value lies where one or the other path knows it to be', () => {
    const body =
      'int n = __VERIFIER_nondet_int(); if (n > 7) return 0; if (n > 3) r = 1; else if (n < 2) return 0; r = n;';
    expect(resultOf(body)).toBe('0 … 7');
  });
});
