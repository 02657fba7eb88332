/**
 * Narrow variables in the emitted C: which ones, that compilers accept them, that CBMC says the same, and that no value
 * is cut off.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBenchmarks, readBenchmarkManifest } from '../../test/support/benchmarks.ts';
import { locked, lostUpdate, secretInput } from '../../test/support/concurrent-programs.ts';
import { emitBoth, expectSameVerdict, runCbmc } from '../../test/support/narrowing.ts';
import { requireTool } from '../../test/support/tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-narrow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = readFileSync(new URL('../../test/golden/ranges/producer-consumer.c', import.meta.url), 'utf8');
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
      int plain, reached, other, array[3], decayed[3];
      volatile int flickering;
      unsigned long sized, size;
      char text[] = "ab";
      int *pointer = &reached;
      int main(int count, char **arguments) {
        if (count > 2) pointer = &other;
        plain = 1; *pointer = 2; array[plain] = 3; *(decayed + 1) = 4; flickering = 5; sized = 6; pair.a = 7;
        size = sizeof sized + text[plain] + reached + array[0] + decayed[0] + flickering + sized + pair.a;
        return 0;
      }`);
    expect(narrow).toContain('__lazuli_bits_1 plain;');
    expect(narrow).toContain('__lazuli_bits_2 array[3];');
    for (const kept of ['int reached;', 'int *pointer = &reached;', 'char text[3]']) {
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

/** So many of the benchmark programs, the shortest first. */
const SHORTEST = 5;

describe('CBMC on narrow variables', { timeout: 120_000 }, () => {
  const programs = new Map([
    ['lost update', lostUpdate],
    ['lock', locked],
    ['input', secretInput],
    ['thesis', example],
  ]);
  const benchmarks = findBenchmarks();
  const texts = readBenchmarkManifest()
    .filter(({ file }) => benchmarks !== null && file.endsWith('.i'))
    .map(({ file }) => ({ file, text: readFileSync(path.join(benchmarks ?? '', file), 'latin1') }))
    .sort((a, b) => a.text.length - b.text.length);
  for (const { file, text } of texts.slice(0, SHORTEST)) programs.set(file, text);

  for (const [name, text] of programs) {
    it(`says the same, and loses no value: ${name}`, () => {
      expectSameVerdict(text);
    });
  }

  it('needs less than half of the variables for the example of the thesis', () => {
    const { wide, narrow } = emitBoth(example, 5);
    const before = runCbmc(wide);
    const after = runCbmc(narrow);
    if (before === null || after === null) return;
    expect(after.variables).toBeLessThan(before.variables / 2);
  });
});
