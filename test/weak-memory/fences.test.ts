import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printFencePatch } from '../../src/engines/bounded/fence-patch.ts';
import { openProgram } from '../../src/engines/bounded/open-program.ts';
import { suggestFences } from '../../src/engines/bounded/suggest-fences.ts';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { readCode } from '../support/agreement.ts';
import { findsInOrder, findsInRounds, prepareWeak } from '../support/weak-agreement.ts';

const ROUNDS = 3;

/** The answer, and the program with the patch. */
async function repair(text: string, model: MemoryModel) {
  const code = readCode(text);
  const program = prepareWeak(code, model);
  const opened = openProgram(program, { kind: 'rounds', slots: ROUNDS }, () => createCadical());
  const answer = await suggestFences(program, opened, true);
  opened.formula.dispose();
  if (answer.kind !== 'repaired' || !answer.places) return { answer: answer.kind, lines: [], patched: text };
  const lines = answer.places.map((loc) => code.sources.place(loc)?.line ?? 0).sort((a, b) => a - b);
  return { answer: answer.kind, lines, patched: apply(text, printFencePatch(code.sources, answer.places)) };
}

/** A unified diff, line by line. */
function apply(text: string, patch: readonly string[]): string {
  const before = text.split('\n');
  const after: string[] = [];
  let at = 0;
  for (const line of patch.slice(2)) {
    const start = /^@@ -(\d+)/.exec(line)?.[1];
    if (start) while (at < Number(start) - 1) after.push(before[at++] as string);
    else if (line.startsWith('+')) after.push(line.slice(1));
    else {
      expect(before[at]).toBe(line.slice(1));
      if (line.startsWith(' ')) after.push(line.slice(1));
      at++;
    }
  }
  return [...after, ...before.slice(at)].join('\n');
}

const example = (name: string) => readFileSync(`examples/weak-memory/${name}.c`, 'utf8');

describe('suggested fences', () => {
  it.each([
    ['peterson', 'tso', [14]],
    ['dekker', 'tso', [10, 28]],
    ['lamport', 'tso', [13, 18]],
    ['bakery', 'tso', [12, 13]],
    ['peterson', 'pso', [13, 14, 19]],
    ['seqlock', 'pso', [10, 12]],
    ['chase-lev', 'pso', [14, 20]],
    ['hazard-pointer', 'tso', [17, 24]],
    ['spsc-queue', 'pso', [15]],
  ] as const)('repair %s under %s', async (name, model, places) => {
    const text = example(name);
    expect(await findsInRounds(readCode(text), 'sc', ROUNDS)).toBe(false);
    expect(await findsInRounds(readCode(text), model, ROUNDS)).toBe(true);
    const { lines, patched } = await repair(text, model);
    expect(lines).toHaveLength(places.length);
    expect(await findsInRounds(readCode(patched), model, ROUNDS)).toBe(false);
    expect(await findsInOrder(readCode(patched), model, 2)).toBe(false);
    // One fence less is not enough.
    const fences = patched.split('\n').flatMap((line, i) => (line.includes('__sync_synchronize') ? [i] : []));
    for (const fence of fences) {
      const fewer = patched.split('\n').filter((_, i) => i !== fence);
      expect(await findsInRounds(readCode(fewer.join('\n')), model, ROUNDS)).toBe(true);
    }
  });

  it('are none where the program breaks anyway, or does not break', async () => {
    const text = example('seqlock');
    expect((await repair(text, 'tso')).answer).toBe('safe');
    expect((await repair(text.replace('before == after', '1'), 'tso')).answer).toBe('breaks-under-sc');
  });

  /** Store buffering, with these statements in the one thread and in the other. */
  const buffering = (first: string, second: string) => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
volatile int x, y, n; int r, s; atomic_int a;
static int set(volatile int *p) { return *p = 1; }
static void *one(void *p) {
  ${first}
  return 0;
}
static void *two(void *p) {
  ${second}
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r || s);
}
`;

  it.each([
    ['by return', 'set(&x); r = y;', 'set(&y); s = x;'],
    ['in a condition', 'if ((x = 1) && y) r = 1;', 'while ((y = 1, x) && !s) s = 1;'],
    ['in the head of a loop', 'for (int i = 0; i < 1; i++, x = 1)\n    ;\n  r = y;', 'for (y = 1; x && !s; s = 1) ;'],
    ['in an operand', 'r = (x = 1, y);', 'n = (y = 1) + (s = x); /* ; */'],
    ['in a declaration', 'int k; int z = x = 1; k = z; r = y;', 'int z = y = 1;\n  s = x;'],
    ['by one of several declarators', 'int k = 0, z = x = 1, l = y; r = l;', 'set(&y); s = x;'],
    ['in a call without a value', 'x = 1; r = a;', 'atomic_store_explicit(&a, 1, memory_order_relaxed), s = x;'],
  ])('come at once where a value is stored %s', async (_, first, second) => {
    const text = buffering(first, second);
    expect(await findsInRounds(readCode(text), 'sc', ROUNDS)).toBe(false);
    const { answer, patched } = await repair(text, 'tso');
    expect(answer).toBe('repaired');
    expect(await findsInRounds(readCode(patched), 'tso', ROUNDS)).toBe(false);
  });

  it('stand within the line where other text follows, and need no braces', async () => {
    const text = example('peterson')
      .replace('  turn = other;\n  while', '  turn = other; while')
      .replace('wants[me] = 1;', 'if (me < 2) wants[me] = 1; else wants[me] = 2;');
    const { patched } = await repair(text, 'tso');
    expect(patched).toContain('  turn = other, __sync_synchronize(); while');
    expect(await findsInRounds(readCode(patched), 'tso', ROUNDS)).toBe(false);
  });
});
