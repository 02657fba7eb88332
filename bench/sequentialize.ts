// The road from C to C: how long the translation takes, how large its result and CBMC's formula are under both schemas, and
// what CBMC answers. Needs the benchmark programs; the parts about CBMC need CBMC.
//
// By default the verdicts of a few quick programs are asked for. LAZULI_BENCH_FULL=1 asks for all: the bugs of the papers with
// their bounds, with bounds one below and, where they find nothing, one above; and the correct programs at unwind 2 to 4,
// rounds 2 and 3, under both schemas. A correct program that is called unsafe makes the measurement fail.
// LAZULI_BENCH_SECONDS is the limit for one run of CBMC, LAZULI_BENCH_SAFE_SECONDS that for correct programs.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { cbmc } from '../src/backends/cbmc.ts';
import { readCbmcStatistics } from '../src/backends/read-cbmc-output.ts';
import type { DataModel } from '../src/program/data-model.ts';
import { InvariantError } from '../src/support/invariant.ts';
import { runBackend } from '../src/swarm/run-backend.ts';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { formatMs, measure } from './support/measure.ts';
import {
  type Bounds,
  describeBounds,
  modelOption,
  paperBounds,
  type SchemaName,
  shortName,
  translate,
} from './support/programs.ts';
import type { Report } from './support/report.ts';

export const name = 'sequentialize';
export const summary =
  'translation to sequential C (goal: under 300 ms after start-up), formula sizes, verdicts of CBMC';

const isFull = process.env.LAZULI_BENCH_FULL === '1';
const limitSeconds = Number(process.env.LAZULI_BENCH_SECONDS ?? (isFull ? 600 : 30));
const safeLimitSeconds = Number(process.env.LAZULI_BENCH_SAFE_SECONDS ?? 8);
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
    if (tryTranslate(file, program.dataModel, bounds, 'lazy2') === null) {
      rows.push([shortName(program), describeBounds(bounds), 'not translated', '', '', '']);
      continue;
    }
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
    const runs = [];
    for (const schema of schemas) runs.push(await ask(folder, program, bounds, schema, limitSeconds));
    const others = runs[0]?.verdict === 'safe' ? boundsAbove(bounds) : boundsBelow(bounds);
    const asked: string[] = [];
    for (const other of others) {
      const { verdict } = await ask(folder, program, other, 'lazy2', limitSeconds);
      asked.push(`${describeBounds(other)}: ${verdict}`);
    }
    const cells = [shortName(program), describeBounds(bounds), ...runs.flatMap(describeRun), asked.join(', ')];
    report.progress(cells.join('  '));
    rows.push(cells);
  }
  const perSchema = schemas.flatMap((schema) => [schema, 'time', 'size of C', 'variables', 'clauses']);
  report.table(['program', 'bounds', ...perSchema, 'one below, or above'], rows);
}

const SAFE_BOUNDS: readonly Bounds[] = [
  { unwind: 2, rounds: 2 },
  { unwind: 3, rounds: 2 },
  { unwind: 4, rounds: 3 },
];

/** How often correct programs are called so, by bounds and schema. */
async function measureSafe(report: Report, folder: string, programs: readonly BenchmarkProgram[]): Promise<void> {
  report.note(`\nCorrect programs, at most ${safeLimitSeconds} s each:\n`);
  const safe = programs.filter(({ expected }) => expected === 'safe');
  const rows: string[][] = [];
  const alarms: string[] = [];
  for (const bounds of isFull ? SAFE_BOUNDS : SAFE_BOUNDS.slice(0, 1)) {
    for (const schema of isFull ? schemas : schemas.slice(0, 1)) {
      const unanswered: string[] = [];
      let right = 0;
      for (const program of isFull ? safe : safe.slice(0, 6)) {
        const { verdict } = await ask(folder, program, bounds, schema, safeLimitSeconds);
        if (verdict === 'safe') right++;
        else if (verdict === 'violation') alarms.push(`${shortName(program)} (${describeBounds(bounds)}, ${schema})`);
        else unanswered.push(shortName(program));
      }
      rows.push([describeBounds(bounds), schema, String(right), String(unanswered.length), unanswered.join(', ')]);
      report.progress(rows.at(-1)?.join('  ') ?? '');
    }
  }
  report.table(['bounds', 'schema', 'safe', 'no answer', 'which'], rows);
  if (alarms.length > 0) throw new Error(`correct programs are called unsafe: ${alarms.join(', ')}`);
}

interface CbmcRun {
  /** `safe`, `violation`, or why there is no answer. */
  readonly verdict: string;
  readonly elapsedMs: number;
  readonly emittedBytes: number;
  readonly variables: number | null;
  readonly clauses: number | null;
}

async function ask(
  folder: string,
  program: BenchmarkProgram,
  bounds: Bounds,
  schema: SchemaName,
  seconds: number,
): Promise<CbmcRun> {
  const { verifier } = cbmc;
  if (verifier === null) throw new Error('CBMC is a verifier');
  const { dataModel } = program;
  const text = tryTranslate(path.join(folder, program.file), dataModel, bounds, schema);
  if (text === null) {
    return { verdict: 'not translated', elapsedMs: 0, emittedBytes: 0, variables: null, clauses: null };
  }
  const run = await runBackend({ backend: cbmc, verifier, text, dataModel, timeoutMs: seconds * 1000 });
  const verdict = run.answer.kind === 'unknown' ? run.answer.reason : run.answer.kind;
  return { verdict, elapsedMs: run.elapsedMs, emittedBytes: text.length, ...readCbmcStatistics(run.stdout) };
}

/** null for programs with C that the passes refuse. */
function tryTranslate(file: string, dataModel: DataModel, bounds: Bounds, schema: SchemaName): string | null {
  try {
    return translate(file, dataModel, bounds, schema, asInPapers).text;
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    return null;
  }
}

function describeRun({ verdict, elapsedMs, emittedBytes, variables, clauses }: CbmcRun): string[] {
  const size = `${(emittedBytes / 1024).toFixed(0)} kB`;
  return [verdict, formatMs(elapsedMs), size, String(variables ?? '-'), String(clauses ?? '-')];
}

/** One unwinding less, and one round less, where that is possible. */
function boundsBelow({ unwind, rounds }: Bounds): Bounds[] {
  return [
    ...(unwind > 1 ? [{ unwind: unwind - 1, rounds }] : []),
    ...(rounds > 1 ? [{ unwind, rounds: rounds - 1 }] : []),
  ];
}

function boundsAbove({ unwind, rounds }: Bounds): Bounds[] {
  return [
    { unwind: unwind + 1, rounds },
    { unwind, rounds: rounds + 1 },
  ];
}

function lazuli(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['bin/lazuli.js', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`lazuli ${args.join(' ')} failed: ${stderr}`);
}
