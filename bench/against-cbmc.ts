// The embedded engine against CBMC on our sequentialized C, in one run, program by program and with the same bounds:
// those of the papers, where there are any. Two programs that answer differently make the measurement fail.
//
// Both times are what a person waits: Lazuli's with the start of Node, reading C, and all solvers that it runs side by
// side (what is left for the engine itself stands beside it), CBMC's with its start but without our translation. By
// default only programs are taken whose bug a tool of 2014 found quickly; LAZULI_BENCH_FULL=1 takes all.
// LAZULI_BENCH_TIMEOUT is the limit for one run in seconds, LAZULI_BENCH_FILTER a regular expression on the paths of
// the programs.

import path from 'node:path';
import { cbmc } from '../src/backends/cbmc.ts';
import { readCbmcStatistics } from '../src/backends/read-cbmc-output.ts';
import { readCheck } from '../src/backends/read-check.ts';
import { runBackend } from '../src/host/run-backend.ts';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { formatMs, median } from './support/measure.ts';
import { describeBounds, modelOption, paperBounds, shortName, translate } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, childrenCpuMs, describeVerdict, runCheck } from './support/run-check.ts';

export const name = 'against-cbmc';
export const summary = 'the embedded engine and CBMC side by side, on the programs of the papers with their bounds';

const isFull = process.env.LAZULI_BENCH_FULL === '1';
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 60);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
/** Without LAZULI_BENCH_FULL, programs whose bug a tool of 2014 found within so many seconds. */
const QUICK_SECONDS = 1;

interface Comparison {
  readonly program: BenchmarkProgram;
  readonly ours: CheckRun;
  readonly theirs: CbmcRun;
}

interface CbmcRun extends Pick<CheckRun, 'verdict' | 'reason' | 'check' | 'elapsedMs' | 'cpuMs'> {
  readonly variables: number | null;
  readonly clauses: number | null;
}

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (folder === null || hasTool('cbmc') === null) {
    const missing = folder === null ? 'The benchmark programs are' : 'CBMC is';
    report.note(`${missing} not there: nothing was measured.`);
    return;
  }
  const comparisons: Comparison[] = [];
  for (const program of choosePrograms()) {
    const comparison = await compare(folder, program);
    comparisons.push(comparison);
    report.progress(describeComparison(comparison).join('  '));
  }
  tell(report, comparisons);
  const different = comparisons.filter((comparison) => !agree(comparison));
  if (different.length > 0) {
    throw new Error(`different answers: ${different.map(({ program }) => program.file).join(', ')}`);
  }
}

function choosePrograms(): BenchmarkProgram[] {
  return readBenchmarkManifest().filter(({ file, paper }) => {
    const seconds = paper?.cbmc47Seconds;
    return seconds !== undefined && (isFull || seconds <= QUICK_SECONDS) && filter.test(file);
  });
}

async function compare(folder: string, program: BenchmarkProgram): Promise<Comparison> {
  const file = path.join(folder, program.file);
  const { unwind, rounds } = paperBounds(program);
  const args = [modelOption(program), '--no-explore', '-u', String(unwind), '-r', String(rounds)];
  return { program, ours: await runCheck(file, { args, timeoutSeconds }), theirs: await runCbmc(file, program) };
}

async function runCbmc(file: string, program: BenchmarkProgram): Promise<CbmcRun> {
  const { verifier } = cbmc;
  if (verifier === null) throw new Error('CBMC is a verifier');
  const { dataModel } = program;
  const { text } = translate(file, dataModel, paperBounds(program), 'lazy2');
  const timeoutMs = timeoutSeconds * 1000;
  const cpuBeforeMs = childrenCpuMs();
  const { answer, elapsedMs, stdout } = await runBackend({ backend: cbmc, verifier, text, dataModel, timeoutMs });
  const { variables, clauses } = readCbmcStatistics(stdout);
  const verdicts = { violation: 'unsafe', safe: 'safe-up-to-bounds', unknown: 'unknown' } as const;
  return {
    verdict: verdicts[answer.kind],
    reason: answer.kind === 'unknown' ? answer.reason : null,
    check: answer.kind === 'violation' ? readCheck(answer.description).check : null,
    elapsedMs,
    cpuMs: childrenCpuMs() - cpuBeforeMs,
    variables,
    clauses,
  };
}

/** Whoever has no answer contradicts nobody. */
function agree({ ours, theirs }: Comparison): boolean {
  const hasNone = ours.verdict === 'unknown' || theirs.verdict === 'unknown';
  const verdict = ours.verdict === 'safe' ? 'safe-up-to-bounds' : ours.verdict;
  return hasNone ? ours.verdict !== 'failed' : verdict === theirs.verdict;
}

function tell(report: Report, comparisons: readonly Comparison[]): void {
  report.note(`At most ${timeoutSeconds} s for one run.`);
  const ours = ['Lazuli', 'time', 'engine', 'CPU', 'variables', 'clauses'];
  const theirs = ['CBMC', 'time', 'CPU', 'variables', 'clauses'];
  report.table(['program', 'bounds', ...ours, ...theirs, 'times faster'], comparisons.map(describeComparison));
  const answered = comparisons.filter(({ ours, theirs }) => ours.verdict !== 'unknown' && theirs.verdict !== 'unknown');
  const ratios = answered.map(({ ours, theirs }) => theirs.elapsedMs / ours.elapsedMs);
  const total = (side: 'ours' | 'theirs') => comparisons.reduce((sum, each) => sum + each[side].elapsedMs, 0);
  const middle = ratios.length > 0 ? `; the median of the ratios is ${median(ratios).toFixed(2)}` : '';
  report.note(
    `All together: ${formatMs(total('ours'))} against ${formatMs(total('theirs'))}${middle}. ` +
      `Both answer ${answered.length} of ${comparisons.length}; they differ on ${comparisons.filter((each) => !agree(each)).length}.`,
  );
}

function describeComparison(comparison: Comparison): string[] {
  const { program, ours, theirs } = comparison;
  const stage = ours.stages.at(-1);
  return [
    shortName(program),
    describeBounds(paperBounds(program)),
    `${agree(comparison) ? '' : '**DIFFERENT** '}${describeVerdict(ours)}`,
    formatMs(ours.elapsedMs),
    formatMs((ours.timesMs.analyse ?? 0) + (ours.timesMs.execute ?? 0) + (ours.timesMs.solve ?? 0)),
    formatMs(ours.cpuMs),
    ...[stage?.variables, stage?.clauses].map((count) => count?.toLocaleString('en') ?? '-'),
    describeVerdict(theirs),
    formatMs(theirs.elapsedMs),
    formatMs(theirs.cpuMs),
    ...[theirs.variables, theirs.clauses].map((count) => count?.toLocaleString('en') ?? '-'),
    `${theirs.verdict === 'unknown' ? '> ' : ''}${(theirs.elapsedMs / ours.elapsedMs).toFixed(1)}`,
  ];
}
