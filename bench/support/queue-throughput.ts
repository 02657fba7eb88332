// Instances through a queue with two worker processes, beside two threads of one process: what the queue costs.

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRedis } from '../../test/support/redis.ts';
import { hasTool } from '../../test/support/tools.ts';
import type { Report } from './report.ts';
import { childrenCpuMs, cpuMsOf } from './run-check.ts';

const COUNT = 3000;

/** Of those that have ended, and of those that run. */
function allCpuMs(children: readonly ChildProcess[]): number {
  return children.reduce((sum, { pid, exitCode }) => sum + (exitCode === null ? cpuMsOf(pid) : 0), childrenCpuMs());
}

export async function measureQueue(report: Report): Promise<void> {
  if (hasTool('redis-server') === null) {
    report.note('redis-server is not there: the queue was not measured.');
    return;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-bench-'));
  const redis = await createRedis();
  await redis.start();
  const children: ChildProcess[] = [];
  const start = (queue: string, ...args: string[]) => {
    const env = { ...process.env, LAZULI_QUEUE: queue };
    const child = spawn(process.execPath, ['bin/lazuli.js', ...args], { stdio: 'ignore', env });
    children.push(child);
    return child;
  };
  try {
    for (let i = 0; i < 2; i++) start(redis.url, 'worker', '--cores', '1');
    const rows: string[][] = [];
    for (const [what, queue] of [
      ['two threads, no queue', ''],
      ['a queue and two workers', redis.url],
    ] as const) {
      report.progress(what);
      const file = path.join(folder, 'program.c');
      copyFileSync(path.join(process.cwd(), 'examples/treiber-stack-safe.c'), file);
      const bounds = ['-u', '2', '-r', '2', '-l', '1', '-p', '2', '--instances-limit', String(COUNT), '--cores', '2'];
      const [startMs, cpuMs] = [performance.now(), allCpuMs(children)];
      const child = start(queue, 'swarm', file, ...bounds, '--no-resume', '--no-progress');
      await new Promise((resolve) => child.once('exit', resolve));
      const seconds = (performance.now() - startMs) / 1000;
      const cpuSeconds = (allCpuMs(children) - cpuMs) / 1000;
      const lines = readFileSync(`${file}.swarm/results.jsonl`, 'utf8').match(/"verdict":"none"/g) ?? [];
      rows.push([
        what,
        String(lines.length),
        `${seconds.toFixed(1)} s`,
        `${(lines.length / seconds).toPrecision(3)}/s`,
        `${cpuSeconds.toFixed(1)} s`,
      ]);
    }
    report.note(
      'Small instances (treiber-stack-safe, -u 2 -r 2 -l 1) through a queue on the same machine; CPU of all but the server:',
    );
    report.table(['way', 'answers', 'time', 'rate', 'CPU'], rows);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await redis.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
