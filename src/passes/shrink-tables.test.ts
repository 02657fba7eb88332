/**
 * The tables of the models by numbers of threads: as long as the program needs them, and nothing else about it changes.
 */

import { describe, expect, it } from 'vitest';
import { readProgram } from '../frontend/front-end.ts';
import { printProgram } from '../frontend/print/print-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { Program } from '../program/tree.ts';
import { validateTree } from '../program/validate-tree.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { programAfter } from './pipeline.ts';

/** A program whose main creates one thread and then does this. */
function shrink(main: string, globals = ''): string {
  const text = `#include <pthread.h>
    ${globals} int any(void);
    void *run(void *u) { return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); ${main} return 0; }`;
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const sink = new DiagnosticSink();
  const after = programAfter('shrink-tables', program as Program, DEFAULT_BOUND_OPTIONS, sink) as Program;
  expect(validateTree(after)).toEqual([]);
  const lines = printProgram(after).split('\n');
  return lines.filter((line) => line.includes('__lazuli_thread_')).join('\n');
}

describe('a table by numbers of threads', () => {
  it('has one element for each thread and one for all else', () => {
    const text = shrink('pthread_join(t, 0);');
    expect(text).toContain('__lazuli_thread_status[3] = { 1 };');
    expect(text).toContain('__lazuli_thread_status[1U] = 1;');
    expect(text).not.toContain('[512]');
  });

  it('is read at its last element for what is no thread', () => {
    expect(shrink('pthread_join(9, 0);')).toContain('__lazuli_thread_status[2U]');
    const number = '(unsigned int)thread - 1U';
    const text = shrink('t = any(); pthread_join(t, 0);');
    expect(text).toContain(`__lazuli_thread_finished[${number} < 2U ? ${number} : 2U]`);
  });

  it('is known as such by its place in the models only', () => {
    expect(shrink('__lazuli_thread_own[3] = 1;', 'int __lazuli_thread_own[512];')).toContain(
      '__lazuli_thread_own[512];',
    );
  });
});
