import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { findOutsideValues } from '../../test/support/outside-sets.ts';
import { DEFAULT_LOWER_OPTIONS } from '../lower/context.ts';
import { uniformBounds } from '../program/bounds.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import { printSet } from '../values/value-set.ts';
import { executeProgram } from './execute-program.ts';

const ANYTHING = '-2147483648 … 2147483647';

/** What a thread may read from the member `at` of the argument that it is given, when another thread runs already. */
async function valuesRead(body: string, memoryModel: MemoryModel = 'sc', declarations = ''): Promise<string> {
  const code = readCode(`
    #include <pthread.h>
    #include <stdlib.h>
    extern _Bool __VERIFIER_nondet_bool(void);
    struct given { int other, at; };
    int seen;
    pthread_t t;
    ${declarations}
    void *nothing(void *unused) { return unused; }
    void *look(void *given) { seen = ((struct given *)given)->at; return 0; }
    int main(void) {
      _Bool is = __VERIFIER_nondet_bool();
      struct given on_stack[2], *on_heap = malloc(2 * sizeof *on_heap);
      pthread_create(&t, 0, nothing, 0);
      ${body}
      return 0;
    }`);
  const limits = { terms: 100_000, steps: 2_000, constantIterations: 100, poll: () => {} };
  const bounds = uniformBounds(2, true);
  const program = executeProgram(code, { bounds, limits, checks: DEFAULT_LOWER_OPTIONS.checks, memoryModel });
  if (memoryModel === 'sc') {
    const { faults } = await findOutsideValues(code, { unwind: 2, rounds: 3 });
    expect(faults).toEqual([]);
  }
  const thread = program.threads.find(({ name }) => name === 'look');
  const reads = (thread?.steps ?? []).flatMap(({ accesses }) => accesses.filter(({ kind }) => kind === 'read'));
  const ofArgument = reads.filter(({ targets }) =>
    targets.some(({ cell }) =>
      /^(on_stack|allocation|own)/.test(program.cells.find(({ id }) => id === cell)?.name ?? ''),
    ),
  );
  return ofArgument
    .map((read) => (read.kind === 'read' ? printSet(program.graph.setOf(read.result), true) : ''))
    .join('; ');
}

const CREATE = 'pthread_create(&t, 0, look, &on_stack[1]);';

describe('what a thread may find in its argument', () => {
  it('is what was written before it was created', async () => {
    expect(await valuesRead(`on_stack[1].at = 5; ${CREATE}`)).toBe('{5}');
    expect(await valuesRead('on_heap[1].at = 5; pthread_create(&t, 0, look, &on_heap[1]);')).toBe('{5}');
    expect(await valuesRead(`for (int i = 0; i < 2; i++) on_stack[i].at = i + 3; ${CREATE}`)).toBe('{4}');
    expect(await valuesRead(`struct given all = { 1, 7 }; on_stack[1] = all; ${CREATE}`)).toBe('{7}');
  });

  it('is what was written on all paths', async () => {
    expect(await valuesRead(`if (is) on_stack[1].at = 5; else on_stack[1].at = 8; ${CREATE}`)).toBe('{5, 8}');
    expect(await valuesRead(`if (is) { on_stack[1].at = 5; ${CREATE} }`)).toBe('{5}');
    expect(await valuesRead(`if (is) on_stack[1].at = 5; ${CREATE}`)).toBe(ANYTHING);
    expect(await valuesRead(`if (is) on_stack[0].at = 5; else on_stack[1].at = 6; ${CREATE}`)).toBe(ANYTHING);
  });

  it('is anything where another place may have been written', async () => {
    expect(await valuesRead(`on_stack[is].at = 5; ${CREATE}`)).toBe(ANYTHING);
    expect(await valuesRead(`(is ? on_heap : on_stack)[1].at = 5; ${CREATE}`)).toBe(ANYTHING);
  });

  it('is anything where it was written too late, or nothing was written', async () => {
    expect(await valuesRead(`${CREATE} on_stack[1].at = 5;`)).toBe(ANYTHING);
    expect(await valuesRead(`struct given all; all.other = 1; on_stack[1] = all; ${CREATE}`)).toBe(ANYTHING);
  });

  it('is told to the threads that it creates', async () => {
    const between = 'void *look(void *); void *between(void *given) { pthread_create(&t, 0, look, given); return 0; }';
    const create = 'pthread_create(&t, 0, between, &on_stack[1]);';
    expect(await valuesRead(`on_stack[1].at = 5; ${create}`, 'sc', between)).toBe('{5}');
    expect(await valuesRead(`${create} on_stack[1].at = 5;`, 'sc', between)).toBe(ANYTHING);
  });

  it('is likewise where a thread has arguments on its own stack', async () => {
    const maker = (body: string) =>
      `
      void *look(void *);
      void *wait(void *unused) { return unused; }
      void *make(void *unused) {
        struct given own[2]; pthread_t u;
        own[0].at = 1; pthread_create(&u, 0, wait, &own[0]); ${body} return 0;
      }`;
    const create = 'pthread_create(&u, 0, look, &own[1]);';
    const main = 'pthread_create(&t, 0, make, 0);';
    expect(await valuesRead(main, 'sc', maker(`own[1].at = 5; ${create}`))).toBe('{5}');
    expect(await valuesRead(main, 'sc', maker(`own[1].other = 5; ${create}`))).toBe(ANYTHING);
    expect(await valuesRead(main, 'sc', maker(`${create} own[1].at = 5;`))).toBe(ANYTHING);
  });

  it('has reached memory before a thread is created, under weak memory models, too', async () => {
    for (const model of ['tso', 'pso'] as const) {
      expect(await valuesRead(`on_stack[1].at = 5; ${CREATE}`, model)).toBe('{5}');
      expect(await valuesRead(`${CREATE} on_stack[1].at = 5;`, model)).toBe(ANYTHING);
    }
  });
});
