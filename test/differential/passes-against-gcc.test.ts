/**
 * The passes up to unwinding keep what sequential programs do: compiled by gcc before and after, they print the same.
 * They refuse none of these programs. Then the same for random programs.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readProgram } from '../../src/frontend/front-end.ts';
import { printProgram } from '../../src/frontend/print/print-program.ts';
import { programAfter } from '../../src/passes/pipeline.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import type { Program } from '../../src/program/tree.ts';
import { validateTree } from '../../src/program/validate-tree.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { randomC } from '../support/random-c.ts';
import { requireTool } from '../support/tools.ts';

const programs = fileURLToPath(new URL('../programs/sequential/', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-passes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** LAZULI_RANDOM_COUNT takes more of them. */
const SEEDS = Array.from({ length: Number(process.env.LAZULI_RANDOM_COUNT ?? 4) }, (_, i) => i + 1);

/** The library calls back, or the program prints from, functions that are inlined everywhere and gone. */
const CALLED_BACK = new Set(['declarators.c', 'functions.c']);

/** Loops in loops whose number of iterations does not show, and how many iterations are enough. */
const BOUNDS: ReadonlyMap<string, number> = new Map([
  ['control-flow.c', 60],
  ['jumps-back.c', 8],
  ['pointers.c', 12],
  ['declarators.c', 6],
  ['variable-lengths.c', 6],
]);

/** Functions that call themselves twice. */
const RECURSIONS: ReadonlyMap<string, number> = new Map([
  ['insert', 5],
  ['walk', 5],
]);

/** The primitives for gcc. An assumption that does not hold is a loop that was cut: the bound was too low. */
const PRIMITIVES = `
#define __lazuli_assume(condition, ...) do { if (!(condition)) __builtin_abort(); } while (0)
#define __lazuli_assert(condition, check, message) __lazuli_assume(condition)
#define __lazuli_nondet() 0
#define __lazuli_havoc(object) ((void)0)
#define __lazuli_zero(object) __builtin_memset(&(object), 0, sizeof(object))
#define __lazuli_allocate(size, zeroed) __builtin_calloc(1, size)
#define __lazuli_atomic_begin() ((void)0)
#define __lazuli_atomic_end() ((void)0)
`;

function runCompiled(gcc: string, name: string, text: string): string {
  const source = path.join(folder, `${name}.c`);
  const program = path.join(folder, name);
  writeFileSync(source, text);
  const { stderr, status } = spawnSync(gcc, ['-w', '-std=gnu11', '-o', program, source, '-lm'], { encoding: 'utf8' });
  expect(status, `${name}: ${stderr}`).toBe(0);
  return spawnSync(program, [], { encoding: 'utf8', timeout: 10_000 }).stdout;
}

/** What gcc's program prints before and after the passes. */
function printBeforeAndAfter(name: string, text: string, unwind: number, isRun = true): [string, string] {
  const { program } = readProgram({ fileName: name, text, dataModel: 'LP64' });
  const sink = new DiagnosticSink();
  const options = { ...DEFAULT_BOUND_OPTIONS, unwind, unwindset: RECURSIONS, keepUnknownCalls: true };
  const problems: string[] = [];
  const bounded = programAfter('unwind-loops', program as Program, options, sink, {
    afterPass: (pass, after) => problems.push(...validateTree(after).map((problem) => `${pass.name}: ${problem}`)),
  });
  expect(problems).toEqual([]);
  expect(bounded, sink.all.map(({ message }) => message).join('\n')).not.toBeNull();
  const gcc = requireTool('gcc');
  if (bounded === null || gcc === null || !isRun) return ['', ''];
  const after = runCompiled(gcc, 'after', PRIMITIVES + printProgram(bounded));
  return [runCompiled(gcc, 'before', text), after];
}

describe('the passes up to unwinding', () => {
  for (const file of readdirSync(programs).filter((name) => name.endsWith('.c'))) {
    const isRun = !CALLED_BACK.has(file);
    it(`${isRun ? 'keep the output of' : 'take'} ${file}`, { timeout: 60_000 }, () => {
      const text = readFileSync(path.join(programs, file), 'utf8');
      const [before, after] = printBeforeAndAfter(file, text, BOUNDS.get(file) ?? 300, isRun);
      expect(after).toBe(before);
    });
  }

  for (const seed of SEEDS) {
    it(`keep the output of the random program ${seed}`, { timeout: 60_000 }, () => {
      const [before, after] = printBeforeAndAfter(`${seed}.c`, randomC({ seed, size: 20 }), 12);
      expect(after).toBe(before);
    });
  }
});
