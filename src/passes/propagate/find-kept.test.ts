/** Local variables whose address is taken are followed as long as only the thread's own pointers lead to them. */

import { describe, expect, it } from 'vitest';
import { boundThreads } from '../../../test/support/bound-threads.ts';
import { printProgram } from '../../frontend/print/print-program.ts';
import { asProgram } from '../../program/bounded-program.ts';

const GLOBALS = `
  extern int __VERIFIER_nondet_int(void);
  struct pair { int first, second; };
  int out, *anybody;
  void set(int *to, int value) { *to = value; }
  void set_second(struct pair *of, int value) { set(&of->second, value); }
  int add(int *from, int value) { return *from + value; }`;

/** The values that a thread assigns to `out`. */
function outOf(one: string, other = ''): string[] {
  const program = boundThreads({ globals: GLOBALS, one, other }, { unwind: 3 });
  return [...printProgram(asProgram(program)).matchAll(/\bout = (.*);/g)].map(([, value]) => value as string);
}

describe('a variable is known through pointers', () => {
  it('of functions that are called', () => {
    expect(outOf('int k; set(&k, 3); out = k;')).toEqual(['3']);
    expect(outOf('int k = 3; out = add(&k, 4);')).toEqual(['7']);
    expect(outOf('struct pair p; p.first = 1; set_second(&p, 2); out = p.first + p.second;')).toEqual(['3']);
  });

  it('in arrays, by elements', () => {
    expect(outOf('int k[3]; for (int i = 0; i < 3; i++) set(&k[i], i); out = k[2] + k[1];')).toEqual(['3']);
  });

  it('and so are the threads in an array that main waits for', () => {
    const after = `pthread_t id[2];
      for (int i = 0; i < 2; i++) pthread_create(&id[i], 0, one, 0);
      for (int i = 0; i < 2; i++) pthread_join(id[i], 0);`;
    const program = boundThreads({ globals: GLOBALS, one: 'out = 1;', other: '', after }, { unwind: 2 });
    expect(printProgram(asProgram(program))).toMatch(/status\w* = __lazuli_thread_status\[3U\];/);
  });
});

describe('a variable is not known', () => {
  it.each([
    [
      'after a write through a pointer that may lead to it',
      'int k = 1, j = 1; int *p = __VERIFIER_nondet_int() ? &k : &j; *p = 5; out = k;',
    ],
    ['if another thread may write it', 'int k = 1; anybody = &k; out = k;'],
    ['if a copy of its address goes elsewhere', 'int k = 1; int *p = &k; int *q = p + 0; anybody = q; out = k;'],
    [
      'if its address goes elsewhere by way of a member',
      'struct pair p; p.second = 1; anybody = &p.second; out = p.second;',
    ],
    [
      'if its address is read from a pointer, through a pointer to that',
      'int k = 1, j = 1; int *p = &k, *r = &j, **pp = &r; if (__VERIFIER_nondet_int()) pp = &p; anybody = *pp; out = k;',
    ],
    ['if its address becomes a number', 'int k = 1; unsigned long n = (unsigned long)&k; *(int *)n = 5; out = k;'],
  ])('%s', (_, one) => {
    const [value] = outOf(one, '*anybody = 2;');
    expect(value).toMatch(/^[a-z_]/);
  });
});

it('copies of a loop that write through a pointer are told apart', () => {
  // Where the pointer leads is known once the first loop is unwound.
  const text = `int k = 0, j = 0; int *p = &j; for (int i = 0; i < 2; i++) p = &k;
    for (int i = 0; i < 9; i++) { if (*p) *p = 0; else *p = 1; } out = k;`;
  expect(outOf(text)).toEqual(['1']);
});
