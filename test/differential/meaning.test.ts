// Meaning kept: a program and what Lazuli prints for it give the same output when gcc compiles them, on both data
// models. More random programs with LAZULI_RANDOM_COUNT, others with LAZULI_RANDOM_SEED.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { DataModel } from '../../src/program/data-model.ts';
import { compileAndRun, inParallel, makeFolder, writeText } from '../support/gcc.ts';
import { randomC } from '../support/random-c.ts';
import { firstDifference, roundTrip } from '../support/round-trip.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_RANDOM_COUNT ?? 10);
const SEED = Number(process.env.LAZULI_RANDOM_SEED ?? 1);
const TIMEOUT_MS = 60_000 + 2_000 * COUNT;

const programs = fileURLToPath(new URL('../programs/sequential', import.meta.url));
const { folder, remove } = makeFolder();
afterAll(remove);

/** What differs between the program and its print; null if nothing does. */
async function difference(name: string, text: string, dataModel: DataModel): Promise<string | null> {
  const trip = roundTrip(`${name}.c`, text, dataModel);
  if (trip.kind === 'failed') return trip.message;
  const again = firstDifference(trip.text, trip.again);
  if (again !== null) return `printed twice, ${again}`;
  const [original, printed] = await inParallel(
    [writeText(folder, `${name}-${dataModel}.c`, text), writeText(folder, `${name}-${dataModel}-printed.c`, trip.text)],
    (file) => compileAndRun(file, dataModel),
  );
  return firstDifference(original ?? '', printed ?? '');
}

const models: readonly DataModel[] = ['LP64', 'ILP32'];

describe.each(models)('the print of a program on %s', (dataModel) => {
  const tool = dataModel === 'ILP32' ? 'gcc -m32' : 'gcc';
  const files = readdirSync(programs).filter((file) => file.endsWith('.c'));

  it.each(files)('behaves as %s', async (file) => {
    if (requireTool(tool) === null) return;
    const text = readFileSync(path.join(programs, file), 'utf8');
    expect(await difference(path.basename(file, '.c'), text, dataModel)).toBeNull();
  });

  it(
    `behaves as ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      if (requireTool(tool) === null) return;
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomC({ seed, size: 40 });
        expect(await difference(`random-${seed}`, text, dataModel), `seed ${seed}`).toBeNull();
      }
    },
    TIMEOUT_MS,
  );
});
