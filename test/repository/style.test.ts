// What the linter cannot see of the style: every source file opens with a few lines that say what it is for.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function listSources(): string[] {
  return ['src', 'test', 'bench', 'scripts', 'bin'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

describe('every source file', () => {
  it('opens with a comment that says what it is for', () => {
    const sources = listSources();
    expect(sources).toContain('src/cli/main.ts');
    const bare = sources.filter((file) => !/^(#!.*\n)?\/[/*]/.test(readFileSync(`${root}/${file}`, 'utf8')));
    expect(bare).toEqual([]);
  });
});
