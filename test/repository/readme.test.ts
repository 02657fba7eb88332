// What the readme states must hold: its exit codes are those of the tool, and the files that it names exist.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodeMeanings, exitCodes } from '../../src/cli/exit-codes.ts';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

describe('README.md', () => {
  it('lists the exit codes of the tool', () => {
    const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
    const rows = names.map((name) => `| ${exitCodes[name]} | ${exitCodeMeanings[name]} |`);
    expect(readme).toContain(`|---|---|\n${rows.join('\n')}\n\n`);
  });

  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1]!);
    const programs = [...readme.matchAll(/\bexamples\/[\w-]+\.c\b/g)].map((match) => match[0]);
    const missing = [...links, ...programs].filter((file) => !existsSync(new URL(file, root)));
    expect(missing).toEqual([]);
  });
});
