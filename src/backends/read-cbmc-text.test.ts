import { describe, expect, it } from 'vitest';
import { diedTelling, readCbmcText } from './read-cbmc-text.ts';

const TEXT = `CBMC version 5.12 (cbmc-5.12) 64-bit x86_64 linux
64591 variables, 238948 clauses
SAT checker: instance is SATISFIABLE
Counterexample:

State 28 file a b.c function __CPROVER_initialize line 31 thread 0
----------------------------------------------------
  arena[0l]=0 (00000000)

#### Function call: main_0() (depth 2) ####

State 156 file a b.c function main_0 line 56 thread 0
----------------------------------------------------
  __lazuli_active_1=TRUE (00000001)

Assumption:
  file a b.c line 57 function main_0
  size == 7u

State 157 file a b.c function main_0 line 58 thread 0
----------------------------------------------------
  size=7u (00000000 00000000 00000000 00000111)

State 158 file a b.c function main_0 line 59 thread 0
----------------------------------------------------
  byte_extract_little_endian(arena, 8l, signed int)=77 (00000000 00000000 00000000 01001101)

State 159 file a b.c function main_0 line 59 thread 0
----------------------------------------------------
  arena[8l]=77 (01001101)

State 160 file a b.c function main_0 line 60 thread 0
----------------------------------------------------
  arena[9l]=1 (00000001)

#### Function return from main_0 (depth 1) ####

Violated property:
  file a b.c function push_1 line 133 thread 0
  assertion sum != 12
  sum != 12

VERIFICATION FAILED
`;

const read = (stdout: string) => readCbmcText({ stdout, stderr: '', exitCode: 10 });

describe('readCbmcText', () => {
  it('reads states, calls and the violated property', () => {
    expect(read(TEXT)).toEqual({
      kind: 'violation',
      description: 'assertion sum != 12',
      steps: [
        { kind: 'assignment', line: 31, inFunction: '', target: 'arena[0]', value: '0' },
        { kind: 'call', callee: 'main_0', line: 0 },
        { kind: 'assignment', line: 56, inFunction: 'main_0', target: '__lazuli_active_1', value: '1' },
        { kind: 'assignment', line: 58, inFunction: 'main_0', target: 'size', value: '7' },
        { kind: 'assignment', line: 59, inFunction: 'main_0', target: 'arena+8', value: '77' },
        { kind: 'assignment', line: 60, inFunction: 'main_0', target: 'arena[9]', value: '1' },
        { kind: 'return', callee: 'main_0' },
        { kind: 'failure', line: 133, inFunction: 'push_1', description: 'assertion sum != 12' },
      ],
      statistics: { variables: 64591, clauses: 238948 },
    });
  });

  it('reads that there is none, or nothing', () => {
    expect(read('VERIFICATION SUCCESSFUL\n')).toMatchObject({ kind: 'safe' });
    expect(read('Counterexample:\n')).toMatchObject({ kind: 'unknown' });
  });

  it('is for a CBMC that had found something', () => {
    const output = (stdout: string) => ({ stdout, stderr: '', exitCode: 0 });
    expect(diedTelling(output('{ "messageText": "Building error trace" }'))).toBe(true);
    expect(diedTelling(output('{ "messageText": "Running propositional reduction" }'))).toBe(false);
  });
});
