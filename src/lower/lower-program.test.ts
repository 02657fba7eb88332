import { describe, expect, it } from 'vitest';
import { lowerText, tryLowerText } from '../../test/support/lower-text.ts';
import type { CheckName } from '../program/code.ts';
import { printFunction } from '../program/print-code.ts';

/** The listing of a function without indexes and places. */
function listing(text: string, name = 'main', checks: CheckName[] = []): string[] {
  const code = lowerText(text, { checks: new Set(checks) });
  const each = code.functions.find((candidate) => candidate.name === name);
  if (!each) throw new Error(`no function ${name}`);
  return printFunction(each, code)
    .slice(1)
    .map((line) => line.replace(/^ *\d+ {2}/, '').replace(/ {2};.*$/, ''));
}

describe('lowerProgram', () => {
  it('keeps the letters of messages', () => {
    const text = 'void __assert_fail(const char *, const char *, unsigned, const char *);';
    const fails = (literal: string) =>
      listing(`${text} int main(void) { __assert_fail(${literal}, "f", 1, "m"); }`, 'main', ['assertion']);
    expect(fails('"Größe ≠ 0 🙂"').join()).toContain('Größe ≠ 0 🙂');
    expect(fails('"\\xe9t\\xe9"').join()).toContain('été');
  });

  it('makes every access to memory an instruction of its own', () => {
    expect(listing('int x, y; int main(void) { x = x + y; return 0; }')).toEqual([
      '%0 := load i32 [&x#0]',
      '%1 := load i32 [&y#1]',
      '%2 := (%0 + %1)',
      'store i32 [&x#0] := %2',
      'return 0',
    ]);
  });

  it('keeps locals without address in registers, and gives them any value at first', () => {
    expect(listing('int main(void) { int a; a += 2; return a; }')).toEqual([
      'a%0 := nondet i32 (a)',
      'a%0 := (a%0 + 2)',
      'return a%0',
    ]);
  });

  it('branches only where something can happen', () => {
    expect(listing('int main(void) { int a = 1, b = 2; return a && b ? a : b; }')).toContain(
      'return (((a%0 != 0) & (b%1 != 0)) ? a%0 : b%1)',
    );
    expect(
      listing('int x; int main(void) { return x && x; }').filter((line) => line.startsWith('unless')),
    ).toHaveLength(2);
  });

  it('closes each loop with one jump, and numbers loops in the order of the text', () => {
    const code = lowerText(
      'int main(void) { for (int i = 0; i < 3; i++) { int j = 0; while (j < i) { if (j) continue; j++; } } do ; while (0); return 0; }',
    );
    expect(code.loops.map(({ name, form }) => `${name} ${form}`)).toEqual(['main.0 for', 'main.1 while']);
  });

  it('takes backward gotos as loops', () => {
    const code = lowerText('int x; int main(void) { again: if (x) goto again; return 0; }');
    expect(code.loops.map(({ name, form }) => `${name} ${form}`)).toEqual(['main.0 goto']);
  });

  it('emits the checks that are asked for', () => {
    const text = 'int a[4], i, d; int main(void) { return a[i] / d + (1 << i); }';
    const asserts = listing(text, 'main', ['bounds', 'division', 'overflow', 'shift']).filter((line) =>
      line.startsWith('assert'),
    );
    expect(asserts.map((line) => /\((\w+): /.exec(line)?.[1])).toEqual([
      'bounds',
      'division',
      'overflow',
      'shift',
      'overflow',
      'overflow',
    ]);
    expect(listing(text).filter((line) => line.startsWith('assert'))).toEqual([]);
  });

  it('ends the execution at a division by zero when the check is off', () => {
    expect(listing('int d; int main(void) { return 1 / d; }')).toContain('assume (%0 != 0)');
  });

  it('makes updates of atomic objects one section', () => {
    expect(listing('_Atomic int x; int main(void) { x++; return 0; }')).toEqual([
      'atomic-begin',
      '%0 := load update seq_cst i32 [&x#0]',
      '%1 := (%0 + 1)',
      'store update seq_cst i32 [&x#0] := %1',
      'atomic-end',
      'return 0',
    ]);
  });

  it('makes a statement one section on demand', () => {
    const code = lowerText('int x, y; int f(void); int main(void) { x = y; x = f(); return 0; }', {
      atomicStatements: true,
    });
    const kinds = code.functions[code.main]?.instructions.map(({ kind }) => kind);
    expect(kinds).toEqual(['atomic-begin', 'load', 'store', 'atomic-end', 'nondet', 'store', 'return']);
  });

  it('takes an assertion for one statement, whatever its macro calls', () => {
    const text = `void __assert_fail(void); int x;
      int main(void) { x == 0 || x == 1 ? (void)0 : __assert_fail(); return 0; }`;
    const code = lowerText(text, { atomicStatements: true });
    const kinds = code.functions[code.main]?.instructions.map(({ kind }) => kind) ?? [];
    const [begin, end] = [kinds.indexOf('atomic-begin'), kinds.lastIndexOf('atomic-end')];
    const loads = kinds.flatMap((kind, at) => (kind === 'load' ? [at] : []));
    expect(loads).toHaveLength(2);
    expect(loads.every((at) => begin >= 0 && at > begin && at < end)).toBe(true);
  });

  it('makes functions of the competition atomic on every way out', () => {
    const text =
      'int x; void __VERIFIER_atomic_f(void) { if (x) return; x = 1; } int main(void) { __VERIFIER_atomic_f(); return 0; }';
    const lines = listing(text, '__VERIFIER_atomic_f');
    expect(lines[0]).toBe('atomic-begin');
    expect(lines.filter((line) => line === 'atomic-end')).toHaveLength(2);
  });

  it('warns once of each function that is defined nowhere', () => {
    const { messages } = tryLowerText('int f(int *); int x; int main(void) { return f(&x) + f(&x); }');
    expect(messages).toEqual([
      "1: warning: 'f' is defined nowhere, and it is given what it may change: executions that reach it are not followed",
    ]);
  });

  it('lowers only what main can reach', () => {
    const code = lowerText(
      'int unused(void) { return 1; } int used(void) { return 2; } int main(void) { return used(); }',
    );
    expect(code.functions.map(({ name }) => name)).toEqual(['main', 'used']);
  });

  it.each([
    ['inline assembly with an effect', 'int main(void) { int x = 0; __asm__("inc %0" : "+r"(x)); return x; }'],
    [
      'a jump inside a statement expression past a cleanup',
      'void f(int *p) {} int main(void) { return ({ { int x __attribute__((cleanup(f))) = 1; goto out; } out: 1; }); }',
    ],
    ['128 bits and more', 'int main(void) { __int128 x = 1; return __builtin_mul_overflow(x, 2, &x); }'],
    ['80-bit floats', 'int main(void) { long double x = 1; return x + 1 > 2; }'],
  ])('refuses %s at its place', (_, text) => {
    const { code, messages } = tryLowerText(text);
    expect(code).toBeNull();
    expect(messages.some((message) => /^1: error: .*not supported$/.test(message))).toBe(true);
  });

  it('accepts barriers in assembly', () => {
    expect(
      listing('int main(void) { __asm__ volatile("" ::: "memory"); __asm__ volatile("mfence"); return 0; }'),
    ).toEqual(['fence seq_cst', 'return 0']);
  });

  it('keeps the orders of atomic accesses and fences', () => {
    const text = `int x, *p; _Atomic int y;
      int main(void) {
        __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        int before = __atomic_fetch_add(&x, 2, __ATOMIC_RELAXED);
        if (__sync_lock_test_and_set(&x, 1)) __sync_lock_release(&x);
        __c11_atomic_fetch_add(&p, 1, x);
        __builtin_ia32_sfence();
        y = x;
        return __atomic_load_n(&y, __ATOMIC_CONSUME);
      }`;
    const accesses = listing(text).flatMap((line) => /(?:load|store|fence)[^[]*/.exec(line) ?? []);
    expect(accesses.map((access) => access.trim())).toEqual([
      'store atomic release i32',
      'fence acq_rel',
      ...['load update relaxed i32', 'store update relaxed i32'],
      ...['load update acquire i32', 'store update acquire i32', 'store atomic release i32'],
      'load i32',
      ...['load update seq_cst ptr', 'store update seq_cst ptr'],
      'fence release',
      ...['load i32', 'store atomic seq_cst i32'],
      'load atomic acquire i32',
    ]);
  });

  it('needs a main', () => {
    expect(tryLowerText('int f(void) { return 0; }').messages).toEqual([
      "-: error: the program has no function 'main'",
    ]);
  });

  it('survives long chains', () => {
    const sum = Array.from({ length: 5000 }, (_, i) => `x${i % 3}`).join(' + ');
    const cascade = Array.from({ length: 3000 }, (_, i) => `if (x0 == ${i}) x1 = ${i};`).join(' else ');
    const code = lowerText(`int x0, x1, x2; int main(void) { ${cascade} return ${sum}; }`);
    expect(code.functions[code.main]?.instructions.length).toBeGreaterThan(8000);
  });
});
