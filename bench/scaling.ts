// How the cost of a check grows: with the threads, the length of the threads, the rounds and the unwinding. Each run
// has fixed bounds and no concrete runs, so that it is the bounded engine that is measured; how long plain
// `lazuli check` takes for the same bug stands beside it.
//
// LAZULI_BENCH_THREADS is the list of thread counts (2,5,10,20,50,100; the papers' largest is 400),
// LAZULI_BENCH_TIMEOUT the limit for one run in seconds, LAZULI_BENCH_FILTER a regular expression on the names of the
// tables: threads, length, rounds, unwinding.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countLines } from '../src/support/line-places.ts';
import { type Generator, reorderProgram, straightLineProgram, twostageProgram } from './support/generate-programs.ts';
import { formatMs } from './support/measure.ts';
import { type Bounds, describeBounds, translate } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, describeVerdict, formatMegabytes, runCheck } from './support/run-check.ts';

export const name = 'scaling';
export const summary = 'cost against threads, length, rounds and unwinding (goal: 400 threads in less than 15 minutes)';

const threadCounts = (process.env.LAZULI_BENCH_THREADS ?? '2,5,10,20,50,100').split(',').map(Number);
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 120);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const lengths = [10, 30, 100, 300, 1000];
const boundsRange = [1, 2, 3, 4, 5, 6, 7, 8];
/** Correct programs: the solver must refute every schedule within the bounds. */
const boundedPrograms = ['treiber-stack-safe', 'ticket-lock-safe', 'bounded-buffer-safe'];
/** The bound that does not vary. */
const FIXED = 2;

type Measurement = readonly [name: string, measure: (report: Report, folder: string) => Promise<void>];

const measurements: readonly Measurement[] = [
  ['threads', (report, folder) => measureThreads(report, folder)],
  ['length', (report, folder) => measureLength(report, folder)],
  ['rounds', (report) => measureBounds(report, 'rounds')],
  ['unwinding', (report) => measureBounds(report, 'unwind')],
];

export async function run(report: Report): Promise<void> {
  report.note(`At most ${timeoutSeconds} s for one run; a series ends where that is not enough.`);
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-scaling-'));
  try {
    for (const [name, measure] of measurements) if (filter.test(name)) await measure(report, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureThreads(report: Report, folder: string): Promise<void> {
  for (const generator of [reorderProgram, twostageProgram]) {
    for (const isCorrect of [false, true]) {
      const bounds = { unwind: 1, rounds: 1 };
      const kind = isCorrect ? 'correct: all schedules are refuted' : 'with the bug';
      report.note(`Threads: ${generator.name}, ${kind}, ${describeBounds(bounds)}, without main:`);
      await measureSizes(report, folder, { generator, isCorrect, bounds, sizes: threadCounts, unit: 'threads' });
    }
  }
}

async function measureLength(report: Report, folder: string): Promise<void> {
  const bounds = { unwind: 1, rounds: 2 };
  report.note(`Length: two threads of so many statements, with the bug, ${describeBounds(bounds)}:`);
  const series = { generator: straightLineProgram, isCorrect: false, bounds, sizes: lengths, unit: 'statements' };
  await measureSizes(report, folder, series);
}

interface Series {
  readonly generator: Generator;
  readonly isCorrect: boolean;
  readonly bounds: Bounds;
  readonly sizes: readonly number[];
  /** What the sizes count. */
  readonly unit: string;
}

async function measureSizes(report: Report, folder: string, series: Series): Promise<void> {
  const { generator, isCorrect, bounds, sizes, unit } = series;
  const rows: string[][] = [];
  for (const size of sizes) {
    const file = path.join(folder, `${generator.name}-${size}-${isCorrect ? 'safe' : 'unsafe'}.c`);
    writeFileSync(file, generator.generate({ size, isCorrect }));
    const run = await checkBounded(file, bounds);
    const plain = isCorrect ? null : await runCheck(file, { args: [], timeoutSeconds });
    const cells = [String(size), describeSequential(file, bounds), ...describeRun(run)];
    rows.push(plain ? [...cells, describePlain(plain)] : cells);
    report.progress(`${generator.name} ${size}: ${rows.at(-1)?.join('  ')}`);
    if (isOver(run)) break;
  }
  report.table([unit, 'sequential C', ...runColumns, ...(isCorrect ? [] : ['plain check'])], rows);
}

async function measureBounds(report: Report, varied: keyof Bounds): Promise<void> {
  const fixed = varied === 'rounds' ? 'unwind' : 'rounds';
  for (const program of boundedPrograms) {
    const file = `examples/${program}.c`;
    report.note(`${varied === 'rounds' ? 'Rounds' : 'Unwinding'}: ${program}, ${fixed} ${FIXED}:`);
    const rows: string[][] = [];
    for (const bound of boundsRange) {
      const bounds = { unwind: FIXED, rounds: FIXED, [varied]: bound };
      const run = await checkBounded(file, bounds);
      rows.push([describeBounds(bounds), describeSequential(file, bounds), ...describeRun(run)]);
      report.progress(`${program}: ${rows.at(-1)?.join('  ')}`);
      if (isOver(run)) break;
    }
    report.table(['bounds', 'sequential C', ...runColumns], rows);
  }
}

function checkBounded(file: string, { unwind, rounds }: Bounds): Promise<CheckRun> {
  return runCheck(file, { args: ['--no-explore', '-u', String(unwind), '-r', String(rounds)], timeoutSeconds });
}

function isOver({ verdict }: CheckRun): boolean {
  return verdict === 'unknown' || verdict === 'failed';
}

const runColumns = ['answer', 'steps', 'variables', 'clauses', 'execute', 'solve', 'time', 'CPU', 'memory'];

function describeRun(run: CheckRun): string[] {
  const stage = run.stages.at(-1);
  const sizes = [stage?.steps, stage?.variables, stage?.clauses].map((count) => count?.toLocaleString('en') ?? '-');
  return [
    describeVerdict(run),
    ...sizes,
    formatMs((run.timesMs.analyse ?? 0) + (run.timesMs.execute ?? 0)),
    formatMs(run.timesMs.solve ?? 0),
    formatMs(run.elapsedMs),
    formatMs(run.cpuMs),
    formatMegabytes(run.peakMemoryBytes),
  ];
}

function describePlain(run: CheckRun): string {
  return run.verdict === 'unsafe' ? `${formatMs(run.elapsedMs)} (${run.engine})` : run.verdict;
}

/** The length of the sequential program that stands for the given one within the bounds. */
function describeSequential(file: string, bounds: Bounds): string {
  const { lineMap } = translate(file, 'LP64', bounds, 'lazy2');
  return `${(countLines(lineMap) / 1000).toFixed(2)} KLOC`;
}
