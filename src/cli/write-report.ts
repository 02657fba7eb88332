// Writes the report of a check where the options want it, and gives the exit code of its verdict.

import { version } from '../../package.json';
import type { CheckReport } from '../report/check-report.ts';
import { printJsonReport } from '../report/json.ts';
import { printTextReport } from '../report/text.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { writeFile } from './write-file.ts';

export interface ReportOptions {
  /** A file for the report as JSON; `-` is the standard output, where JSON takes the place of the text. */
  readonly json: string | undefined;
  readonly verbose: boolean;
}

/** The reports for tools. */
export function writeFiles(report: CheckReport, { json }: ReportOptions, io: Io): void {
  if (json === '-') io.out.write(printJsonReport(report, version));
  else if (json !== undefined) writeFile(json, printJsonReport(report, version));
}

export function writeReport(report: CheckReport, options: ReportOptions, io: Io): ExitCode {
  const { colours, columns } = io.out;
  const { json, verbose } = options;
  if (json !== '-') io.out.write(printTextReport(report, { colours, columns, verbose }));
  writeFiles(report, options, io);
  const { outcome } = report;
  switch (outcome.kind) {
    case 'unsafe':
      return exitCodes.violation;
    case 'safe':
    case 'bounded':
      return exitCodes.ok;
    case 'unknown':
      return outcome.cause === 'program' || outcome.cause === 'unsupported' ? exitCodes.program : exitCodes.unknown;
  }
}
