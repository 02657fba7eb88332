/** Narrow variables in the emitted C: which ones, that compilers accept them, that CBMC says the same, and that no value is cut off. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBenchmarks, readBenchmarkManifest } from '../../test/support/benchmarks.ts';
import { locked, lostUpdate, secretInput } from '../../test/support/concurrent-programs.ts';
import { requireTool } from '../../test/support/tools.ts';
import { cbmc as cbmcBackend } from '../backends/cbmc.ts';
import { readProgram } from '../frontend/front-end.ts';
import { DEFAULT_BOUND_OPTIONS } from '../passes/pass.ts';
import { boundProgram } from '../passes/pipeline.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { findWidths } from './find-widths.ts';
import { sequentialize } from './sequentialize.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-narrow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = readFileSync(new URL('../../test/golden/ranges/producer-consumer.c', import.meta.url), 'utf8');
const limits = { terms: 1_000_000, steps: 100_000, constantIterations: 1_000, poll: () => {} };

/** The program in declared widths and in narrow ones; the reason if it has none. */
function emitBoth(text: string, unwind = 2, rounds = 2): { readonly wide: string; readonly narrow: string } {
  const { program } = readProgram({ fileName: 'test.c', text, dataModel: 'ILP32', models: true });
  const bounded = program && boundProgram(program, { ...DEFAULT_BOUND_OPTIONS, unwind }, new DiagnosticSink());
  if (program === null || bounded === null) throw new Error('the program is wrong');
  const options = { schema: 'lazy2', rounds, closingMain: true, schedule: null, lineDirectives: false } as const;
  const found = findWidths(program, bounded, limits);
  const spelling = cbmcBackend.spelling;
  const wide = sequentialize(bounded, { ...options, spelling }).text;
  if (found.kind === 'none') return { wide, narrow: found.reason };
  return { wide, narrow: sequentialize(bounded, { ...options, spelling, widthOf: found.widthOf }).text };
}

interface CbmcAnswer {
  readonly verdict: 'safe' | 'unsafe' | 'error';
  readonly variables: number;
  readonly output: string;
}

function cbmc(text: string): CbmcAnswer | null {
  const tool = requireTool('cbmc');
  if (tool === null) return null;
  const file = path.join(folder, 'checked.c');
  writeFileSync(file, text);
  const { stdout } = spawnSync(tool, ['--32', file], { encoding: 'utf8', timeout: 60_000 });
  const isSafe = stdout.includes('VERIFICATION SUCCESSFUL');
  const verdict = isSafe ? 'safe' : stdout.includes('VERIFICATION FAILED') ? 'unsafe' : 'error';
  return { verdict, variables: Number(/(\d+) variables/.exec(stdout)?.[1] ?? 0), output: stdout };
}

const DECLARATION = /^( *)(?:static )?(__lazuli_(?:bits|signed)_\d+) ([A-Za-z_]\w*)[^,(]*;$/;
const ASSIGNMENT = /^ +([A-Za-z_]\w*)(?:\[[^\]]*\])? = (.*);$/;

/** Asserts before each assignment to a narrow variable that the value fits, but for values that nobody has chosen. */
function assertThatValuesFit(text: string): { readonly text: string; readonly count: number } {
  const globals = new Map<string, string>();
  let locals = new Map<string, string>();
  let count = 0;
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('static void')) locals = new Map();
    const declared = DECLARATION.exec(line);
    if (declared) (declared[1] === '' ? globals : locals).set(declared[3] as string, declared[2] as string);
    const [, name = '', value = ''] = ASSIGNMENT.exec(line) ?? [];
    const type = locals.get(name) ?? globals.get(name);
    if (type === undefined || value.includes('nondet_') || /^__lazuli_(pc|cs)_/.test(name)) return [line];
    count++;
    return [`__CPROVER_assert((long long)(${type})(${value}) == (long long)(${value}), "fits");`, line];
  });
  return { text: lines.join('\n'), count };
}

describe('the emitted C with narrow variables', () => {
  it('has few bits for the example of the thesis, and computes in declared types', () => {
    const { narrow } = emitBoth(example, 5);
    expect(narrow).toMatch(/^__lazuli_signed_4 c = 0;$/m);
    expect(narrow).toMatch(/^ {2}static __lazuli_bits_3 tmp;$/m);
    expect(narrow).toContain('tmp = (int)tmp - 1;');
    expect(narrow).toContain('typedef __CPROVER_bitvector[4] __lazuli_signed_4;');
    expect(narrow).toMatch(/__CPROVER_assert\(\(int\)c >= 0, .*\n *__CPROVER_assume\(\(int\)c >= 0\);/);
  });

  it('leaves alone what is looked at in another way', () => {
    const { narrow } = emitBoth(`
      struct pair { int a; } pair;
      int plain, reached, array[3], decayed[3];
      volatile int flickering;
      unsigned long sized, size;
      char text[] = "ab";
      int *pointer = &reached;
      int main(void) {
        plain = 1; *pointer = 2; array[plain] = 3; *(decayed + 1) = 4; flickering = 5; sized = 6; pair.a = 7;
        size = sizeof sized + text[plain] + reached + array[0] + decayed[0] + flickering + sized + pair.a;
        return 0;
      }`);
    expect(narrow).toContain('__lazuli_bits_1 plain;');
    expect(narrow).toContain('__lazuli_bits_2 array[3];');
    for (const kept of ['int reached;', 'int decayed[3];', 'volatile int flickering;', 'char text[3]', '  int a;']) {
      expect(narrow).toContain(kept);
    }
    expect(/sizeof sized/.test(narrow)).toBe(/unsigned long sized;/.test(narrow));
  });

  it('keeps the width of a variable that may be read before it is assigned', () => {
    const { narrow } = emitBoth('int x; int main(void) { int y, z; z = 3; if (x) y = 1; x = y + z; return 0; }');
    expect(narrow).toMatch(/ int y;/);
    expect(narrow).toMatch(/^int x;$/m);
  });

  it('changes nothing where addresses are numbers', () => {
    const seen = 'int x, y; int main(void) { int *p = y ? &x : &y; x = (int)p & 15; return x; }';
    expect(emitBoth(seen).narrow).toMatch(/looks at addresses as numbers/);
    const union = 'union { int *p; int i; } u; int x; int main(void) { u.p = &x; x = u.i & 15; return x; }';
    expect(emitBoth(union).narrow).toMatch(/looks at addresses as numbers/);
  });

  it('compiles without warnings', () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    const file = path.join(folder, 'emitted.c');
    writeFileSync(
      file,
      `void __CPROVER_assume(int);\nvoid __CPROVER_assert(int, const char *);\n${emitBoth(example, 5).narrow}`,
    );
    expect(spawnSync(gcc, ['-Wall', '-fsyntax-only', file], { encoding: 'utf8' }).stderr).toBe('');
  });
});

describe('CBMC on narrow variables', { timeout: 120_000 }, () => {
  const programs = new Map([
    ['lost update', lostUpdate],
    ['lock', locked],
    ['input', secretInput],
    ['thesis', example],
  ]);
  const chosen = /(fib_bench_false|stateful01_true|lazy01_false|48_ticket_lock_low|safe012_rmo.opt_false)/;
  const benchmarks = findBenchmarks();
  for (const { file } of readBenchmarkManifest()) {
    if (benchmarks !== null && chosen.test(file) && file.endsWith('.i'))
      programs.set(file, readFileSync(path.join(benchmarks, file), 'latin1'));
  }

  for (const [name, text] of programs) {
    it(`says the same, and loses no value: ${name}`, () => {
      const { wide, narrow } = emitBoth(text);
      const before = cbmc(wide);
      const after = cbmc(narrow);
      if (before === null || after === null) return;
      expect(after.verdict).toBe(before.verdict);
      expect(before.verdict).not.toBe('error');
      const fitting = assertThatValuesFit(narrow);
      expect(fitting.count).toBeGreaterThan(0);
      expect(cbmc(fitting.text)?.output).not.toMatch(/fits: FAILURE/);
    });
  }

  it('needs less than half of the variables for the example of the thesis', () => {
    const { wide, narrow } = emitBoth(example, 5);
    const before = cbmc(wide);
    const after = cbmc(narrow);
    if (before === null || after === null) return;
    expect(after.variables).toBeLessThan(before.variables / 2);
  });
});
