// What TSO and PSO cost against sequential consistency: the same programs with the same bounds, without concrete runs.
// The clauses tell how much larger the formula is, CPU time what it takes. The set is that of the manifest, as far as
// LAZULI_BENCH_FILTER (a regular expression) lets it, or the examples where the benchmarks are not there.
// LAZULI_BENCH_TIMEOUT is the limit for one check in seconds. The experiment of the thesis comes last: safestack in
// three rounds. LAZULI_BENCH_ONLY (cost, thesis) chooses one of the two.

import path from 'node:path';
import { memoryModels } from '../src/program/memory-model.ts';
import { findBenchmarks } from '../test/support/benchmarks.ts';
import { formatMs } from './support/measure.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, describeVerdict, runCheck } from './support/run-check.ts';
import { type Cost, findSubjects, summarise } from './support/subjects.ts';

export const name = 'weak-memory';
export const summary = 'TSO and PSO against SC: verdict, clauses and CPU time at 2 iterations and 3 rounds';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 30);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const only = new RegExp(process.env.LAZULI_BENCH_ONLY ?? '');
const WAY = ['--no-explore', '--check', 'assertion', '-r', '3'];
const BOUNDS = [...WAY, '-u', '2'];

export async function run(report: Report): Promise<void> {
  if (only.test('cost')) await measureCost(report);
  if (only.test('thesis')) await measureSafestack(report);
}

async function measureCost(report: Report): Promise<void> {
  const costs = { clauses: [] as Cost[], cpu: [] as Cost[] };
  for (const { file, category, args } of findSubjects(['examples', 'examples/weak-memory'], filter)) {
    const runs: CheckRun[] = [];
    for (const model of memoryModels)
      runs.push(await runCheck(file, { args: [...BOUNDS, '--memory-model', model, ...args], timeoutSeconds }));
    const [sc, tso, pso] = runs as [CheckRun, CheckRun, CheckRun];
    const described = runs.map((each) => `${each.verdict} ${clausesOf(each)} clauses ${formatMs(each.cpuMs)}`);
    report.progress(`${file}: ${described.join(', ')}`);
    if (runs.some((each) => clausesOf(each) === 0 || each.elapsedMs > timeoutSeconds * 1000)) continue;
    costs.clauses.push({ category, base: clausesOf(sc), others: [clausesOf(tso), clausesOf(pso)] });
    costs.cpu.push({ category, base: sc.cpuMs, others: [tso.cpuMs, pso.cpuMs] });
  }
  const columns = ['TSO', 'PSO'].flatMap((model) => [`${model}: median`, 'largest', 'together']);
  for (const [what, list] of [
    ['Clauses', costs.clauses],
    ['CPU time', costs.cpu],
  ] as const) {
    report.note(
      `${what} against SC, of the ${list.length} programs that have a formula and ended within ${timeoutSeconds} s ` +
        'under each model; median, largest, all together:',
    );
    report.table(['programs of', 'number', ...columns], summarise(list));
  }
}

/** Chapter 4 of Nguyen's thesis: time and memory of Lazy-CSeq with CBMC. */
const THESIS = [
  { model: 'tso', theirs: '11,005 s, 4.3 GB' },
  { model: 'pso', theirs: '4,777 s, 3.7 GB' },
] as const;
const THESIS_SECONDS = 600;

async function measureSafestack(report: Report): Promise<void> {
  const benchmarks = findBenchmarks();
  if (benchmarks === null) return;
  const rows: string[][] = [];
  for (const { model, theirs } of THESIS) {
    const args = ['--32', ...WAY, '-u', '3', '--memory-model', model];
    const run = await runCheck(path.join(benchmarks, 'hard/safestack.c'), { args, timeoutSeconds: THESIS_SECONDS });
    const memory = `${Math.round(run.peakMemoryBytes / 2 ** 20)} MB`;
    rows.push([model, describeVerdict(run), formatMs(run.elapsedMs), formatMs(run.cpuMs), memory, theirs]);
    report.progress(rows.at(-1)?.join('  ') ?? '');
  }
  report.note('safestack, 3 iterations and 3 rounds:');
  report.table(['model', 'answer', 'time', 'CPU', 'memory', 'thesis'], rows);
}

function clausesOf({ stages }: CheckRun): number {
  return stages.at(-1)?.clauses ?? 0;
}
