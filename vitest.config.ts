// Where the tests live and how much of the machine they may take. The global setup makes the generated sources, so
// that a fresh clone needs no step before `vitest run`.
//
// Goldens and snapshots are never written by accident: a missing one fails. `vitest run --update` or UPDATE_GOLDENS=1
// accepts what the tests print.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    update: process.env.UPDATE_GOLDENS === '1' ? 'all' : 'none',
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
