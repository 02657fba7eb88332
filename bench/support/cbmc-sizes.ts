// CBMC on a sequentialized program, as a user of `lazuli sequentialize` would run it: the answer, the size of its first formula, and the time
// of CBMC alone.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cbmc } from '../../src/backends/cbmc.ts';
import type { Bounds } from './programs.ts';

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
}

export function runCbmc({ file, model, bounds, options, scratch, timeoutMs }: CbmcRequest): CbmcRun {
  const limits = ['-u', String(bounds.unwind), '-r', String(bounds.rounds)];
  const made = spawnSync(process.execPath, ['bin/lazuli.js', 'sequentialize', model, ...limits, ...options, file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (made.status !== 0) return { answer: 'not sequentialized', variables: null, clauses: null, elapsedMs: 0 };
  writeFileSync(scratch, made.stdout);
  const start = performance.now();
  const { stdout } = spawnSync(cbmc.verifier?.run.command ?? '', [model, '--stop-on-fail', scratch], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: timeoutMs,
  });
  const elapsedMs = performance.now() - start;
  const size = /(\d+) variables, (\d+) clauses/.exec(stdout);
  return {
    answer: /VERIFICATION FAILED/.test(stdout) ? 'unsafe' : /VERIFICATION SUCCESSFUL/.test(stdout) ? 'safe' : 'none',
    variables: size && Number(size[1]),
    clauses: size && Number(size[2]),
    elapsedMs,
  };
}
