// The linker of the model library, on a small library of its own and on the bundled one.

import { describe, expect, it } from 'vitest';
import { bundledModels } from './bundled.ts';
import { indexModels } from './index-models.ts';
import { linkModels, openLibrary } from './model-library.ts';

const prepared = indexModels(
  new Map([
    ['primitives.h', '#define __LAZULI_WHEN(name)\n'],
    [
      'a.c',
      `/* An essay
   of two lines. */
#include "primitives.h"

#define LIMIT 3

static int __lazuli_table[LIMIT];

/* Says itself. */
int first(int value) {
  __LAZULI_WHEN(second) third();
  return value + __lazuli_table[0];
}

int second(void) {
  return first(1);
}

static void third(void) {
}

void *fourth(void) {
  __lazuli_spawn("second");
  return 0;
}

void __lazuli_thread_entry(void) {
}
`,
    ],
  ]),
);
const small = openLibrary(prepared);

describe('indexModels', () => {
  it('finds functions and variables with their lines', () => {
    expect([...small.items.values()].map((item) => [item.name, item.kind, item.line])).toEqual([
      ['__lazuli_table', 'variable', 7],
      ['first', 'function', 10],
      ['second', 'function', 15],
      ['third', 'function', 19],
      ['fourth', 'function', 22],
      ['__lazuli_thread_entry', 'function', 27],
    ]);
  });

  it('keeps macros and headers for the preamble', () => {
    expect(small.preamble).toContain('#define LIMIT 3');
    expect(small.preamble).not.toContain('#include');
  });

  // One other character would double the memory of all names in it, and of the C that is printed with them.
  it('has only ASCII in the bundled library', () => {
    const others = bundledModels.items.filter(({ text }) => /[^\0-\x7f]/.test(text)).map(({ file }) => file);
    expect(others).toEqual([]);
  });

  it('finds in the bundled library the routines that programs call', () => {
    const library = openLibrary(bundledModels);
    for (const name of [
      'pthread_create',
      'pthread_cond_wait',
      'sem_wait',
      'thrd_create',
      'malloc',
      'strlen',
      'printf',
    ]) {
      expect(library.items.get(name)?.kind).toBe('function');
    }
  });
});

describe('linkModels', () => {
  it('links what is needed and nothing else', () => {
    expect(linkModels(small, ['first', 'unknown'], new Set()).names).toEqual(['__lazuli_table', 'first']);
  });

  it('drops conditional lines whose name is not linked, and keeps the line numbers', () => {
    const { text } = linkModels(small, ['first'], new Set());
    expect(text).toContain('# 10 "<lazuli models>/a.c"\nint first(int value) {\n\n  return value');
  });

  it('keeps conditional lines and their needs whose name is linked', () => {
    const { names, text } = linkModels(small, ['second'], new Set());
    expect(names).toEqual(['__lazuli_table', 'first', 'second', 'third']);
    expect(text).toContain('int first(int value) {\n third();\n');
  });

  it('links the entry of threads with the primitive that creates them, but no name in a string', () => {
    expect(linkModels(small, ['fourth'], new Set()).names).toEqual(['fourth', '__lazuli_thread_entry']);
    expect(linkModels(small, ['__lazuli_spawn'], new Set()).names).toEqual(['__lazuli_thread_entry']);
  });

  it("leaves the program's own definitions alone", () => {
    expect(linkModels(small, ['second'], new Set(['first'])).names).toEqual(['second']);
    expect(linkModels(small, ['first'], new Set(['first'])).text).toBe('');
  });

  it('does not link what a program without keys or cleanup handlers has no use for', () => {
    const library = openLibrary(bundledModels);
    const { names, text } = linkModels(library, ['pthread_create', 'pthread_join', 'pthread_mutex_lock'], new Set());
    expect(names).not.toContain('__lazuli_run_key_destructors');
    expect(names).not.toContain('__lazuli_mutex_inherit');
    expect(text).not.toContain('lock of a destroyed mutex');
  });

  it('finds everything that the bundled library needs in it', () => {
    const library = openLibrary(bundledModels);
    const all = [...library.items.keys()];
    expect(linkModels(library, all, new Set()).names.toSorted()).toEqual(all.toSorted());
  });
});
