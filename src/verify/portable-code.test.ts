import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Loc } from '../support/source.ts';
import { packProgram, unpackProgram } from './portable-code.ts';
import { type ReadProgram, readCode } from './read-code.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

function read(file: string): ReadProgram | null {
  const source = { name: file, files: [{ fileName: file, text: readFileSync(file, 'utf8') }] };
  const result = readCode(source, DEFAULT_SETTINGS, {});
  return result.kind === 'code' ? result : null;
}

/** Sent to another thread. */
function sent(program: ReadProgram): ReadProgram {
  return unpackProgram(structuredClone(packProgram(program, [])));
}

const PLAIN: readonly unknown[] = [
  Object.prototype,
  Array.prototype,
  Map.prototype,
  Set.prototype,
  Int32Array.prototype,
];

/** Objects that copying to another thread changes: those of classes. Functions it refuses. */
function findClasses(value: unknown, seen = new Set<object>()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  if (!PLAIN.includes(Object.getPrototypeOf(value))) return [value.constructor.name];
  const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  return value instanceof Int32Array ? [] : parts.flatMap((part) => findClasses(part, seen));
}

describe('a program in another thread', () => {
  const folder = 'examples/';
  const files = readdirSync(folder).filter((file) => file.endsWith('.c'));

  test.each(files)('is equal: %s', (file) => {
    const program = read(folder + file);
    expect(program).not.toBeNull();
    if (!program) return;
    expect(findClasses(packProgram(program, []))).toEqual([]);
    const { code, checks } = sent(program);
    expect(checks).toEqual(program.checks);
    expect({ ...code, sources: null }).toEqual({ ...program.code, sources: null });
  });

  test('has its places', () => {
    const program = read('examples/bounded-buffer-unsafe.c');
    if (!program) throw new Error('the example is there');
    const { sources } = program.code;
    const copy = sent(program).code.sources;
    const locs = program.code.functions.flatMap(({ instructions }) => instructions.map(({ loc }) => loc));
    expect(locs.some((loc) => loc < 0)).toBe(true);
    const all = (map: typeof sources, loc: Loc) => [map.place(loc), map.macroStack(loc), map.includeStack(loc)];
    for (const loc of locs) expect(all(copy, loc)).toEqual(all(sources, loc));
  });
});
