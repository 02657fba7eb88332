/**
 * Verdicts as BenchExec and the competitions spell them: `true`, `false(PROPERTY)`, `unknown`. Only a proof is `true`:
 * what holds up to bounds is not known there.
 */

import type { CheckName } from '../program/check-names.ts';
import { type CheckReport, nameQuestion } from './check-report.ts';

/** The property that a violation of a check violates. */
const PROPERTIES: Readonly<Partial<Record<CheckName, string>>> = {
  assertion: 'unreach-call',
  race: 'no-data-race',
  overflow: 'no-overflow',
  shift: 'no-overflow',
  pointer: 'valid-deref',
  bounds: 'valid-deref',
  free: 'valid-free',
  lost: 'valid-memtrack',
  leak: 'valid-memcleanup',
  deadlock: 'no-deadlock',
};

/** What property files say, by the usual name of the property. */
const FORMULAS: Readonly<Record<string, string>> = {
  'unreach-call': '! call(reach_error())',
  'no-data-race': '! data-race',
  'no-overflow': '! overflow',
  'valid-deref': 'valid-deref',
  'valid-free': 'valid-free',
  'valid-memtrack': 'valid-memtrack',
  'valid-memcleanup': 'valid-memcleanup',
  'no-deadlock': '! deadlock',
};

/** The text of the property file for a violation, or, without one, for what was asked. */
export function specificationOf({ property, outcome }: Pick<CheckReport, 'property' | 'outcome'>): string {
  const violated = outcome.kind === 'unsafe' ? outcome.trace?.violation.check : undefined;
  const name = (violated && PROPERTIES[violated]) ?? property;
  const memory = name === 'valid-memsafety' ? ['valid-free', 'valid-deref', 'valid-memtrack'] : null;
  const formulas = memory ?? [FORMULAS[name ?? ''] ?? FORMULAS['unreach-call']];
  return formulas.map((formula) => `CHECK( init(main()), LTL(G ${formula}) )`).join('\n');
}

export function competitionVerdict({ outcome }: Pick<CheckReport, 'outcome'>): string {
  switch (outcome.kind) {
    case 'safe':
      return 'true';
    case 'unsafe': {
      const check = outcome.trace?.violation.check;
      return check === undefined ? 'false' : `false(${PROPERTIES[check] ?? check})`;
    }
    case 'bounded':
    case 'unknown':
      return 'unknown';
  }
}

/** One line: the verdict, and what it is about. */
export function printCompetitionVerdict(report: CheckReport): string {
  return `${competitionVerdict(report)}  ${nameQuestion(report)}\n`;
}
