// What the readme states must hold: its exit codes are those of the tool.

import { readFileSync } from 'node:fs';
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
});
