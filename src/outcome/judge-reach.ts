/**
 * A bounded verdict is about the assertions that executions within the bounds come to. Where a program has assertions
 * and none of them is reached, nothing was checked that anybody asked for: that is no verdict.
 */

import type { Outcome } from './outcome.ts';

export function judgeReach(outcome: Outcome): Outcome {
  if (outcome.kind !== 'bounded' || outcome.assertions === null) return outcome;
  const { engine, bounds, assertions, cuts, reason: limit } = outcome;
  if (assertions.total === 0 || assertions.reached > 0) return outcome;
  const which = assertions.total === 1 ? 'the assertion' : `any of the ${assertions.total} assertions`;
  const reason = `no execution within the bounds comes to ${which}`;
  const loops = [...new Set((cuts ?? []).map(({ where }) => where))];
  const attempts = [{ engine, bounds, reason: limit ?? (loops.length > 0 ? `cut at ${loops.join(', ')}` : reason) }];
  return { kind: 'unknown', engine, bounds, cause: 'unreached', reason, loc: null, attempts };
}
