// Programs with and without deadlocks, in pairs: concrete runs, the solver alone and explicit enumeration agree on what
// the first line of each says. Partial deadlocks, in a program that ends all the same, are found by concrete runs only.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { enumerateAll, readCode } from '../support/agreement.ts';
import { checkText, violatedCheck } from '../support/check-text.ts';
import { readProgramHeader } from '../support/program-header.ts';

const folder = fileURLToPath(new URL('deadlock', import.meta.url));
const programs = readdirSync(folder).sort();
const CHECKS = new Set(['deadlock', 'mutex', 'thread'] as const);

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

describe.each(programs)('%s', (file) => {
  const text = read(file);
  const { verdict, unwind, rounds } = readProgramHeader(text);

  it('is what enumeration says', () => {
    const { violations, isComplete } = enumerateAll(readCode(text, 'LP64', { checks: CHECKS }), 50_000, CHECKS);
    if (verdict === 'safe') expect({ violations, isComplete }).toEqual({ violations: [], isComplete: true });
    else expect(violations.map(({ check }) => check)).toEqual(['deadlock']);
  });

  it('is what concrete runs find', async () => {
    const outcome = await checkText(text, { unwind, rounds, explore: true, checks: ['deadlock'] });
    expect(violatedCheck(outcome)).toEqual(verdict === 'unsafe' ? 'deadlock' : expect.stringMatching(/^(safe|bounded)$/));
  });

  it('is what the solver finds', async () => {
    const outcome = await checkText(text, { unwind, rounds, checks: ['deadlock'] });
    expect(violatedCheck(outcome)).toEqual(verdict === 'unsafe' ? 'deadlock' : expect.stringMatching(/^(safe|bounded)$/));
  });
});

describe('the counterexample of a deadlock', () => {
  it('tells who waits for whom, and since when what they wait for is held', async () => {
    const outcome = await checkText(read('lock-order-unsafe.c'), { unwind: 2, rounds: 3, checks: ['deadlock'] });
    const waits = (outcome.kind === 'unsafe' && outcome.trace?.violation.waits) || [];
    expect(waits).toContainEqual({
      thread: 1,
      routine: 'pthread_mutex_lock',
      place: expect.objectContaining({ line: 10 }),
      object: 'b',
      holder: 2,
      heldSince: expect.objectContaining({ line: 18 }),
    });
    // Main waits, too, but is no part of the circle.
    expect(waits.find(({ thread }) => thread === 2)).toMatchObject({ object: 'a', holder: 1 });
  });
});
