// How long the executable takes to start, and to check programs of ten lines: a tool that is called in loops and
// editors must not make people wait. What counts is the ratio to an empty run of Node, which a busy machine changes
// least.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatMs, measure, measureRatio } from './support/measure.ts';
import type { Report } from './support/report.ts';

export const name = 'start-up';
export const summary =
  'time of the executable when it has little to do (goals on a quiet machine: --version under 150 ms, check under 200 ms)';

const runs = 15;

/** Broken, and repaired with a lock: found by a concrete run, and asked of the solver. */
const program = (isLocked: boolean) => `#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *a) { ${isLocked ? 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);' : 'x++;'} return a; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(x == 2);
}
`;

export async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-start-up-'));
  try {
    writeFileSync(path.join(folder, 'unsafe.c'), program(false));
    writeFileSync(path.join(folder, 'safe.c'), program(true));
    await measureCommands(report, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureCommands(report: Report, folder: string): Promise<void> {
  const nothing = () => node(0, '-e', '0');
  const baseline = await measure(runs, nothing);
  const rows = [['node -e 0', formatMs(baseline.medianMs), formatMs(baseline.minMs), formatMs(baseline.maxMs), '1.00']];
  const commands: readonly (readonly [number, readonly string[]])[] = [
    [0, ['--version']],
    [0, ['--help']],
    [10, ['check', path.join(folder, 'unsafe.c')]],
    [0, ['check', '-u', '1', '-r', '2', path.join(folder, 'safe.c')]],
    [0, ['check', path.join(folder, 'safe.c')]],
  ];
  for (const [status, args] of commands) {
    const action = () => node(status, 'bin/lazuli.js', ...args);
    const times = await measure(runs, action);
    const ratio = await measureRatio(runs, action, nothing);
    const command = `lazuli ${args.map((word) => path.basename(word)).join(' ')}`;
    rows.push([command, formatMs(times.medianMs), formatMs(times.minMs), formatMs(times.maxMs), ratio.toFixed(2)]);
  }
  report.table(['command', 'median', 'min', 'max', 'to node'], rows);
}

function node(expected: number, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== expected) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
}
