import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { requireTool } from '../../test/support/tools.ts';
import { type FramaCRange, type FramaCValue, readFramaCRanges } from './read-frama-c-ranges.ts';

const folder = fileURLToPath(new URL('../../test/recorded', import.meta.url));
const recorded = readFileSync(`${folder}/frama-c-values.txt`, 'utf8');

const integers = (low: bigint | null, high: bigint | null, modulus = 1n, remainder = 0n): FramaCValue => ({
  kind: 'integers',
  low,
  high,
  modulus,
  remainder,
  members: null,
});
const listed = (...members: bigint[]) => ({ ...integers(members[0]!, members.at(-1)!), members });

function findValue(ranges: readonly FramaCRange[] | null | undefined, path: string): FramaCValue | undefined {
  return ranges?.find((range) => range.path === path)?.value;
}

describe('readFramaCRanges', () => {
  const { initial, final, shown } = readFramaCRanges(recorded);
  const end = final.get('main');

  it('reads the values at the start', () => {
    expect(findValue(initial, 'g')).toEqual(listed(0n));
    expect(findValue(initial, 'matrix[0..1][0..2]')).toEqual(listed(0n));
    expect(findValue(initial, 't0_x')).toEqual(listed(0n));
  });

  it('reads intervals, sets, steps and open ends exactly', () => {
    expect(findValue(end, 'g')).toEqual(integers(4n, 99n));
    expect(findValue(end, 'big')).toEqual(integers(0n, 17179869180n, 4n, 0n));
    expect(findValue(end, 'ull')).toEqual(integers(18446744073709551360n, 18446744073709551615n));
    expect(findValue(end, 'cycle')).toEqual(listed(3n, 7n, 11n, 15n));
    expect(findValue(end, 'un')).toEqual(integers(null, null));
  });

  it('follows the paths that are written below one another', () => {
    const paths = end?.map(({ path }) => path) ?? [];
    expect(paths).toEqual(
      expect.arrayContaining([
        'arr[0..2]',
        'arr[3]',
        'arr[4..7]',
        'arr[8..9]',
        's[0].in.x',
        's[1].b[2]',
        'matrix[1][2]',
      ]),
    );
    expect(findValue(end, 's[0].b[0..2]')).toEqual(listed(0n));
    expect(findValue(end, 's[0].in.y')).toEqual(listed(-8n));
    expect(findValue(end, 'matrix[1][0..1]')).toEqual(listed(0n, 6n));
  });

  it('reads pointers by their targets and keeps the rest as text', () => {
    expect(findValue(end, 'fp')).toEqual({ kind: 'pointers', targets: ['NULL', '&target_function'] });
    expect(findValue(end, 'f')).toEqual({ kind: 'other', text: '[-30000001024. .. 1.5]' });
    expect(findValue(end, 'garbled')).toMatchObject({ kind: 'other' });
    expect(findValue(end, 'p')).toEqual({ kind: 'other', text: 'ESCAPINGADDR' });
  });

  it('knows what may be uninitialized and what never returns', () => {
    const local = final.get('t0')?.find(({ path }) => path === 'local');
    expect(local).toEqual({ path: 'local', value: listed(3n), mayBeUninitialized: true });
    expect(final.get('forever')).toBeNull();
    expect(final.has('dead')).toBe(false);
  });

  it('collects what was asked for with Frama_C_show_each, wrapped or not', () => {
    expect(shown.get('x')).toEqual([[integers(4n, 99n)], [listed(2n)]]);
    const text = { kind: 'other', text: '[-30000001024. .. 1.5]' };
    expect(shown.get('two')).toEqual([[integers(4n, 99n), integers(0n, 4294967295n), { kind: 'none' }, text]]);
  });

  it('joins values that are wrapped', () => {
    const output = '[eva:final-states] Values at end of function f:\n  x ∈\n   {1; 2;\n    30}\n  y ∈ {4}\n[eva] end\n';
    const ranges = readFramaCRanges(output).final.get('f');
    expect(ranges?.map(({ path, value }) => [path, value])).toEqual([
      ['x', listed(1n, 2n, 30n)],
      ['y', listed(4n)],
    ]);
  });

  it('finds nothing in the output of a run that failed', () => {
    const { initial, final, shown } = readFramaCRanges("[kernel] User Error: source file 'x.c' does not exist\n");
    expect([initial.length, final.size, shown.size]).toEqual([0, 0, 0]);
  });

  it('reads what the Frama-C of this machine prints in the same way', () => {
    const tool = requireTool('frama-c');
    if (tool === null) return;
    const args = ['-eva', '-eva-no-show-progress', '-machdep', 'gcc_x86_32', 'frama-c-values.c'];
    // It believes PWD more than the system.
    const env = { ...process.env, PWD: folder };
    const { stdout } = spawnSync(tool, args, { cwd: folder, env, encoding: 'utf8' });
    expect(readFramaCRanges(stdout)).toEqual({ initial, final, shown });
  });
});
