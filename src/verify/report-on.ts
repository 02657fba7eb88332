/** The report on an outcome, also on one to which somebody comes who ends a verification from outside. */

import type { Outcome } from '../outcome/outcome.ts';
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
  return { program: name, files: files.map(({ fileName }) => fileName), outcome, notes, approximations, elapsedMs };
}
