/**
 * The value analysis where it is run for its own sake, and not as part of a check: how far it may go, and why it may
 * have no answer.
 */

import { type ExecutionLimits, LARGEST_EXECUTION } from '../execute/execution.ts';
import { AddressSpaceFull } from '../execute/knowledge.ts';
import { ExecutionLimitError, UnsupportedError } from '../execute/unsupported.ts';

/** The limits of a check, and a time from now on. */
export function limitAnalysis(timeoutMs: number, clock: () => number): ExecutionLimits {
  const deadlineMs = clock() + timeoutMs;
  const poll = () => {
    if (clock() > deadlineMs) throw new ExecutionLimitError('time is up');
  };
  return { ...LARGEST_EXECUTION, poll };
}

/** Why the analysis gave up, in words; null for a fault that is none of its own. */
export function explainNoAnswer(fault: unknown): string | null {
  if (fault instanceof UnsupportedError) return `not supported: ${fault.message}`;
  if (fault instanceof ExecutionLimitError) return fault.message;
  if (fault instanceof AddressSpaceFull) return 'the objects of the program do not fit its address space';
  return null;
}
