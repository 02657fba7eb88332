/** Which accesses through pointers count as shared, seen in the number of labels that the threads get. */

import { describe, expect, it } from 'vitest';
import { readProgram } from '../../frontend/front-end.ts';
import { lastLabel } from '../../program/bounded-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../program/bounds.ts';
import type { Program } from '../../program/tree.ts';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { boundProgram } from '../pipeline.ts';

/** The number of the last label of a thread that runs `body`, while main runs `other`. */
function labelsOf(body: string, other = '', globals = ''): number | undefined {
  const text = `#include <pthread.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    int x; int *p; ${globals}
    void *f(void *arg) { ${body} return 0; }
    int main(void) { pthread_t t; int own = 1; pthread_create(&t, 0, f, &own); ${other} return 0; }`;
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'LP64', models: true });
  const bounded = boundProgram(program as Program, { ...DEFAULT_BOUND_OPTIONS, unwind: 8 }, new DiagnosticSink());
  const thread = bounded?.threads[1];
  return thread && lastLabel(thread);
}

describe('memory of one thread', () => {
  it('is not visible through pointers', () => {
    expect(labelsOf('int *q = malloc(4); *q = 1; *q = *q + 1; free(q);')).toBe(1);
    expect(labelsOf('int n = 1, *q = &n; *q = 2; int **r = &q; **r = 3;')).toBe(1);
  });

  it('becomes visible when another thread gets its address', () => {
    expect(labelsOf('int *q = malloc(4); *q = 1; p = q; *q = 2;', 'if (p) x = *p;')).toBe(4);
    expect(labelsOf('int n = 1; p = &n; n = 2;', 'if (p) x = *p;')).toBeGreaterThan(2);
  });

  it('is that of main when main gives a pointer to it', () => {
    expect(labelsOf('int *q = arg; *q = 5; *q = 6;', 'x = own;')).toBe(2);
    expect(labelsOf('int *q = arg; *q = 5; *q = 6;')).toBe(1);
  });
});

describe('pointers in disguise', () => {
  const publish = (how: string) => labelsOf(`int *q = malloc(4); *q = 1; ${how} *q = 2;`, 'if (p) x = *p;', SPARE);
  const SPARE = 'union both { int *pointer; uintptr_t word; } u; unsigned char bytes[8];';

  it('are followed through unions and copies of bytes', () => {
    expect(publish('u.pointer = q; p = (&u)->pointer;')).toBeGreaterThan(2);
    expect(publish('memcpy(bytes, &q, sizeof q); memcpy(&p, bytes, sizeof p);')).toBeGreaterThan(2);
  });

  it('make everything visible when an integer becomes a pointer that is followed', () => {
    expect(publish('p = (int *)(uintptr_t)q;')).toBeGreaterThan(2);
    expect(labelsOf('int n = 1, *q = (int *)(uintptr_t)x; *q = 2; *q = 3;', 'x = 8;')).toBeGreaterThan(2);
  });
});
