/** Threads that try their next steps when the schedule has ended, for what is asked about the state then. */

import type { BackendSpelling } from './backend-spelling.ts';

/** Set while threads try their next steps. */
export const PROBES = '__lazuli_probes';

/** How a schema speaks of a thread. */
export interface ProbedThread {
  /** Whether it exists; null for main, which always does. */
  readonly isCreated: string | null;
  readonly hasEnded: string;
  /** Lets it carry out one step. */
  readonly step: readonly string[];
}

/** That a thread has a next step. */
export function isLeft({ isCreated, hasEnded }: ProbedThread): string {
  return `${isCreated === null ? '' : `${isCreated} && `}!(${hasEnded})`;
}

export function assertionText(condition: string, message: string, { assert }: BackendSpelling): string {
  return assert.takesMessage ? `${assert.name}(${condition}, "${message}")` : `${assert.name}(${condition})`;
}
