// How many counterexamples the real program fails by: every unsafe program of test/programs, of examples/ and of the
// benchmark set is checked, and its report replayed natively (docs/native-replay.md). The first table counts by set,
// the second says of each that does not fail why not.
//
// LAZULI_BENCH_FILTER is a regular expression on the names, LAZULI_BENCH_TIMEOUT the limit for a check in seconds.
// LAZULI_BENCH_REPORTS is a folder for the reports: those that stand there are replayed and not made again.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import type { Report } from './support/report.ts';

export const name = 'native-replay';
export const summary = 'how many counterexamples make the real program fail (goal: all that hooks can steer)';

const timeoutSeconds = process.env.LAZULI_BENCH_TIMEOUT ?? '60';
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const SIDE_BY_SIDE = 2;

interface Candidate {
  readonly set: string;
  readonly file: string;
  readonly args: readonly string[];
}

interface Replayed extends Candidate {
  readonly check: string;
  /** As the command says it, without the name. */
  readonly answer: string;
}

/** How answers begin, and the heading of their column. */
const CLASSES: readonly (readonly [string, string])[] = [
  ['the real program fails', 'fails'],
  ['the real program is at', 'is at the violation'],
  ['the real program does not', 'does not fail'],
  ['the real program leaves', 'leaves the order'],
  ['cannot be', 'cannot be steered'],
  ['not run', 'not run'],
];

export async function run(report: Report): Promise<void> {
  const kept = process.env.LAZULI_BENCH_REPORTS;
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  mkdirSync(folder, { recursive: true });
  const results: Replayed[] = [];
  const missed: string[] = [];
  const candidates = listCandidates().filter(({ file }) => filter.test(file));
  const left = [...candidates];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const result = await replay(next, folder);
      if (result === null) missed.push(path.basename(next.file));
      else results.push(result);
      report.progress(`${candidates.length - left.length} of ${candidates.length}: ${path.basename(next.file)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
  tell(report, results, missed);
}

function tell(report: Report, results: readonly Replayed[], missed: readonly string[]): void {
  const sets = [...new Set(results.map(({ set }) => set))].sort();
  const count = (own: readonly Replayed[]) => [
    String(own.length),
    ...CLASSES.map(([start]) => String(own.filter(({ answer }) => answer.startsWith(start)).length)),
  ];
  report.table(
    ['set', 'counterexamples', ...CLASSES.map(([, heading]) => heading)],
    [...sets.map((set) => [set, ...count(results.filter((result) => result.set === set))]), ['all', ...count(results)]],
  );
  const others = results.filter(({ answer }) => !answer.startsWith('the real program fails'));
  const sorted = others.sort((a, b) => (a.answer + a.file < b.answer + b.file ? -1 : 1));
  report.table(
    ['program', 'check', 'what happens'],
    sorted.map(({ file, check, answer }) => [path.basename(file), check, answer]),
  );
  if (missed.length > 0) report.note(`No violation was found in time: ${missed.join(', ')}.`);
}

function listCandidates(): Candidate[] {
  const own = (set: string, folder: string, args: readonly string[], ending = '.c') =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ending))
      .map(
        (file): Candidate => ({
          set,
          file: path.join(folder, file),
          args: [...args, ...argumentsIn(path.join(folder, file))],
        }),
      );
  const benchmarks = findBenchmarks();
  return [
    ...own('examples', 'examples', [], '-unsafe.c'),
    ...own('test/programs/unsafe', 'test/programs/unsafe', []),
    ...own('test/programs/deadlock', 'test/programs/deadlock', [], '-unsafe.c'),
    ...own('test/programs/race', 'test/programs/race', ['--check', 'race'], '-unsafe.c'),
    ...(benchmarks === null
      ? []
      : readBenchmarkManifest()
          .filter(({ expected }) => expected === 'unsafe')
          .map(({ file, dataModel }): Candidate => {
            const args = [dataModel === 'ILP32' ? '--32' : '--64'];
            return { set: file.split('/').slice(0, -1).join('/') || 'others', file: path.join(benchmarks, file), args };
          })),
  ];
}

/** What the first line of a program of ours says. */
function argumentsIn(file: string): string[] {
  const [head = ''] = readFileSync(file, 'utf8').split('\n', 1);
  const defines = [...head.matchAll(/; define ([^;\s]+)/g)].map(([, macro]) => `-D${macro}`);
  return head.startsWith('// lazuli:') && !head.includes('LP64') && !file.startsWith('examples')
    ? ['--32', ...defines]
    : defines;
}

function lazuli(...words: string[]): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['bin/lazuli.js', ...words], { maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, text: stdout.trim() || stderr.trim() }),
    );
  });
}

/** Null where the check finds no violation. */
async function replay(candidate: Candidate, folder: string): Promise<Replayed | null> {
  const { set, file, args } = candidate;
  const json = path.join(folder, `${set}-${path.basename(file)}.json`.replaceAll('/', '-'));
  if (!existsSync(json)) {
    const { status } = await lazuli('check', ...args, '--timeout', timeoutSeconds, '--json', json, file);
    if (status !== 10) {
      rmSync(json, { force: true });
      return null;
    }
  }
  const { counterexample } = JSON.parse(readFileSync(json, 'utf8'));
  if (counterexample === null) return null;
  const macros = args.filter((arg) => arg.startsWith('-D'));
  const { text } = await lazuli('replay', '--native', '--timeout', '40', ...macros, json);
  // The program's name stands first, as it was given.
  const answer = text.slice(text.indexOf(': ') + 2);
  return { ...candidate, check: counterexample.violation.check, answer };
}
