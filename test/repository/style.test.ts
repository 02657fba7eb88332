// What the linter cannot see of the style: every source file opens with a few lines that say what it is for, comments
// are as wide as the code, and no test compares with a regular expression where that is always equal.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function listFiles(ending: RegExp): string[] {
  return ['src', 'test', 'bench', 'scripts', 'bin'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

function read(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8');
}

describe('every source file', () => {
  it('opens with a comment that says what it is for', () => {
    const sources = listFiles(/(?<!\.test)\.(ts|js)$/);
    expect(sources).toContain('src/cli/main.ts');
    const bare = sources.filter((file) => !/^(#!.*\n)?\/[/*]/.test(read(file)));
    expect(bare).toEqual([]);
  });

  it('has comments no wider than the formatter lets code be', () => {
    const wide = listFiles(/\.(ts|js)$/).flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => line.length > 120 && /^ *(\/\/|\/\*\*|\*) /.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(wide).toEqual([]);
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
