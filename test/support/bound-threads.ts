/** Two threads from the text of their bodies to a bounded program in one call, for tests. */

import { readProgram } from '../../src/frontend/front-end.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import type { BoundedProgram } from '../../src/program/bounded-program.ts';
import { type BoundOptions, DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';

export interface ThreadTexts {
  readonly globals: string;
  readonly one: string;
  readonly other: string;
  /** What main does then. The threads are `s` and `t`. */
  readonly after?: string;
}

/** Main creates `one` and `other`, at its labels 0 and 1. */
export function boundThreads(
  { globals, one, other, after = '' }: ThreadTexts,
  options: Partial<BoundOptions> = {},
): BoundedProgram {
  const text = `#include <pthread.h>
    ${globals}
    void *one(void *u) { ${one} return 0; }
    void *other(void *u) { ${other} return 0; }
    int main(void) {
      pthread_t s, t;
      pthread_create(&s, 0, one, 0); pthread_create(&t, 0, other, 0);
      ${after} return 0;
    }`;
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, ...options }, new DiagnosticSink());
  if (!bounded) throw new Error('the threads cannot be bounded');
  return bounded;
}
