// Lazuli as users get it, but for the caches with which it starts sooner: built into a temporary folder and run as a
// process of its own, with its workers.

import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildInto } from '../../scripts/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

export interface RunBuiltOptions {
  /** Sends a signal after this time: that of Ctrl-C, or another. */
  readonly interruptAfterMs?: number;
  /** Sends it as soon as this file exists. */
  readonly interruptOnceExists?: string;
  readonly signal?: NodeJS.Signals;
  /** Kills the process after this time: the test is lost then. */
  readonly limitMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Built {
  readonly folder: string;
  /** Writes a file into the folder and gives its path. */
  file(name: string, text: string): string;
  run(args: readonly string[], options?: RunBuiltOptions): Promise<BuiltRun>;
  remove(): void;
}

export async function build(): Promise<Built> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-built-'));
  const executable = path.join(folder, 'bin/lazuli.js');
  cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true });
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await buildInto(path.join(folder, 'dist'), { withCaches: false });
  return {
    folder,
    file: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    run: (args, options = {}) => runProcess(executable, args, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function runProcess(executable: string, args: readonly string[], options: RunBuiltOptions): Promise<BuiltRun> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env };
    const child = spawn(process.execPath, [executable, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const timers = [setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 60_000)];
    if (options.interruptAfterMs !== undefined)
      timers.push(setTimeout(() => child.kill(options.signal ?? 'SIGINT'), options.interruptAfterMs));
    const { interruptOnceExists: awaited } = options;
    const poll = setInterval(() => {
      if (awaited === undefined || !existsSync(awaited)) return;
      clearInterval(poll);
      child.kill(options.signal ?? 'SIGINT');
    }, 50);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      for (const timer of timers) clearTimeout(timer);
      clearInterval(poll);
      resolve({ status, signal, stdout, stderr, elapsedMs: performance.now() - start });
    });
  });
}
