// The swarm: what an instance costs in the two ways to ask for it, what it costs to make them, and the experiments of
// the papers at their bounds and tile sizes, as far as the time goes.
//
// LAZULI_BENCH_ONLY is `cost` or `papers` for one half of it, `check` for a comparison of the swarm with a check, which
// takes long; LAZULI_BENCH_FILTER a regular expression on the names of
// the programs (`safestack 13`) and on `making`, `manager`, `throughput`, `queue`; support/swarm-experiments.ts names
// the variables of the experiments.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agenda } from '../src/engines/swarm/agenda.ts';
import { createAsker, type InstanceRoad } from '../src/engines/swarm/ask-instances.ts';
import type { TimedResult } from '../src/engines/swarm/instance-result.ts';
import type { ThreadPlaces } from '../src/engines/swarm/places.ts';
import { stopsOf } from '../src/engines/swarm/stops.ts';
import { Tally } from '../src/engines/swarm/tally.ts';
import { runSwarm } from '../src/host/swarm-manager.ts';
import { SwarmResults } from '../src/host/swarm-results.ts';
import { createCadical } from '../src/solver/cadical-wasm.ts';
import { groupDigits } from '../src/support/group-digits.ts';
import { formatMs } from './support/measure.ts';
import { measureQueue } from './support/queue-throughput.ts';
import type { Report } from './support/report.ts';
import { childrenCpuMs } from './support/run-check.ts';
import { compareWithCheck } from './support/swarm-against-check.ts';
import { repeatPapers } from './support/swarm-experiments.ts';
import { type Case, select, type Tiled, tile } from './support/tile-case.ts';

export const name = 'swarm';
export const summary = 'instances: both ways to ask, the cost of making them, the experiments of the papers';

const filter = new RegExp(process.env.LAZULI_BENCH_FILTER ?? '');
/** `cost`, `papers` or `check`: only that. */
const only = process.env.LAZULI_BENCH_ONLY ?? '';
const root = process.cwd();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const small: readonly Case[] = [
  { file: 'treiber-stack-safe', unwind: 2, rounds: 2, length: 3 },
  { file: 'philosophers-safe', unwind: 2, rounds: 2, length: 2 },
  { file: 'bounded-buffer-safe', unwind: 3, rounds: 2, length: 3 },
];

export async function run(report: Report): Promise<void> {
  if (only === 'check') await compareWithCheck(report, filter);
  if (only !== 'papers' && only !== 'check') {
    await compareRoads(report);
    if (filter.test('making')) measureMaking(report);
    if (filter.test('manager')) await measureManager(report);
    if (filter.test('throughput')) await measureThroughput(report);
    if (filter.test('queue')) await measureQueue(report);
  }
  if (only !== 'cost' && only !== 'check') await repeatPapers(report, filter);
}

async function compareRoads(report: Report): Promise<void> {
  report.note('CPU time of the same 60 instances, asked as assumptions on one solver and as formulas of their own:');
  const rows: string[][] = [];
  for (const each of small.filter(({ file }) => filter.test(file))) {
    const tiled = tile(path.join(root, 'examples', `${each.file}.c`), each, 60n);
    const cells: string[] = [];
    for (const road of ['assumed', 'merged'] as const) {
      cells.push(formatMs(await runInstances(tiled, each, road)));
    }
    rows.push([`${each.file}, -u ${each.unwind} -r ${each.rounds} -l ${each.length}`, ...cells]);
  }
  report.table(['program', 'assumptions', 'merged'], rows);
}

/** Nothing is kept of instances that were made: so neither time nor memory grows with their number. */
function measureMaking(report: Report): void {
  const threads = makeThreads(4, 150);
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

/** Everything but the runners, which answer at once: the agenda, the tally, the file of results. */
async function measureManager(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const threads = makeThreads(4, 150);
  const instances = select(threads, 11, 4, 100_000n);
  const results = new SwarmResults(folder);
  results.open({ program: 'none', question: 'none', count: String(instances.count) }, false, () => {});
  const tally = new Tally();
  const timed: TimedResult = { result: { kind: 'none', cuts: [], assertions: null }, elapsedMs: 1, memoryBytes: 1 };
  const runner = { run: async () => timed, dispose: async () => {} };
  const rows: string[][] = [];
  let start = process.cpuUsage();
  await runSwarm({
    agenda: new Agenda(instances, null),
    runners: [runner, runner],
    onResult: (task, result) => {
      results.add(task, result);
      tally.add(task.key, result);
      if (tally.done % 20_000 === 0) {
        const { user, system } = process.cpuUsage(start);
        rows.push([groupDigits(tally.done), formatMs((user + system) / 1000 / 20_000), heapMegabytes()]);
        start = process.cpuUsage();
      }
      return false;
    },
  });
  rmSync(folder, { recursive: true });
  report.note("The manager's own cost, with runners that answer at once (CPU of each of the last 20,000):");
  report.table(['instances', 'CPU, each', 'heap'], rows);
}

/** The tool as a user runs it, on a small program; the first instance pays for the start. */
async function measureThroughput(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const file = path.join(root, 'examples', 'treiber-stack-safe.c');
  const common = ['-u', '2', '-r', '2', '-l', '1', '--keep-going', '--no-resume', '--no-progress'];
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['embedded, one worker', ['--instances-limit', '2000', '--cores', '1']],
    ['embedded, two workers', ['--instances-limit', '2000', '--cores', '2']],
    ['CBMC, one at a time', ['--instances-limit', '20', '--cores', '1', '--backend', 'cbmc']],
    ['CBMC, two side by side', ['--instances-limit', '20', '--cores', '2', '--backend', 'cbmc']],
  ];
  const rows: string[][] = [];
  for (const [what, args] of ways) {
    report.progress(what);
    const copy = path.join(folder, 'program.c');
    copyFileSync(file, copy);
    const [start, cpu] = [performance.now(), childrenCpuMs()];
    const { status } = await runProgram(['bin/lazuli.js', 'swarm', copy, ...common, ...args]);
    const [ms, cpuMs] = [performance.now() - start, childrenCpuMs() - cpu];
    const lines = readFileSync(`${copy}.swarm/results.jsonl`, 'utf8').match(/"verdict":"(none|violation)"/g) ?? [];
    const rate = (spentMs: number) => `${(lines.length / (spentMs / 1000)).toPrecision(3)}/s`;
    rows.push([what, String(lines.length), formatMs(ms), rate(ms), formatMs(cpuMs), rate(cpuMs), `exit ${status}`]);
  }
  rmSync(folder, { recursive: true });
  report.note('Throughput on treiber-stack-safe, -u 2 -r 2 -l 1, from start to end of the command:');
  report.table(['way', 'answers', 'time', 'rate', 'CPU', 'rate by CPU', 'end'], rows);
}

function runProgram(args: readonly string[]): Promise<{ readonly status: number | null }> {
  const child = spawn(process.execPath, [...args], { stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', (status) => resolve({ status })));
}

function makeThreads(count: number, length: number): ThreadPlaces[] {
  const places = Array.from({ length }, () => ({ file: null, line: 0, functions: [], blocks: false }));
  return Array.from({ length: count }, (_, i) => ({ name: `t${i}`, routine: `t${i}`, first: 0, places }));
}

/** What is left after a collection. */
function heapMegabytes(): string {
  collectGarbage();
  return `${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MB`;
}

async function runInstances({ program, threads, instances }: Tiled, { rounds }: Case, road: InstanceRoad) {
  const asker = createAsker(road, program, {
    schedule: { kind: 'rounds', slots: rounds },
    createSolver: () => createCadical(),
  });
  const start = process.cpuUsage();
  for (let i = 0n; i < instances.count; i++) await asker.ask(stopsOf(instances.at(i), threads), null);
  asker.dispose();
  return process.cpuUsage(start).user / 1000;
}
