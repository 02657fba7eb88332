// A counterexample of CBMC, run for real: the sequential program compiled by gcc, fed with the values that CBMC chose,
// ends in the assertion that it breaks. Of the programs in test/programs/unsafe only some are tried unless
// LAZULI_ALL_PROGRAMS is set.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../src/sequentialize/schema.ts';
import { SCHEMAS } from '../../src/sequentialize/schemas.ts';
import { locked, lostUpdate, secretInput } from '../support/concurrent-programs.ts';
import { lazuli } from '../support/lazuli.ts';
import { readProgramHeader } from '../support/program-header.ts';
import { requireTool } from '../support/tools.ts';

const programs = fileURLToPath(new URL('../programs/unsafe/', import.meta.url));

/** Tried always. */
const QUICK = ['atomic-record', 'key-destructors', 'torn-copy'];

/** What CBMC is not asked for, or a real machine does otherwise. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['ended-local-of-main', 'local variables live as long as their thread'],
  ['ended-local-sequential', 'local variables live as long as their thread'],
  ['locals-end-together', 'local variables live as long as their thread'],
  ['local-after-thread-exit', 'variables of threads live as long as the program'],
  ['local-of-main-after-exit', 'variables of threads live as long as the program'],
  ['thread-local-after-end', 'variables of threads live as long as the program'],
  ['mapped-memory', 'that memory was unmapped is no check here'],
  ['flexible-array', 'how often the loop runs is in memory, so that it needs a larger bound'],
  ['pointer-slots-on-heap', 'nobody chooses what lies in new memory'],
  ['tag-in-upper-bits', 'it depends on the bits of addresses'],
  ['xor-list', 'a null pointer is read, which ends the process'],
]);

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-native-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where loops are kept, rounds and iterations have bounds in the check only. */
async function emit(
  program: string,
  schema: Schema['name'],
  bounds: readonly string[] = ['-r', '2'],
  others: readonly string[] = [],
): Promise<string> {
  const file = path.join(folder, 'program.c');
  writeFileSync(file, program);
  const target = path.join(folder, 'gcc.c');
  const { keepsLoops = false } = SCHEMAS.find(({ name }) => name === schema) ?? {};
  const options = [...(keepsLoops ? [] : bounds), ...others, '--schema', schema, '--backend', 'gcc', '-o', target];
  const { code } = await lazuli('sequentialize', ...options, file);
  expect(code).toBe(0);
  return target;
}

function compile(gcc: string, file: string, ...options: string[]): string {
  const executable = path.join(folder, 'native');
  const { stderr, status } = spawnSync(gcc, ['-O1', ...options, '-o', executable, file], { encoding: 'utf8' });
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
  for (const { name: schema, keepsLoops } of SCHEMAS) {
    // Where main does not run once more at the end.
    const rounds = keepsLoops ? '3' : '2';
    for (const [name, program] of Object.entries({ lostUpdate, secretInput })) {
      it(`breaks the assertion: ${name}, ${schema}`, async () => {
        const executable = compile(gcc, await emit(program, schema));
        const inputs = path.join(folder, 'inputs.txt');
        const checked = ['check', '-r', rounds, '--schema', schema, '--backend', 'cbmc', '--native-input', inputs];
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

  const isTried = (name: string) => process.env.LAZULI_ALL_PROGRAMS !== undefined || QUICK.includes(name);
  const tried = readdirSync(programs).map((file) => path.basename(file, '.c'));
  for (const { name: schema, keepsLoops } of SCHEMAS) {
    it.each(tried.filter((name) => isTried(name) && !EXCEPTIONS.has(name)))(
      `breaks the assertion: unsafe/%s, ${schema}`,
      { timeout: 120_000 },
      async (name) => {
        const text = readFileSync(`${programs}${name}.c`, 'utf8');
        const { unwind, rounds, dataModel, defines } = readProgramHeader(text);
        const isLong = dataModel === 'LP64';
        const macros = defines.map((macro) => `-D${macro}`);
        const bounds = ['-u', String(unwind), '-r', String(keepsLoops ? rounds + 1 : rounds)];
        const others = [isLong ? '--64' : '--32', ...macros];
        const executable = compile(gcc, await emit(text, schema, bounds, others), isLong ? '-m64' : '-m32');
        const inputs = path.join(folder, 'inputs.txt');
        const checked = [
          'check',
          ...bounds,
          ...others,
          '--schema',
          schema,
          '--backend',
          'cbmc',
          '--native-input',
          inputs,
        ];
        expect((await lazuli(...checked, path.join(folder, 'program.c'))).code).toBe(10);
        expect(spawnSync(executable, [inputs]).status).toBe(10);
      },
    );
  }

  it('says that the file of its values cannot be read', async () => {
    const executable = compile(gcc, await emit(locked, 'lazy2'));
    const run = spawnSync(executable, ['/no/such/file'], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([2, 'cannot read /no/such/file\n']);
  });

  it('does not break a correct program, whatever the numbers', async () => {
    const executable = compile(gcc, await emit(locked, 'lazy2'));
    for (let seed = 0; seed < 40; seed++) {
      const input = Array.from({ length: 40 }, (_, i) => String((seed * 31 + i * i * 7) % 9)).join(' ');
      expect([0, 1]).toContain(spawnSync(executable, [], { input }).status);
    }
  });
});
