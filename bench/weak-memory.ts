// What TSO and PSO cost against sequential consistency: the same programs with the same bounds, without concrete runs.
// The clauses tell how much larger the formula is, CPU time what it takes. The set is that of the manifest, as far as
// LAZULI_BENCH_FILTER (a regular expression) lets it, or the examples where the benchmarks are not there.
// LAZULI_BENCH_TIMEOUT is the limit for one check in seconds.

import { memoryModels } from '../src/program/memory-model.ts';
import { formatMs } from './support/measure.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, runCheck } from './support/run-check.ts';
import { type Cost, findSubjects, summarise } from './support/subjects.ts';

export const name = 'weak-memory';
export const summary = 'TSO and PSO against SC: verdict, clauses and CPU time at 2 iterations and 3 rounds';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 30);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const BOUNDS = ['--no-explore', '--check', 'assertion', '-u', '2', '-r', '3'];

export async function run(report: Report): Promise<void> {
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

function clausesOf({ stages }: CheckRun): number {
  return stages.at(-1)?.clauses ?? 0;
}
