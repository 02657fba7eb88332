// Writes the report of a check where the options want it, and gives the exit code of its verdict.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import type { CheckReport } from '../report/check-report.ts';
import { printCompetitionVerdict } from '../report/competition-verdict.ts';
import { printCorrectnessWitness } from '../report/correctness-witness.ts';
import { printGithubReport } from '../report/github.ts';
import { printHtmlReport } from '../report/html.ts';
import { printHtmlIndex } from '../report/html-index.ts';
import { printJsonReport, printJsonReports } from '../report/json.ts';
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
  /** Several reports in one file; without it, the option names a folder with a file for each of them. */
  readonly printAll?: (reports: readonly CheckReport[]) => string;
}[] = [
  {
    name: 'json',
    print: (report) => printJsonReport(report, version),
    printAll: (reports) => printJsonReports(reports, version),
  },
  {
    name: 'sarif',
    print: (report) => printSarifReport([report], version),
    printAll: (reports) => printSarifReport(reports, version),
  },
  { name: 'junit', print: (report) => printJunitReport([report]), printAll: printJunitReport },
  { name: 'witness', print: printWitness },
  {
    name: 'html',
    print: (report) =>
      printHtmlReport(report, readReportSources(report), version, report.ranges ? { ranges: report.ranges } : {}),
  },
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
    choices: ['text', 'github', 'verdict'],
    default: 'text',
    help: "github: also print violations as annotations for GitHub's workflows; verdict: print a line with the verdict alone, as BenchExec spells it: true, false(unreach-call), unknown",
  },
} as const satisfies OptionTable;

/** Violations and proofs have one; proofs only in YAML. */
function printWitness(report: CheckReport, file: string): string | null {
  const { outcome } = report;
  if (outcome.kind === 'safe' && !file.endsWith('.graphml'))
    return printCorrectnessWitness(report.confirmed ?? [], toWitnessTask(report, null));
  const trace = outcome.kind === 'unsafe' ? outcome.trace : null;
  if (trace === null) return null;
  const task = toWitnessTask(report, trace);
  return file.endsWith('.graphml') ? printGraphmlWitness(trace, task) : printYamlWitness(trace, task);
}

/** The files that reports go to; where it is not one report, without the folders. */
export function reportFiles(options: ReportOptions, isOne = true): readonly (string | undefined)[] {
  return FORMATS.filter(({ printAll }) => isOne || printAll !== undefined).map(({ name }) => options[name]);
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
    if (file !== undefined && text !== null) writeText(file, text, io);
  }
}

function writeText(file: string, text: string, io: Io): void {
  if (file === '-') io.out.write(text);
  else writeFile(file, text);
}

/** The reports for tools on several programs: together in one file, or one file each in a folder. */
export function writeAll(reports: readonly CheckReport[], options: ReportOptions, io: Io): void {
  for (const { name, print, printAll } of FORMATS) {
    const file = options[name];
    if (file === undefined) continue;
    if (printAll) writeText(file, printAll(reports), io);
    else writeFolder(name, file, reports, print);
  }
}

const EXTENSIONS = { html: '.html', witness: '.yml' } as const;

function writeFolder(
  name: string,
  folder: string,
  reports: readonly CheckReport[],
  print: (report: CheckReport, file: string) => string | null,
): void {
  mkdirSync(folder, { recursive: true });
  const files = nameFiles(reports, EXTENSIONS[name as keyof typeof EXTENSIONS]);
  const written = reports.map((report, at) => {
    const file = files[at] as string;
    const text = print(report, file);
    if (text !== null) writeFile(path.join(folder, file), text);
    return { report, file: text === null ? null : file };
  });
  if (name === 'html') writeFile(path.join(folder, 'index.html'), printHtmlIndex(written));
}

/** `src/a.c` with a property is `src-a.c.no-data-race.html`; no two are the same. */
function nameFiles(reports: readonly CheckReport[], extension: string): string[] {
  const taken = new Set(['index.html']);
  return reports.map(({ program, property }) => {
    const plain = program.replace(/^[./]+/, '').replace(/[^\w.-]+/g, '-');
    const base = property === undefined ? plain : `${plain}.${property}`;
    let name = `${base}${extension}`;
    for (let number = 2; taken.has(name); number++) name = `${base}.${number}${extension}`;
    taken.add(name);
    return name;
  });
}

/** The report for people, or what stands in its place. */
export function showReport(report: CheckReport, options: ReportOptions, io: Io): void {
  const { colours, columns } = io.out;
  const isOutputTaken = reportFiles(options).includes('-');
  const free = isOutputTaken ? io.err : io.out;
  if (options.format === 'verdict') free.write(printCompetitionVerdict(report));
  else if (!isOutputTaken) io.out.write(printTextReport(report, { colours, columns, verbose: options.verbose }));
  if (options.format === 'github') free.write(printGithubReport(report));
}

export function writeReport(report: CheckReport, options: ReportOptions, io: Io): ExitCode {
  showReport(report, options, io);
  writeFiles(report, options, io);
  return exitCodeOf(report);
}

export function exitCodeOf({ outcome }: CheckReport): ExitCode {
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
