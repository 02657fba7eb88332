// The programs in examples/: each says in its first line what is to be expected with which bounds, comes in a safe and
// an unsafe version, and is C that gcc compiles without a warning.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requireTool } from '../support/tools.ts';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.c'));
const topics = [...new Set(files.map((file) => file.replace(/-(un)?safe\.c$/, '')))];

describe('examples', () => {
  it('are about a dozen topics', () => {
    expect(topics.length).toBeGreaterThanOrEqual(12);
  });

  it.each(topics)('%s has a safe and an unsafe version', (topic) => {
    expect(files).toContain(`${topic}-safe.c`);
    expect(files).toContain(`${topic}-unsafe.c`);
  });

  it.each(files)('%s says what to expect and why', (file) => {
    const lines = readFileSync(folder + file, 'utf8').split('\n');
    const expected = /-(unsafe|safe)\.c$/.exec(file)?.[1];
    expect(lines[0]).toMatch(new RegExp(`^// lazuli: expect ${expected}; unwind [1-9]; rounds [1-9]$`));
    expect(lines[1]).toBe('//');
    expect(lines[2]).toMatch(/^\/\/ [A-Z].{20,}/);
    expect(lines.every((line) => line.length <= 120)).toBe(true);
  });

  it.each(files)('%s compiles without a warning', (file) => {
    if (requireTool('gcc') === null) return;
    const options = ['-pthread', '-Wall', '-Wextra', '-pedantic', '-std=gnu11', '-fsyntax-only', folder + file];
    expect(spawnSync('gcc', options, { encoding: 'utf8' }).stderr).toBe('');
  });
});
