// How many counterexamples the real program fails by: every unsafe program of test/programs, of examples/ and of the
// benchmark set is checked, and its report replayed natively (docs/native-replay.md). The table counts by set, and the
// list says of each that does not fail why.
//
// LAZULI_BENCH_FILTER is a regular expression on the names, LAZULI_BENCH_TIMEOUT the limit for a check in seconds.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import type { Report } from './support/report.ts';

export const name = 'native-replay';
export const summary = 'how many counterexamples make the real program fail (goal: all that hooks can steer)';

const timeoutSeconds = process.env.LAZULI_BENCH_TIMEOUT ?? '60';
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');

interface Candidate {
  readonly set: string;
  readonly file: string;
  readonly args: readonly string[];
}

interface Replayed extends Candidate {
  /** As the command says it, without the name. */
  readonly answer: string;
}

export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const results: Replayed[] = [];
  try {
    for (const candidate of listCandidates()) {
      if (!filter.test(candidate.file)) continue;
      const answer = replay(candidate, path.join(folder, 'report.json'));
      if (answer !== null) results.push({ ...candidate, answer });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sets = [...new Set(results.map(({ set }) => set))];
  const rows = sets.map((set) => {
    const own = results.filter((result) => result.set === set);
    const count = (...starts: string[]) =>
      String(own.filter(({ answer }) => starts.some((s) => answer.startsWith(s))).length);
    return [
      ...[set, String(own.length), count('the real program fails'), count('the real program is at')],
      ...[count('the real program does not'), count('the real program leaves'), count('not run', 'cannot be')],
    ];
  });
  report.table(
    ['set', 'counterexamples', 'fails', 'is at the violation', 'does not fail', 'leaves the order', 'not run'],
    rows,
  );
  const others = results.filter(({ answer }) => !answer.startsWith('the real program fails'));
  report.table(
    ['program', 'what happens'],
    others.map(({ file, answer }) => [path.basename(file), answer]),
  );
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

/** Null where the check finds no violation. */
function replay({ file, args }: Candidate, json: string): string | null {
  const lazuli = (...words: string[]) => spawnSync(process.execPath, ['bin/lazuli.js', ...words], { encoding: 'utf8' });
  const { status } = lazuli('check', ...args, '--timeout', timeoutSeconds, '--json', json, file);
  if (status !== 10) return null;
  const macros = args.filter((arg) => arg.startsWith('-D'));
  const { stdout, stderr } = lazuli('replay', '--native', '--timeout', '40', ...macros, json);
  const text = stdout.trim() || stderr.trim();
  return text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text;
}
