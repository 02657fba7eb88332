// What is emitted for a backend is C that a compiler accepts without a warning, given the backend's own words.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { BACKENDS } from '../../src/backends/backends.ts';
import { findBenchmarks } from '../support/benchmarks.ts';
import { locked, lostUpdate, manyFeatures, secretInput } from '../support/concurrent-programs.ts';
import { lazuli } from '../support/lazuli.ts';
import { requireTool } from '../support/tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-emitted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = { lostUpdate, locked, secretInput, manyFeatures };
const benchmarks = [
  'pthread/queue_false-unreach-call.i',
  'pthread/stack_true-unreach-call.i',
  'pthread-atomic/szymanski_true-unreach-call.i',
  'pthread-ext/09_fmaxsym_true-unreach-call.i',
];

function programFiles(): string[] {
  const files = Object.entries(own).map(([name, text]) => {
    const file = path.join(folder, `${name}.c`);
    writeFileSync(file, text);
    return file;
  });
  const shared = findBenchmarks();
  const others = shared === null ? [] : benchmarks.map((file) => path.join(shared, 'svcomp16', file));
  return [...files, ...others.filter((file) => existsSync(file))];
}

/** What gcc complains about. Warnings count for programs that have none themselves. */
function compile(gcc: string, text: string, backend: string, isOwn: boolean): string {
  const header = fileURLToPath(new URL(`../support/intrinsics/${backend}.h`, import.meta.url));
  const words = existsSync(header) ? ['-include', header] : [];
  const level = isOwn ? ['-m64', '-Wall', '-Wextra', '-Wno-unused-parameter'] : ['-m32', '-w'];
  const args = ['-fsyntax-only', '-std=gnu11', ...level, ...words, '-x', 'c', '-'];
  return spawnSync(gcc, args, { input: text, encoding: 'utf8' }).stderr;
}

describe('the C that is emitted', () => {
  const gcc = requireTool('gcc');
  const files = programFiles();
  for (const backend of BACKENDS) {
    for (const schema of ['lazy2', 'cav14']) {
      it(`compiles without warnings: ${backend.name}, ${schema}`, async () => {
        const options = ['-u', '1', '-r', '2', '--schema', schema, '--backend', backend.name];
        for (const file of files) {
          const isOwn = file.startsWith(folder);
          const { code, stdout, stderr } = await lazuli('sequentialize', ...options, isOwn ? '--64' : '--32', file);
          if (code !== 0) expect(`${file}: ${stderr}`).toBe('');
          if (gcc !== null) expect(`${file}: ${compile(gcc, stdout, backend.name, isOwn)}`).toBe(`${file}: `);
        }
      });
    }
  }
});
