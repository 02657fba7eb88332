/**
 * Violations as GitHub's workflow commands: a line for the log of a job that is shown as an annotation of the source. A
 * verdict that is not known is a warning, all others are no annotation.
 */

import type { CheckReport } from './check-report.ts';
import { describeViolation } from './describe-verdict.ts';

/** One line a report, or none. */
export function printGithubReport({ program, outcome }: CheckReport): string {
  if (outcome.kind === 'unknown') {
    return command('warning', { file: program, title: 'lazuli: unknown' }, outcome.reason);
  }
  if (outcome.kind !== 'unsafe') return '';
  const { trace } = outcome;
  if (trace === null) return command('error', { file: program, title: 'lazuli: unsafe' }, 'a violation');
  const { place, check, thread } = trace.violation;
  const start = trace.threads.find(({ id }) => id === thread)?.start ?? '?';
  const switches = `${trace.contextSwitches} context switch${trace.contextSwitches === 1 ? '' : 'es'}`;
  const text = `${describeViolation(trace.violation)} (thread ${thread}, ${start}; after ${switches})`;
  const where: Readonly<Record<string, string | number>> = place
    ? { file: place.file, line: place.line, col: place.column }
    : { file: program };
  return command('error', { ...where, title: `lazuli: ${check}` }, text);
}

function command(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const given = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${given.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
