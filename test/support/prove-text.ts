// Proofs of small programs.

import { expect } from 'vitest';
import { type ProveOutcome, prove } from '../../src/engines/prove/prove.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../src/lower/context.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { lowerText } from './lower-text.ts';

export const HEAD = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n';

/** Any number of threads that add to a counter in a critical section, and main that looks. */
export const counter = (lock: string, unlock: string) => `${HEAD}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
void *work(void *unused) {
  ${lock}
  inside++;
  assert(inside == 1);
  inside--;
  ${unlock}
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, work, 0);
}`;

/** With the usual checks, and more. */
export function proveText(
  text: string,
  more: readonly CheckName[] = [],
  timeLimitMs = 60_000,
  confirmMs = 0,
): Promise<ProveOutcome> {
  const checks = new Set([...DEFAULT_LOWER_OPTIONS.checks, ...more]);
  return proveChecks(text, checks, checks, { timeLimitMs, confirmMs });
}

/**
 * What no proof may be found of is searched for so long, of the time that a proof of its like takes on a slow machine;
 * LAZULI_PROVE_PATIENCE=1 looks longer.
 */
export const PATIENCE = Number(process.env.LAZULI_PROVE_PATIENCE ?? 0.3);

export async function expectNoProof(text: string, more: readonly CheckName[], timeLimitMs: number): Promise<void> {
  expect((await proveText(text, more, PATIENCE * timeLimitMs)).kind).toBe('unknown');
}

/** With these checks only; the program may be lowered with others. */
export function proveChecks(
  text: string,
  checks: ReadonlySet<CheckName>,
  lowered = checks,
  limits: { readonly timeLimitMs: number; readonly confirmMs?: number } = { timeLimitMs: 60_000 },
): Promise<ProveOutcome> {
  const environment = { clock: () => performance.now(), createSolvers: createIncrementalSolvers };
  return prove(lowerText(text, { checks: lowered }), { checks, ...limits }, environment);
}
