// Writes the report of a check where the options want it, and gives the exit code of its verdict.

import { version } from '../../package.json';
import type { CheckReport } from '../report/check-report.ts';
import { printCorrectnessWitness } from '../report/correctness-witness.ts';
import { printGithubReport } from '../report/github.ts';
import { printHtmlReport } from '../report/html.ts';
import { printJsonReport } from '../report/json.ts';
import { printJunitReport } from '../report/junit.ts';
import { printSarifReport } from '../report/sarif.ts';
import { printTextReport } from '../report/text.ts';
import { printGraphmlWitness } from '../report/witness-graphml.ts';
import { printYamlWitness } from '../report/witness-yaml.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { OptionTable } from './options.ts';
import { readReportSources, toWitnessTask } from './report-sources.ts';
import { writeFile } from './write-file.ts';

export interface ReportOptions {
  /** A file for the report as JSON; `-` is the standard output, where JSON takes the place of the text. */
  readonly json: string | undefined;
  readonly verbose: boolean;
  readonly sarif?: string | undefined;
  readonly junit?: string | undefined;
  readonly witness?: string | undefined;
  readonly html?: string | undefined;
  readonly format?: string | undefined;
}

/** The reports for tools, each an option of its own that takes a file. */
const FORMATS: readonly {
  readonly name: 'json' | 'sarif' | 'junit' | 'witness' | 'html';
  /** Null where there is nothing to write. */
  readonly print: (report: CheckReport, file: string) => string | null;
}[] = [
  { name: 'json', print: (report) => printJsonReport(report, version) },
  { name: 'sarif', print: (report) => printSarifReport([report], version) },
  { name: 'junit', print: (report) => printJunitReport([report]) },
  { name: 'witness', print: printWitness },
  { name: 'html', print: (report) => printHtmlReport(report, readReportSources(report), version) },
];

export const reportOptions = {
  json: { kind: 'text', value: 'FILE', help: 'write the report as JSON to FILE (- for the standard output)' },
  sarif: { kind: 'text', value: 'FILE', help: 'write it as SARIF 2.1.0, for code hosts and editors' },
  junit: { kind: 'text', value: 'FILE', help: 'write it as JUnit XML, for build servers' },
  html: { kind: 'text', value: 'FILE', help: 'write a page to step through a counterexample' },
  witness: {
    kind: 'text',
    value: 'FILE',
    help: 'write a witness of the violation or of the proof, in YAML 2.x; in GraphML 1.0 if FILE ends with .graphml',
  },
  format: {
    kind: 'choice',
    choices: ['text', 'github'],
    default: 'text',
    help: "github: also print violations as annotations for GitHub's workflows",
  },
} as const satisfies OptionTable;

/** Violations and proofs have one; proofs only in YAML. */
function printWitness(report: CheckReport, file: string): string | null {
  const { outcome } = report;
  if (outcome.kind === 'safe' && !file.endsWith('.graphml'))
    return printCorrectnessWitness(outcome.proof.invariant, toWitnessTask(report, null));
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  if (trace === null) return null;
  const task = toWitnessTask(report, trace);
  return file.endsWith('.graphml') ? printGraphmlWitness(trace, task) : printYamlWitness(trace, task);
}

/** The files that reports go to. */
export function reportFiles(options: ReportOptions): readonly (string | undefined)[] {
  return FORMATS.map(({ name }) => options[name]);
}

/** Two reports cannot share the standard output. */
export function findReportMisuse(options: ReportOptions): string | null {
  const onOutput = FORMATS.filter(({ name }) => options[name] === '-').map(({ name }) => `--${name}`);
  return onOutput.length > 1 ? `${onOutput.join(' and ')} cannot both go to the standard output` : null;
}

/** The reports for tools. */
export function writeFiles(report: CheckReport, options: ReportOptions, io: Io): void {
  for (const { name, print } of FORMATS) {
    const file = options[name];
    const text = file === undefined ? null : print(report, file);
    if (file === undefined || text === null) continue;
    if (file === '-') io.out.write(text);
    else writeFile(file, text);
  }
}

export function writeReport(report: CheckReport, options: ReportOptions, io: Io): ExitCode {
  const { colours, columns } = io.out;
  const isOutputTaken = reportFiles(options).includes('-');
  if (!isOutputTaken) io.out.write(printTextReport(report, { colours, columns, verbose: options.verbose }));
  if (options.format === 'github') (isOutputTaken ? io.err : io.out).write(printGithubReport(report));
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
