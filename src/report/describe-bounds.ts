/** Bounds as people read them. */

import type { CoveredBounds } from '../outcome/outcome.ts';

export function describeBounds({ unwind, rounds, contextSwitches }: CoveredBounds): string {
  const loops = unwind === null ? 'all iterations' : `loops up to ${count(unwind, 'iteration')}`;
  const schedule =
    contextSwitches !== undefined
      ? count(contextSwitches, 'context switch')
      : rounds === null
        ? 'all interleavings'
        : count(rounds, 'round');
  return `${loops}, ${schedule}`;
}

export function count(amount: number, noun: string): string {
  const plural = noun.endsWith('ch') ? `${noun}es` : `${noun}s`;
  return `${amount} ${amount === 1 ? noun : plural}`;
}
