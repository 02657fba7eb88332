// CBMC on a sequentialized program, as a user of `lazuli sequentialize` would run it: the answer, the size of its first
// formula, and what CBMC alone cost.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cbmc } from '../../src/backends/cbmc.ts';
import { runProcess } from '../../src/host/run-process.ts';
import type { Bounds } from './programs.ts';
import { childrenCpuMs, WATCHED_BYTES } from './run-check.ts';

export interface CbmcRequest {
  readonly file: string;
  readonly model: '--32' | '--64';
  readonly bounds: Bounds;
  /** For `lazuli sequentialize`. */
  readonly options: readonly string[];
  readonly scratch: string;
  readonly timeoutMs: number;
}

export interface CbmcRun {
  readonly answer: string;
  readonly variables: number | null;
  readonly clauses: number | null;
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

export async function runCbmc({ file, model, bounds, options, scratch, timeoutMs }: CbmcRequest): Promise<CbmcRun> {
  const limits = ['-u', String(bounds.unwind), '-r', String(bounds.rounds)];
  const made = spawnSync(process.execPath, ['bin/lazuli.js', 'sequentialize', model, ...limits, ...options, file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const nothing = { variables: null, clauses: null, elapsedMs: 0, cpuMs: 0, memoryBytes: 0 };
  if (made.status !== 0) return { answer: 'not sequentialized', ...nothing };
  writeFileSync(scratch, made.stdout);
  const cpuBeforeMs = childrenCpuMs();
  const { stdout, elapsedMs, peakMemoryBytes } = await runProcess({
    command: cbmc.verifier?.run.command ?? '',
    args: [model, '--stop-on-fail', scratch],
    timeoutMs,
    memoryLimitBytes: WATCHED_BYTES,
  });
  const size = /(\d+) variables, (\d+) clauses/.exec(stdout);
  return {
    answer: /VERIFICATION FAILED/.test(stdout) ? 'unsafe' : /VERIFICATION SUCCESSFUL/.test(stdout) ? 'safe' : 'none',
    variables: size && Number(size[1]),
    clauses: size && Number(size[2]),
    elapsedMs,
    cpuMs: childrenCpuMs() - cpuBeforeMs,
    memoryBytes: peakMemoryBytes,
  };
}
