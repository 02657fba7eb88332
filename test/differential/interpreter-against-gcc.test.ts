// What a program prints must be what gcc's program prints: the hand-written sequential programs and random ones, in
// both data models. It checks the front end, the lowering and the interpreter at once.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataModel } from '../../src/program/data-model.ts';
import { lowerText, tryLowerText } from '../support/lower-text.ts';
import { randomC } from '../support/random-c.ts';
import { randomFeatures } from '../support/random-c-features.ts';
import { runCode } from '../support/run-text.ts';
import { requireTool } from '../support/tools.ts';

const programs = fileURLToPath(new URL('../programs/sequential', import.meta.url));
const RANDOM_PROGRAMS = 12;
const FIRST_SEED = 1000;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lazuli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What gcc's program prints, as one character for each byte. */
function runWithGcc(gcc: string, text: string, dataModel: DataModel): string {
  const source = path.join(folder, 'program.c');
  const binary = path.join(folder, 'program');
  writeFileSync(source, text);
  const width = dataModel === 'ILP32' ? ['-m32', '-msse2', '-mfpmath=sse'] : [];
  execFileSync(gcc, ['-w', '-O0', ...width, '-o', binary, source, '-lm']);
  return execFileSync(binary).toString('latin1');
}

describe('the interpreter prints what gcc prints', () => {
  const gcc64 = requireTool('gcc');
  const gcc32 = requireTool('gcc -m32');

  for (const name of readdirSync(programs).filter((file) => file.endsWith('.c'))) {
    it(`for ${name}`, () => {
      const text = readFileSync(path.join(programs, name), 'utf8');
      const { code, messages } = tryLowerText(text);
      if (!code) {
        // Refused, and only for what is refused by design.
        expect(messages.filter((message) => message.includes('error') && !message.includes('80 bits'))).toEqual([]);
        return;
      }
      if (gcc64 === null) return;
      const outcome = runCode(code);
      expect({ status: outcome.status, reason: outcome.reason }).toEqual({ status: 'ended', reason: '' });
      expect(outcome.output).toBe(runWithGcc(gcc64, text, 'LP64'));
    });
  }

  it.each(['LP64', 'ILP32'] as const)('for random programs, %s', { timeout: 120_000 }, (dataModel) => {
    const gcc = dataModel === 'LP64' ? gcc64 : gcc32;
    if (gcc === null) return;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RANDOM_PROGRAMS; seed++) {
      const text = seed % 2 === 0 ? randomC({ seed }) : randomFeatures({ seed });
      const outcome = runCode(lowerText(text, {}, dataModel));
      expect({ seed, status: outcome.status, violation: outcome.violation }).toEqual({
        seed,
        status: 'ended',
        violation: null,
      });
      expect({ seed, output: outcome.output }).toEqual({ seed, output: runWithGcc(gcc, text, dataModel) });
    }
  });
});
