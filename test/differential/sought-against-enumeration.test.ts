/**
 * Deadlocks and data races C to C: what CBMC says of the sequentialized forms of small random programs, with all
 * schemas, against the enumeration of all interleavings (with vector clocks). LAZULI_SOUGHT_COUNT and
 * LAZULI_SOUGHT_SEED ask for more, or others.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Sought } from '../../src/program/bounds.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { randomRaces } from '../support/random-races.ts';
import { randomThreads } from '../support/random-threads.ts';
import { randomWaits } from '../support/random-waits.ts';
import { compareSought, type SchemaAgreement } from '../support/schema-agreement.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_SOUGHT_COUNT ?? 4);
const SEED = Number(process.env.LAZULI_SOUGHT_SEED ?? 1);

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-sought-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each program is asked with one schema; the seeds take turns. */
function compareAll(seeks: Sought, make: (seed: number) => string): Record<SchemaAgreement['kind'], number> | null {
  const tool = requireTool('cbmc');
  if (tool === null) return null;
  const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const names = SCHEMAS.map(({ name }) => name).filter((name) => seeks !== 'race' || name !== 'ul');
    const schema = names[seed % names.length] ?? 'lazy2';
    const form = { schema, atomicStatements: false, normalForm: seed % 2 === 0 };
    const answer = compareSought(tool, folder, make(seed), seeks, form);
    counts[answer.kind]++;
    if (answer.kind === 'differ') expect.fail(`seed ${seed}, ${schema}: ${answer.message}`);
  }
  return counts;
}

describe('deadlocks C to C and by enumeration', () => {
  it(
    `agree on ${COUNT} random programs (from seed ${SEED})`,
    () => {
      const make = (seed: number) =>
        seed % 3 === 0 ? randomThreads({ seed, size: 2, hasLibrary: true }) : randomWaits(seed);
      const counts = compareAll('deadlock', make);
      if (counts === null) return;
      expect(counts.unsafe + counts.safe).toBeGreaterThan(COUNT / 3);
    },
    60_000 + 60_000 * COUNT,
  );
});

describe('data races C to C and by enumeration', () => {
  it(
    `agree on ${COUNT} random programs (from seed ${SEED})`,
    () => {
      const make = (seed: number) => (seed % 4 === 0 ? randomThreads({ seed, size: 2 }) : randomRaces(seed, 2));
      const counts = compareAll('race', make);
      if (counts === null) return;
      expect(counts.unsafe + counts.safe).toBeGreaterThan(COUNT / 3);
    },
    60_000 + 60_000 * COUNT,
  );
});
