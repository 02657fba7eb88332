// A counterexample of CBMC, run for real: the sequential program compiled by gcc, fed with the values that CBMC chose,
// ends in the assertion that it breaks.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { locked, lostUpdate, secretInput } from '../support/concurrent-programs.ts';
import { lazuli } from '../support/lazuli.ts';
import { requireTool } from '../support/tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-native-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function emit(program: string, backend: string, schema: string): Promise<string> {
  const file = path.join(folder, 'program.c');
  writeFileSync(file, program);
  const target = path.join(folder, `${backend}.c`);
  const { code } = await lazuli(
    'sequentialize',
    '-r',
    '2',
    '--schema',
    schema,
    '--backend',
    backend,
    '-o',
    target,
    file,
  );
  expect(code).toBe(0);
  return target;
}

function compile(gcc: string, file: string): string {
  const executable = path.join(folder, 'native');
  const { stderr, status } = spawnSync(gcc, ['-O1', '-o', executable, file], { encoding: 'utf8' });
  expect(`${stderr}${status}`).toBe('0');
  return executable;
}

describe('a counterexample that runs natively', () => {
  const gcc = requireTool('gcc');
  const tool = requireTool('cbmc');
  if (gcc === null || tool === null) {
    it('is not tried without gcc and cbmc', () => expect([gcc, tool]).toContain(null));
    return;
  }
  for (const schema of ['lazy2', 'cav14']) {
    for (const [name, program] of Object.entries({ lostUpdate, secretInput })) {
      it(`breaks the assertion: ${name}, ${schema}`, async () => {
        const executable = compile(gcc, await emit(program, 'gcc', schema));
        const inputs = path.join(folder, 'inputs.txt');
        const checked = ['check', '-r', '2', '--schema', schema, '--backend', 'cbmc', '--native-input', inputs];
        expect((await lazuli(...checked, path.join(folder, 'program.c'))).code).toBe(10);
        const run = spawnSync(executable, [inputs], { encoding: 'utf8' });
        expect({ status: run.status, stderr: run.stderr }).toEqual({
          status: 10,
          stderr: expect.stringMatching(/^violated: /),
        });
        expect(spawnSync(executable, [], { env: { LAZULI_INPUT: inputs } }).status).toBe(10);
        // The same numbers from the standard input.
        const piped = spawnSync(executable, [], { input: readFileSync(inputs), encoding: 'utf8' });
        expect(piped.status).toBe(10);
      });
    }
  }

  it('says that the file of its values cannot be read', async () => {
    const executable = compile(gcc, await emit(locked, 'gcc', 'lazy2'));
    const run = spawnSync(executable, ['/no/such/file'], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([2, 'cannot read /no/such/file\n']);
  });

  it('does not break a correct program, whatever the numbers', async () => {
    const executable = compile(gcc, await emit(locked, 'gcc', 'lazy2'));
    for (let seed = 0; seed < 40; seed++) {
      const input = Array.from({ length: 40 }, (_, i) => String((seed * 31 + i * i * 7) % 9)).join(' ');
      expect([0, 1]).toContain(spawnSync(executable, [], { input }).status);
    }
  });
});
