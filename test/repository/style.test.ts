// What the linter cannot see of the style: every source file opens with a few lines that say what it is for, comments
// are as wide as the code, one name is one exported type, and no test compares with a regular expression where that is
// always equal.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function listFiles(ending: RegExp): string[] {
  return ['src', 'test', 'bench', 'scripts', 'bin', 'web/src', 'web/report'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

function read(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8');
}

function wideLines(file: string, kind: RegExp): string[] {
  const wide = read(file)
    .split('\n')
    .filter((line) => line.length > 120 && kind.test(line));
  return wide.map((line) => `${file}: ${line}`);
}

describe('every source file', () => {
  it('opens with a comment that says what it is for', () => {
    const sources = listFiles(/(?<!\.test)\.(ts|js)$/);
    expect(sources).toContain('src/cli/main.ts');
    const bare = sources.filter((file) => !/^(#!.*\n)?\/[/*]/.test(read(file)));
    expect(bare).toEqual([]);
  });

  it('has comments no wider than the formatter lets code be', () => {
    const comments = /^ *(\/\/|\/\*\*|\*) /;
    expect(listFiles(/\.(ts|js)$/).flatMap((file) => wideLines(file, comments))).toEqual([]);
    // Further lines of a comment are the only ones in C that are indented by three.
    const models = listFiles(/^frontend\/headers\/models\/.*\.[ch]$/);
    expect(models).toContain('src/frontend/headers/models/mutex.c');
    expect(models.flatMap((file) => wideLines(file, /^ *\/\* |^ {3}\S/))).toEqual([]);
  });
});

/** Calls whose arguments would all lie on the stack; `slice(0, …)` says how many there are at most. */
const SPREAD = /\.(?:push|unshift|emit|max|min|fromCharCode|fromCodePoint)\((?:[^(){}]*, )?\.\.\.(?!'|\w+\.slice\(0, )/;

/** Both trees of C have expressions and statements, both executors of Code have frames. */
const TWICE_BY_NATURE = /^(src\/frontend\/parse\/ast\.ts|src\/execute\/frame\.ts): /;

describe('an exported type', () => {
  it('has a name of its own', () => {
    const sources = listFiles(/(?<!\.test)\.ts$/).filter((file) => file.startsWith('src/'));
    const exported = sources.flatMap((file) =>
      [...read(file).matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm)].map(
        ([, name]) => `${file}: ${name}`,
      ),
    );
    const places = exported.filter((place) => !TWICE_BY_NATURE.test(place));
    const nameOf = (place: string) => place.replace(/.*: /, '');
    const names = new Set(places.map(nameOf));
    expect(names.size).toBeGreaterThan(500);
    const isFirst = (place: string) => names.delete(nameOf(place));
    expect(places.filter((place) => !isFirst(place))).toEqual([]);
  });
});

describe('no source', () => {
  it('passes a list of any length as arguments', () => {
    expect(SPREAD.test('lines.push(...more)')).toBe(true);
    expect(SPREAD.test('Math.max(0, ...lengths)')).toBe(true);
    expect(SPREAD.test('lines.push({ ...more })')).toBe(false);
    expect(SPREAD.test('String.fromCharCode(...codes.slice(0, 16))')).toBe(false);
    const sources = listFiles(/(?<!\.test)\.ts$/).filter((file) => file.startsWith('src/'));
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((file) => SPREAD.test(read(file)))).toEqual([]);
  });
});

/** `toMatchObject({ a: /x/ })` holds whatever a is: only `expect.stringMatching(/x/)` looks at it. */
const ALWAYS_EQUAL = /\.toMatchObject\((?:(?!\);).)*?[:[,]\s*\/(?![/*])/s;

describe('every test', () => {
  it('can fail where it has a regular expression', () => {
    expect(ALWAYS_EQUAL.test('expect(a).toMatchObject({ b: 1, c: /x/ });')).toBe(true);
    expect(ALWAYS_EQUAL.test('expect(a).toMatchObject({ b: expect.stringMatching(/x/) });')).toBe(false);
    const tests = listFiles(/\.test\.ts$/).filter((file) => file !== 'test/repository/style.test.ts');
    expect(tests.filter((file) => ALWAYS_EQUAL.test(read(file)))).toEqual([]);
  });
});
