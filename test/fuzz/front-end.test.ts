// Mutated C through preprocessor and parser: whatever the text, the answer is a tree and diagnostics, soon. More
// inputs with LAZULI_FUZZ_COUNT, others with LAZULI_FUZZ_SEED; a failure names both and the text.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { printAst } from '../../src/frontend/parse/print-ast.ts';
import { createRandom } from '../../src/support/random.ts';
import { findBenchmarks } from '../support/benchmarks.ts';
import { parseText } from '../support/parse-text.ts';
import { mutate } from './mutate.ts';

const COUNT = Number(process.env.LAZULI_FUZZ_COUNT ?? 2_000);
const SEED = Number(process.env.LAZULI_FUZZ_SEED ?? 1);
/** How long one small text may take before it counts as a hang; generous, since the machine may be busy. */
const HANG_MS = 5_000;
const TIMEOUT_MS = 60_000 + 20 * COUNT;

/** The goldens, and from each benchmark its last part: the program itself, without the headers before it. */
function readCorpus(): string[] {
  const goldens = fileURLToPath(new URL('../golden', import.meta.url));
  const cFiles = readdirSync(goldens, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.c'));
  const corpus = cFiles.map((file) => readFileSync(path.join(goldens, file), 'utf8'));
  const benchmarks = findBenchmarks();
  const programs = benchmarks === null ? [] : readdirSync(benchmarks, { recursive: true, encoding: 'utf8' });
  for (const file of programs.filter((name) => /\.[ic]$/.test(name)).sort()) {
    corpus.push(readFileSync(path.join(benchmarks ?? '', file), 'utf8').slice(-3_000));
  }
  return corpus;
}

/** Null when all is well, otherwise what went wrong. */
function fault(text: string): string | null {
  const start = performance.now();
  try {
    const { unit, diagnostics } = parseText(text);
    printAst(unit);
    const placed = diagnostics.every(({ loc, message }) => Number.isInteger(loc) && message !== '');
    if (!placed) return 'a diagnostic without message or place';
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const milliseconds = performance.now() - start;
  return milliseconds > HANG_MS ? `took ${milliseconds.toFixed(0)} ms` : null;
}

describe('the front end under mutation', () => {
  it(
    `survives ${COUNT} mutated texts (seed ${SEED})`,
    () => {
      const random = createRandom(SEED);
      const corpus = readCorpus();
      expect(corpus.length).toBeGreaterThan(0);
      for (let i = 0; i < COUNT; i++) {
        const text = mutate(random.pick(corpus), random.pick(corpus), random);
        const problem = fault(text);
        expect(problem, `seed ${SEED}, input ${i}: ${JSON.stringify(text)}`).toBeNull();
      }
    },
    TIMEOUT_MS,
  );
});
