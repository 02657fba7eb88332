import { describe, expect, it } from 'vitest';
import { readEsbmcAnswer, readEsbmcProgress } from './read-esbmc-output.ts';

const failed = `ESBMC version 7.7.0 64-bit x86_64 linux
Target: 64-bit little-endian x86_64-unknown-linux with esbmclibc
[PROGRESS] Parsing seq.c
[PROGRESS] Converting
[PROGRESS] Starting Bounded Model Checking
Symex completed in: 0.002s (35 assignments)
Solving with solver Boolector 3.2.3
Building error trace

[Counterexample]


State 3 file seq.c line 14 column 3 function thread_0 thread 0
----------------------------------------------------
  x = 1 (00000000 00000000 00000000 00000001)

State 4 file seq.c line 17 column 3 function thread_0 thread 0
----------------------------------------------------
  s.b[1] = { 0, 2 }

State 7 file seq.c line 26 column 3 function thread_1 thread 0
----------------------------------------------------
Violated property:
  file seq.c line 26 column 3 function thread_1
  assertion x != 1
  x != 1


VERIFICATION FAILED
`;

const output = (stdout: string, exitCode = 1) => ({ stdout, stderr: '', exitCode });

describe('readEsbmcAnswer', () => {
  it('reads the states of a counterexample', () => {
    expect(readEsbmcAnswer(output(failed))).toEqual({
      kind: 'violation',
      description: 'assertion x != 1',
      steps: [
        { kind: 'assignment', line: 14, inFunction: 'thread_0', target: 'x', value: '1' },
        { kind: 'assignment', line: 17, inFunction: 'thread_0', target: 's.b[1]', value: '{ 0, 2 }' },
        { kind: 'failure', line: 26, inFunction: 'thread_1', description: 'assertion x != 1' },
      ],
      statistics: { variables: null, clauses: null },
    });
  });

  it('reads states without columns, as older versions print them', () => {
    const old = failed.replaceAll(/ column \d+/g, '').replace('[Counterexample]', 'Counterexample:');
    expect(readEsbmcAnswer(output(old))).toEqual(readEsbmcAnswer(output(failed)));
  });

  it('reads the other answers', () => {
    expect(readEsbmcAnswer(output('VERIFICATION SUCCESSFUL\n', 0)).kind).toBe('safe');
    expect(readEsbmcAnswer(output('ERROR: PARSING ERROR\n', 6))).toEqual({
      kind: 'unknown',
      reason: 'ESBMC gave no verdict (exit code 6): ERROR: PARSING ERROR',
    });
    expect(readEsbmcAnswer(output('VERIFICATION UNKNOWN\n')).kind).toBe('unknown');
    expect(readEsbmcAnswer(output('std::bad_alloc\n'))).toEqual({ kind: 'unknown', reason: 'ESBMC ran out of memory' });
  });
});

describe('readEsbmcProgress', () => {
  it('is the last line that says something', () => {
    expect(readEsbmcProgress(failed)).toBe('Solving with solver Boolector 3.2.3');
    expect(readEsbmcProgress('[PROGRESS] Converting\nother\n')).toBe('Converting');
    expect(readEsbmcProgress('other')).toBeNull();
  });
});
