// How fast C is read: preprocessed programs through the whole front end in one process (preprocessor, parser, type
// checker, and the printer apart), and one run of `lazuli parse` as a user waits for it.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readProgram } from '../src/frontend/front-end.ts';
import { parse } from '../src/frontend/parse/parse.ts';
import { preprocess } from '../src/frontend/preprocess/preprocess.ts';
import { printProgram } from '../src/frontend/print/print-program.ts';
import type { Program } from '../src/program/tree.ts';
import { DiagnosticSink } from '../src/support/diagnostics.ts';
import { SourceMap } from '../src/support/source.ts';
import { formatMs, measure } from './support/measure.ts';
import type { Report } from './support/report.ts';

export const name = 'front-end';
export const summary = 'reading C (goals: 2 MB of preprocessed C a second; one parse of a 45 KB file under 400 ms)';

const RUNS = 7;
const TYPICAL_BYTES = 45_000;

interface Source {
  readonly file: string;
  readonly text: string;
}

export async function run(report: Report): Promise<void> {
  const sources = readSources();
  if (sources.length === 0) {
    report.note('not there: the benchmark programs beside the repository; set LAZULI_BENCHMARKS to their folder');
    return;
  }
  const bytes = sources.reduce((sum, { text }) => sum + text.length, 0);
  report.note(`${sources.length} preprocessed files, ${(bytes / 1e6).toFixed(1)} MB`);
  const programs: Program[] = [];
  const stages: readonly (readonly [string, (source: Source) => unknown])[] = [
    ['preprocess', (source) => preprocessOne(source)],
    ['preprocess, parse', (source) => parse(preprocessOne(source).tokens, new DiagnosticSink())],
    ['preprocess, parse, check types', (source) => readOne(source)],
  ];
  const rows: string[][] = [];
  for (const [stage, action] of stages) {
    const { medianMs } = await measure(RUNS, () => forAll(sources, action));
    rows.push([stage, formatMs(medianMs), `${(bytes / 1e3 / medianMs).toFixed(2)} MB/s`]);
  }
  for (const source of sources) programs.push(readOne(source));
  const { medianMs } = await measure(RUNS, () => forAll(programs, printProgram));
  rows.push(['print', formatMs(medianMs), `${(bytes / 1e3 / medianMs).toFixed(2)} MB/s`]);
  report.table(['in one process', 'median', 'rate'], rows);
  await measureCommand(report, sources);
}

function forAll<T>(items: readonly T[], action: (item: T) => unknown): void {
  for (const item of items) action(item);
}

async function measureCommand(report: Report, sources: readonly Source[]): Promise<void> {
  const distance = ({ text }: Source) => Math.abs(text.length - TYPICAL_BYTES);
  const typical = sources.reduce((best, source) => (distance(source) < distance(best) ? source : best));
  const { medianMs, minMs, maxMs } = await measure(RUNS, () => {
    const args = ['bin/lazuli.js', 'parse', '--32', typical.file];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`lazuli parse failed: ${stderr}`);
  });
  const command = `lazuli parse (${(typical.text.length / 1e3).toFixed(0)} KB)`;
  report.table(['command', 'median', 'min', 'max'], [[command, formatMs(medianMs), formatMs(minMs), formatMs(maxMs)]]);
}

function preprocessOne({ file, text }: Source) {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  return { tokens: preprocess({ sources, sink, fileName: file, text, dataModel: 'ILP32' }), sources };
}

function readOne({ file, text }: Source): Program {
  const { program } = readProgram({ fileName: file, text, dataModel: 'ILP32' });
  if (program === null) throw new Error(`${file} was refused`);
  return program;
}

function readSources(): Source[] {
  const folder = process.env.LAZULI_BENCHMARKS ?? path.resolve('../shared/benchmarks');
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.i'));
  return files.sort().map((file) => {
    const full = path.join(folder, file);
    return { file: full, text: readFileSync(full, 'utf8') };
  });
}
