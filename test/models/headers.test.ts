// The bundled headers, judged by gcc: they compile alone and together in any order, and their constants, texts and the
// sizes of the thread types are glibc's.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledHeaders } from '../../src/frontend/headers/bundled.ts';
import { requireTool } from '../support/tools.ts';

const includeFolder = fileURLToPath(new URL('../../src/frontend/headers/include', import.meta.url));
const names = [...bundledHeaders.keys()];
const ours = ['-nostdinc', '-I', includeFolder];
const glibc = ['-D_GNU_SOURCE'];
const dataModels = ['-m32', '-m64'] as const;

function gcc(options: readonly string[], input: string): { stdout: string; stderr: string } {
  return spawnSync('gcc', [...options, '-x', 'c', '-'], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
}

function include(headers: readonly string[]): string {
  return headers.map((name) => `#include <${name}>\n`).join('');
}

function isThere(model: (typeof dataModels)[number]): boolean {
  return requireTool(model === '-m32' ? 'gcc -m32' : 'gcc') !== null;
}

describe('the bundled headers', () => {
  it.each(dataModels)('compile together, in both orders and twice, with %s', (model) => {
    if (!isThere(model)) return;
    const options = [model, ...ours, '-std=gnu17', '-Wall', '-Wextra', '-fsyntax-only'];
    expect(gcc(options, include([...names, ...names])).stderr).toBe('');
    expect(gcc(options, include([...names].reverse())).stderr).toBe('');
  });

  it('compile alone', () => {
    if (!isThere('-m64')) return;
    for (const name of names) {
      expect([name, gcc([...ours, '-std=gnu17', '-Wall', '-fsyntax-only'], include([name])).stderr]).toEqual([
        name,
        '',
      ]);
    }
  });

  it.each(dataModels)("have glibc's constants with %s", (model) => {
    if (!isThere(model)) return;
    const macros = constantNames(model);
    expect(macros.length).toBeGreaterThan(600);
    const ourValues = evaluate(model, ours, macros);
    const theirValues = evaluate(model, glibc, macros);
    const shared = macros.filter((name) => ourValues.has(name) && theirValues.has(name));
    expect(shared.length).toBeGreaterThan(600);
    expect(shared.map((name) => [name, ourValues.get(name)])).toEqual(
      shared.map((name) => [name, theirValues.get(name)]),
    );
  });

  it.each(dataModels)("have glibc's sizes of the thread types with %s", (model) => {
    if (!isThere(model)) return;
    expect(evaluate(model, ours, sizes)).toEqual(evaluate(model, glibc, sizes));
  });
});

const threadTypes = [
  ...['', 'attr', 'barrier', 'barrierattr', 'cond', 'condattr', 'key', 'mutex', 'mutexattr', 'once', 'rwlock'],
  ...['rwlockattr', 'spinlock'],
].map((part) => (part === '' ? 'pthread_t' : `pthread_${part}_t`));
const sizes = [...threadTypes, 'sem_t', 'mtx_t', 'cnd_t', 'once_flag', 'thrd_t', 'tss_t'].map(
  (type) => `sizeof(${type})`,
);

/** Headers whose macros rename ordinary words would change what the others mean. */
const harmless = names.filter((name) => !/^(iso646|complex|stdnoreturn)\.h$|^lazuli\//.test(name));

/** Macros without parameters of our headers that the compiler does not predefine. */
function constantNames(model: string): string[] {
  const list = (options: readonly string[], text: string) =>
    [...gcc([model, ...options, '-dM', '-E'], text).stdout.matchAll(/^#define (\w+) /gm)].map(
      (match) => match[1] ?? '',
    );
  const predefined = new Set(list([], ''));
  const own = list(ours, include(harmless));
  return own.filter((name) => !predefined.has(name) && !/^(__LAZULI|__PRI|_[A-Z_]+_H$|PRI|SCN)/.test(name));
}

/** The values of those expressions that are integer constants, by gcc's assembly. */
function evaluate(model: string, options: readonly string[], expressions: readonly string[]): Map<string, string> {
  const head = include(harmless);
  const headLines = head.split('\n').length - 1;
  let left = [...expressions];
  for (;;) {
    const lines = left.map((text, index) => `const long long value_${index} = (long long)(${text});\n`);
    const { stdout, stderr } = gcc([model, ...options, '-std=gnu17', '-w', '-S', '-o', '-'], head + lines.join(''));
    const places = [...stderr.matchAll(/^<stdin>:(\d+):\d+: (?:error|note)/gm)].map((match) => Number(match[1]));
    const bad = new Set(places.map((line) => line - headLines - 1));
    if (bad.size === 0) return readValues(stdout, left);
    left = left.filter((_, index) => !bad.has(index));
  }
}

function readValues(assembly: string, expressions: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const match of assembly.matchAll(/^value_(\d+):\n((?:\t\.(?:quad|long|zero)\t.*\n)+)/gm)) {
    values.set(expressions[Number(match[1])] ?? '', match[2] ?? '');
  }
  return values;
}
