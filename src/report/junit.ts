/**
 * Reports as JUnit XML, the form in which build servers read results of tests: a program is a test case, a violation a
 * failure with the whole counterexample as its text, and what is not known an error.
 */

import { type CheckReport, nameQuestion } from './check-report.ts';
import { describeViolation, verdictOf } from './describe-verdict.ts';
import { printTextReport } from './text.ts';

export function printJunitReport(reports: readonly CheckReport[]): string {
  const count = (kind: string) => reports.filter(({ outcome }) => outcome.kind === kind).length;
  const seconds = reports.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000;
  const counts = `tests="${reports.length}" failures="${count('unsafe')}" errors="${count('unknown')}"`;
  const suite = `name="lazuli" ${counts} skipped="0" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds.toFixed(3)}">`,
    `  <testsuite ${suite}>`,
    ...reports.map(printCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function printCase(report: CheckReport): string {
  const { outcome, elapsedMs } = report;
  const seconds = (elapsedMs / 1000).toFixed(3);
  const head = `    <testcase classname="lazuli" name="${escapeXml(nameQuestion(report))}" time="${seconds}">`;
  const text = escapeXml(printTextReport(report, { colours: false }));
  switch (outcome.kind) {
    case 'unsafe': {
      const violation = outcome.trace?.violation;
      const message = escapeXml(violation ? describeViolation(violation) : 'a violation');
      const type = escapeXml(violation?.check ?? 'violation');
      return `${head}\n      <failure message="${message}" type="${type}">${text}</failure>\n    </testcase>`;
    }
    case 'unknown': {
      const message = escapeXml(outcome.reason);
      return `${head}\n      <error message="${message}" type="${outcome.cause}">${text}</error>\n    </testcase>`;
    }
    case 'safe':
    case 'bounded':
      return `${head}\n      <system-out>${verdictOf(outcome)}\n${text}</system-out>\n    </testcase>`;
  }
}

/** Text or the value of an attribute; what XML cannot hold at all is replaced. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
  );
}
