/** The proof engine, as one of those that a check asks. */

import { type Attempt, NO_BOUNDS, type Outcome } from '../../outcome/outcome.ts';
import { isWeak } from '../../program/memory-model.ts';
import { type Budget, type Problem, timeLeft } from '../engine.ts';
import { describeConfirmation } from './confirm-proof.ts';
import type { ExcludedAccesses } from './find-excluded.ts';
import { type ProveOutcome, prove } from './prove.ts';
import type { Evidence } from './search-proof.ts';

/** `onProved` is told what, as the invariant says, no thread ever comes to; it throws where that is wrong. */
export async function proveProgram(
  { code, checks, options, observer }: Problem,
  budget: Budget,
  onProved: (excluded: ExcludedAccesses) => void,
): Promise<Outcome> {
  const { clock, createIncrementalSolvers, isProved, searcher } = budget.environment;
  const start = clock();
  const timeLimitMs = Math.min(timeLeft(budget), budget.shareMs);
  const outcome = await prove(
    code,
    { checks, timeLimitMs, isWeak: isWeak(options.memoryModel) },
    {
      ...{
        clock,
        searcher,
        createSolvers: createIncrementalSolvers,
        onProgress: (progress) => observer.onProof?.(progress),
      },
      ...(isProved && { mustStop: isProved }),
    },
  );
  if (outcome.kind === 'proved') onProved(outcome.excluded);
  observer.onTime?.('prove', clock() - start);
  return toOutcome(outcome);
}

function toOutcome(outcome: ProveOutcome): Outcome {
  const base = { engine: 'prove', bounds: NO_BOUNDS } as const;
  const attempts = outcome.attempts.map(({ attempt, outcome: how }): Attempt => {
    return { engine: 'prove', bounds: NO_BOUNDS, reason: `${attempt}: ${how}` };
  });
  if (outcome.kind === 'unknown') {
    const { reason, loc, cause } = outcome;
    return { ...base, kind: 'unknown', cause, reason, loc, attempts };
  }
  const claim = `${describeEvidence(outcome.evidence)} (${describeConfirmation(outcome.confirmation)})`;
  return { ...base, kind: 'safe', proof: { method: 'induction', claim, invariant: outcome.invariant } };
}

function describeEvidence({ kind, count }: Evidence): string {
  return `${EVIDENCE[kind](count)}, for any number of iterations, interleavings and threads`;
}

const EVIDENCE: Readonly<Record<Evidence['kind'], (count: number) => string>> = {
  clauses: (count) => `${count === 1 ? '1 clause holds' : `${count} clauses hold`} in every reachable state`,
  states: (count) =>
    count === 1 ? '1 state covers all that is reached' : `${count} states cover all that are reached`,
  views: (count) => `${count} states, as each of any number of threads sees them, cover all that are reached`,
};
