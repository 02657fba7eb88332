/**
 * What CBMC finds in small random programs, the interpreter confirms: with both schemas and both granularities. A
 * counterexample that does not replay is a fault of one of the roads.
 */

import { describe, expect, it } from 'vitest';
import { cbmc } from '../../src/backends/cbmc.ts';
import { replayTrace } from '../../src/backends/replay-trace.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { runBackend } from '../../src/host/run-backend.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { randomThreads } from '../support/random-threads.ts';
import { requireTool } from '../support/tools.ts';

/** LAZULI_REPLAY_SEEDS takes more of them. */
const SEEDS = Array.from({ length: Number(process.env.LAZULI_REPLAY_SEEDS ?? 4) }, (_, i) => i + 1);
const MODES = [
  { schema: 'lazy2', atomicStatements: false },
  { schema: 'cav14', atomicStatements: false },
  { schema: 'lazy2', atomicStatements: true },
] as const;

type Mode = (typeof MODES)[number];

/**
 * Waits for another thread, which sets the flag too early, and whose updates are steps in two ways where statements are
 * atomic.
 */
const WAITS = `#include <assert.h>
#include <pthread.h>
int flag;
_Atomic int data;
void *set(void *argument) { flag = 1; data += 1; data += 2; return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (!flag) ;
  assert(data == 3);
  return 0;
}
`;

/** What lies in new memory is chosen by CBMC: numbers of all sizes, and pointers to objects. */
const NEW_MEMORY = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
  char c; unsigned low : 3; int high : 20; short h; union { char small; long large; } u; double d; _Bool t;
  struct node *next; int *where;
};
int global = 5;
struct node *made;
void *look(void *argument) {
  short *shorts = malloc(3 * sizeof *shorts);
  made = malloc(sizeof *made);
  if (shorts[2] == -2) made->h = 9;
  return argument;
}
int main(void) {
  pthread_t thread;
  struct node *first = malloc(sizeof *first);
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  assert(!(made->h == 9 && made->c == 'x' && made->low == 3 && made->high == -4 && made->d == 2.5 && made->t));
  assert(!(first->next == first && first->where == &global && first->c == -1));
  return 0;
}
`;

async function replay(text: string, { schema, atomicStatements }: Mode): Promise<string> {
  const { program } = readProgram({ fileName: 'program.c', text, dataModel: 'LP64', models: true });
  const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 3, atomicStatements };
  const bounded = program && boundProgram(program, options, new DiagnosticSink());
  const settings = { ...DEFAULT_LOWER_OPTIONS, atomicStatements };
  const code = program && lowerProgram(program, settings, new DiagnosticSink());
  const { spelling, verifier } = cbmc;
  if (!bounded || !code || !verifier) return 'not supported';
  const fixed = { rounds: 2, closingMain: true, schedule: null, lineDirectives: false, cutsOffUnsupported: true };
  const output = sequentialize(bounded, { ...fixed, schema, spelling });
  const request = { backend: cbmc, verifier, text: output.text, dataModel: 'LP64', timeoutMs: 20_000 } as const;
  const { answer } = await runBackend(request);
  if (answer.kind !== 'violation') return answer.kind;
  const { steps, description } = answer;
  const { checks } = settings;
  const clock = () => performance.now();
  const replayed = replayTrace({ steps, description, output, drawing: 'nondet_', bounded, code, checks, clock });
  return replayed.kind === 'replayed' ? 'replayed' : replayed.reason;
}

describe('replay of counterexamples', () => {
  if (requireTool('cbmc') === null) {
    it('is not tried without cbmc', () => expect(requireTool('cbmc')).toBeNull());
    return;
  }

  for (const mode of MODES) {
    const granularity = mode.atomicStatements ? 'statements' : 'accesses';
    it(`confirms what CBMC finds (${mode.schema}, ${granularity})`, { timeout: 60_000 * SEEDS.length }, async () => {
      const outcomes = new Map<number, string>();
      for (const seed of SEEDS) {
        const more = { hasSetup: seed % 2 === 0, hasLifetimes: seed % 3 === 0, hasBytes: seed % 5 === 0 };
        outcomes.set(seed, await replay(randomThreads({ seed, ...more }), mode));
      }
      const strange = [...outcomes].filter(([, outcome]) => !['safe', 'replayed', 'not supported'].includes(outcome));
      expect(strange).toEqual([]);
      expect([...outcomes.values()]).toContain('replayed');
    });

    it(`stops a thread that waits where CBMC stops it (${mode.schema}, ${granularity})`, {
      timeout: 60_000,
    }, async () => {
      expect(await replay(WAITS, mode)).toBe('replayed');
    });

    it(`knows what lies in new memory (${mode.schema}, ${granularity})`, { timeout: 60_000 }, async () => {
      const [first = '', second = ''] = [/assert.*made.*/, /assert.*first.*/].map((line) =>
        NEW_MEMORY.replace(line, ''),
      );
      expect(await replay(first, mode)).toBe('replayed');
      expect(await replay(second, mode)).toBe('replayed');
    });
  }
});
