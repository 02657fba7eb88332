// What TSO and PSO cost against sequential consistency: the same programs with the same bounds, without concrete runs.
// The clauses tell how much larger the formula is, CPU time what it takes. The set is that of the manifest, as far as
// LAZULI_BENCH_FILTER (a regular expression) lets it, or the examples where the benchmarks are not there.
// LAZULI_BENCH_TIMEOUT is the limit for one check in seconds.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { memoryModels } from '../src/program/memory-model.ts';
import { findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { formatMs, median } from './support/measure.ts';
import { modelOption } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, runCheck } from './support/run-check.ts';

export const name = 'weak-memory';
export const summary = 'TSO and PSO against SC: verdict, clauses and CPU time at 2 iterations and 3 rounds';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 30);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const BOUNDS = ['--no-explore', '--check', 'assertion', '-u', '2', '-r', '3'];

interface Subject {
  readonly file: string;
  readonly args: readonly string[];
}

function findSubjects(): Subject[] {
  const examples = ['examples', 'examples/weak-memory'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.c'))
      .map((file) => ({ file: path.join(folder, file), args: [] })),
  );
  const benchmarks = findBenchmarks();
  const others =
    benchmarks === null
      ? []
      : readBenchmarkManifest().map((program) => ({
          file: path.join(benchmarks, program.file),
          args: [modelOption(program)],
        }));
  return [...examples, ...others].filter(({ file }) => filter.test(file));
}

export async function run(report: Report): Promise<void> {
  const rows: string[][] = [];
  const ratios: Record<'tso' | 'pso', { clauses: number[]; cpu: number[] }> = {
    tso: { clauses: [], cpu: [] },
    pso: { clauses: [], cpu: [] },
  };
  for (const { file, args } of findSubjects()) {
    const runs: CheckRun[] = [];
    for (const model of memoryModels)
      runs.push(await runCheck(file, { args: [...BOUNDS, '--memory-model', model, ...args], timeoutSeconds }));
    report.progress(`${file}: ${runs.map(({ verdict }) => verdict).join(', ')}`);
    const [sc, tso, pso] = runs as [CheckRun, CheckRun, CheckRun];
    for (const [weak, into] of [
      [tso, ratios.tso],
      [pso, ratios.pso],
    ] as const) {
      if (clausesOf(sc) === 0 || clausesOf(weak) === 0) continue;
      into.clauses.push(clausesOf(weak) / clausesOf(sc));
      into.cpu.push(weak.cpuMs / sc.cpuMs);
    }
    rows.push([
      path.basename(file),
      ...runs.flatMap((one) => [one.verdict, String(clausesOf(one)), formatMs(one.cpuMs)]),
    ]);
  }
  for (const model of ['tso', 'pso'] as const) {
    const { clauses, cpu } = ratios[model];
    if (clauses.length > 0)
      report.note(
        `${model.toUpperCase()} against SC, medians over ${clauses.length} programs: ${median(clauses).toFixed(2)} times the clauses, ${median(cpu).toFixed(2)} times the CPU time.`,
      );
  }
  const columns = memoryModels.flatMap((model) => [model.toUpperCase(), 'clauses', 'CPU']);
  report.table(['program', ...columns], rows);
}

function clausesOf({ stages }: CheckRun): number {
  return stages.at(-1)?.clauses ?? 0;
}
