/** `--bitvectors` on the command line: what it goes with, and what it says otherwise. */

import { describe, expect, it } from 'vitest';
import { memoryIo } from '../../test/support/memory-io.ts';
import { requireTool } from '../../test/support/tools.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';

const FILE = 'test/golden/ranges/producer-consumer.c';
const TIMEOUT_MS = 60_000;

async function lazuli(...args: string[]) {
  const io = memoryIo();
  const code = await run([...args, FILE], io, commands);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

describe('--bitvectors', { timeout: TIMEOUT_MS }, () => {
  it('declares variables in few bits', async () => {
    const { code, stdout, stderr } = await lazuli('sequentialize', '-u', '5', '--bitvectors');
    expect({ code, stderr }).toEqual({ code: exitCodes.ok, stderr: '' });
    expect(stdout).toContain('__lazuli_signed_4 c = 0;');
    expect((await lazuli('sequentialize', '-u', '5')).stdout).toContain('int c = 0;');
  });

  it('goes with CBMC and the second schema only', async () => {
    const only = '--bitvectors goes with the backend cbmc and the schema lazy2 only';
    for (const args of [
      ['sequentialize', '--bitvectors', '--backend', 'esbmc'],
      ['sequentialize', '--bitvectors', '--schema', 'cav14'],
      ['check', '--bitvectors', '--backend', 'frama-c'],
    ]) {
      const { code, stderr } = await lazuli(...args);
      expect(code).toBe(exitCodes.usage);
      expect(stderr).toBe(`lazuli ${args[0]}: ${only} (see 'lazuli ${args[0]} --help')\n`);
    }
  });

  it('is what --value-analysis frama-c is for', async () => {
    const cases: readonly (readonly [string[], RegExp])[] = [
      [['check', '--value-analysis', 'frama-c'], /the embedded engine takes builtin or none/],
      [['check', '--backend', 'cbmc', '--value-analysis', 'frama-c'], /needs --bitvectors/],
      [['check', '--backend', 'cbmc', '--bitvectors', '--value-analysis', 'none'], /needs a value analysis/],
      [['check', '--bitvectors'], /--bitvectors needs --backend cbmc/],
      [['sequentialize', '--value-analysis', 'frama-c'], /needs --bitvectors/],
      [['sequentialize', '--bitvectors', '--value-analysis', 'none'], /needs a value analysis/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await lazuli(...args);
      expect(code).toBe(exitCodes.usage);
      expect(stderr).toMatch(message);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });

  it('is off where there is no value analysis', async () => {
    const { code, stdout } = await lazuli('sequentialize', '-u', '5', '--value-analysis', 'none');
    expect(code).toBe(exitCodes.ok);
    expect(stdout).toBe((await lazuli('sequentialize', '-u', '5')).stdout);
  });

  it('leads to the same verdict by both analyses', async () => {
    if (requireTool('cbmc') === null || requireTool('frama-c') === null) return;
    for (const analysis of ['builtin', 'frama-c']) {
      const args = ['--backend', 'cbmc', '--bitvectors', '--value-analysis', analysis, '-u', '5'];
      const { code, stdout } = await lazuli('check', ...args);
      expect(code).toBe(exitCodes.violation);
      expect(stdout).toContain('c >= 0');
    }
  });
});
