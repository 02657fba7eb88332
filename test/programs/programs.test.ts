// The programs in safe/ and unsafe/: each says in its first line what is to be expected with which bounds. The engine
// must say so without trying concrete runs first, and explicit enumeration must agree.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareWithEnumeration } from '../support/agreement.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));

describe.each(['safe', 'unsafe'] as const)('programs that are %s', (verdict) => {
  const files = readdirSync(`${folder}${verdict}`).filter((name) => name.endsWith('.c'));

  it.each(files)('%s', async (file) => {
    const text = readFileSync(`${folder}${verdict}/${file}`, 'utf8');
    const header = /^\/\/ lazuli: expect (safe|unsafe); unwind (\d+); rounds (\d+)(; LP64)?\n/.exec(text);
    expect(header?.[1], 'the first line says what to expect').toBe(verdict);
    const [unwind, rounds] = [Number(header?.[2]), Number(header?.[3])];
    const dataModel = header?.[4] ? 'LP64' : 'ILP32';
    const options = { unwind, rounds, dataModel, contexts: 3 * rounds, stateLimit: 50_000 } as const;
    const agreement = await compareWithEnumeration(text, options);
    expect(agreement.kind, 'message' in agreement ? agreement.message : '').toBe(verdict);
  });
});
