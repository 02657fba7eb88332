/** What threads know of global variables and of their arguments: only what nobody can change any more. */

import { describe, expect, it } from 'vitest';
import { readProgram } from '../../frontend/front-end.ts';
import { printProgram } from '../../frontend/print/print-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../program/bounds.ts';
import type { Program } from '../../program/tree.ts';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { programAfter } from '../pipeline.ts';

interface Threads {
  readonly globals?: string;
  /** What main does before it creates `one` and `other`, between the two, and after that. */
  readonly before?: string;
  readonly between?: string;
  readonly after?: string;
  /** For `one`. */
  readonly argument?: string;
  readonly one: string;
  readonly other?: string;
  /** The thread that is looked at. */
  readonly thread?: string;
}

/** The values that are assigned to `out` in one of the threads. */
function outOf(threads: Threads): string[] {
  const { globals = 'int g = 3;', before = '', between = '', after = '', argument = '0', one, other = '' } = threads;
  const text = `#include <pthread.h>
    extern int __VERIFIER_nondet_int(void);
    int out; ${globals}
    void *one(void *u) { ${one} return 0; }
    void *other(void *u) { ${other} return 0; }
    int main(void) {
      pthread_t s, t; int local = 6; ${before}
      pthread_create(&s, 0, one, ${argument}); ${between} pthread_create(&t, 0, other, 0); ${after} return 0;
    }`;
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const options = { ...DEFAULT_BOUND_OPTIONS, atomicStatements: true };
  const known = programAfter('propagate-constants', program as Program, options, new DiagnosticSink()) as Program;
  const name = threads.thread ?? 'one_1';
  const items = known.items.filter((item) => item.kind === 'function' && item.definition.symbol.name === name);
  return [...printProgram({ ...known, items }).matchAll(/\bout = (.*);/g)].map(([, value]) => value as string);
}

describe('a thread knows of global variables', () => {
  it('what main puts into them before there are threads', () => {
    expect(outOf({ before: 'g = g + 4;', one: 'out = g;' })).toEqual(['7']);
    expect(outOf({ before: 'if (__VERIFIER_nondet_int()) g = 4;', one: 'out = g;' })).toEqual(['g']);
  });

  it('nothing if main or another thread writes them later', () => {
    expect(outOf({ before: 'g = 4;', between: 'g = 5;', one: 'out = g;' })).toEqual(['g']);
    expect(outOf({ before: 'g = 4;', after: 'g = 5;', one: 'out = g;' })).toEqual(['g']);
    expect(outOf({ before: 'g = 4;', other: 'g = 5;', one: 'out = g;' })).toEqual(['g']);
  });

  it('what lies beside an array, whatever is written into that', () => {
    const globals = 'struct { int before; int at[3]; int g; struct { int x, y; } row[2]; int behind; } w; int i;';
    const other = 'i = __VERIFIER_nondet_int(); w.at[i] = 5; w.row[i].y = 6;';
    const before = 'w.before = 1; w.g = 2; w.behind = 3; w.row[1].x = 4; w.at[2] = 5;';
    const one = 'out = w.before; out = w.g; out = w.behind; out = w.row[1].x; out = w.at[2];';
    expect(outOf({ globals, before, other, one })).toEqual(['1', '2', '3', 'w.row[1].x', 'w.at[2]']);
    expect(outOf({ globals, before, other: '((int *)&w)[i] = 5; i = 1;', one: 'out = w.g;' })).toEqual(['w.g']);
    const matrix = { globals: 'int m[2][2], g; int i;', before: 'm[1][0] = 1; g = 2;', one: 'out = m[1][0]; out = g;' };
    expect(outOf({ ...matrix, other: 'i = 2; m[0][i] = 5;' })).toEqual(['m[1][0]', '2']);
  });

  it('nothing if somebody may write them through a pointer', () => {
    const globals = 'int g, h, *p;';
    const before = 'g = 4; p = __VERIFIER_nondet_int() ? &g : &h;';
    expect(outOf({ globals, before, other: '*p = 5;', one: 'out = g;' })).toEqual(['g']);
    expect(outOf({ globals: 'int g, *p = &g;', before: 'g = 4;', other: '*p = 5;', one: 'out = g;' })).toEqual(['g']);
  });

  it('what it has written itself, if nobody else does', () => {
    expect(outOf({ one: 'out = g; g = 5; out = g;' })).toEqual(['3', '5']);
    expect(outOf({ before: 'g = 4;', one: 'out = g; g = 5; out = g;' })).toEqual(['g', '5']);
    expect(outOf({ after: 'pthread_create(&t, 0, one, 0);', one: 'out = g; g = 5; out = g;' })).toEqual(['g', 'g']);
  });

  it('the parts of which that holds, however they are spelled', () => {
    const globals = 'struct { int a, b; short c[2]; } g;';
    const one = 'out = g.a; out = g.b; out = g.c[1]; out = ((int *)&g)[0]; out = g.c[0];';
    const parts = outOf({ globals, before: '((int *)&g)[0] = 1; g.b = 2; g.c[1] = 3;', one, other: 'g.b = 5;' });
    expect(parts).toEqual(['1', 'g.b', '3', '1', '0']);
    expect(outOf({ globals, before: 'g.a = 1; *(char *)&g = 2;', one: 'out = g.a;' })).toEqual(['g.a']);
    const anywhere = 'g.c[1] = 3; g.c[__VERIFIER_nondet_int() & 1] = 2;';
    expect(outOf({ globals, before: anywhere, one: 'out = g.c[1];' })).toEqual(['g.c[1]']);
  });

  it('what its creator knows, if it is no thread of main', () => {
    const one = 'if (g == 2) { pthread_t t; pthread_create(&t, 0, other, 0); }';
    const threads = { before: 'g = __VERIFIER_nondet_int();', one, other: 'out = g;' };
    const globals = 'int g; void *other(void *);';
    expect(outOf({ ...threads, globals, thread: 'other_3' })).toEqual(['2']);
    expect(outOf({ ...threads, globals, thread: 'other_2' })).toEqual(['g']);
  });

  it('nothing if they are volatile', () => {
    expect(outOf({ globals: 'volatile int g = 3;', one: 'out = g;' })).toEqual(['g']);
    const globals = 'struct { volatile int a; int b; } g;';
    expect(outOf({ globals, before: 'g.a = g.b = 2;', one: 'out = g.a; out = g.b;' })).toEqual(['g.a', '2']);
  });
});

describe('a thread knows its argument', () => {
  it('if it is a number or leads to a global variable', () => {
    expect(outOf({ argument: '(void *)5', one: 'out = (int)u;' })).toEqual(['(int)(void *)5']);
    expect(outOf({ argument: '&g', one: 'out = *(int *)u;', other: 'g = 5;' })).toEqual(['g']);
    expect(outOf({ argument: '&g', one: 'u = 0; out = u == 0;' })).toEqual(['1']);
  });

  it('but not if it leads to a variable of its creator', () => {
    expect(outOf({ argument: '&local', one: 'out = *(int *)u;' })).toEqual(['*(int *)__lazuli_argument_1']);
  });
});
