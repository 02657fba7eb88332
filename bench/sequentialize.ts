// The road from C to C: how long the translation of every program takes, also with its loops (the schema ul), how large
// its result and CBMC's formula are under both schemas with rounds, and what CBMC answers. Needs the benchmark
// programs; the parts about CBMC need CBMC.
//
// By default the verdicts of a few quick programs are asked for. LAZULI_BENCH_FULL=1 asks for all: the bugs of the
// papers with their bounds, under both schemas and both granularities, and elsewhere: with one unwinding and one round
// less, or more where nothing is found; and the correct programs at unwind 2 to 4, rounds 2 and 3, under both schemas.
// A correct program that is called unsafe makes the measurement fail. LAZULI_BENCH_SECONDS is the limit for one run of
// CBMC, LAZULI_BENCH_SAFE_SECONDS that for correct programs, LAZULI_BENCH_FILTER a regular expression on the paths of
// the programs.

import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { askCbmc, type CbmcRun, describeForm, type Form } from './support/ask-cbmc.ts';
import { measureKeptLoops } from './support/kept-loops.ts';
import { formatMs } from './support/measure.ts';
import { type Bounds, describeBounds, paperBounds, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { measureTranslation } from './support/translation-times.ts';

export const name = 'sequentialize';
export const summary =
  'translation to sequential C (goal: under 300 ms after start-up), formula sizes, verdicts of CBMC';

const isFull = process.env.LAZULI_BENCH_FULL === '1';
const limitSeconds = Number(process.env.LAZULI_BENCH_SECONDS ?? (isFull ? 600 : 30));
const safeLimitSeconds = Number(process.env.LAZULI_BENCH_SAFE_SECONDS ?? 8);
/** Without LAZULI_BENCH_FULL, programs whose bug a tool of 2014 found within so many seconds. */
const quickSeconds = 2;
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const usual: Form = { schema: 'lazy2', atomicStatements: false };
/** The granularity of the papers. */
const coarse: Form = { schema: 'lazy2', atomicStatements: true };
/** The last one is that of the paper of CAV 2014. */
const forms: readonly Form[] = [
  usual,
  { schema: 'cav14', atomicStatements: false },
  coarse,
  { schema: 'cav14', atomicStatements: true },
];

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  const programs = readBenchmarkManifest().filter(({ file }) => filter.test(file));
  if (folder === null) return;
  const unsafe = programs.filter(({ paper }) => paper?.cbmc47Seconds !== undefined);
  await measureTranslation(report, folder, programs);
  await measureKeptLoops(report, folder, programs);
  if (hasTool('cbmc') === null) {
    report.note('\nCBMC is not there: no formula sizes, no verdicts');
    return;
  }
  await measureVerdicts(report, folder, unsafe);
  await measureSafe(report, folder, programs);
}

async function measureVerdicts(report: Report, folder: string, programs: readonly BenchmarkProgram[]): Promise<void> {
  report.note(`\nVerdicts of CBMC with the bounds of the papers, at most ${limitSeconds} s each:\n`);
  const verdicts: string[][] = [];
  const sizes: string[][] = [];
  const times: string[][] = [];
  for (const program of programs) {
    if (!isFull && (program.paper?.cbmc47Seconds ?? 0) > quickSeconds) continue;
    const bounds = paperBounds(program);
    const runs: CbmcRun[] = [];
    for (const form of forms) runs.push(await askCbmc(folder, program, bounds, form, limitSeconds));
    const others: string[] = [];
    for (const form of [usual, coarse]) {
      const isFound = runs[forms.indexOf(form)]?.verdict === 'violation';
      const asked: string[] = [];
      for (const other of isFound ? boundsBelow(bounds) : boundsAbove(bounds)) {
        const { verdict } = await askCbmc(folder, program, other, form, limitSeconds);
        asked.push(`${describeBounds(other)}: ${verdict}`);
      }
      others.push(asked.join(', '));
    }
    const start = [shortName(program), describeBounds(bounds)];
    verdicts.push([...start, ...runs.map(({ verdict }) => verdict), ...others]);
    sizes.push([...start, ...runs.flatMap(describeSizes)]);
    times.push([
      ...start,
      ...runs.map(({ elapsedMs }) => formatMs(elapsedMs)),
      `${program.paper?.cbmc47Seconds ?? '-'} s`,
    ]);
    report.progress(verdicts.at(-1)?.join('  ') ?? '');
  }
  const names = forms.map(describeForm);
  report.table(['program', 'bounds', ...names, 'lazy2 elsewhere', 'lazy2, atomic statements, elsewhere'], verdicts);
  report.note("The size of the emitted C, and the variables and clauses of CBMC's formula:");
  report.table(['program', 'bounds', ...names.flatMap((form) => [form, 'variables', 'clauses'])], sizes);
  report.note('Times of CBMC, and that of CBMC 4.7 in the paper of CAV 2014 (cav14, atomic statements):');
  report.table(['program', 'bounds', ...names, 'paper'], times);
}

const SAFE_BOUNDS: readonly Bounds[] = [
  { unwind: 2, rounds: 2 },
  { unwind: 2, rounds: 3 },
  { unwind: 3, rounds: 2 },
  { unwind: 3, rounds: 3 },
  { unwind: 4, rounds: 2 },
  { unwind: 4, rounds: 3 },
];

/** How often correct programs are called so, by bounds and schema. */
async function measureSafe(report: Report, folder: string, programs: readonly BenchmarkProgram[]): Promise<void> {
  report.note(`\nCorrect programs, at most ${safeLimitSeconds} s each:\n`);
  const safe = programs.filter(({ expected }) => expected === 'safe');
  const rows: string[][] = [];
  const alarms: string[] = [];
  for (const bounds of isFull ? SAFE_BOUNDS : SAFE_BOUNDS.slice(0, 1)) {
    for (const form of forms.slice(0, isFull ? 2 : 1)) {
      const unanswered: string[] = [];
      let right = 0;
      for (const program of isFull ? safe : safe.slice(0, 6)) {
        const { verdict } = await askCbmc(folder, program, bounds, form, safeLimitSeconds);
        if (verdict === 'safe') right++;
        else if (verdict === 'violation')
          alarms.push(`${shortName(program)} (${describeBounds(bounds)}, ${form.schema})`);
        else unanswered.push(shortName(program));
      }
      rows.push([describeBounds(bounds), form.schema, String(right), String(unanswered.length), unanswered.join(', ')]);
      report.progress(rows.at(-1)?.join('  ') ?? '');
    }
  }
  report.table(['bounds', 'schema', 'safe', 'no answer', 'which'], rows);
  if (alarms.length > 0) throw new Error(`correct programs are called unsafe: ${alarms.join(', ')}`);
}

function describeSizes({ emittedBytes, variables, clauses }: CbmcRun): string[] {
  return [`${(emittedBytes / 1024).toFixed(0)} kB`, String(variables ?? '-'), String(clauses ?? '-')];
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
