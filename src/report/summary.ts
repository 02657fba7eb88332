/** Several programs, or several properties, at a glance: a row each, and how many of each verdict there are. */

import { showTexts } from '../support/show-text.ts';
import { type CheckReport, nameQuestion } from './check-report.ts';
import { count } from './describe-bounds.ts';
import { describeViolation, verdictOf } from './describe-verdict.ts';
import { type Colour, createPainter } from './painter.ts';

export type SummaryVerdict = ReturnType<typeof verdictOf>;

const COLOURS: Readonly<Record<SummaryVerdict, Colour>> = {
  unsafe: 'bad',
  unknown: 'unclear',
  safe: 'good',
  'safe-up-to-bounds': 'good',
};

export const VERDICT_WORDS: Readonly<Record<SummaryVerdict, string>> = {
  safe: 'safe',
  'safe-up-to-bounds': 'safe up to bounds',
  unsafe: 'unsafe',
  unknown: 'unknown',
};

export function printSummary(
  told: readonly CheckReport[],
  elapsedMs: number,
  { colours, columns }: { readonly colours: boolean; readonly columns: number | null },
): string {
  const paint = createPainter(colours);
  const reports = told.map((report) => showTexts(report));
  const names = reports.map(nameQuestion);
  const nameWidth = widest(names);
  const verdictWidth = widest(reports.map(({ outcome }) => VERDICT_WORDS[verdictOf(outcome)]));
  const rows = reports.map((report, at) => {
    const verdict = verdictOf(report.outcome);
    const word = paint(COLOURS[verdict], VERDICT_WORDS[verdict].padEnd(verdictWidth));
    const seconds = `${(report.elapsedMs / 1000).toFixed(1)} s`.padStart(7);
    const more = [explain(report), compareWithExpected(report)].filter((text) => text !== '').join('; ');
    const head = `${seconds}  ${(names[at] as string).padEnd(nameWidth)}`;
    const room = columns === null ? Number.POSITIVE_INFINITY : columns - verdictWidth - head.length - 6;
    const rest = more.length > room && room > 0 ? `${more.slice(0, room - 1)}…` : more;
    return `  ${word} ${head}  ${rest}`.trimEnd();
  });
  return ['', 'Summary:', ...rows, '', `${describeCounts(reports)} (${(elapsedMs / 1000).toFixed(1)} s)`, ''].join(
    '\n',
  );
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0);
}

/** `3 checks: 1 safe, 2 unsafe`. */
export function describeCounts(reports: readonly CheckReport[]): string {
  const words = (['safe', 'safe-up-to-bounds', 'unsafe', 'unknown'] as const).flatMap((verdict) => {
    const found = reports.filter(({ outcome }) => verdictOf(outcome) === verdict).length;
    return found === 0 ? [] : [`${found} ${VERDICT_WORDS[verdict]}`];
  });
  const wrong = reports.filter((report) => isAsExpected(report) === false).length;
  const unexpected = wrong === 0 ? [] : [`${wrong} not as the task says`];
  return `${count(reports.length, 'check')}: ${[...words, ...unexpected].join(', ')}`;
}

/** What a row tells besides the verdict. */
export function explain({ outcome }: CheckReport): string {
  if (outcome.kind === 'unknown') return outcome.reason;
  if (outcome.kind !== 'unsafe' || outcome.trace === null) return '';
  const { place } = outcome.trace.violation;
  return `${describeViolation(outcome.trace.violation)}${place ? `, line ${place.line}` : ''}`;
}

/** Null where nobody expects anything, or nothing is known; what holds up to bounds contradicts nothing. */
function isAsExpected({ outcome, expected }: CheckReport): boolean | null {
  if (expected === undefined || (outcome.kind !== 'safe' && outcome.kind !== 'unsafe')) return null;
  return expected === (outcome.kind === 'safe');
}

function compareWithExpected(report: CheckReport): string {
  const isRight = isAsExpected(report);
  if (isRight === null) return report.expected === undefined ? '' : `the task says ${report.expected}`;
  return isRight ? 'as the task says' : `NOT as the task says: ${report.expected}`;
}
