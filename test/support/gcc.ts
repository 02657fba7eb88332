// gcc as a judge: does a text compile, and what does it print? Compilations run two at a time and take several files
// each.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import type { DataModel } from '../../src/program/data-model.ts';

/** A folder for one test file's texts; `remove` takes it away. */
export function makeFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function writeText(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Floating arithmetic as on x86-64 for both models: x87 registers would keep more digits than the types have. */
export function modelFlags(dataModel: DataModel): string[] {
  return dataModel === 'ILP32' ? ['-m32', '-msse2', '-mfpmath=sse'] : ['-m64'];
}

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runTool(command: string, args: readonly string[], input = ''): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { timeout: 60_000 });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Applies an action to all items, a few at a time. */
export async function inParallel<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await action(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return results;
}

/** What gcc says against the files, without warnings; the empty string if nothing. */
export async function checkSyntax(files: readonly string[], dataModel: DataModel): Promise<string> {
  const batches = Array.from({ length: Math.ceil(files.length / 16) }, (_, at) => files.slice(16 * at, 16 * at + 16));
  const outputs = await inParallel(batches, async (batch) => {
    const { status, stderr } = await runTool('gcc', ['-fsyntax-only', '-w', ...modelFlags(dataModel), ...batch]);
    return status === 0 ? '' : stderr;
  });
  return outputs.join('');
}

/** Compiles and runs a file; the output, or what went wrong. */
export async function compileAndRun(file: string, dataModel: DataModel): Promise<string> {
  const executable = file.replace(/\.c$/, '');
  const flags = [...modelFlags(dataModel), '-O0', '-w', '-o', executable, file, '-lm'];
  const compiled = await runTool('gcc', flags);
  if (compiled.status !== 0) return `gcc: ${compiled.stderr}`;
  const { status, stdout, stderr } = await runTool(executable, []);
  return `${stdout}${stderr}exit ${status}\n`;
}
