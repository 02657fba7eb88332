import { describe, expect, it } from 'vitest';
import { placeInvariants, type WitnessInvariant, withoutMacros } from './witness-invariants.ts';

const TEXT = `int x; /* while (0) ; */
int f(int a)
{
  if (a)
    x = 1;
  else x = 2;
  for (int i = 0; i < 3; i++) x++;
  for (;;) break;
  do x--; while (x > 0);
  { int y = x; x = y; }
  return ";{" != 0;
}
`;

function place(invariant: Partial<WitnessInvariant>): string | null {
  const wanted = { kind: 'location', file: null, line: 1, column: null, condition: 'x > 0', ...invariant } as const;
  const { files, unplaced } = placeInvariants([{ fileName: 'dir/a.c', text: TEXT }], [wanted]);
  if (unplaced.length > 0) return null;
  const [file] = files;
  expect(file?.text.split('\n')).toHaveLength(TEXT.split('\n').length);
  expect(withoutMacros(file?.text ?? '').replace('(;1;', '(;;')).toBe(TEXT);
  const line = (file?.text.split('\n')[wanted.line - 1] ?? '').replaceAll('__lazuli_witness_0', 'W');
  const isGuard = file?.defines?.[0]?.includes('=if (') ?? false;
  return isGuard ? line.replace('W', 'IF') : line;
}

describe('placeInvariants', () => {
  it('puts them before statements, also where only one may stand', () => {
    expect(place({ line: 5 })).toBe('    IF x = 1;');
    expect(place({ line: 6, column: 8 })).toBe('  else IF x = 2;');
    expect(place({ line: 7 })).toBe('  W; for (int i = 0; i < 3; i++) x++;');
    expect(place({ line: 10 })).toBe('  { W; int y = x; x = y; }');
    expect(place({ line: 10, column: 16 })).toBe('  { int y = x; W; x = y; }');
    expect(place({ line: 11 })).toBe('  W; return ";{" != 0;');
  });

  it('puts those of loops before their conditions', () => {
    expect(place({ kind: 'loop', line: 7, column: 3 })).toBe('  for (int i = 0;W,  i < 3; i++) x++;');
    expect(place({ kind: 'loop', line: 8 })).toBe('  for (;W, 1;) break;');
    expect(place({ kind: 'loop', line: 9 })).toBe('  do x--; while (W, x > 0);');
  });

  it('says where there is no place', () => {
    expect(place({ kind: 'loop', line: 1 })).toBeNull();
    expect(place({ kind: 'loop', line: 9, column: 3 })).toBeNull();
    expect(place({ line: 99 })).toBeNull();
    expect(place({ line: 7, column: 1 })).toBeNull();
    expect(place({ line: 5, file: 'b.c' })).toBeNull();
  });
});
