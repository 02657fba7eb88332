import { describe, expect, it } from 'vitest';
import { lowerText } from '../../../test/support/lower-text.ts';
import { runCode } from '../../../test/support/run-text.ts';
import type { CheckName } from '../../program/code.ts';
import { compileProgram } from './compile-instructions.ts';
import { Machine } from './machine.ts';

const ZEROS = { nondet: () => 0, byte: () => 0 };

function outcome(text: string, checks: CheckName[] = ['assertion', 'pointer', 'free', 'leak']): string {
  const set = new Set(checks);
  const { status, violation, reason, line } = runCode(lowerText(text, { checks: set }), ZEROS, set);
  return violation ? `${violation.check} at ${line}: ${violation.message}` : `${status} ${reason}`.trim();
}

const stdlib = '#include <stdlib.h>\n';

describe('the machine', () => {
  it.each([
    ['null', 'int main(void) { int *p = 0; return *p; }', 'pointer at 1: read through a null pointer'],
    ['past the end', 'int a[2], i = 2; int main(void) { return a[i]; }', "pointer at 1: read past the end of 'a'"],
    ['constant', 'int main(void) { char *s = "abc"; s[0] = 1; return 0; }', 'pointer at 1: write of constant "abc"'],
    [
      'ended',
      'int *f(void) { int x = 1, *p = &x; return p; } int main(void) { return *f(); }',
      "pointer at 1: read of 'x', which has ended",
    ],
    [
      'left block',
      'int main(void) { int *p; { int x = 1; p = &x; } return *p; }',
      "pointer at 1: read of 'x', which has ended",
    ],
    ['function', 'int f(void) { return 0; } int main(void) { return *(int *)f; }', 'pointer at 1: read of a function'],
    [
      'no function',
      'int x; int main(void) { return ((int (*)(void))&x)(); }',
      'pointer at 1: a call through a pointer that points to no function',
    ],
    [
      'freed',
      `${stdlib}int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }`,
      'pointer at 2: read of freed memory',
    ],
    ['leak', `${stdlib}int main(void) { malloc(4); return 0; }`, 'leak at 2: allocated memory is never freed'],
  ])('finds a fault of a pointer: %s', (_, text, expected) => {
    expect(outcome(text)).toBe(expected);
  });

  it('finds bad frees, inside the model of free', () => {
    expect(outcome(`${stdlib}int main(void) { int *p = malloc(4); free(p); free(p); return 0; }`)).toMatch(
      /^free .*freed before$/,
    );
    expect(outcome(`${stdlib}int main(void) { int x, *p = &x; free(p); return 0; }`)).toMatch(/^free .*not allocated$/);
  });

  it('gives up on undefined behaviour that nobody asked for', () => {
    expect(outcome('int main(void) { int *p = 0; return *p; }', ['assertion'])).toBe(
      'gave-up read through a null pointer',
    );
  });

  it('fills in indeterminate memory from its inputs, once', () => {
    const text =
      'void __VERIFIER_error(void); int main(void) { int a[2], *p = a; if (p[1] == 0x01010101 && p[1] == *(p + 1)) __VERIFIER_error(); return 0; }';
    expect(runCode(lowerText(text), { nondet: () => 0, byte: () => 1 }).violation?.check).toBe('assertion');
  });

  it('undoes an atomic section whose assumption fails', () => {
    const text = `
      #include <pthread.h>
      void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
      int x, y;
      void *f(void *a) {
        __VERIFIER_atomic_begin(); x = 1; int i = 5; y = y + i; __VERIFIER_assume(y > 7); __VERIFIER_atomic_end();
        return 0;
      }
      int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = 3; pthread_join(t, 0); return y; }`;
    const machine = new Machine(compileProgram(lowerText(text)), { checks: new Set(), inputs: ZEROS });
    while (machine.threads.length < 2) machine.step(machine.thread(0), 1000);
    const child = machine.thread(1);
    machine.step(child, 1000);
    expect(child.status).toBe('blocked');
    expect(machine.canRun(child)).toBe(false);
    machine.step(machine.thread(0), 1000); // y = 3
    expect(machine.canRun(child)).toBe(true);
    machine.step(child, 1000);
    expect(child.status).toBe('ready');
    const [x, y] = ['x', 'y'].map((name) => {
      const object = machine.program.code.objects.find((candidate) => candidate.name === name);
      return machine.memory.view.getInt32(machine.program.statics[object?.id ?? 0] ?? 0, true);
    });
    expect({ x, y }).toEqual({ x: 1, y: 8 });
  });

  it('names instances by calls and iterations', () => {
    const text =
      'int x; void f(int n) { while (n--) x++; } int main(void) { for (int i = 0; i < 2; i++) f(2); return 0; }';
    const machine = new Machine(compileProgram(lowerText(text)), { checks: new Set(), inputs: ZEROS });
    const keys: string[] = [];
    while (machine.status === 'running') {
      const { frame } = machine.thread(0);
      const instruction = frame.function.source.instructions[frame.pc];
      if (instruction?.kind === 'store') keys.push(machine.instanceKey(machine.thread(0)).replace(/@\d+/g, ''));
      machine.stepInstruction(machine.thread(0));
    }
    // The closing jump is taken before the body runs: the first iteration has count 1.
    expect(keys).toEqual(['main[1=1]/f[0=1]', 'main[1=1]/f[0=2]', 'main[1=2]/f[0=1]', 'main[1=2]/f[0=2]']);
  });
});

describe('memory beyond the array', () => {
  it.each([
    ['zeros', 'int a[2147483647]; int main(void) { return a[2147483646] != 0; }', 'ended'],
    [
      'values',
      'long long a[300000000]; int main(void) { a[7] = -5; a[299999999] = a[7] + 1; if (a[299999999] != -4 || a[8]) *(int *)0 = 1; return 0; }',
      'ended',
    ],
    [
      'past the end',
      'char a[400000000]; int main(void) { char *p = a; return p[400000000]; }',
      "pointer at 1: read past the end of 'a'",
    ],
    [
      'constant',
      'const char a[400000000] = {1}; int main(void) { *(char *)&a[9] = 1; return 0; }',
      "pointer at 1: write of constant 'a'",
    ],
    [
      'freed',
      `${stdlib}int main(void) { char *p = malloc(60000000); p[5] = 1; free(p); return p[5]; }`,
      'pointer at 2: read of freed memory',
    ],
    [
      'many',
      `${stdlib}int main(void) { char *p[9]; for (int i = 0; i < 9; i++) { p[i] = malloc(60000000); p[i][3] = i; }
       for (int i = 0; i < 9; i++) { if (p[i][3] != i) *(int *)0 = 1; free(p[i]); } return 0; }`,
      'ended',
    ],
    [
      'lost',
      `${stdlib}int *keep[200000000]; int main(void) { keep[9] = malloc(4); keep[199999999] = malloc(90000000); return 0; }`,
      'ended',
      ['lost'],
    ],
    [
      'undone',
      `void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
       char a[400000000]; int main(void) { a[1] = 1; __VERIFIER_atomic_begin(); a[1] = 2; __VERIFIER_assume(0); return 0; }`,
      'running',
    ],
  ] satisfies [string, string, string, CheckName[]?][])('holds %s', (_, text, expected, checks?: CheckName[]) => {
    expect(outcome(text, checks)).toContain(expected);
  });
});
