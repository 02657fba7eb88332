// What the value analysis is worth. First against Frama-C's Eva, which the papers used, on the same programs with the
// same bounds: how narrow, how fast. Then the engine with and without it: size of the formula, time, memory, and which
// part of the time the symbolic execution takes that finds the values. Last CBMC on the sequentialized program, with
// and without --bitvectors.
//
// LAZULI_BENCH_TIMEOUT is the limit for one run in seconds, LAZULI_BENCH_FILTER a regular expression on the names,
// LAZULI_BENCH_PARTS some of `eva,engine,cbmc`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { type CbmcRun, runCbmc } from './support/cbmc-sizes.ts';
import {
  type ComparedVariable,
  compareRanges,
  intervalBits,
  runEva,
  runOwnRanges,
  timeAnalysis,
} from './support/frama-c-ranges.ts';
import { formatMs, median } from './support/measure.ts';
import { type Bounds, describeBounds, modelOption, paperBounds, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, formatMegabytes, runCheck } from './support/run-check.ts';

export const name = 'value-analysis';
export const summary = 'ranges against those of Frama-C, and the engine with and without them';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 60);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const parts = (process.env.LAZULI_BENCH_PARTS ?? 'eva,engine,cbmc').split(',');

/** Bounds that expose a bug for which the papers give none. */
const OTHER_BOUNDS: ReadonlyMap<string, Bounds> = new Map([['dcas', { unwind: 1, rounds: 3 }]]);

interface Subject {
  readonly label: string;
  readonly file: string;
  readonly bounds: Bounds;
  readonly model: '--32' | '--64';
}

/** The example of the thesis, and the programs for which the papers give bounds. */
function subjects(): readonly Subject[] {
  const thesis: Subject = {
    label: 'Fig. 3.1 of the thesis',
    file: 'test/golden/ranges/producer-consumer.c',
    bounds: { unwind: 5, rounds: 2 },
    model: '--64',
  };
  const folder = findBenchmarks();
  if (folder === null) return [thesis];
  const known = readBenchmarkManifest().filter(
    (program) => program.paper?.unwind !== undefined || OTHER_BOUNDS.has(shortName(program)),
  );
  return [thesis, ...known.map((program) => subjectOf(folder, program))].filter(({ label }) => filter.test(label));
}

function subjectOf(folder: string, program: BenchmarkProgram): Subject {
  const file = path.join(folder, program.file);
  const label = shortName(program);
  return { label, file, bounds: OTHER_BOUNDS.get(label) ?? paperBounds(program), model: modelOption(program) };
}

export async function run(report: Report): Promise<void> {
  const all = subjects();
  report.note(`At most ${timeoutSeconds} s for one run.`);
  if (parts.includes('eva')) {
    if (hasTool('frama-c') === null) report.note('Frama-C is not there: nothing to compare the ranges with.');
    else compareWithEva(report, all);
  }
  if (parts.includes('engine')) await compareEngines(report, all);
  if (parts.includes('cbmc')) {
    if (hasTool('cbmc') === null) report.note('CBMC is not there: no bit-vectors for it.');
    else await compareCbmc(report, all);
  }
}

// ---------------------------------------------------------------- against Frama-C

const EVA_COLUMNS = [
  'program',
  'variables',
  'narrower',
  'same',
  'wider',
  'declared',
  'bits',
  'Eva: bits',
  'process',
  'Frama-C: process',
  'faster',
  'analysis',
  'Eva: analysis',
  'faster',
];

function compareWithEva(report: Report, all: readonly Subject[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-ranges-'));
  const rows: string[][] = [];
  const wider: string[] = [];
  const example: string[][] = [];
  const total = { variables: 0, processes: [] as number[], analyses: [] as number[] };
  try {
    for (const subject of all) {
      report.progress(subject.label);
      const own = runOwnRanges(subject.file, subject.model, subject.bounds);
      const scratch = path.join(folder, 'sequentialized.c');
      const eva = runEva(subject.file, subject.model, subject.bounds, scratch, 1000 * timeoutSeconds);
      const label = `${subject.label}, ${describeBounds(subject.bounds)}`;
      if (typeof own === 'string' || typeof eva === 'string') {
        rows.push([label, ...Array(11).fill('-'), typeof own === 'string' ? own : (eva as string)]);
        continue;
      }
      const compared = compareRanges(own.value, eva.value);
      const analysisMs = timeAnalysis(subject.file, subject.model === '--32' ? 'ILP32' : 'LP64', subject.bounds);
      rows.push([
        label,
        ...describeCompared(compared),
        ...describeSpeed(own.cpuMs, eva.cpuMs),
        ...(eva.analysisMs === null ? ['-', '-', '-'] : describeSpeed(analysisMs, eva.analysisMs)),
      ]);
      total.variables += compared.length;
      total.processes.push(eva.cpuMs / own.cpuMs);
      if (eva.analysisMs !== null) total.analyses.push(eva.analysisMs / analysisMs);
      for (const one of compared) if (isWider(one)) wider.push(`${subject.label}: ${describeBoth(one)}`);
      if (example.length === 0) for (const one of compared) example.push(exampleRow(one));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.note(
    `Integer variables that both name, bits of their intervals added up. "process": CPU time of the whole process, of \`lazuli ranges\` on the program and of Frama-C on the sequentialized one. "analysis": ours without the start of Node and without reading C, warm; Eva's as it tells it (-eva-show-perf), without the start of Frama-C, reading C and printing. Our ranges hold for any number of rounds, Eva's for the given one.`,
  );
  report.table(EVA_COLUMNS, rows);
  report.note(
    `${total.variables} variables, ${wider.length} of them wider than Eva's${wider.length === 0 ? '' : `: ${wider.join('; ')}`}. Median of how many times faster: ${median(total.processes).toFixed(1)} as processes, ${median(total.analyses).toFixed(1)} as analyses.`,
  );
  report.note('The variables of the first program:');
  report.table(['variable', 'ours', 'bits', 'Eva', 'Eva: bits'], example);
}

const widthOf = ({ low, high }: ComparedVariable['own']) => high - low;
const isWider = ({ own, eva }: ComparedVariable) => widthOf(own) > widthOf(eva);

function describeCompared(compared: readonly ComparedVariable[]): string[] {
  const narrower = compared.filter(({ own, eva }) => widthOf(own) < widthOf(eva)).length;
  const wider = compared.filter(isWider).length;
  const sum = (bits: (one: ComparedVariable) => number) => compared.reduce((total, one) => total + bits(one), 0);
  return [
    compared.length,
    narrower,
    compared.length - narrower - wider,
    wider,
    sum(({ declaredBits }) => declaredBits),
    sum(({ own }) => intervalBits(own)),
    sum(({ eva }) => intervalBits(eva)),
  ].map(String);
}

function describeSpeed(ownMs: number, evaMs: number): string[] {
  return [formatMs(ownMs), formatMs(evaMs), `${(evaMs / ownMs).toFixed(1)}×`];
}

function describeBoth({ name, own, eva }: ComparedVariable): string {
  return `${name} ${own.low}…${own.high} instead of ${eva.low}…${eva.high}`;
}

function exampleRow({ name, own, eva }: ComparedVariable): string[] {
  const text = ({ low, high }: ComparedVariable['own']) => `${low}…${high}`;
  return [name, text(own), String(intervalBits(own)), text(eva), String(intervalBits(eva))];
}

// ---------------------------------------------------------------- with and without

async function compareEngines(report: Report, all: readonly Subject[]): Promise<void> {
  const rows: string[][] = [];
  for (const { label, file, bounds, model } of all) {
    const args = [model, '-u', String(bounds.unwind), '-r', String(bounds.rounds), '--no-explore'];
    const runs: CheckRun[] = [];
    for (const choice of ['builtin', 'none']) {
      report.progress(`${label}, --value-analysis ${choice}`);
      runs.push(await runCheck(file, { args: [...args, '--value-analysis', choice], timeoutSeconds }));
    }
    const [narrow, wide] = runs as [CheckRun, CheckRun];
    rows.push([
      `${label}, ${describeBounds(bounds)}`,
      narrow.verdict === wide.verdict ? narrow.verdict : `${narrow.verdict} / ${wide.verdict}`,
      ...both(narrow, wide, (run) => String(run.stages.at(-1)?.variables ?? '-')),
      ...both(narrow, wide, (run) => String(run.stages.at(-1)?.clauses ?? '-')),
      ...both(narrow, wide, (run) => formatMs(run.elapsedMs)),
      ...both(narrow, wide, (run) => formatMegabytes(run.peakMemoryBytes)),
      ...describeShares(narrow),
    ]);
  }
  report.note(
    'With and without (declared widths). "analysis" is the part of the time in which all threads are executed until the values are stable, "last execution" the one that makes the steps, which is needed without value analysis too:',
  );
  const columns = ['variables', 'clauses', 'time', 'memory'].flatMap((what) => [what, `${what} without`]);
  report.table(['program', 'answer', ...columns, 'analysis', 'last execution'], rows);
}

function both(narrow: CheckRun, wide: CheckRun, text: (run: CheckRun) => string): [string, string] {
  return [text(narrow), text(wide)];
}

function describeShares({ timesMs, elapsedMs }: CheckRun): string[] {
  return [timesMs.analyse ?? 0, timesMs.execute ?? 0].map(
    (ms) => `${formatMs(ms)}, ${((100 * ms) / elapsedMs).toFixed(0)} %`,
  );
}

// ---------------------------------------------------------------- CBMC with and without bit-vectors

async function compareCbmc(report: Report, all: readonly Subject[]): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bitvectors-'));
  const scratch = path.join(folder, 'sequentialized.c');
  const rows: string[][] = [];
  try {
    for (const { label, file, bounds, model } of all) {
      const runs: CbmcRun[] = [];
      for (const options of [['--bitvectors'], ['--bitvectors', '--value-analysis', 'frama-c'], []]) {
        report.progress(`${label}, CBMC ${options.join(' ')}`);
        runs.push(await runCbmc({ file, model, bounds, options, scratch, timeoutMs: 1000 * timeoutSeconds }));
      }
      rows.push([
        `${label}, ${describeBounds(bounds)}`,
        [...new Set(runs.map(({ answer }) => answer))].join(' / '),
        ...runs.map(({ variables }) => String(variables ?? '-')),
        ...runs.map(({ clauses }) => String(clauses ?? '-')),
        ...runs.map(({ cpuMs }) => formatMs(cpuMs)),
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.note(
    'CBMC on the sequentialized program: with --bitvectors, with the widths of Frama-C, and in declared widths:',
  );
  const columns = ['variables', 'clauses', 'CBMC: time'].flatMap((what) => [
    what,
    `${what} (Frama-C)`,
    `${what} without`,
  ]);
  report.table(['program', 'answer', ...columns], rows);
}
