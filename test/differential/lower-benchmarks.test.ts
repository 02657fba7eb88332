// Real programs: each lowers to valid code, and a few concrete runs of a correct one violate nothing.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Explorer } from '../../src/engines/explore/explore.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { findBenchmarks, readBenchmarkManifest } from '../support/benchmarks.ts';
import { lowerText } from '../support/lower-text.ts';

/** One of so many programs is taken, to keep the test short. */
const SAMPLE = 6;

it('benchmark programs lower, and correct ones violate nothing in a few runs', { timeout: 120_000 }, () => {
  const folder = findBenchmarks();
  const { checks } = DEFAULT_LOWER_OPTIONS;
  const wrong: string[] = [];
  readBenchmarkManifest().forEach(({ file, dataModel, expected }, i) => {
    if (folder === null || i % SAMPLE !== 0) return;
    const program = compileProgram(lowerText(readFileSync(path.join(folder, file), 'utf8'), {}, dataModel));
    if (expected === 'unsafe') return;
    const limits = { timeLimitMs: 1, runLimit: 25, instructionLimit: 20_000 };
    const { found } = new Explorer(program, { checks, seed: i, clock: () => 0, ...limits }).explore();
    if (found) wrong.push(`${file}: ${found.violation.check}: ${found.violation.message}`);
  });
  expect(wrong).toEqual([]);
});
