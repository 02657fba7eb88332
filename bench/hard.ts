// The programs that the papers call the hardest known, by the embedded engine alone (no concrete runs), with the bounds
// of the papers and several seeds: time, memory, size of the formula, and what the time was spent on, beside what the
// papers' tools needed.
//
// LAZULI_BENCH_SEEDS is the number of seeds, LAZULI_BENCH_TIMEOUT the limit for one run in seconds, LAZULI_BENCH_FILTER
// a regular expression on the names, LAZULI_BENCH_SOLVER another solver than the embedded one.

import path from 'node:path';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { formatMs, median } from './support/measure.ts';
import { type Bounds, describeBounds, modelOption, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, describeTimes, describeVerdict, formatMegabytes, runCheck } from './support/run-check.ts';

export const name = 'hard';
export const summary =
  'the hardest programs known (goals: safestack within 20 s and 1 GB, fib_bench_longest within seconds)';

const seedCount = Number(process.env.LAZULI_BENCH_SEEDS ?? 3);
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 300);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const solver = process.env.LAZULI_BENCH_SOLVER ?? 'wasm';

interface HardCase {
  readonly file: RegExp;
  readonly bounds: Bounds;
}

/** dcas has no bounds in the papers: three rounds are the fewest that show its bug. */
const cases: readonly HardCase[] = [
  { file: /safestack/, bounds: { unwind: 3, rounds: 4 } },
  { file: /eliminationstack/, bounds: { unwind: 1, rounds: 2 } },
  { file: /dcas/, bounds: { unwind: 1, rounds: 2 } },
  { file: /dcas/, bounds: { unwind: 1, rounds: 3 } },
  { file: /fib_bench_longest_false/, bounds: { unwind: 11, rounds: 11 } },
  { file: /fib_bench_longest_true/, bounds: { unwind: 11, rounds: 11 } },
];

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (folder === null) {
    report.note('The benchmark programs are not there: nothing was measured.');
    return;
  }
  report.note(
    `The ${solver} solver, ${seedCount} seeds, at most ${timeoutSeconds} s for one run; medians over the seeds.`,
  );
  const programs = readBenchmarkManifest();
  const costs: string[][] = [];
  const sizes: string[][] = [];
  for (const { file, bounds } of cases) {
    const program = programs.find((other) => file.test(other.file));
    if (program === undefined || !filter.test(program.file)) continue;
    const runs = await runSeeds(report, folder, program, bounds);
    const label = `${shortName(program)} (${program.expected}), ${describeBounds(bounds)}`;
    costs.push([label, ...describeCosts(runs), ...describePaper(program)]);
    sizes.push([label, ...describeSizes(runs)]);
  }
  const papers = ['Lazy-CSeq 1', 'Lazy-CSeq 2', '+ABS', 'swarm, best instance', 'CBMC 4.7'];
  report.table(['program', 'answers', 'time', 'fastest', 'slowest', 'CPU', 'memory', ...papers], costs);
  report.note('The formulas, and what the time of the median run was spent on:');
  report.table(['program', 'threads', 'steps', 'cells', 'variables', 'clauses', 'spent on'], sizes);
}

async function runSeeds(
  report: Report,
  folder: string,
  program: BenchmarkProgram,
  bounds: Bounds,
): Promise<CheckRun[]> {
  const { unwind, rounds } = bounds;
  const args = [modelOption(program), '-u', String(unwind), '-r', String(rounds), '--no-explore', '--solver', solver];
  const runs: CheckRun[] = [];
  for (let seed = 1; seed <= seedCount; seed++) {
    const file = path.join(folder, program.file);
    const run = await runCheck(file, { args: [...args, '--seed', String(seed)], timeoutSeconds });
    runs.push(run);
    const cost = `${formatMs(run.elapsedMs)}, ${formatMegabytes(run.peakMemoryBytes)}, ${describeTimes(run)}`;
    report.progress(`${shortName(program)} ${describeBounds(bounds)} seed ${seed}: ${run.verdict}, ${cost}`);
  }
  return runs.sort((a, b) => a.elapsedMs - b.elapsedMs);
}

/** The runs come with the fastest first. */
function describeCosts(runs: readonly CheckRun[]): string[] {
  const verdicts = runs.map(describeVerdict);
  const answers = [...new Set(verdicts)].map((verdict) => {
    const count = verdicts.filter((other) => other === verdict).length;
    return count === runs.length ? verdict : `${count}× ${verdict}`;
  });
  return [
    answers.join(', '),
    formatMs(median(runs.map(({ elapsedMs }) => elapsedMs))),
    formatMs(runs[0]?.elapsedMs ?? 0),
    formatMs(runs.at(-1)?.elapsedMs ?? 0),
    formatMs(median(runs.map(({ cpuMs }) => cpuMs))),
    formatMegabytes(Math.max(...runs.map(({ peakMemoryBytes }) => peakMemoryBytes))),
  ];
}

function describeSizes(runs: readonly CheckRun[]): string[] {
  const middle = runs[runs.length >> 1];
  const stage = middle?.stages.at(-1);
  if (middle === undefined || stage === undefined)
    return ['-', '-', '-', '-', '-', middle ? describeTimes(middle) : '-'];
  const { threads, steps, cells, variables, clauses } = stage;
  return [
    ...[threads, steps, cells, variables, clauses].map((count) => count.toLocaleString('en')),
    describeTimes(middle),
  ];
}

function describePaper({ paper }: BenchmarkProgram): string[] {
  const cost = (seconds: number | undefined, megabytes?: number) => {
    if (seconds === undefined) return '-';
    const time = `${seconds.toLocaleString('en')} s`;
    return megabytes === undefined ? time : `${time}, ${megabytes.toLocaleString('en')} MB`;
  };
  return [
    cost(paper?.lazyCseq1Seconds, paper?.lazyCseq1MB),
    cost(paper?.lazyCseq2Seconds, paper?.lazyCseq2MB),
    cost(paper?.absSeconds, paper?.absMB),
    cost(paper?.swarmBestInstanceSeconds),
    cost(paper?.cbmc47Seconds),
  ];
}
