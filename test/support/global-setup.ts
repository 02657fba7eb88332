// Runs once before all tests: makes the sources that are generated and not checked in.

import { generate } from '../../scripts/generate.js';

export async function setup(): Promise<void> {
  await generate();
}
