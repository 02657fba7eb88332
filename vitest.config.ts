// Where the tests live and how much of the machine they may take. The global setup makes the generated sources, so
// that a fresh clone needs no step before `vitest run`.
//
// Goldens and snapshots are never written by accident: a missing one fails. `vitest run --update` or UPDATE_GOLDENS=1
// accepts what the tests print.
//
// The time limits are there to end a hang, not to judge speed: a busy machine must not fail a test. For the same reason a
// test that fails in CI, where nobody can look at once, is run a second time; the reporter marks it `(retry x1)`.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    update: process.env.UPDATE_GOLDENS === '1' ? 'all' : 'none',
    pool: 'threads',
    // Modules are loaded once a worker, not once a file, and what V8 has made of them stays.
    isolate: false,
    maxWorkers: 2,
    retry: process.env.CI === 'true' ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
