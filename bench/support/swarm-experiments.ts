// The experiments of the papers (Fig. 4.5 of Nguyen's thesis): random instances of eliminationstack and safestack at
// their bounds, the share that has the bug, times and memory beside theirs. An instance has a limit of CPU time, so
// that a busy machine changes nothing but the patience of whoever waits; every bug is replayed.
//
// LAZULI_BENCH_INSTANCES is the number of instances of each experiment, LAZULI_BENCH_TIMEOUT the CPU seconds of one.
// With LAZULI_BENCH_FOLDER results are kept there as they come, and the same command goes on where it stopped;
// LAZULI_BENCH_SECONDS ends it after so many CPU seconds and tells what there is.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAsker, type InstanceAsker } from '../../src/engines/swarm/ask-instances.ts';
import type { TimedResult } from '../../src/engines/swarm/instance-result.ts';
import { stopsOf } from '../../src/engines/swarm/stops.ts';
import { SwarmResults } from '../../src/host/swarm-results.ts';
import { makeStudy, type Spread, type StudySample } from '../../src/report/swarm-study.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { replayCompiled } from '../../src/trace/replay.ts';
import { findBenchmarks } from '../../test/support/benchmarks.ts';
import type { Report } from './report.ts';
import { type Case, type Tiled, tile } from './tile-case.ts';

interface Experiment extends Case {
  /** With a bug, and time and memory of those: minimum, maximum, average. */
  readonly share: string;
  readonly seconds: string;
  readonly megabytes: string;
}

/**
 * Of the papers' 52 visible statements of a thread of eliminationstack they took tiles of 12, 14 and 18, of safestack's
 * 152 tiles of 11, 14 and 20. Here threads have 55 and 135: these tiles are as large a part of them, and as many.
 */
const EXPERIMENTS: readonly Experiment[] = [
  {
    ...{ file: 'eliminationstack', unwind: 1, rounds: 2, length: 13 },
    ...{ share: '38.33 %', seconds: '34.9 / 4753.6 / 1116.3', megabytes: '945 / 1199 / 1018' },
  },
  {
    ...{ file: 'eliminationstack', unwind: 1, rounds: 2, length: 15 },
    ...{ share: '61.38 %', seconds: '39.7 / 7195.2 / 2169.5', megabytes: '980 / 1281 / 1096' },
  },
  {
    ...{ file: 'eliminationstack', unwind: 1, rounds: 2, length: 19 },
    ...{ share: '69.01 %', seconds: '37.1 / 10762.0 / 3162.4', megabytes: '1000 / 1786 / 1157' },
  },
  {
    ...{ file: 'safestack', unwind: 3, rounds: 4, length: 10 },
    ...{ share: '1.26 %', seconds: '195.6 / 2662.6 / 1172.2', megabytes: '775 / 1266 / 929' },
  },
  {
    ...{ file: 'safestack', unwind: 3, rounds: 4, length: 13 },
    ...{ share: '2.14 %', seconds: '574.8 / 3521.8 / 1851.1', megabytes: '847 / 1450 / 1147' },
  },
  {
    ...{ file: 'safestack', unwind: 3, rounds: 4, length: 18 },
    ...{ share: '10.20 %', seconds: '313.0 / 10315.8 / 2167.5', megabytes: '850 / 3831 / 1230' },
  },
];

const instanceCount = Number(process.env.LAZULI_BENCH_INSTANCES ?? 20);
const timeoutSeconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 20);
const budgetSeconds = Number(process.env.LAZULI_BENCH_SECONDS ?? Number.POSITIVE_INFINITY);

export async function repeatPapers(report: Report, filter: RegExp): Promise<void> {
  const programs = findBenchmarks();
  if (programs === null) {
    report.note('The benchmark programs are not there: the experiments of the papers were not repeated.');
    return;
  }
  const kept = process.env.LAZULI_BENCH_FOLDER;
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const rows: string[][] = [];
  for (const each of EXPERIMENTS) {
    if (!filter.test(`${each.file} ${each.length}`)) continue;
    const file = path.join(programs, 'hard', `${each.file}.c`);
    rows.push(await repeat(each, file, path.join(folder, `${each.file}-${each.length}`), report));
  }
  if (kept === undefined) rmSync(folder, { recursive: true });
  report.note(
    `The experiments of the papers: random instances, at most ${timeoutSeconds} s of CPU time for one. Time (CPU) and memory of instances with a bug: minimum, maximum, average.`,
  );
  const ours = ['program, tile', 'instances', 'with a bug', '95 % interval', 'no answer', 'time (s)', 'memory (MB)'];
  report.table([...ours, 'papers: with a bug', 'time (s)', 'memory (MB)'], rows);
}

async function repeat(each: Experiment, file: string, folder: string, report: Report): Promise<string[]> {
  const tiled = tile(file, each, BigInt(instanceCount));
  const results = new SwarmResults(folder);
  const { file: program, unwind, rounds, length } = each;
  const question = JSON.stringify({ text: readFileSync(file, 'utf8'), unwind, rounds, length, timeoutSeconds });
  const samples: StudySample[] = [];
  const note = ({ result, elapsedMs: ms, memoryBytes }: TimedResult) =>
    result.kind !== 'split' && samples.push({ verdict: result.kind, ms, memoryBytes });
  const head = { program, question: createHash('sha256').update(question).digest('hex'), count: 'any' };
  results.open(head, true, ({ timed }) => note(timed));
  const runner = new CpuLimitedRunner(tiled, each);
  for (let i = BigInt(samples.length); i < instanceCount && cpuMs() < 1000 * budgetSeconds; i++) {
    const instance = tiled.instances.at(i);
    const timed = await runner.run(instance);
    results.add({ key: String(i), instance }, timed);
    note(timed);
    report.progress(`${program}, tiles of ${length}: ${samples.length}, ${timed.result.kind}, ${timed.elapsedMs} ms`);
  }
  runner.dispose();
  return toRow(each, samples, tiled);
}

function toRow(each: Experiment, samples: readonly StudySample[], { threads }: Tiled): string[] {
  const study = makeStudy(samples);
  const longest = threads.reduce((most, { places }) => Math.max(most, places.length), 0);
  const { instances, withBug, withoutAnswer, bugMs, bugMemoryBytes } = study;
  return [
    `${each.file}, ${each.length} of ${longest}`,
    String(instances),
    instances === 0 ? '' : `${withBug} (${percent(withBug / instances)})`,
    instances === 0 ? '' : interval(withBug, instances),
    String(withoutAnswer),
    describeSpread(bugMs, 1000, 1),
    describeSpread(bugMemoryBytes, 2 ** 20, 0),
    each.share,
    each.seconds,
    each.megabytes,
  ];
}

function describeSpread(spread: Spread | null, unit: number, digits: number): string {
  if (spread === null) return '';
  return [spread.min, spread.max, spread.average].map((value) => (value / unit).toFixed(digits)).join(' / ');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Wilson's, for 95 %. */
function interval(hits: number, count: number): string {
  const z = 1.96;
  const share = hits / count;
  const middle = share + z ** 2 / (2 * count);
  const width = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const end = (sign: number) => percent((middle + sign * width) / (1 + z ** 2 / count));
  return `${end(-1)} to ${end(1)}`;
}

/** Instances on one solver, each with a limit of CPU time. */
class CpuLimitedRunner {
  readonly #tiled: Tiled;
  readonly #asker: InstanceAsker;
  #deadlineMs = Number.POSITIVE_INFINITY;

  constructor(tiled: Tiled, { rounds }: Case) {
    this.#tiled = tiled;
    const shouldStop = () => cpuMs() > this.#deadlineMs;
    this.#asker = createAsker('assumed', tiled.program, {
      schedule: { kind: 'rounds', slots: rounds },
      createSolver: () => createCadical({ shouldStop }),
    });
  }

  async run(instance: Parameters<typeof stopsOf>[0]): Promise<TimedResult> {
    const startMs = cpuMs();
    this.#deadlineMs = startMs + 1000 * timeoutSeconds;
    const { program, threads, code, checks } = this.#tiled;
    const solved = await this.#asker.ask(stopsOf(instance, threads), null);
    const elapsedMs = Math.round(cpuMs() - startMs);
    const { heapUsed, external } = process.memoryUsage();
    const timed = { elapsedMs, memoryBytes: heapUsed + external };
    switch (solved.kind) {
      case 'none':
        return { ...timed, result: { kind: 'none', cuts: null, assertions: null } };
      case 'violation': {
        const replayed = replayCompiled(compileProgram(code), solved.schedule, { checks });
        if (replayed.kind === 'mismatch') throw new Error(`${program.threads.length} threads: ${replayed.message}`);
        const bounds = { unwind: null, rounds: null };
        const outcome = { kind: 'unsafe', engine: 'swarm', bounds, trace: replayed.trace } as const;
        return { ...timed, result: { kind: 'violation', outcome } };
      }
      default:
        return { ...timed, result: { kind: 'unknown', cause: 'time', reason: solved.reason } };
    }
  }

  dispose(): void {
    this.#asker.dispose();
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
