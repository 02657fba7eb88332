// Models of the proof engine as a search begins with them, for tests that look at one by itself.

import type { ModelOptions } from '../../src/engines/prove/prepare-model.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';

export const MODEL: ModelOptions = {
  checks: DEFAULT_LOWER_OPTIONS.checks,
  reduce: true,
  locks: true,
  replicate: false,
  instances: 0,
  ownHeap: false,
  ending: false,
  elements: false,
  passages: false,
  turns: false,
  additions: false,
  unroll: false,
  isWeak: false,
  forget: false,
  waits: false,
  poll: () => {},
};
