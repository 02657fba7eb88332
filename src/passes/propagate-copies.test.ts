/**
 * Which reads move to where their value is used: those of what no other thread writes, as long as nothing changes it.
 */

import { describe, expect, it } from 'vitest';
import { readProgram } from '../frontend/front-end.ts';
import { printProgram } from '../frontend/print/print-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { Program } from '../program/tree.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { programAfter } from './pipeline.ts';

/**
 * The statements of the first thread, which main creates; `other` is what a second one does. Nobody knows what `i` is
 * at the start.
 */
function statements(globals: string, one: string, other: string, main = ''): string[] {
  const text = `#include <pthread.h>
    extern int __VERIFIER_nondet_int(void);
    ${globals}
    void *one(void *u) { ${one} return 0; }
    void *other(void *u) { ${other} return 0; }
    int main(void) { pthread_t s, t; i = __VERIFIER_nondet_int(); pthread_create(&s, 0, one, 0); pthread_create(&t, 0, other, 0); ${main} return 0; }`;
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const sink = new DiagnosticSink();
  const after = programAfter('propagate-copies', program as Program, DEFAULT_BOUND_OPTIONS, sink) as Program;
  const items = after.items.filter((item) => item.kind === 'function' && item.definition.symbol.name === 'one_1');
  const lines = printProgram({ ...after, items }).split('\n');
  return lines.map((line) => line.trim()).filter((line) => /^[^ ]+ = /.test(line) && !/^__lazuli_thread/.test(line));
}

describe('what only the thread itself writes', () => {
  it('is read where it is used', () => {
    expect(statements('int i, j;', 'i += j;', 'j += i;')).toEqual(['__lazuli_t = j;', 'i = i + __lazuli_t;']);
  });

  it('is read so in records and arrays, too', () => {
    const globals = 'struct { int a, b; } s; int v[3], i, j;';
    expect(statements(globals, 's.a = i; s.a += j; v[2] = i; v[2] += j;', 'j += s.a + v[2];')).toEqual([
      's.a = i;',
      '__lazuli_t_1_1 = j;',
      's.a = s.a + __lazuli_t_1_1;',
      'v[2] = i;',
      '__lazuli_t_4 = j;',
      'v[2] = v[2] + __lazuli_t_4;',
    ]);
  });

  it('is read before, if the thread changes it in between', () => {
    const one = statements('int i, j, k;', 'int old = i; i = j; k = old;', 'j = i + k;');
    expect(one).toEqual(['old = i;', '__lazuli_t = j;', 'i = __lazuli_t;', 'k = old;']);
  });

  it('is read before, if the thread may change it through a pointer', () => {
    const one = statements('int i, j, k, *p = &i;', 'int old = i; *p = 5; k = old;', 'j = i + k;');
    expect(one).toContain('old = i;');
    expect(one).toContain('k = old;');
  });

  it('is read before, if the thread may have changed it in a branch', () => {
    const one = statements('int i, j, k;', 'int old = i; if (j) i = 2; k = old;', 'j = i + k;');
    expect(one).toContain('k = old;');
  });
});

describe('what another thread writes', () => {
  const apart = ['__lazuli_t = j;', '__lazuli_t_1_1 = i;', 'i = __lazuli_t_1_1 + __lazuli_t;'];

  it('is read in a step of its own', () => {
    expect(statements('int i, j;', 'i += j;', 'j += i; i = 0;')).toEqual(apart);
  });

  it('is read in a step of its own if the other is a second thread of the same routine', () => {
    const main = 'pthread_create(&t, 0, one, 0);';
    expect(statements('int i, j;', 'i += j;', 'j += i;', main)).toEqual(apart);
  });

  it('is read in a step of its own if the other writes it through a pointer', () => {
    expect(statements('int i, j, *p = &i;', 'i += j;', 'j += i; *p = 3;')).toEqual(apart);
  });

  it('is read in a step of its own if main writes it after it created the thread', () => {
    expect(statements('int i, j;', 'i += j;', 'j += i;', 'i = 7;')).toEqual(apart);
  });
});
