/** Verdicts and violations in the words that all reports share. */

import type { Outcome } from '../outcome/outcome.ts';
import type { TraceViolation } from '../trace/trace.ts';

/** The verdict as reports for tools call it. */
export function verdictOf({ kind }: Outcome): 'unsafe' | 'safe' | 'safe-up-to-bounds' | 'unknown' {
  return kind === 'bounded' ? 'safe-up-to-bounds' : kind;
}

export function describeViolation({ check, message }: TraceViolation): string {
  return message === '' || message === check ? check : `${check}: ${message}`;
}
