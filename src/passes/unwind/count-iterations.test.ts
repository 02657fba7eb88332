import { describe, expect, it } from 'vitest';
import { readProgram } from '../../frontend/front-end.ts';
import { printProgram } from '../../frontend/print/print-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../program/bounds.ts';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { programAfter } from '../pipeline.ts';

/** The program with all loops unwound, those of unknown length not at all. */
function unwound(text: string): string {
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 0 };
  if (program === null) throw new Error('not C');
  const after = programAfter('unwind-loops', program, options, new DiagnosticSink());
  if (after === null) throw new Error('refused');
  return printProgram({ ...after, items: after.items.filter(({ kind }) => kind === 'function') });
}

/** How often the marked statement `hits = hits + 1` was copied. */
function copies(functions: string, body: string): number {
  const text = `#include <string.h>\nint nondet_int(void); volatile int hits; int x; ${functions}\n    int main(void) { x = nondet_int(); ${body} return 0; }`;
  return unwound(text).match(/hits = /g)?.length ?? 0;
}

describe('iterations that constants decide', () => {
  it('are counted with a bound that an argument gives', () => {
    const repeat = 'void repeat(unsigned n) { for (unsigned i = 0; i < n; i++) hits++; }';
    expect(copies(repeat, 'repeat(5); repeat(2);')).toBe(7);
    expect(copies(repeat, 'repeat(0);')).toBe(0);
    expect(copies(repeat, 'repeat(x);')).toBe(0);
  });

  it('are counted by what strings hold', () => {
    const each = 'void each(const char *s) { while (*s) { hits++; s++; } }';
    expect(copies(each, 'each("four");')).toBe(4);
    const alike =
      'void alike(const char *a, const char *b) { int i = 0; while (a[i] && a[i] == b[i]) { i++; hits++; } }';
    expect(copies(alike, 'alike("abcd", "abxy");')).toBe(3);
  });

  it('are counted with a test at the end, or in the middle', () => {
    expect(copies('void f(int n) { do { hits++; } while (--n > 0); }', 'f(3);')).toBe(3);
    expect(copies('void f(int n) { for (;;) { hits++; if (n == 0) break; n--; } }', 'f(3);')).toBe(4);
  });

  it('are at most as many when something else leaves the loop', () => {
    expect(copies('void f(int n) { while (n > 0) { hits++; if (x) return; n--; } }', 'f(3);')).toBe(3);
  });

  it('are not known when a path may skip the counter', () => {
    expect(copies('void f(int n) { while (n > 0) { hits++; if (x) continue; n--; } }', 'f(3);')).toBe(0);
    expect(copies('void f(int n) { while (n > 0) { hits++; if (x) n--; } }', 'f(3);')).toBe(0);
    expect(copies('void f(int n) { while (n > 0 && x) { hits++; n--; } }', 'f(3);')).toBe(0);
  });

  it('are those of the library for constant sizes', () => {
    const text = `#include <string.h>
      struct s { int a; char b[4]; } x, y; int a[3];
      int main(void) { memcpy(&x, &y, sizeof x); memset(a, 0, sizeof a); return (int)strlen("abc"); }`;
    expect(unwound(text)).not.toContain('__lazuli_assume(');
  });
});
