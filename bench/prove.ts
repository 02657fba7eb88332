// Proofs: which correct programs of the benchmark set plain `lazuli check` calls safe, beside Table 5.1 of the thesis;
// what each reduction of the free order brings; and how the cost of a proof grows.
//
// LAZULI_BENCH_TIMEOUT is the limit for one program in seconds, LAZULI_BENCH_FILTER a regular expression on the paths
// of the programs, LAZULI_BENCH_PARTS one on the names of the tables: set, reductions, ablation, growth.
// LAZULI_BENCH_ABLATION_SECONDS is the limit of CPU time for one program there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepare } from '../src/engines/bounded/prepare.ts';
import { solveFreeOrder } from '../src/engines/order/solve-free-order.ts';
import { LARGEST_EXECUTION } from '../src/execute/execution.ts';
import { uniformBounds } from '../src/program/bounds.ts';
import { createCadical } from '../src/solver/cadical-wasm.ts';
import { readCode } from '../test/support/agreement.ts';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { measureAblation } from './support/ablation.ts';
import { ADDING_FAMILIES } from './support/adding-programs.ts';
import { ENDLESS_FAMILIES, type ProgramFamily } from './support/endless-programs.ts';
import { reorderProgram, spinProgram, twostageProgram } from './support/generate-programs.ts';
import { formatMs, median } from './support/measure.ts';
import { modelOption, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, describeVerdict, formatMegabytes, runCheck } from './support/run-check.ts';

export const name = 'prove';
export const summary =
  'correct programs called safe, beside the thesis (goal: 68 of 74), and what each reduction brings';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 60);
const ablationSeconds = Number(process.env.LAZULI_BENCH_ABLATION_SECONDS ?? 6);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const parts = new RegExp(process.env.LAZULI_BENCH_PARTS ?? '');

/** Table 5.1: proofs within 900 s, of so many files, and their average time. */
const THESIS: Readonly<Record<string, readonly [files: number, seahorn: string, vvt: string]>> = {
  pthread: [15, '3, 67.3 s', '5, 7.3 s'],
  'pthread-atomic': [9, '6, 167.9 s', '7, 143.7 s'],
  'pthread-ext': [45, '27, 199.1 s', '38, 66.2 s'],
  'pthread-lit': [8, '3, 23.3 s', '5, 7.3 s'],
  'pthread-wmm': [144, '144, 32.5 s', '130, 222.2 s'],
};

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (parts.test('set') && folder !== null) await measureSet(report, folder);
  if (parts.test('reductions') && folder !== null) await measureReductions(report, folder);
  if (parts.test('ablation') && folder !== null)
    await measureAblation(report, folder, ablationPrograms(), ablationSeconds);
  if (parts.test('growth')) await measureGrowth(report);
}

function correctPrograms(): readonly BenchmarkProgram[] {
  return readBenchmarkManifest().filter(({ file, expected }) => expected === 'safe' && filter.test(file));
}

/** Those with loops and threads of any number, for the most part. */
function ablationPrograms(): readonly BenchmarkProgram[] {
  return correctPrograms().filter(({ file }) => /pthread-(ext|atomic|lit)\//.test(file));
}

// ---------------------------------------------------------------- the benchmark set

interface Result {
  readonly program: BenchmarkProgram;
  readonly run: CheckRun;
}

const categoryOf = ({ file }: BenchmarkProgram) => path.basename(path.dirname(file));

async function measureSet(report: Report, folder: string): Promise<void> {
  const results: Result[] = [];
  for (const program of correctPrograms()) {
    const run = await runCheck(path.join(folder, program.file), { args: [modelOption(program)], timeoutSeconds });
    results.push({ program, run });
    report.progress(`${shortName(program)}: ${describeVerdict(run)} (${run.engine}), ${formatMs(run.cpuMs)} CPU`);
  }
  report.note(
    `Correct programs, at most ${timeoutSeconds} s each. CPU time is that of all threads, the median over the proofs. ` +
      'Beside them Table 5.1 of the thesis: proofs within 900 s and their average time, on the whole categories.',
  );
  const categories = [...new Set(results.map(({ program }) => categoryOf(program)))];
  report.table(
    ['category', 'programs', 'safe', 'by order', 'by prove', 'CPU', 'thesis: files', 'UL-CSeq + SeaHorn', 'VVT'],
    categories.map((category) => describeCategory(category, results)),
  );
  const open = results.filter(({ run }) => run.verdict !== 'safe');
  report.note(`Not proved: ${open.length}.`);
  report.table(
    ['program', 'answer', 'CPU', 'memory'],
    open.map(({ program, run }) => [
      `${categoryOf(program)}/${shortName(program)}`,
      run.reason === null ? describeVerdict(run) : `${describeVerdict(run)}: ${run.reason}`,
      formatMs(run.cpuMs),
      formatMegabytes(run.peakMemoryBytes),
    ]),
  );
}

function describeCategory(category: string, results: readonly Result[]): string[] {
  const runs = results.filter(({ program }) => categoryOf(program) === category).map(({ run }) => run);
  const proved = runs.filter(({ verdict }) => verdict === 'safe');
  const by = (engine: string) => String(proved.filter((run) => run.engine === engine).length);
  const [files, seahorn, vvt] = THESIS[category] ?? ['-', '-', '-'];
  const cost = proved.length === 0 ? '-' : formatMs(median(proved.map(({ cpuMs }) => cpuMs)));
  const counts = [String(runs.length), String(proved.length), by('order'), by('prove'), cost];
  return [category, ...counts, String(files), seahorn, vvt];
}

// ---------------------------------------------------------------- what each reduction brings

const VARIANTS = [
  { name: 'all', isPlain: false, keepsIdleTurns: false },
  { name: 'without locks, joins and stops', isPlain: true, keepsIdleTurns: false },
  { name: 'with idle turns', isPlain: false, keepsIdleTurns: true },
] as const;

const VARIANT_SECONDS = 10;
const UNWIND = 2;
const WARM_UP = 8;

/** The free order alone, in this process: which programs it covers without cuts, and how long that takes. */
async function measureReductions(report: Report, folder: string): Promise<void> {
  const rows: string[][] = [];
  const read = ({ file }: BenchmarkProgram) => readFileSync(path.join(folder, file), 'utf8');
  // To warm up.
  for (const program of correctPrograms().slice(0, WARM_UP)) await askOrder(read(program), program, VARIANTS[0]);
  for (const variant of VARIANTS) {
    const times: number[] = [];
    let [cut, late] = [0, 0];
    for (const program of correctPrograms()) {
      const start = process.cpuUsage();
      const answer = await askOrder(read(program), program, variant);
      const { user, system } = process.cpuUsage(start);
      if (answer === 'safe') times.push((user + system) / 1000);
      else if (answer === 'cut') cut++;
      else late++;
      report.progress(`${variant.name}: ${shortName(program)}: ${answer}`);
    }
    const cost = times.length === 0 ? '-' : formatMs(median(times));
    rows.push([variant.name, String(times.length), String(cut), String(late), cost]);
  }
  report.note(
    `The free order alone, loops of an unknown number of turns unwound ${UNWIND} times, at most ${VARIANT_SECONDS} s. ` +
      'CPU time is the median over what is proved, without the second formula.',
  );
  report.table(['reductions', 'proved', 'cut', 'not in time, too large', 'CPU'], rows);
}

type OrderAnswer = 'safe' | 'cut' | 'late';

async function askOrder(
  text: string,
  { dataModel }: BenchmarkProgram,
  { isPlain, keepsIdleTurns }: (typeof VARIANTS)[number],
): Promise<OrderAnswer> {
  const checks = new Set(['assertion'] as const);
  const end = performance.now() + VARIANT_SECONDS * 1000;
  const mustStop = () => performance.now() > end;
  const poll = () => {
    if (mustStop()) throw new Error('late');
  };
  try {
    const code = readCode(text, dataModel, { checks });
    const limits = { ...LARGEST_EXECUTION, steps: 6_000, poll };
    const prepared = prepare(code, { bounds: uniformBounds(UNWIND), limits, checks, keepsIdleTurns });
    if (prepared.kind !== 'prepared') return 'late';
    const createSolver = () => createCadical({ seed: 1, shouldStop: mustStop });
    const result = await solveFreeOrder(prepared.program, { createSolver, isPlain, mustStop });
    if (result.kind !== 'none') return 'late';
    return result.cuts?.length === 0 ? 'safe' : 'cut';
  } catch {
    return 'late';
  }
}

// ---------------------------------------------------------------- how the cost grows

const SIZES = [2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 100];

async function measureGrowth(report: Report): Promise<void> {
  const bounded = [reorderProgram, twostageProgram, spinProgram].map(({ name, generate }) => ({
    name,
    measure: 'threads',
    sizes: SIZES,
    generate: (size: number) => generate({ size, isCorrect: true }),
  }));
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-prove-'));
  try {
    const families = [...bounded, ...ENDLESS_FAMILIES, ...ADDING_FAMILIES];
    for (const family of families) if (filter.test(family.name)) await measureFamily(report, folder, family);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until a program is not proved any more. */
async function measureFamily(
  report: Report,
  folder: string,
  { name, measure, sizes, generate }: ProgramFamily,
): Promise<void> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const file = path.join(folder, 'program.c');
    writeFileSync(file, generate(size));
    const run = await runCheck(file, { args: [], timeoutSeconds });
    report.progress(`${name}, ${size} ${measure}: ${describeVerdict(run)}, ${formatMs(run.cpuMs)}`);
    const costs = [formatMs(run.cpuMs), formatMegabytes(run.peakMemoryBytes)];
    rows.push([String(size), describeVerdict(run), run.engine, ...costs]);
    if (run.verdict !== 'safe') break;
  }
  report.note(`Growing with the ${measure}: ${name}, correct, by plain \`lazuli check\`:`);
  report.table([measure, 'verdict', 'engine', 'CPU', 'memory'], rows);
}
