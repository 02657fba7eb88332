/** Verdicts and violations in the words that all reports share. */

import type { Outcome } from '../outcome/outcome.ts';
import type { Trace, TraceViolation } from '../trace/trace.ts';
import { count } from './describe-bounds.ts';

/** The verdict as reports for tools call it. */
export function verdictOf({ kind }: Outcome): 'unsafe' | 'safe' | 'safe-up-to-bounds' | 'unknown' {
  return kind === 'bounded' ? 'safe-up-to-bounds' : kind;
}

export function describeViolation({ check, message }: TraceViolation): string {
  return message === '' || message === check ? check : `${check}: ${message}`;
}

/** How long a counterexample is, and what of a very long one is left out. */
export function describeLength({ steps, contextSwitches, hiddenInstructions: gap = 0 }: Trace): string {
  const long = gap === 0 ? '' : `, without ${count(gap, 'instruction')} far from its ends and context switches`;
  return `${count(steps.length, 'step')}, ${count(contextSwitches, 'context switch')}${long}`;
}
