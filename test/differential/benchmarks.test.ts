// Real programs: every benchmark file is read and printed, gcc accepts the print, and printing the print changes
// nothing. The same for the headers of the system, as gcc's preprocessor gives them, and for our own.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledHeaders } from '../../src/frontend/headers/bundled.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { findBenchmarks } from '../support/benchmarks.ts';
import { checkSyntax, inParallel, makeFolder, modelFlags, runTool, writeText } from '../support/gcc.ts';
import { firstDifference, roundTrip } from '../support/round-trip.ts';
import { requireTool } from '../support/tools.ts';

const TIMEOUT_MS = 180_000;

const SYSTEM_HEADERS =
  'assert ctype errno inttypes limits float math pthread sched semaphore setjmp signal stdarg stdatomic stdbool stddef stdint stdio stdlib string strings threads time unistd sys/types sys/time complex fenv locale wchar wctype fcntl sys/stat'.split(
    ' ',
  );

const { folder, remove } = makeFolder();
afterAll(remove);

/** Prints all texts and returns what is wrong with the prints, as one text. */
async function faults(texts: ReadonlyMap<string, string>, dataModel: DataModel): Promise<string> {
  const problems: string[] = [];
  const files: string[] = [];
  for (const [name, text] of texts) {
    const trip = roundTrip(name, text, dataModel);
    if (trip.kind === 'failed') {
      problems.push(`${name}: ${trip.message}`);
      continue;
    }
    const difference = firstDifference(trip.text, trip.again);
    if (difference !== null) problems.push(`${name} printed twice, ${difference}\n`);
    files.push(writeText(folder, `${name.replaceAll('/', '_')}-${dataModel}.c`, trip.text));
  }
  const tool = dataModel === 'ILP32' ? 'gcc -m32' : 'gcc';
  if (requireTool(tool) !== null) problems.push(await checkSyntax(files, dataModel));
  return problems.join('');
}

describe('the print of real programs', () => {
  it(
    'is accepted by gcc and stays the same when printed again: all benchmarks',
    async () => {
      const benchmarks = findBenchmarks();
      if (benchmarks === null) return;
      const names = readdirSync(benchmarks, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.[ic]$/.test(name),
      );
      const texts = new Map(names.map((name) => [name, readFileSync(path.join(benchmarks, name), 'utf8')]));
      expect(texts.size).toBeGreaterThan(200);
      expect(await faults(texts, 'ILP32')).toBe('');
    },
    TIMEOUT_MS,
  );

  it.each(['LP64', 'ILP32'] as const)(
    'is accepted by gcc and stays the same when printed again: our examples on %s',
    async (dataModel) => {
      const folder = fileURLToPath(new URL('../../examples', import.meta.url));
      const names = readdirSync(folder).filter((name) => name.endsWith('.c'));
      const texts = new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
      expect(texts.size).toBeGreaterThan(0);
      expect(await faults(texts, dataModel)).toBe('');
    },
    TIMEOUT_MS,
  );

  it.each(['LP64', 'ILP32'] as const)(
    'is accepted by gcc and stays the same when printed again: system headers on %s',
    async (dataModel) => {
      if (requireTool(dataModel === 'ILP32' ? 'gcc -m32' : 'gcc') === null) return;
      const texts = await inParallel(SYSTEM_HEADERS, async (header) => {
        const source = `#define _GNU_SOURCE\n#include <${header}.h>\n`;
        const { stdout } = await runTool('gcc', ['-E', ...modelFlags(dataModel), '-x', 'c', '-'], source);
        return [`${header}.i`, stdout] as const;
      });
      expect(await faults(new Map(texts), dataModel)).toBe('');
    },
    TIMEOUT_MS,
  );

  it(
    'is the same twice for each bundled header',
    () => {
      expect(bundledHeaders.size).toBeGreaterThan(0);
      const problems = [...bundledHeaders.keys()].flatMap((header) => {
        const trip = roundTrip('header.c', `#include <${header}>\n`, 'LP64');
        const problem = trip.kind === 'failed' ? trip.message : firstDifference(trip.text, trip.again);
        return problem === null ? [] : [`${header}: ${problem}`];
      });
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
