import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../../test/support/golden.ts';
import { memoryIo } from '../../../test/support/memory-io.ts';
import { exitCodes } from '../exit-codes.ts';
import { run } from './ranges.ts';

const folder = fileURLToPath(new URL('../../../test/golden/ranges/', import.meta.url));

/** Runs the command on a file of the goldens; file names are printed without the folder. */
async function ranges(file: string, ...args: string[]) {
  const io = memoryIo();
  const code = await run([`${folder}${file}`, ...args], io);
  return { code, stdout: io.stdout().replaceAll(folder, ''), stderr: io.stderr().replaceAll(folder, '') };
}

interface JsonRanges {
  readonly scope: unknown;
  readonly variables: readonly {
    readonly name: string;
    readonly function: string | null;
    readonly neededBits: number;
    readonly least: { readonly value: string; readonly place: { readonly line: number } | null } | null;
    readonly internal: boolean;
  }[];
  readonly totals: { readonly variables: number; readonly declaredBits: number; readonly neededBits: number };
}

async function rangesAsJson(file: string, ...args: string[]): Promise<JsonRanges> {
  return JSON.parse((await ranges(file, '--json', ...args)).stdout) as JsonRanges;
}

describe('lazuli ranges', () => {
  it.each([
    ['producer-consumer', '-u2'],
    ['storage', '-u2'],
    ['names', '-u2'],
  ])('prints a table: %s', async (name, ...args) => {
    const { code, stdout, stderr } = await ranges(`${name}.c`, ...args);
    expect([code, stderr]).toEqual([exitCodes.ok, '']);
    await expectGolden(`ranges/${name}.txt`, stdout);
  });

  it('says in JSON what was cut off', async () => {
    const { scope } = await rangesAsJson('names.c');
    expect(scope).toMatchObject({
      unwinding: '2 times',
      isComplete: false,
      cuts: [{ where: 'run.0', place: { line: 23 } }],
    });
    expect((await rangesAsJson('producer-consumer.c')).scope).toMatchObject({ isComplete: true, cuts: [], limits: [] });
  });

  it('takes no pointer that was never set for the end of an execution', async () => {
    const { code, stdout } = await ranges('../../programs/safe/pointer-slots-on-heap.c');
    expect(code).toBe(exitCodes.ok);
    expect(stdout).toContain('Nothing was cut off: they hold beyond the bounds.\nAn unconstrained pointer');
  });

  it('shows the lines that it names', async () => {
    expect((await ranges('producer-consumer.c')).stdout).toMatch(/^ {2}29 {2}c--;$/m);
    const [c] = (await rangesAsJson('producer-consumer.c')).variables;
    expect(c).toMatchObject({ name: 'c', least: { place: { line: 29 }, text: 'c--;' } });
  });

  it('finds that c and tmp of the thesis need 4 bits or fewer, with any bound', async () => {
    for (const unwind of ['1', '2', '5', '8']) {
      const { variables } = await rangesAsJson('producer-consumer.c', '-u', unwind);
      for (const name of ['c', 'tmp']) {
        const found = variables.find((variable) => variable.name === name);
        expect(found?.neededBits).toBeLessThanOrEqual(4);
      }
    }
  });

  it('says where the extremes come from', async () => {
    const { variables } = await rangesAsJson('producer-consumer.c');
    const lines = readFileSync(`${folder}producer-consumer.c`, 'utf8').split('\n');
    const c = variables.find(({ name }) => name === 'c');
    expect(lines[(c?.least?.place?.line ?? 0) - 1]).toMatch(/c--;/);
  });

  it('adds up the bits', async () => {
    const { variables, totals } = await rangesAsJson('producer-consumer.c');
    expect(totals.neededBits).toBe(variables.reduce((sum, { neededBits }) => sum + neededBits, 0));
    expect(totals.declaredBits).toBeGreaterThan(10 * totals.neededBits);
  });

  it('shows what the models keep for themselves when asked to', async () => {
    const own = await rangesAsJson('producer-consumer.c');
    const all = await rangesAsJson('producer-consumer.c', '--all');
    expect(own.variables.every(({ internal }) => !internal)).toBe(true);
    expect(all.variables.filter(({ internal }) => !internal)).toEqual(own.variables);
    expect(all.variables.map(({ name }) => name)).toContain('m.__lock');
  });

  it('refuses wrong usage, missing files and programs with errors', async () => {
    expect((await ranges('producer-consumer.c', '-u0')).code).toBe(exitCodes.usage);
    expect((await ranges('missing.c')).code).toBe(exitCodes.file);
    const unknown = await ranges('producer-consumer.c', '--unwindset', 'main.7:2');
    expect([unknown.code, unknown.stdout]).toEqual([exitCodes.usage, '']);
    expect(unknown.stderr).toContain('--unwindset names the loop main.7, which the program does not have');
    expect((await ranges('producer-consumer.c', '--schedule', '1,0')).code).toBe(exitCodes.usage);
    const { code, stderr } = await ranges('producer-consumer.c', '-Dc=1');
    expect([code, stderr]).toEqual([exitCodes.program, expect.stringContaining('error:')]);
  });
});
