/** The report on an outcome, also on one to which somebody comes who ends a verification from outside. */

import { judgeReach } from '../outcome/judge-reach.ts';
import { type Coverage, NO_BOUNDS, type Outcome, type UnknownCause } from '../outcome/outcome.ts';
import { describeOwnBounds } from '../program/bounds.ts';
import type { Approximation } from '../program/code.ts';
import { describeApproximations } from '../report/approximations.ts';
import type { CheckReport } from '../report/check-report.ts';
import { notesOn } from '../report/notes.ts';
import type { Source, VerifySettings } from './settings.ts';

export function reportOn(
  outcome: Outcome,
  approximations: readonly Approximation[],
  { name, files }: Source,
  settings: VerifySettings,
  elapsedMs: number,
): CheckReport {
  const notes = [...notesOn(outcome, describeOwnBounds(settings)), ...describeApproximations(approximations)];
  const { dataModel } = settings;
  return {
    program: name,
    files: files.map(({ fileName }) => fileName),
    dataModel,
    outcome,
    notes,
    approximations,
    elapsedMs,
  };
}

/** What is left to say of a check, or of the search for a proof, that was ended from outside. */
export function endedEarly(
  cause: UnknownCause,
  reason: string,
  coverage: Coverage | null,
  goal: VerifySettings['goal'] = 'verdict',
): Outcome {
  const engine = goal === 'proof' ? 'prove' : 'bounded';
  const unsupported = coverage?.cuts?.find(({ kind }) => kind === 'unsupported');
  if (unsupported) {
    const { where, loc } = unsupported;
    return { kind: 'unknown', engine, bounds: NO_BOUNDS, cause: 'unsupported', reason: where, loc, attempts: [] };
  }
  if (coverage) return judgeReach({ kind: 'bounded', engine, ...coverage, reason });
  return { kind: 'unknown', engine, bounds: NO_BOUNDS, cause, reason, loc: null, attempts: [] };
}
