// The rows of the table, and how the answers of those tools are read that are not run here. Their outputs are written
// down after their documentation, shortened.

import { describe, expect, it } from 'vitest';
import { BACKENDS, findBackend } from './backends.ts';

function read(name: string, stdout: string, exitCode = 0) {
  const verifier = findBackend(name)?.verifier;
  if (!verifier) throw new Error(`${name} is no verifier`);
  const answer = verifier.readAnswer({ stdout, stderr: '', exitCode });
  return answer.kind === 'violation' ? `violation ${answer.description}`.trim() : answer.kind;
}

describe('the table of backends', () => {
  it('has each name once, and a spelling of that name', () => {
    expect(new Set(BACKENDS.map(({ name }) => name)).size).toBe(BACKENDS.length);
    for (const { name, spelling } of BACKENDS) expect(spelling.name).toBe(name);
    expect(findBackend('nothing')).toBeNull();
  });

  it('hands the program over in every command line', () => {
    for (const { verifier } of BACKENDS) {
      if (verifier === null) continue;
      expect(verifier.run.arguments).toContain(verifier.prepare === null ? '{file}' : '{output}');
      expect(verifier.run.arguments).toContain('{options}');
      if (verifier.prepare !== null)
        expect(verifier.prepare.arguments).toEqual(expect.arrayContaining(['{file}', '{output}']));
      expect([...verifier.run.arguments, ...(verifier.prepare?.arguments ?? [])].includes('{model}')).toBe(true);
    }
  });
});

describe('answers', () => {
  it('of KLEE', () => {
    const done = 'KLEE: done: total instructions = 120\nKLEE: done: completed paths = 7\n';
    expect(read('klee', done)).toBe('safe');
    const failed = 'KLEE: ERROR: seq.c:57: ASSERTION FAIL: assertion x == 1\nKLEE: NOTE: now ignoring this error\n';
    expect(read('klee', failed + done)).toBe('violation assertion x == 1');
    expect(read('klee', `KLEE: HaltTimer invoked\n${done}`)).toBe('unknown');
    expect(read('klee', `KLEE: ERROR: seq.c:12: memory error: out of bound pointer\n${done}`)).toBe('unknown');
  });

  it('of CPAchecker', () => {
    expect(
      read('cpachecker', 'Verification result: TRUE. No property violation found by chosen configuration.\n'),
    ).toBe('safe');
    const failed =
      'Verification result: FALSE. Property violation (unreach-call: reach_error(); called in line 9) found by chosen configuration.\n';
    expect(read('cpachecker', failed)).toMatch(/^violation unreach-call/);
    expect(read('cpachecker', 'Verification result: UNKNOWN, incomplete analysis.\n')).toBe('unknown');
  });

  it('of SeaHorn', () => {
    expect(read('seahorn', 'unsat\n')).toBe('safe');
    expect(read('seahorn', 'sat\n')).toBe('violation');
    expect(read('seahorn', 'BRUNCH_STAT Result TRUE\n')).toBe('safe');
    expect(read('seahorn', 'unknown\n')).toBe('unknown');
  });

  it('of SMACK', () => {
    expect(read('smack', 'SMACK program verifier version 2.8.0\nSMACK found no errors with unroll bound 1.\n')).toBe(
      'safe',
    );
    expect(read('smack', 'SMACK found an error.\n')).toBe('violation');
    expect(read('smack', 'SMACK timed out.\n')).toBe('unknown');
  });

  it('of Ultimate', () => {
    expect(read('ultimate', 'Result:\nTRUE\n')).toBe('safe');
    expect(read('ultimate', 'Result:\nFALSE(unreach-call)\n')).toBe('violation');
    expect(read('ultimate', 'RESULT: Ultimate proved your program to be correct!\n')).toBe('safe');
    expect(read('ultimate', 'RESULT: Ultimate could not prove your program: Timeout\nResult:\nUNKNOWN\n')).toBe(
      'unknown',
    );
  });

  it('of LLBMC', () => {
    expect(read('llbmc', 'No error detected.\n')).toBe('safe');
    expect(read('llbmc', 'Error detected.\n')).toBe('violation');
    expect(read('llbmc', '')).toBe('unknown');
  });
});
