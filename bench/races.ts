// Data races and deadlocks: what the two checks cost over the examples and the benchmark set, as ratios of CPU time,
// and how they grow: dining philosophers and hierarchies of locks, with and without a deadlock.
//
// LAZULI_BENCH_THREADS is the list of philosophers (2,5,10,20,50,100), LAZULI_BENCH_TIMEOUT the limit for one run in
// seconds, LAZULI_BENCH_ONLY a regular expression on the names of the tables (cost, philosophers, hierarchy),
// LAZULI_BENCH_FILTER one on the programs whose cost is measured.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultChecks } from '../src/program/check-names.ts';
import { formatMs } from './support/measure.ts';
import type { Report } from './support/report.ts';
import { describeVerdict, runCheck } from './support/run-check.ts';
import { type Cost, findSubjects, summarise } from './support/subjects.ts';

export const name = 'races';
export const summary = 'cost of the checks for data races and deadlocks (goal: deadlocks cost at most a fifth more)';

const counts = (process.env.LAZULI_BENCH_THREADS ?? '2,5,10,20,50,100').split(',').map(Number);
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 120);
const only = new RegExp(process.env.LAZULI_BENCH_ONLY ?? '');
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');

export async function run(report: Report): Promise<void> {
  if (only.test('cost')) await measureCost(report);
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-races-'));
  try {
    if (only.test('philosophers')) await measureGrowth(report, folder, 'philosophers', philosophers, counts);
    if (only.test('hierarchy')) await measureGrowth(report, folder, 'locks', hierarchy, [5, 10, 20]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fixed bounds, so that all three do the same work besides. */
const BOUNDS = ['-u', '2', '-r', '2'];

async function measureCost(report: Report): Promise<void> {
  const others = defaultChecks().filter((check) => check !== 'deadlock');
  const costs: Cost[] = [];
  for (const { file, category, args } of findSubjects(['examples'], filter)) {
    const run = async (checks: readonly string[]) =>
      runCheck(file, { args: [...args, ...BOUNDS, '--check', checks.join(',')], timeoutSeconds });
    const runs = [await run(others), await run([...others, 'deadlock']), await run([...others, 'race'])] as const;
    const [plain, deadlock, race] = runs;
    const isCut = runs.some(({ elapsedMs }) => elapsedMs > timeoutSeconds * 1000);
    report.progress(`${file}: ${runs.map((each) => `${describeVerdict(each)} ${formatMs(each.cpuMs)}`).join(', ')}`);
    if (!isCut) costs.push({ category, base: plain.cpuMs, others: [deadlock.cpuMs, race.cpuMs] });
  }
  report.note(
    `CPU time at 2 iterations and 2 rounds with deadlocks, and with data races, against that without both, of the ` +
      `${costs.length} programs that ended within ${timeoutSeconds} s all three times; median, largest, all together:`,
  );
  const columns = ['deadlock', 'race'].flatMap((check) => [`${check}: median`, 'largest', 'together']);
  report.table(['programs of', 'number', ...columns], summarise(costs));
}

type Generate = (size: number, isSafe: boolean) => string;

async function measureGrowth(
  report: Report,
  folder: string,
  unit: string,
  generate: Generate,
  sizes: readonly number[],
): Promise<void> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const cells = [String(size)];
    for (const isSafe of [false, true]) {
      const file = path.join(folder, `${unit}-${size}-${isSafe ? 'safe' : 'unsafe'}.c`);
      writeFileSync(file, generate(size, isSafe));
      const run = await runCheck(file, { args: ['--check', 'deadlock'], timeoutSeconds });
      cells.push(describeVerdict(run), formatMs(run.cpuMs));
    }
    rows.push(cells);
    report.progress(cells.join('  '));
  }
  report.note(`Deadlocks against the number of ${unit}, plain check:`);
  report.table([unit, 'with a deadlock', 'CPU', 'without', 'CPU'], rows);
}

function philosophers(count: number, isSafe: boolean): string {
  const [low, high] = ['left < right ? left : right', 'left < right ? right : left'];
  return `#include <pthread.h>
pthread_mutex_t forks[${count}];
void *dine(void *seat) {
  int left = (int)(long)seat, right = (left + 1) % ${count};
  int first = ${isSafe ? low : 'left'}, second = ${isSafe ? high : 'right'};
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}
${mainOf('forks', count, count)}`;
}

/** Three threads that take all locks in the order of the hierarchy; one of them the wrong way round. */
function hierarchy(count: number, isSafe: boolean): string {
  return `#include <pthread.h>
pthread_mutex_t locks[${count}];
void *dine(void *seat) {
  int turns = ${isSafe ? 0 : '(long)seat == 1'};
  for (int i = 0; i < ${count}; i++) pthread_mutex_lock(&locks[turns ? ${count - 1} - i : i]);
  for (int i = 0; i < ${count}; i++) pthread_mutex_unlock(&locks[i]);
  return 0;
}
${mainOf('locks', count, 3)}`;
}

function mainOf(locks: string, count: number, threads: number): string {
  return `int main(void) {
  pthread_t t[${threads}];
  for (int i = 0; i < ${count}; i++) pthread_mutex_init(&${locks}[i], 0);
  for (int i = 0; i < ${threads}; i++) pthread_create(&t[i], 0, dine, (void *)(long)i);
  for (int i = 0; i < ${threads}; i++) pthread_join(t[i], 0);
  return 0;
}
`;
}
