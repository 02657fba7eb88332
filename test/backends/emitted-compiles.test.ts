// What is emitted for a backend is C that a compiler accepts without a warning, given the backend's own words. The
// programs in test/programs are emitted for gcc; LAZULI_ALL_PROGRAMS asks for all backends.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import { BACKENDS } from '../../src/backends/backends.ts';
import { readProgram } from '../../src/frontend/front-end.ts';
import { boundProgram } from '../../src/passes/pipeline.ts';
import type { BoundedProgram } from '../../src/program/bounded-program.ts';
import { DEFAULT_BOUND_OPTIONS } from '../../src/program/bounds.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../../src/support/diagnostics.ts';
import { findBenchmarks } from '../support/benchmarks.ts';
import { handlers, lessCommon, locked, lostUpdate, manyFeatures, secretInput } from '../support/concurrent-programs.ts';
import { requireTool } from '../support/tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-emitted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const benchmarks = [
  'pthread/queue_false-unreach-call.i',
  'pthread/stack_true-unreach-call.i',
  'pthread-atomic/szymanski_true-unreach-call.i',
  'pthread-ext/09_fmaxsym_true-unreach-call.i',
];

interface Sample {
  readonly name: string;
  readonly bounded: BoundedProgram;
  /** With loops; null for a program with recursion, which is refused then. */
  readonly withLoops: BoundedProgram | null;
}

function bound(file: string, name: string, text: string, dataModel: DataModel, unwind = 1): Sample {
  const { program } = readProgram({ fileName: file, text, dataModel, models: true });
  if (program === null) throw new Error(`${file} cannot be read`);
  const sink = new DiagnosticSink();
  const bounded = boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind }, sink);
  if (bounded === null) throw new Error(`${file} cannot be bounded`);
  const withLoops = boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind, keepLoops: true }, sink);
  const isRecursive = sink.all.some(({ message }) => /is recursive/.test(message));
  if (withLoops === null && !isRecursive) throw new Error(`${file} cannot be bounded with its loops`);
  return { name, bounded, withLoops };
}

const own = Object.entries({ lostUpdate, locked, secretInput, manyFeatures, handlers, lessCommon }).map(
  ([name, text]) => bound(name, name, text, 'LP64'),
);

function readOthers(): readonly Sample[] {
  const shared = findBenchmarks();
  const files = shared === null ? [] : benchmarks.map((file) => path.join(shared, 'svcomp16', file));
  return files
    .filter((file) => existsSync(file))
    .map((file) => bound(file, path.basename(file, '.i'), readFileSync(file, 'utf8'), 'ILP32'));
}

const others = readOthers();

/** Of test/programs, with the bounds and the sizes that their first lines name. */
function readPrograms(folderName: string, dataModel: DataModel): readonly Sample[] {
  const programs = fileURLToPath(new URL(`../programs/${folderName}/`, import.meta.url));
  return readdirSync(programs).flatMap((file) => {
    const text = readFileSync(`${programs}${file}`, 'utf8');
    const header = /unwind (\d+); rounds \d+(; LP64)?/.exec(text);
    if ((header && !header[2] ? 'ILP32' : 'LP64') !== dataModel) return [];
    const name = `${folderName}-${path.basename(file, '.c')}`;
    return [bound(file, name, text, dataModel, Number(header?.[1] ?? 1))];
  });
}

/** What gcc complains about. */
function compile(gcc: string, programs: readonly Sample[], backend: Backend, level: readonly string[]): string {
  const files = programs.flatMap(({ name, bounded: unwound, withLoops }) =>
    SCHEMAS.flatMap((schema) => {
      const bounded = schema.keepsLoops ? withLoops : unwound;
      if (bounded === null) return [];
      const options = { schema: schema.name, rounds: 2, closingMain: true, schedule: null, lineDirectives: false };
      const file = path.join(folder, `${name}-${backend.name}-${schema.name}.c`);
      writeFileSync(file, sequentialize(bounded, { ...options, spelling: backend.spelling }).text);
      return file;
    }),
  );
  if (files.length === 0) return '';
  const header = fileURLToPath(new URL(`../support/intrinsics/${backend.name}.h`, import.meta.url));
  const words = existsSync(header) ? ['-include', header] : [];
  return spawnSync(gcc, ['-fsyntax-only', '-std=gnu11', ...level, ...words, ...files], { encoding: 'utf8' }).stderr;
}

describe('the C that is emitted', () => {
  const gcc = requireTool('gcc');

  it('has its loops in most programs', () => {
    expect(own.filter(({ withLoops }) => withLoops === null).map(({ name }) => name)).toEqual([]);
  });

  for (const backend of BACKENDS) {
    it(`compiles for ${backend.name}`, () => {
      if (gcc === null) return;
      // Functions that are only compared have parameters that nobody uses.
      const strict = ['-m64', '-Wall', '-Wextra', '-Wno-unused-parameter'];
      expect(compile(gcc, own, backend, strict)).toBe('');
      // These programs have faults of their own that compilers warn about.
      expect(compile(gcc, others, backend, ['-m32', '-w'])).toBe('');
    });
  }

  const tried = BACKENDS.filter(({ name }) => name === 'gcc' || process.env.LAZULI_ALL_PROGRAMS !== undefined);
  describe.each(tried)('for $name', (backend) => {
    it.each(['safe', 'unsafe', 'sequential'])('compiles: programs that are %s', { timeout: 120_000 }, (folderName) => {
      if (gcc === null) return;
      // Some cast functions on purpose, and those that compute have faults of their own.
      const level = folderName === 'sequential' ? ['-w'] : ['-Wall', '-Wextra', '-Wno-unused-parameter'];
      for (const [dataModel, width] of [
        ['LP64', '-m64'],
        ['ILP32', '-m32'],
      ] as const) {
        const programs = readPrograms(folderName, dataModel);
        expect(compile(gcc, programs, backend, [width, ...level, '-Wno-cast-function-type'])).toBe('');
      }
    });
  });
});
