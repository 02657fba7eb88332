// A check of a program by CBMC under a memory model: its counterexamples are confirmed by the interpreter.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { lazuli } from './lazuli.ts';

/** The verdict, with its reason if it is unknown; `refused` with what was said. */
export async function checkByCbmc(
  text: string,
  memoryModel: MemoryModel,
  rounds: number,
  { schema = 'lazy2', unwind = 1 } = {},
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-weak-'));
  try {
    const file = path.join(folder, 'program.c');
    writeFileSync(file, text);
    const bounds = ['-u', String(unwind), '-r', String(rounds), '--schema', schema];
    const options = ['--backend', 'cbmc', '--memory-model', memoryModel, '--check', 'assertion'];
    const { stdout, stderr } = await lazuli('check', ...options, ...bounds, '--32', '--json', '-', file);
    if (!stdout.startsWith('{')) return `refused: ${stderr}`;
    const { verdict, reason } = JSON.parse(stdout);
    // Nothing is violated where nobody comes to an assertion.
    if (verdict === 'unknown' && /^no execution/.test(reason)) return 'safe: not come to';
    return verdict === 'unknown' ? `unknown: ${reason} ${stderr}` : verdict;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
