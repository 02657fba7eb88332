// The swarm: what an instance costs in the two ways to ask for it, what it costs to make them, and the experiments of
// the papers at their bounds and tile sizes, as far as the time goes.
//
// LAZULI_BENCH_INSTANCES is the number of instances of each experiment (300 for a full run),
// LAZULI_BENCH_TIMEOUT the limit for one instance in seconds, LAZULI_BENCH_FILTER a regular expression on the names.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { prepare } from '../src/engines/bounded/prepare.ts';
import { createAsker, type InstanceRoad } from '../src/engines/swarm/ask-instances.ts';
import { findPlaces } from '../src/engines/swarm/find-places.ts';
import { createInstances, type Instances } from '../src/engines/swarm/instances.ts';
import type { ThreadPlaces } from '../src/engines/swarm/places.ts';
import { stopsOf } from '../src/engines/swarm/stops.ts';
import { tileThreads } from '../src/engines/swarm/tiling.ts';
import { LARGEST_EXECUTION } from '../src/execute/execution.ts';
import type { SteppedProgram } from '../src/execute/steps.ts';
import { createCadical } from '../src/solver/cadical-wasm.ts';
import { groupDigits } from '../src/support/group-digits.ts';
import { readCode } from '../src/verify/read-code.ts';
import { DEFAULT_SETTINGS, type VerifySettings } from '../src/verify/settings.ts';
import { findBenchmarks } from '../test/support/benchmarks.ts';
import { formatMs, median } from './support/measure.ts';
import type { Report } from './support/report.ts';

export const name = 'swarm';
export const summary = 'instances: both ways to ask, the cost of making them, the experiments of the papers';

const instanceCount = Number(process.env.LAZULI_BENCH_INSTANCES ?? 20);
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 120);
const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
const root = process.cwd();

interface Case {
  readonly file: string;
  readonly unwind: number;
  readonly rounds: number;
  readonly length: number;
}

const small: readonly Case[] = [
  { file: 'treiber-stack-safe', unwind: 2, rounds: 2, length: 3 },
  { file: 'philosophers-safe', unwind: 2, rounds: 2, length: 2 },
  { file: 'bounded-buffer-safe', unwind: 3, rounds: 2, length: 3 },
];

/** Tile sizes of the papers, the share of instances with a bug that they found, and their quickest. */
const papers: readonly (Case & { readonly share: string; readonly fastest: string })[] = [
  { file: 'eliminationstack', unwind: 1, rounds: 2, length: 12, share: '38.33 %', fastest: '34.9 s' },
  { file: 'eliminationstack', unwind: 1, rounds: 2, length: 14, share: '61.38 %', fastest: '39.7 s' },
  { file: 'eliminationstack', unwind: 1, rounds: 2, length: 18, share: '69.01 %', fastest: '37.1 s' },
  { file: 'safestack', unwind: 3, rounds: 4, length: 11, share: '1.26 %', fastest: '195.6 s' },
  { file: 'safestack', unwind: 3, rounds: 4, length: 14, share: '2.14 %', fastest: '574.8 s' },
  { file: 'safestack', unwind: 3, rounds: 4, length: 20, share: '10.20 %', fastest: '313.0 s' },
];

export async function run(report: Report): Promise<void> {
  await compareRoads(report);
  measureMaking(report);
  await repeatPapers(report);
}

async function compareRoads(report: Report): Promise<void> {
  report.note('CPU time of the same 60 instances, asked as assumptions on one solver and as formulas of their own:');
  const rows: string[][] = [];
  for (const each of small.filter(({ file }) => filter.test(file))) {
    const tiled = tile(path.join(root, 'examples', `${each.file}.c`), each, 60n);
    const cells: string[] = [];
    for (const road of ['assumed', 'merged'] as const) {
      const { cpuMs } = await runInstances(tiled, each, road);
      cells.push(formatMs(cpuMs));
    }
    rows.push([`${each.file}, -u ${each.unwind} -r ${each.rounds} -l ${each.length}`, ...cells]);
  }
  report.table(['program', 'assumptions', 'merged'], rows);
}

/** Nothing is kept of instances that were made: so neither time nor memory grows with their number. */
function measureMaking(report: Report): void {
  const places = Array.from({ length: 150 }, () => ({ file: null, line: 0, functions: [], blocks: false }));
  const threads: ThreadPlaces[] = ['a', 'b', 'c', 'd'].map((each) => ({ name: each, routine: each, first: 0, places }));
  const instances = select(threads, 11, 4, 100_000n);
  const rows: string[][] = [];
  for (const [from, to] of [
    [0n, 10_000n],
    [90_000n, 100_000n],
  ] as const) {
    const start = process.cpuUsage();
    for (let i = from; i < to; i++) instances.at(i);
    const { user } = process.cpuUsage(start);
    rows.push([`${groupDigits(from)} to ${groupDigits(to)}`, formatMs(user / 1000 / 10_000), heapMegabytes()]);
  }
  report.note(`Making instances, of ${groupDigits(instances.total ?? 0n)} selections:`);
  report.table(['instances', 'CPU, each', 'heap'], rows);
}

function heapMegabytes(): string {
  return `${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MB`;
}

async function repeatPapers(report: Report): Promise<void> {
  const folder = findBenchmarks();
  if (folder === null) {
    report.note('The benchmark programs are not there: the experiments of the papers were not repeated.');
    return;
  }
  report.note(
    `The experiments of the papers: ${instanceCount} random instances each, at most ${timeoutSeconds} s for one, CPU time.`,
  );
  const rows: string[][] = [];
  for (const each of papers.filter(({ file }) => filter.test(file))) {
    report.progress(`${each.file}, tiles of ${each.length}`);
    const tiled = tile(path.join(folder, 'hard', `${each.file}.c`), each, BigInt(instanceCount));
    const { bugMs, bugs, unknown, done } = await runInstances(tiled, each, 'assumed');
    rows.push([
      `${each.file}, ${each.length} of ${tiled.threads.reduce((most, { places }) => Math.max(most, places.length), 0)}`,
      `${bugs} of ${done}`,
      String(unknown),
      bugMs.length === 0 ? '' : formatMs(Math.min(...bugMs.slice(0, 10_000))),
      bugMs.length === 0 ? '' : formatMs(median(bugMs)),
      each.share,
      each.fastest,
    ]);
  }
  report.table(['program, tile', 'with a bug', 'no answer', 'quickest', 'median', 'papers', 'their quickest'], rows);
}

interface Tiled {
  readonly program: SteppedProgram;
  readonly threads: readonly ThreadPlaces[];
  readonly instances: Instances;
}

function tile(file: string, { unwind, rounds, length }: Case, limit: bigint): Tiled {
  const settings: VerifySettings = { ...DEFAULT_SETTINGS, dataModel: 'ILP32', checks: ['assertion'], unwind, rounds };
  const read = readCode({ name: file, files: [{ fileName: file, text: readFileSync(file, 'utf8') }] }, settings, {});
  if (read.kind !== 'code') throw new Error(`${file}: ${read.reason}`);
  const limits = { ...LARGEST_EXECUTION, poll: () => {} };
  const prepared = prepare(read.code, { bounds: { ...settings, unwind }, limits, checks: read.checks });
  if (prepared.kind !== 'prepared') throw new Error(`${file}: ${prepared.reason}`);
  const threads = findPlaces(prepared.program, read.code);
  return { program: prepared.program, threads, instances: select(threads, length, rounds, limit) };
}

/** As many random selections as are wanted. */
function select(threads: readonly ThreadPlaces[], length: number, picks: number, limit: bigint): Instances {
  const bounds = threads.map(({ name: thread, first, places }) => ({ name: thread, first, end: places.length }));
  const tiles = tileThreads(bounds, { size: { kind: 'length', length }, shift: null });
  const configured = new Map(
    threads.map((thread, t) => [thread.name, { statements: thread.places.length, tiles: tiles[t] ?? [] }]),
  );
  const whole = { kind: 'tiling', threads: configured, picks, random: 1, first: 0n } as const;
  const total = createInstances({ ...whole, count: 0n }, threads).total ?? 0n;
  return createInstances({ ...whole, count: total < limit ? total : limit }, threads);
}

async function runInstances({ program, threads, instances }: Tiled, { rounds }: Case, road: InstanceRoad) {
  let deadline = Number.POSITIVE_INFINITY;
  const shouldStop = () => performance.now() > deadline;
  const asker = createAsker(road, program, {
    schedule: { kind: 'rounds', slots: rounds },
    createSolver: () => createCadical({ shouldStop }),
  });
  const start = process.cpuUsage();
  const bugMs: number[] = [];
  let unknown = 0;
  for (let i = 0n; i < instances.count; i++) {
    const before = process.cpuUsage();
    deadline = performance.now() + 1000 * timeoutSeconds;
    const { kind } = await asker.ask(stopsOf(instances.at(i), threads), null);
    if (kind === 'violation') bugMs.push(process.cpuUsage(before).user / 1000);
    if (kind === 'unknown' || kind === 'open') unknown++;
  }
  asker.dispose();
  const cpuMs = process.cpuUsage(start).user / 1000;
  return { cpuMs, bugMs, bugs: bugMs.length, unknown, done: Number(instances.count) };
}
