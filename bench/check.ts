// All programs of the manifest by plain `lazuli check`, without any bounds: what it answers, who found the bug, how
// long a person waits. A correct program whose error is reported as reachable, or a crash, makes the measurement fail.
//
// What the manifest expects is about error calls only. A program that is correct in that sense may have other faults,
// which plain `lazuli check` reports, too; they are counted apart, to be judged one by one.
//
// LAZULI_BENCH_TIMEOUT is the limit for one program in seconds. For correct programs, which use up their time by
// growing bounds, it is LAZULI_BENCH_SAFE_TIMEOUT. LAZULI_BENCH_FILTER is a regular expression on the paths of the
// programs.

import path from 'node:path';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { formatMs, median } from './support/measure.ts';
import { modelOption, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import {
  type CheckRun,
  describeRunBounds,
  describeTimes,
  describeVerdict,
  formatMegabytes,
  runCheck,
} from './support/run-check.ts';

export const name = 'check';
export const summary = 'the whole benchmark set by plain `lazuli check` (goal: every bug within 60 s, no false alarm)';

const unsafeSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 60);
const safeSeconds = Number(process.env.LAZULI_BENCH_SAFE_TIMEOUT ?? Math.min(unsafeSeconds, 20));
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');

interface Result {
  readonly program: BenchmarkProgram;
  readonly run: CheckRun;
}

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (folder === null) {
    report.note('The benchmark programs are not there: nothing was measured.');
    return;
  }
  const programs = readBenchmarkManifest().filter(({ file }) => filter.test(file));
  const results: Result[] = [];
  for (const program of programs) {
    const timeoutSeconds = program.expected === 'unsafe' ? unsafeSeconds : safeSeconds;
    const run = await runCheck(path.join(folder, program.file), { args: [modelOption(program)], timeoutSeconds });
    results.push({ program, run });
    report.progress(`${results.length}/${programs.length} ${describeResult({ program, run }).join('  ')}`);
  }
  tellTotals(report, results);
  tellUnsafe(report, results);
  tellSafe(report, results);
  const wrong = results.filter(isWrong);
  if (wrong.length > 0) throw new Error(`wrong: ${wrong.map(({ program }) => program.file).join(', ')}`);
}

/** A false alarm or a proof of what is false, and every crash. That a bug is not found in time is not wrong. */
function isWrong(result: Result): boolean {
  const { program, run } = result;
  const denied = program.expected === 'safe' ? 'unsafe' : 'safe';
  return (run.verdict === denied && !isOtherFault(result)) || run.verdict === 'failed';
}

/** Something that the manifest does not speak of. */
function isOtherFault({ program, run }: Result): boolean {
  return program.expected === 'safe' && run.verdict === 'unsafe' && run.check !== 'assertion';
}

function tellTotals(report: Report, results: readonly Result[]): void {
  const unsafe = results.filter(({ program }) => program.expected === 'unsafe');
  const found = unsafe.filter(({ run }) => run.verdict === 'unsafe');
  const times = found.map(({ run }) => run.elapsedMs);
  const by = (engine: string) => found.filter(({ run }) => run.engine === engine).length;
  report.note(`At most ${unsafeSeconds} s for a program with a bug, ${safeSeconds} s for a correct one.`);
  report.table(
    ['', 'programs'],
    [
      ['with a bug', String(unsafe.length)],
      ['… found', String(found.length)],
      ['… by concrete runs', String(by('explore'))],
      ['… by the bounded engine', String(by('bounded'))],
      ['correct', String(results.length - unsafe.length)],
      ['… proved without bounds', String(results.filter(({ run }) => run.verdict === 'safe').length)],
      ['… with a fault of another kind', String(results.filter(isOtherFault).length)],
      ['wrong answers and crashes', String(results.filter(isWrong).length)],
      ['median time to a bug', times.length > 0 ? formatMs(median(times)) : '-'],
      ['longest time to a bug', times.length > 0 ? formatMs(Math.max(...times)) : '-'],
    ],
  );
}

const costColumns = ['time', 'CPU', 'memory', 'spent on'];

function tellUnsafe(report: Report, results: readonly Result[]): void {
  report.note('Programs with a bug. The bounds are those of the stage that found it, or that was done last:');
  const rows = results.filter(({ program }) => program.expected === 'unsafe').map(describeResult);
  report.table(['program', 'answer', 'found by', 'bounds', 'context switches', ...costColumns], rows);
}

function tellSafe(report: Report, results: readonly Result[]): void {
  report.note('Correct programs. The bounds are the largest that were done within the time:');
  const rows = results.filter(({ program }) => program.expected === 'safe').map(describeResult);
  report.table(['program', 'answer', 'given by', 'bounds', 'context switches', ...costColumns], rows);
}

function describeResult({ program, run }: Result): string[] {
  const family = path.basename(path.dirname(program.file));
  const isMissed = program.expected === 'unsafe' && run.verdict !== 'unsafe';
  const mark = isWrong({ program, run }) ? '**WRONG** ' : isMissed ? '**missed** ' : '';
  return [
    family === '.' ? shortName(program) : `${family}/${shortName(program)}`,
    `${mark}${describeVerdict(run)}`,
    run.engine,
    describeRunBounds(run),
    String(run.contextSwitches ?? '-'),
    formatMs(run.elapsedMs),
    formatMs(run.cpuMs),
    formatMegabytes(run.peakMemoryBytes),
    describeTimes(run),
  ];
}
