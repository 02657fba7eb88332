// Programs with and without data races, for every construct that orders: concrete runs find what the first line of each
// says, solvers find or exclude it, and ThreadSanitizer reports nothing that they do not find.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EXPLORE_LIMITS, Explorer } from '../../src/engines/explore/explore.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { checkText, violatedCheck } from '../support/check-text.ts';
import { makeFolder, runTool } from '../support/gcc.ts';
import { lazuli } from '../support/lazuli.ts';
import { lowerText } from '../support/lower-text.ts';
import { readProgramHeader } from '../support/program-header.ts';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('race', import.meta.url));
const programs = readdirSync(folder).sort();
const checks = new Set(['race'] as const);

describe.each(programs)('%s', (file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');

  it('races in concrete runs if it says so', () => {
    const program = compileProgram(lowerText(text, { checks }));
    const clock = () => 0;
    const explorer = new Explorer(program, { ...DEFAULT_EXPLORE_LIMITS, runLimit: 200, checks, seed: 1, clock });
    const { found, statistics } = explorer.explore();
    expect(statistics.gaveUp).toBe(0);
    expect(found?.violation.check ?? 'safe').toBe(readProgramHeader(text).verdict === 'safe' ? 'safe' : 'race');
  });
});

/** It knows neither fences nor the competition's sections. */
const isKnownToSanitizer = (file: string) => !/^(fences|atomic-section|atomic-function)-/.test(file);

describe.each(programs)('the solver on %s', (file) => {
  const text = readFileSync(path.join(folder, file), 'utf8');

  it('finds a race or excludes it in all interleavings', async () => {
    // What is freed while others use it is a violation of its own.
    const outcome = await checkText(text, { explore: false, checks: ['race'], withoutChecks: ['pointer'] });
    // Loops that wait for a condition are cut.
    const expected = readProgramHeader(text).verdict === 'safe' ? /^(safe|bounded)$/ : /^race$/;
    expect(violatedCheck(outcome)).toMatch(expected);
  });
});

describe('with CBMC', () => {
  const ask = (file: string, ...args: string[]) =>
    lazuli('check', '--check', 'race', '--backend', 'cbmc', '-r', '3', ...args, path.join(folder, file));

  it.each([
    ['mutex-unsafe.c', 'lazy2', /unsafe: race: data race on/],
    ['elements-unsafe.c', 'cav14', /unsafe: race: data race on a\[2\]/],
    ['bit-fields-unsafe.c', 'lazy2', /unsafe: race: data race on/],
    ['freed-unsafe.c', 'lazy2', /unsafe: race: data race on/],
    ['mixed-unsafe.c', 'lazy2', /unsafe: race: data race on/],
    ['bit-fields-safe.c', 'lazy2', /safe up to bounds/],
    ['release-acquire-safe.c', 'cav14', /safe up to bounds/],
    ['atomic-section-safe.c', 'lazy2', /safe up to bounds/],
  ])('%s, by schema %s', { timeout: 60_000 }, async (file, schema, verdict) => {
    if (requireTool('cbmc') !== null) expect((await ask(file, '--schema', schema)).stdout).toMatch(verdict);
  });

  it('is not decided with relaxed atomics, nor where loops are kept', async () => {
    const relaxed = await ask('fences-safe.c');
    expect(relaxed).toMatchObject({ code: 3, stderr: expect.stringMatching(/error: where data races are looked for/) });
    expect(await ask('mutex-safe.c', '--schema', 'ul')).toMatchObject({ code: 2 });
    expect(await ask('mutex-safe.c', '--atomic-statements')).toMatchObject({ code: 2 });
  });
});

describe('ThreadSanitizer', () => {
  it('reports no race that we do not', { timeout: 120_000 }, async () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    const { folder: made, remove } = makeFolder();
    try {
      let reports = 0;
      for (const file of programs.filter(isKnownToSanitizer)) {
        const [source, binary] = [path.join(folder, file), path.join(made, file.replace(/\.c$/, ''))];
        const compiled = await runTool(gcc, ['-w', '-g', '-fsanitize=thread', '-pthread', '-o', binary, source]);
        expect(compiled.status, file).toBe(0);
        const { stderr } = await runTool(binary, []);
        if (!stderr.includes('ThreadSanitizer: data race')) continue;
        reports++;
        expect(file).toContain('-unsafe');
      }
      expect(reports).toBeGreaterThan(3);
    } finally {
      remove();
    }
  });
});

describe('a race', () => {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

  it('is told with both sides', async () => {
    const outcome = await checkText(read('mutex-unsafe.c'), { explore: true, checks: ['race'] });
    const race = outcome.kind === 'unsafe' ? outcome.trace?.violation.race : undefined;
    expect(race?.object).toBe('x');
    expect(race?.sides.map(({ thread }) => thread).sort()).toEqual([1, 2]);
    expect(race?.sides.map(({ place }) => place?.line).sort()).toEqual([10, 16]);
  });

  it('is excluded within bounds where these are given', async () => {
    const outcome = await checkText(read('mutex-safe.c'), { explore: true, checks: ['race'], unwind: 1, rounds: 1 });
    expect(violatedCheck(outcome)).toBe('bounded');
  });
});
