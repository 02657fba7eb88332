// The whole benchmark set with and without value analysis, in the form of the papers' Tables 3.1 and 3.2, and beside
// them: averages over the subcategories of the number of variables and clauses, of time and of memory. Ours twice: the
// embedded engine, encoding values narrowly or in declared widths; and CBMC on our sequentialized C with and without
// --bitvectors, which is the papers' experiment.
//
// Every program gets the bounds of the papers, or two unwindings and two rounds. Averages are over the programs for
// which both runs came to an end; how many these are is said. LAZULI_BENCH_TIMEOUT is the limit for one run in seconds,
// LAZULI_BENCH_FILTER a regular expression on the names. LAZULI_BENCH_PARTS=engine leaves CBMC out.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../test/support/benchmarks.ts';
import { hasTool } from '../test/support/tools.ts';
import { runCbmc } from './support/cbmc-sizes.ts';
import { formatMs } from './support/measure.ts';
import { PAPER_HARD, PAPER_TABLES, type PaperCosts, type PaperRow } from './support/paper-figures.ts';
import { type Bounds, describeBounds, modelOption, paperBounds, shortName } from './support/programs.ts';
import type { Report } from './support/report.ts';
import { type CheckRun, formatMegabytes, runCheck } from './support/run-check.ts';

export const name = 'value-analysis-set';
export const summary = 'the whole set with and without value analysis, beside the tables of the papers';

const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 10);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const parts = (process.env.LAZULI_BENCH_PARTS ?? 'engine,cbmc').split(',');
const DEFAULT_BOUNDS: Bounds = { unwind: 2, rounds: 2 };

/** What one run cost; null for what nobody said. */
interface Costs {
  readonly isDone: boolean;
  readonly variables: number | null;
  readonly clauses: number | null;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

interface Pair {
  readonly with: Costs;
  readonly without: Costs;
}

interface Measured {
  readonly program: BenchmarkProgram;
  readonly category: string;
  readonly bounds: Bounds;
  readonly engine: Pair;
  /** Null without CBMC. */
  readonly cbmc: Pair | null;
  /** The parts of the engine's run with value analysis: executing until the values are stable, and the last time. */
  readonly analyseMs: number;
  readonly executeMs: number;
  readonly elapsedMs: number;
}

export async function run(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (folder === null) {
    report.note('The benchmark programs are not there: nothing was measured.');
    return;
  }
  const withCbmc = parts.includes('cbmc') && hasTool('cbmc') !== null;
  if (!withCbmc) report.note('Without CBMC: no bit-vectors for it.');
  const scratch = mkdtempSync(path.join(tmpdir(), 'lazuli-set-'));
  const all: Measured[] = [];
  try {
    for (const program of readBenchmarkManifest().filter(({ file }) => filter.test(file))) {
      all.push(await measureProgram(report, folder, program, withCbmc ? path.join(scratch, 'sequentialized.c') : null));
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  report.note(
    `At most ${timeoutSeconds} s for one run; without bounds from the papers ${describeBounds(DEFAULT_BOUNDS)}. The engine without concrete runs. Times are CPU time of all threads; with --bitvectors that of CBMC alone. In the papers, times with value analysis include Frama-C.`,
  );
  reportCategories(report, all);
  reportHard(report, all);
  reportShares(report, all);
}

async function measureProgram(
  report: Report,
  folder: string,
  program: BenchmarkProgram,
  scratch: string | null,
): Promise<Measured> {
  const file = path.join(folder, program.file);
  const bounds = program.paper?.unwind === undefined ? DEFAULT_BOUNDS : paperBounds(program);
  const model = modelOption(program);
  const limits = [model, '-u', String(bounds.unwind), '-r', String(bounds.rounds), '--no-explore'];
  report.progress(program.file);
  const check = (choice: string) => runCheck(file, { args: [...limits, '--value-analysis', choice], timeoutSeconds });
  const narrow = await check('builtin');
  const wide = await check('none');
  const cbmc = async (options: readonly string[]): Promise<Costs> => {
    const ran = await runCbmc({
      file,
      model,
      bounds,
      options,
      scratch: scratch ?? '',
      timeoutMs: 1000 * timeoutSeconds,
    });
    const { answer, variables, clauses, cpuMs, memoryBytes } = ran;
    return { isDone: answer === 'safe' || answer === 'unsafe', variables, clauses, cpuMs, memoryBytes };
  };
  return {
    program,
    category: program.file.startsWith('svcomp16/') ? (program.file.split('/')[1] as string) : 'hard',
    bounds,
    engine: { with: costsOf(narrow), without: costsOf(wide) },
    cbmc: scratch === null ? null : { with: await cbmc(['--bitvectors']), without: await cbmc([]) },
    analyseMs: narrow.timesMs.analyse ?? 0,
    executeMs: narrow.timesMs.execute ?? 0,
    elapsedMs: narrow.elapsedMs,
  };
}

function costsOf({ verdict, stages, cpuMs, peakMemoryBytes }: CheckRun): Costs {
  const last = stages.at(-1);
  return {
    isDone: verdict !== 'unknown' && verdict !== 'failed',
    variables: last?.variables ?? null,
    clauses: last?.clauses ?? null,
    cpuMs,
    memoryBytes: peakMemoryBytes,
  };
}

// ---------------------------------------------------------------- tables

interface Quantity {
  readonly title: string;
  readonly ofCosts: (costs: Costs) => number | null;
  readonly ofPaper: (costs: PaperCosts) => number | null;
  readonly print: (value: number) => string;
}

const count = (value: number) => Math.round(value).toLocaleString('en-US');

const QUANTITIES: readonly Quantity[] = [
  { title: 'Variables', ofCosts: ({ variables }) => variables, ofPaper: ({ variables }) => variables, print: count },
  { title: 'Clauses', ofCosts: ({ clauses }) => clauses, ofPaper: ({ clauses }) => clauses, print: count },
  {
    title: 'Time',
    ofCosts: ({ cpuMs }) => cpuMs,
    ofPaper: ({ timeSeconds }) => 1000 * timeSeconds,
    print: formatMs,
  },
  {
    title: 'Memory',
    ofCosts: ({ memoryBytes }) => memoryBytes,
    ofPaper: ({ memoryMegabytes }) => memoryMegabytes * 2 ** 20,
    print: formatMegabytes,
  },
];

const COLUMNS = ['engine', 'CBMC', 'papers'].flatMap((who) => [`${who}: with`, 'without', 'saved']);

function reportCategories(report: Report, all: readonly Measured[]): void {
  for (const quantity of QUANTITIES) {
    const rows: string[][] = [];
    for (const row of PAPER_TABLES) {
      const members = all.filter(
        ({ category, program }) => category === row.category && program.expected === row.expected,
      );
      if (members.length === 0) continue;
      rows.push([
        `${row.category}, ${row.expected} (${members.length})`,
        ...averages(
          quantity,
          members.map(({ engine }) => engine),
        ),
        ...averages(
          quantity,
          members.flatMap(({ cbmc }) => (cbmc ? [cbmc] : [])),
        ),
        ...paperCells(quantity, row),
      ]);
    }
    report.note(`${quantity.title}, averages:`);
    report.table(['subcategory', ...COLUMNS], rows);
  }
}

/** The averages with and without, over what can be compared, and how much is saved. */
function averages({ ofCosts, print }: Quantity, pairs: readonly Pair[]): string[] {
  let [sumWith, sumWithout, counted] = [0, 0, 0];
  for (const pair of pairs) {
    const [one, other] = [ofCosts(pair.with), ofCosts(pair.without)];
    if (!pair.with.isDone || !pair.without.isDone || one === null || other === null) continue;
    sumWith += one;
    sumWithout += other;
    counted++;
  }
  if (counted === 0) return ['-', '-', '-'];
  const note = counted < pairs.length ? ` (of ${counted})` : '';
  return [print(sumWith / counted), print(sumWithout / counted), saved(sumWith, sumWithout) + note];
}

function saved(withIt: number, without: number): string {
  return without === 0 ? '-' : `${Math.round(100 - (100 * withIt) / without)} %`;
}

function paperCells({ ofPaper, print }: Quantity, row: PaperRow | undefined): string[] {
  const [one, other] = row ? [ofPaper(row.with), ofPaper(row.without)] : [null, null];
  return one === null || other === null ? ['-', '-', '-'] : [print(one), print(other), saved(one, other)];
}

function reportHard(report: Report, all: readonly Measured[]): void {
  const hard = all.filter(({ category }) => category === 'hard');
  if (hard.length === 0) return;
  const rows = hard.flatMap(({ program, bounds, engine, cbmc }) =>
    QUANTITIES.map((quantity) => [
      `${shortName(program)}, ${describeBounds(bounds)}: ${quantity.title.toLowerCase()}`,
      ...bothCells(quantity, engine),
      ...(cbmc ? bothCells(quantity, cbmc) : ['-', '-', '-']),
      ...paperCells(quantity, PAPER_HARD.get(shortName(program))),
    ]),
  );
  report.note('The hard programs; "≥" where a run was stopped:');
  report.table(['program', ...COLUMNS], rows);
}

function bothCells({ ofCosts, print }: Quantity, pair: Pair): string[] {
  const text = (costs: Costs) => {
    const value = ofCosts(costs);
    return value === null ? '-' : `${costs.isDone || ofCosts === QUANTITIES[0]?.ofCosts ? '' : '≥ '}${print(value)}`;
  };
  const [one, other] = [ofCosts(pair.with), ofCosts(pair.without)];
  return [text(pair.with), text(pair.without), one === null || other === null ? '-' : saved(one, other)];
}

/** Which part of a check the value analysis takes, where that is longer than a second. */
function reportShares(report: Report, all: readonly Measured[]): void {
  const long = all.filter(({ elapsedMs }) => elapsedMs > 1000);
  const share = (ms: number, { elapsedMs }: Measured) => `${((100 * ms) / elapsedMs).toFixed(0)} %`;
  const rows = long
    .sort((a, b) => b.analyseMs / b.elapsedMs - a.analyseMs / a.elapsedMs)
    .map((one) => [
      `${shortName(one.program)} (${one.program.expected}), ${describeBounds(one.bounds)}`,
      formatMs(one.elapsedMs),
      formatMs(one.analyseMs),
      share(one.analyseMs, one),
      formatMs(one.executeMs),
      share(one.executeMs, one),
    ]);
  const small = long.filter(({ analyseMs, elapsedMs }) => analyseMs < 0.1 * elapsedMs).length;
  report.note(
    `Checks of more than a second: executing until the values are stable, and the last execution, which makes the steps and is needed without value analysis too. In ${small} of ${long.length} the analysis is less than a tenth.`,
  );
  report.table(['program', 'time', 'analysis', 'part', 'last execution', 'part'], rows);
}
