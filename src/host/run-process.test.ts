import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runProcess } from './run-process.ts';

const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });

/** A dead process whose parent is gone may stay in the table as a zombie where nobody collects it. */
const isRunning = (pid: number) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

describe('runProcess', () => {
  it('gives back output and exit code', async () => {
    const seen: string[] = [];
    const request = node('process.stdout.write("so"); process.stderr.write("oops"); process.exitCode = 10');
    const outcome = await runProcess({ ...request, onOutput: (text) => seen.push(text) });
    expect(outcome).toMatchObject({ end: { kind: 'exited', code: 10 }, stdout: 'so', stderr: 'oops' });
    expect(seen.join('')).toBe('so');
  });

  it('says that a program is missing or cannot be executed', async () => {
    const missing = await runProcess({ command: 'no-such-verifier', args: [] });
    expect(missing.end).toEqual({ kind: 'not-started', reason: 'it is not installed, or not on the PATH' });
    const folder = await runProcess({ command: import.meta.dirname, args: [] });
    expect(folder.end).toEqual({ kind: 'not-started', reason: 'it may not be executed' });
  });

  it('tells a crash from an exit', async () => {
    const outcome = await runProcess(node('process.kill(process.pid, "SIGSEGV")'));
    expect(outcome.end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('ends a program and its children when time is up', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.stdout.write(String(child.pid));
      setInterval(() => {}, 1000);`;
    const outcome = await runProcess({ ...node(script), timeoutMs: 700 });
    expect(outcome.end).toEqual({ kind: 'timeout' });
    const grandchild = Number(outcome.stdout);
    expect(grandchild).toBeGreaterThan(0);
    for (let tries = 0; tries < 20 && isRunning(grandchild); tries++) await sleep(50);
    expect(isRunning(grandchild)).toBe(false);
  });

  it('does not wait for what a program leaves running', async () => {
    const outcome = await runProcess({ command: 'sh', args: ['-c', 'sleep 30 & echo done'] });
    expect(outcome).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: 'done\n' });
    expect(outcome.elapsedMs).toBeLessThan(10_000);
  });

  it('ends children that left the group, and does not wait for what nobody can find', async () => {
    const strays = 'setsid sleep 31 & echo $!; (setsid sleep 32 & echo $!); while :; do sleep 1; done';
    const outcome = await runProcess({ command: 'bash', args: ['-c', strays], timeoutMs: 700 });
    expect(outcome.end).toEqual({ kind: 'timeout' });
    expect(outcome.elapsedMs).toBeLessThan(10_000);
    const [child = 0, stray = 0] = outcome.stdout.trim().split('\n').map(Number);
    for (let tries = 0; tries < 20 && isRunning(child); tries++) await sleep(50);
    expect(isRunning(child)).toBe(false);
    if (isRunning(stray)) process.kill(stray);
  });

  it('ends a program that takes too much memory', async () => {
    const script = 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 26, 1)), 20)';
    const outcome = await runProcess({ ...node(script), memoryLimitBytes: 300 * 2 ** 20, timeoutMs: 15_000 });
    expect(outcome.end).toEqual({ kind: 'memory' });
    expect(outcome.peakMemoryBytes).toBeGreaterThan(300 * 2 ** 20);
  });

  it('ends a program that writes too much', async () => {
    const script = 'setInterval(() => process.stdout.write("x".repeat(1000)), 1)';
    const outcome = await runProcess({ ...node(script), outputLimitBytes: 5000, timeoutMs: 15_000 });
    expect(outcome.end).toEqual({ kind: 'output' });
    expect(outcome.stdout.length).toBeLessThanOrEqual(5000);
  });

  it('is cancelled from outside, before and during the run', async () => {
    const controller = new AbortController();
    const running = runProcess({ ...node('setInterval(() => {}, 1000)'), signal: controller.signal });
    controller.abort();
    expect((await running).end).toEqual({ kind: 'cancelled' });
    const late = await runProcess({ ...node('0'), signal: controller.signal });
    expect(late.end).toEqual({ kind: 'cancelled' });
  });

  it('leaves no listeners behind', async () => {
    const before = process.listenerCount('SIGINT') + process.listenerCount('exit');
    await runProcess(node('0'));
    expect(process.listenerCount('SIGINT') + process.listenerCount('exit')).toBe(before);
  });
});
