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

  it('stand within the line where other text follows, and need no braces', async () => {
    const text = example('peterson')
      .replace('  turn = other;\n  while', '  turn = other; while')
      .replace('wants[me] = 1;', 'if (me < 2) wants[me] = 1; else wants[me] = 2;');
    const { patched } = await repair(text, 'tso');
    expect(patched).toContain('  turn = other, __sync_synchronize(); while');
    expect(await findsInRounds(readCode(patched), 'tso', ROUNDS)).toBe(false);
  });
});
