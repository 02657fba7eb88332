// The road from C to C: how long the translation takes, how large its result and CBMC's formula are under both schemas, and
// what CBMC answers. Needs the benchmark programs; the parts about CBMC need CBMC.
//
// By default the verdicts of a few quick programs are asked for. LAZULI_BENCH_FULL=1 asks for all: the bugs of the papers with
// their bounds and with bounds one below, and the correct programs at unwind 2, rounds 2. LAZULI_BENCH_SECONDS is the
// limit for one run of CBMC.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { cbmc } from '../src/backends/cbmc.ts';
import { readCbmcStatistics } from '../src/backends/read-cbmc-output.ts';
import { runBackend } from '../src/swarm/run-backend.ts';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { formatMs, measure } from './support/measure.ts';
import { type Bounds, describeBounds, modelOption, paperBounds, shortName, translate } from './support/programs.ts';
import type { Report } from './support/report.ts';

export const name = 'sequentialize';
export const summary =
  'translation to sequential C (goal: under 300 ms after start-up), formula sizes, verdicts of CBMC';

const isFull = process.env.LAZULI_BENCH_FULL === '1';
const limitSeconds = Number(process.env.LAZULI_BENCH_SECONDS ?? (isFull ? 600 : 30));
/** Without LAZULI_BENCH_FULL, programs whose bug a tool of 2014 found within so many seconds. */
const quickSeconds = 2;
const asInPapers = { unwindConstantLoops: false };
const schemas = ['lazy2', 'cav14'] as const;

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  const programs = readBenchmarkManifest();
  if (folder === null) return;
  const unsafe = programs.filter(({ paper }) => paper?.cbmc47Seconds !== undefined);
  await measureTranslation(report, folder, unsafe);
  if (hasTool('cbmc') === null) {
    report.note('\nCBMC is not there: no formula sizes, no verdicts');
    return;
  }
  await measureVerdicts(report, folder, unsafe);
  await measureSafe(report, folder, programs);
}

async function measureTranslation(
  report: Report,
  folder: string,
  programs: readonly BenchmarkProgram[],
): Promise<void> {
  const startUpMs = (await measure(5, () => lazuli('--version'))).medianMs;
  const rows: string[][] = [];
  for (const program of programs) {
    const bounds = paperBounds(program);
    const file = path.join(folder, program.file);
    const args = ['-u', String(bounds.unwind), '-r', String(bounds.rounds), modelOption(program)];
    const cold = await measure(1, () =>
      lazuli('sequentialize', ...args, '-o', '/dev/null', '--map', '/dev/null', '--no-unwind-constant-loops', file),
    );
    const warm = await measure(3, () => void translate(file, program.dataModel, bounds, 'lazy2', asInPapers));
    const { text, lineMap } = translate(file, program.dataModel, bounds, 'lazy2', asInPapers);
    rows.push([
      shortName(program),
      describeBounds(bounds),
      formatMs(Math.max(0, cold.medianMs - startUpMs)),
      formatMs(warm.medianMs),
      String(lineMap.length),
      `${(text.length / 1024).toFixed(0)} kB`,
    ]);
  }
  report.table(['program', 'bounds', 'first run, after start-up', 'warm', 'lines', 'size'], rows);
}

async function measureVerdicts(report: Report, folder: string, programs: readonly BenchmarkProgram[]): Promise<void> {
  report.note(`\nVerdicts of CBMC, at most ${limitSeconds} s each:\n`);
  const rows: string[][] = [];
  for (const program of programs) {
    if (!isFull && (program.paper?.cbmc47Seconds ?? 0) > quickSeconds) continue;
    const bounds = paperBounds(program);
    const cells = [shortName(program), describeBounds(bounds)];
    for (const schema of schemas) cells.push(...(await ask(folder, program, bounds, schema)));
    for (const below of boundsBelow(bounds)) {
      const [verdict] = await ask(folder, program, below, 'lazy2');
      cells.push(`${describeBounds(below)}: ${verdict}`);
    }
    rows.push(cells);
  }
  const perSchema = schemas.flatMap((schema) => [schema, 'time', 'variables', 'clauses']);
  report.table(['program', 'bounds', ...perSchema, 'below', 'below'], rows);
}

async function measureSafe(report: Report, folder: string, programs: readonly BenchmarkProgram[]): Promise<void> {
  const bounds = { unwind: 2, rounds: 2 };
  report.note('\nCorrect programs at unwind 2, rounds 2:\n');
  const rows: string[][] = [];
  const safe = programs.filter(({ expected }) => expected === 'safe');
  for (const program of isFull ? safe : safe.slice(0, 6)) {
    rows.push([shortName(program), ...(await ask(folder, program, bounds, 'lazy2'))]);
  }
  report.table(['program', 'lazy2', 'time', 'variables', 'clauses'], rows);
}

/** Verdict, time, variables and clauses. */
async function ask(
  folder: string,
  program: BenchmarkProgram,
  bounds: Bounds,
  schema: (typeof schemas)[number],
): Promise<string[]> {
  const { verifier } = cbmc;
  if (verifier === null) return [];
  const { text } = translate(path.join(folder, program.file), program.dataModel, bounds, schema, asInPapers);
  const timeoutMs = limitSeconds * 1000;
  const run = await runBackend({ backend: cbmc, verifier, text, dataModel: program.dataModel, timeoutMs });
  const { variables, clauses } = readCbmcStatistics(run.stdout);
  const verdict = run.answer.kind === 'unknown' ? run.answer.reason : run.answer.kind;
  return [verdict, formatMs(run.elapsedMs), String(variables ?? '-'), String(clauses ?? '-')];
}

/** One unwinding less, and one round less, where that is possible. */
function boundsBelow({ unwind, rounds }: Bounds): Bounds[] {
  return [
    ...(unwind > 1 ? [{ unwind: unwind - 1, rounds }] : []),
    ...(rounds > 1 ? [{ unwind, rounds: rounds - 1 }] : []),
  ];
}

function lazuli(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['bin/lazuli.js', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`lazuli ${args.join(' ')} failed: ${stderr}`);
}
