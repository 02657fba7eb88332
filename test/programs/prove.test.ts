// No program that breaks is ever proved: those of unsafe/, of deadlock/ and of the examples, with the checks and the
// data model that their first lines name. And the proof engine still proves what it once did.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/outcome/outcome.ts';
import { checkText } from '../support/check-text.ts';
import { PATIENCE } from '../support/prove-text.ts';
import { readProgramHeader } from '../support/program-header.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TIME_LIMIT_MS = 2_500 * PATIENCE;

function listPrograms(folder: string, pattern: RegExp): string[] {
  return readdirSync(`${root}/${folder}`)
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`);
}

const PLAIN = { dataModel: 'LP64', defines: [] } as const;

const broken = [
  ...listPrograms('test/programs/unsafe', /\.c$/),
  ...listPrograms('test/programs/deadlock', /-unsafe\.c$/),
  ...listPrograms('examples', /-unsafe\.c$/),
];

function prove(file: string, timeLimitMs: number): Promise<Outcome> {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const isPlain = file.startsWith('test/programs/deadlock');
  const { dataModel, defines } = isPlain ? PLAIN : readProgramHeader(text);
  return checkText(text, { goal: 'proof', dataModel, defines, timeLimitMs });
}

describe('the proof engine', () => {
  it.each(broken)('does not prove %s', async (file) => {
    expect((await prove(file, TIME_LIMIT_MS)).kind).toBe('unknown');
  }, 60_000);

  it.each([
    'examples/peterson-safe.c',
    'examples/singleton-safe.c',
    'examples/work-stealing-safe.c',
    'test/programs/deadlock/lock-order-safe.c',
    'test/programs/deadlock/join-under-lock-safe.c',
  ])('proves %s', async (file) => {
    expect((await prove(file, 60_000)).kind).toBe('safe');
  }, 120_000);
});
