// Goldens: the expected text of a stage, as a file that people read and diff. `vitest run --update` (or
// UPDATE_GOLDENS=1) accepts what the tests print today; without it a missing or different golden fails.

import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const folder = new URL('../golden/', import.meta.url);

/** Compares a text with `test/golden/<name>`. Await it. */
export async function expectGolden(name: string, text: string): Promise<void> {
  await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(name, folder)));
}
