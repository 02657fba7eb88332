/**
 * The report of a check as JSON, for tools. The form is documented in docs/formats/counterexample.md; a change that
 * readers could stumble over raises the version.
 */

import type { CutPlace } from '../outcome/outcome.ts';
import type { CheckReport } from './check-report.ts';
import { verdictOf } from './describe-verdict.ts';

export const REPORT_VERSION = 1;

/** A JSON document that ends with a newline. */
export function printJsonReport(report: CheckReport, toolVersion: string): string {
  return `${JSON.stringify(toDocument(report, toolVersion), null, 2)}\n`;
}

/** Of several programs, or several properties: each report as it is of one. */
export function printJsonReports(reports: readonly CheckReport[], toolVersion: string): string {
  const document = {
    format: 'lazuli-reports',
    version: REPORT_VERSION,
    tool: { name: 'lazuli', version: toolVersion },
    reports: reports.map((report) => toDocument(report, toolVersion)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function toDocument(report: CheckReport, toolVersion: string) {
  const { program, files = [program], property, expected, outcome, notes, elapsedMs } = report;
  return {
    format: 'lazuli-report',
    version: REPORT_VERSION,
    tool: { name: 'lazuli', version: toolVersion },
    program,
    files,
    ...(property !== undefined && { property }),
    ...(expected !== undefined && { expected }),
    engine: outcome.engine,
    bounds: outcome.bounds,
    notes,
    elapsedMs: Math.round(elapsedMs),
    verdict: verdictOf(outcome),
    assertions: outcome.kind === 'bounded' ? outcome.assertions : null,
    cuts: outcome.kind === 'bounded' && outcome.cuts !== null ? outcome.cuts.map(withoutLoc) : null,
    proof: outcome.kind === 'safe' ? outcome.proof : null,
    reason: outcome.kind === 'unknown' ? outcome.reason : null,
    warnings: outcome.warnings ?? [],
    weakMemory: (outcome.kind === 'unsafe' && outcome.weak) || null,
    counterexample: outcome.kind === 'unsafe' ? outcome.trace : null,
  };
}

/** A `Loc` means nothing without the sources of its run. */
function withoutLoc({ kind, where, place }: CutPlace): Omit<CutPlace, 'loc'> {
  return { kind, where, place };
}
