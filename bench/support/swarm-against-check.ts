// Whether `lazuli check` would find bugs sooner if it asked random instances: the CPU time of a check with and without
// concrete runs, and of a swarm that is told the bounds, each with one solver. What the swarm is told a check would
// have to find out first, so that its figure is a lower bound.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProcess } from '../../src/host/run-process.ts';
import { findBenchmarks } from '../../test/support/benchmarks.ts';
import { formatMs } from './measure.ts';
import type { Report } from './report.ts';
import { childrenCpuMs, WATCHED_BYTES } from './run-check.ts';

const seconds = Number(process.env.LAZULI_BENCH_TIMEOUT ?? 120);

/** With bounds within which there is a bug. */
const PROGRAMS: readonly (readonly [file: string, bounds: readonly string[]])[] = [
  ['pool-aba', ['-u', '3', '-r', '2']],
  ['queue-aba', ['-u', '3', '-r', '2']],
  ['dcas', ['-u', '1', '-r', '3', '--32']],
  ['eliminationstack', ['-u', '1', '-r', '2', '--32']],
  ['safestack', ['-u', '3', '-r', '4', '--32']],
];

export async function compareWithCheck(report: Report, filter: RegExp): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const benchmarks = findBenchmarks();
  const rows: string[][] = [];
  for (const [name, bounds] of PROGRAMS) {
    const own = path.join(process.cwd(), 'bench/programs', `${name}.c`);
    const file = /-aba$/.test(name) ? own : benchmarks && path.join(benchmarks, 'hard', `${name}.c`);
    if (file === null || !filter.test(name)) continue;
    const swarm = ['swarm', ...bounds, '--cores', '1', '--no-progress', '--swarm-dir', path.join(folder, name)];
    const model = bounds.includes('--32') ? ['--32'] : [];
    const cells: string[] = [];
    for (const args of [
      ['check', '--jobs', '1', ...model],
      ['check', '--jobs', '1', '--no-explore', ...model],
      [...swarm, '--window-percent', '25'],
      [...swarm, '--window-percent', '34', '--seed', '2'],
    ]) {
      report.progress(`${name}: ${args.join(' ')}`);
      cells.push(await measure([...args, '--timeout', String(seconds), file], folder));
    }
    rows.push([`${name}, ${bounds.join(' ')}`, ...cells]);
  }
  rmSync(folder, { recursive: true, force: true });
  report.note(`CPU time to the first bug, one solver each, at most ${seconds} s by the clock:`);
  report.table(['program', 'check', 'check --no-explore', 'swarm, 25 %', 'swarm, 34 %, seed 2'], rows);
}

async function measure(args: readonly string[], directory: string): Promise<string> {
  const before = childrenCpuMs();
  const { end, stdout } = await runProcess({
    command: process.execPath,
    args: [path.join(process.cwd(), 'bin/lazuli.js'), ...args],
    directory,
    timeoutMs: 1000 * (seconds + 30),
    memoryLimitBytes: WATCHED_BYTES,
  });
  const cpu = formatMs(childrenCpuMs() - before);
  const engine = /\((\w+), [\d.]+ (ms|s)\)/.exec(stdout)?.[1];
  return end.kind === 'exited' && end.code === 10 ? `${cpu} (${engine})` : `no bug in ${cpu}`;
}
