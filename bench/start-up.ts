// How long the executable takes to start: a tool that is called in loops and editors must not make people wait.

import { spawnSync } from 'node:child_process';
import { formatMs, measure, measureRatio } from './support/measure.ts';
import type { Report } from './support/report.ts';

export const name = 'start-up';
export const summary = 'time of the executable when it has nothing to do (goal: --version under 150 ms)';

const runs = 15;

export async function run(report: Report): Promise<void> {
  const nothing = () => node('-e', '0');
  const baseline = await measure(runs, nothing);
  const rows = [['node -e 0', formatMs(baseline.medianMs), formatMs(baseline.minMs), formatMs(baseline.maxMs), '1.00']];
  for (const args of [['--version'], ['--help']]) {
    const action = () => node('bin/lazuli.js', ...args);
    const times = await measure(runs, action);
    const ratio = await measureRatio(runs, action, nothing);
    const command = `lazuli ${args.join(' ')}`;
    rows.push([command, formatMs(times.medianMs), formatMs(times.minMs), formatMs(times.maxMs), ratio.toFixed(2)]);
  }
  report.table(['command', 'median', 'min', 'max', 'to node'], rows);
}

function node(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
}
