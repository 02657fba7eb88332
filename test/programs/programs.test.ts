// The programs in safe/ and unsafe/: each says in its first line what is to be expected with which bounds. The engine
// must say so without trying concrete runs first, and explicit enumeration must agree. Those in unknown/ reach what is
// not modelled: the check must say so.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareWithEnumeration } from '../support/agreement.ts';
import { checkText } from '../support/check-text.ts';
import { readProgramHeader } from '../support/program-header.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

function programsIn(name: string): string[] {
  return readdirSync(`${folder}${name}`).filter((file) => file.endsWith('.c'));
}

describe.each(['safe', 'unsafe'] as const)('programs that are %s', (verdict) => {
  it.each(programsIn(verdict))('%s', async (file) => {
    const text = readFileSync(`${folder}${verdict}/${file}`, 'utf8');
    const { unwind, rounds, dataModel, defines, verdict: expected } = readProgramHeader(text);
    expect(expected).toBe(verdict);
    const options = { unwind, rounds, dataModel, defines, contexts: 3 * rounds, stateLimit: 50_000 } as const;
    const agreement = await compareWithEnumeration(text, options);
    expect(agreement.kind, 'message' in agreement ? agreement.message : '').toBe(verdict);
  });
});

describe('programs that reach what is not modelled', () => {
  it.each(programsIn('unknown'))('%s', async (file) => {
    const text = readFileSync(`${folder}unknown/${file}`, 'utf8');
    const reason = /^\/\/ lazuli: expect unknown: (.+)\n/.exec(text)?.[1];
    expect(reason, 'the first line says what to expect').toBeDefined();
    for (const explore of [false, true]) {
      expect(await checkText(text, { explore })).toMatchObject({ kind: 'unknown', reason });
    }
  });
});
