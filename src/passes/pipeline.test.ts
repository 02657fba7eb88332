/** The passes on the papers' running example, stage by stage, and what each of them is for on small programs. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../test/support/golden.ts';
import { readProgram } from '../frontend/front-end.ts';
import { printProgram } from '../frontend/print/print-program.ts';
import { asProgram, lastLabel } from '../program/bounded-program.ts';
import { type BoundOptions, DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import type { Program } from '../program/tree.ts';
import { validateTree } from '../program/validate-tree.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { boundProgram, PASSES, programAfter } from './pipeline.ts';

const folder = new URL('../../test/golden/passes/', import.meta.url);

function read(text: string, fileName = 'test.c'): Program {
  const { program, diagnostics } = readProgram({ fileName, text, dataModel: 'ILP32', models: true });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return program as Program;
}

/** What the user wrote or what was made of it, without headers and models. */
function printUserPart(program: Program, fileName: string): string {
  const items = program.items.filter((item) => program.sources.fileOf(item.loc)?.name === fileName);
  return printProgram({ ...program, items });
}

function bound(text: string, options: Partial<BoundOptions> = {}) {
  const sink = new DiagnosticSink();
  const bounded = boundProgram(read(text), { ...DEFAULT_BOUND_OPTIONS, ...options }, sink);
  return { bounded, diagnostics: sink.all };
}

/** The program after a pass, on one line a statement, without the file scope. */
function printAfter(pass: string, text: string, options: Partial<BoundOptions> = {}): string {
  const sink = new DiagnosticSink();
  const program = programAfter(pass, read(text), { ...DEFAULT_BOUND_OPTIONS, ...options }, sink) as Program;
  expect(sink.all.filter(({ severity }) => severity === 'error')).toEqual([]);
  const functions = program.items.filter((item) => item.kind === 'function');
  return printProgram({ ...program, items: functions });
}

const fig2 = readFileSync(new URL('producer-consumer.c', folder), 'utf8');

describe('the running examples of the papers', () => {
  for (const example of ['producer-consumer', 'producer-consumer-locked']) {
    for (const atomicStatements of [false, true]) {
      it(`are printed after each pass: ${example}${atomicStatements ? ', with atomic statements' : ''}`, async () => {
        const name = `${example}.c`;
        const stages: { name: string; text: string; problems: string[] }[] = [];
        const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 2, atomicStatements };
        boundProgram(read(readFileSync(new URL(name, folder), 'utf8'), name), options, new DiagnosticSink(), {
          afterPass: (pass, program) =>
            stages.push({ name: pass.name, text: printUserPart(program, name), problems: validateTree(program) }),
        });
        const usual = PASSES.filter(({ isFor }) => isFor?.(null) !== false);
        expect(stages.map((stage) => stage.name)).toEqual(usual.map((pass) => pass.name));
        for (const stage of stages) {
          expect(stage.problems, stage.name).toEqual([]);
          const kind = atomicStatements ? 'atomic' : 'fine';
          await expectGolden(`passes/${stage.name}/${example}.${kind}.txt`, stage.text);
        }
      });
    }
  }

  it('tell what they are about to touch where data races are sought', async () => {
    const name = 'producer-consumer-locked.c';
    const options = { ...DEFAULT_BOUND_OPTIONS, unwind: 1, seeks: 'race' } as const;
    const stages = new Map<string, Program>();
    boundProgram(read(readFileSync(new URL(name, folder), 'utf8'), name), options, new DiagnosticSink(), {
      afterPass: (pass, program) => stages.set(pass.name, program),
    });
    for (const stage of ['watch-accesses', 'label-visible-statements']) {
      const program = stages.get(stage) as Program;
      expect(validateTree(program)).toEqual([]);
      await expectGolden(`passes/${stage}/producer-consumer-locked.race.txt`, printUserPart(program, name));
    }
  });

  it('has the labels of Fig. 3 when statements are atomic, and one where the loop of the producers is cut', () => {
    const { bounded } = bound(fig2, { unwind: 2, atomicStatements: true });
    expect(bounded?.threads.map(lastLabel)).toEqual([5, 9, 9, 2, 2]);
  });
});

describe('the table of passes', () => {
  it('gives a page of documentation for each', () => {
    for (const { page } of PASSES) expect(existsSync(new URL(`../../${page}`, import.meta.url)), page).toBe(true);
  });
});

describe('simplify-statements', () => {
  const shared = 'int g, h; void *t(void *p) { g = 1; h = 1; return 0; } void *use = t;';

  it('makes one shared access a statement, from left to right', () => {
    const printed = printAfter('simplify-statements', `${shared} int main(void) { int a; a = g + h; return a; }`);
    expect(printed).toMatch(/__lazuli_t = g;\s+a = __lazuli_t \+ h;/);
  });

  it('splits an increment of a shared variable into a read and a write', () => {
    const printed = printAfter('simplify-statements', `${shared} int main(void) { g++; return 0; }`);
    expect(printed).toMatch(/__lazuli_t = g;\s+g = __lazuli_t \+ 1;/);
  });

  it('keeps a C statement together when statements are atomic', () => {
    const printed = printAfter('simplify-statements', `${shared} int main(void) { g = g + h++; return 0; }`, {
      atomicStatements: true,
    });
    expect(printed).toMatch(/atomic_begin\(\);[^}]*h = [^}]*g = [^}]*atomic_end\(\);/);
  });

  it('evaluates the right side of && only when the left is true', () => {
    const printed = printAfter('simplify-statements', 'int f(void); int main(void) { int a = 1; return a && f(); }');
    expect(printed).toMatch(/__lazuli_t_1 = a != 0;\s+if \(__lazuli_t_1\) \{\s+__lazuli_t = f\(\);/);
  });

  it('makes atomic builtins atomic sections', () => {
    const printed = printAfter('simplify-statements', 'int x; int main(void) { return __sync_fetch_and_add(&x, 2); }');
    expect(printed).toMatch(/atomic_begin\(\);\s+__lazuli_t = x;[^}]*x = [^}]*atomic_end\(\);/);
  });
});

describe('inline-calls', () => {
  it('puts steady arguments in the place of parameters', () => {
    const text = 'int x; static void set(int *p, int v) { *p = v; } int main(void) { set(&x, 5); return 0; }';
    expect(printAfter('inline-calls', text)).toMatch(/\{\s+x = 5;\s+\}/);
  });

  it('cuts recursion off at the bound', () => {
    const text = 'int f(int n) { return n == 0 ? 0 : f(n - 1); } int main(void) { int n = f(n); return n; }';
    const printed = printAfter('inline-calls', text, { unwind: 3 });
    expect(printed.match(/__lazuli_assume\(0, "recursion of \w+"\)/g)).toHaveLength(1);
  });

  it('refuses calls that are nested too deeply, instead of overflowing the stack', () => {
    const text = 'int deep(int a) { if (a) { return 1 + deep(a); } return 0; } int main(void) { return deep(1); }';
    const { bounded, diagnostics } = bound(text, { unwind: 100_000 });
    expect(bounded).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-deep']);
  });

  it('compares a function pointer with the functions whose address is taken', () => {
    const text =
      'int r; void a(void) { r = 1; } void b(void) { r = 2; } void (*p)(void) = a; int main(void) { if (r) p = b; p(); return 0; }';
    expect(printAfter('inline-calls', text)).toMatch(/== a\).*r = 1;.*== b\).*r = 2;/s);
  });

  it('does not take functions that only start threads for what a function pointer may hold', () => {
    const text = `#include <pthread.h>
      void *job(void *a) { return a; } void *(*p)(void *) = job;
      void *worker(void *a) { return p(a); } void *other(void *a) { return a; }
      int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, other, 0); p = other; }`;
    const printed = printAfter('inline-calls', text);
    expect(printed).toContain('== other)');
    expect(printed).not.toContain('== worker)');
  });

  describe('calls through pointers of other types', () => {
    const calling = (functions: string, call: string) =>
      printAfter('inline-calls', `int r; ${functions} int main(void) { ${call} return 0; }`);

    it('have the result 0 where the function has none', () => {
      const printed = calling(
        'int five(int a) { return a + 5; } void none(int a) { r = 1; }',
        'int (*p)(int) = r ? (int (*)(int))none : five; int x = p(3); r = x;',
      );
      expect(printed).toMatch(/none\).*x = 0;.*r = 1;/s);
    });

    it('drop arguments that the function does not take', () => {
      const printed = calling(
        'void one(int a) { r = a; } void no(void) { r = 7; }',
        'void (*p)(int) = r ? (void (*)(int))no : one; p(3);',
      );
      expect(printed).toMatch(/== one\).*r = 3;.*no\).*r = 7;/s);
    });

    it('violate `pointer` where the function does not fit, also when it is known', () => {
      const invalid = /__lazuli_assert\(0, "pointer", "call through an invalid function pointer"\)/g;
      const two = 'void one(int a) { r = a; } void two(int a, int b) { r = 7; }';
      const chosen = calling(two, 'void (*p)(int) = r ? (void (*)(int))two : one; p(3);');
      expect(chosen).not.toContain('== (void (*)(int))two');
      expect(chosen.match(invalid)).toHaveLength(1);
      const known = calling(two, '((void (*)(int))two)(3);');
      expect(known).not.toContain('r = 7');
      expect(known.match(invalid)).toHaveLength(1);
    });

    it('are refused where they are reached and cannot be written in C', () => {
      const printed = calling(
        'struct s { int a; }; void record(struct s x) { r = x.a; } void plain(int *x) { r = 1; }',
        'void (*p)(int *) = r ? (void (*)(int *))record : plain; p(&r);',
      );
      expect(printed).toMatch(/record\).*"unsupported", "a call of 'record' through a pointer of another type"/s);
    });

    it('consider functions that the pointer can hold only in unexpected ways', () => {
      const printed = calling(
        'void one(int a) { r = a; } void no(void) { r = 7; } void (*q)(void) = no; void (*p)(int) = one;',
        '(void)q; p(3);',
      );
      expect(printed).toMatch(/no\).*"unsupported"/s);
      expect(printed).not.toContain('r = 7');
    });
  });
});

describe('simplify-statements on bit-fields', () => {
  const text = (line: string) => `#include <pthread.h>
struct f { unsigned a : 1, b : 2; unsigned : 0; unsigned c : 3; } s;
void *look(void *u) { return s.c ? u : 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, look, 0); ${line} return 0; }`;

  it('writes the others of the unit as they were read before', () => {
    for (const line of ['s.a = 1;', 's.a++;', 's.a |= 1;']) {
      expect(printAfter('simplify-statements', text(line))).toMatch(
        /(__lazuli_t\w*) = s\.b;.*atomic_begin\(\);\s+s\.a = [^;]*;\s+s\.b = \1;\s+__lazuli_atomic_end/s,
      );
    }
  });

  it('leaves them alone where nobody looks on, and across the border of a unit', () => {
    expect(printAfter('simplify-statements', text('s.a = 1;'), { atomicStatements: true })).not.toContain('s.b');
    expect(printAfter('simplify-statements', text('s.c = 1;'))).not.toContain('s.b');
  });
});

describe('straighten-jumps', () => {
  const straight = (text: string) => printAfter('straighten-jumps', text).replace(/\s+/g, ' ');

  it('turns a return in a branch into a branch over the rest', () => {
    const text =
      'int g; int f(int x) { if (x) { g = 1; return 5; } g = 2; return 6; } int main(void) { g = f(g); return 0; }';
    expect(straight(text)).toMatch(/if \(x\) \{ g = 1; \w+ = 5; \} else \{ g = 2; \w+ = 6; \}/);
    expect(straight(text)).not.toContain('goto');
  });

  it('turns continue into a branch', () => {
    const text = 'int g; int main(void) { while (g < 9) { if (g == 3) { g = 5; continue; } g = 7; } return 0; }';
    expect(straight(text)).toContain('== 3) { g = 5; } else { g = 7; }');
  });

  it('moves nothing that is jumped to from elsewhere, and leaves jumps back alone', () => {
    const text =
      'int g; int main(void) { if (g == 1) goto in; if (g == 2) goto end; g = 3; in: g = 4; end: if (g == 5) goto in; return 0; }';
    expect(straight(text)).toContain('if (g != 1) { if (g == 2) { goto end; } g = 3; } in: g = 4; end:');
    expect(straight(text)).toContain('if (g == 5) { goto in; }');
  });
});

describe('propagate-before-unwinding', () => {
  const tidied = (text: string) => printAfter('propagate-before-unwinding', text).replace(/\s+/g, ' ');

  it('knows in a loop what the loop does not change', () => {
    const text =
      'int g; int main(void) { int kept = 3, changed = 4; while (g) { g = kept + changed; changed = g; } return 0; }';
    expect(tidied(text)).toContain('g = 3 + changed;');
  });

  it('knows nothing that a jump back can change', () => {
    const text = 'int g; int main(void) { int x = 1; again: g = x; x = 2; if (g) goto again; return 0; }';
    expect(tidied(text)).toContain('g = x;');
  });

  it('drops what nobody reads any more, and what was read for it, but not what the next iteration reads', () => {
    const text =
      'int g; int main(void) { int a = 0, b, c = 0; while (g) { b = g + 1; if (b) b = 2; g = a; a = c; c = g; } return 0; }';
    expect(tidied(text)).not.toMatch(/\bb = g/);
    expect(tidied(text)).toContain('a = c;');
    expect(tidied(text)).toContain('c = ');
  });

  it('runs loops of models that a format in the text decides', () => {
    const text = '#include <stdio.h>\nint x; char t[4]; int main(void) { sscanf(t, "%d", &x); return 0; }';
    const printed = tidied(text);
    expect(printed).not.toContain('while (*format');
    expect(printed).not.toMatch(/== '%'|== 's'/);
  });

  it('reads string literals', () => {
    const text = 'int g; int main(void) { const char *s = "ab"; s++; g = *s; return 0; }';
    expect(tidied(text)).toContain('g = 98;');
  });
});

describe('unwind-loops', () => {
  it('copies the body up to the bound and assumes that the loop ends then', () => {
    const text =
      'int nondet_int(void); int out; int main(void) { int i = nondet_int(), s = 0; while (i > 0) { s += i; i--; } out = s; return 0; }';
    const printed = printAfter('unwind-loops', text, { unwind: 2 });
    expect(printed.match(/s = s \+ i;/g)).toHaveLength(2);
    expect(printed).toContain('__lazuli_assume(i <= 0, "loop ');
  });

  it('copies a loop with a constant number of iterations in full, unless its name says otherwise', () => {
    const text = 'int s; int main(void) { for (int i = 0; i < 6; i += 2) s += i; return s; }';
    const copies = (options: Partial<BoundOptions>) =>
      printAfter('unwind-loops', text, options).match(/s = s \+ i;/g)?.length;
    expect(copies({})).toBe(3);
    expect(copies({ unwindset: new Map([['main.0', 2]]) })).toBe(2);
    expect(copies({ unwindConstantLoops: false })).toBe(1);
  });

  it('unwinds jumps back to a label, which is passed once more', () => {
    const text =
      'int nondet_int(void); int out; int main(void) { int i = 0; again: i++; if (nondet_int()) goto again; out = i; return 0; }';
    expect(printAfter('unwind-loops', text, { unwind: 3 }).match(/i = i \+ 1;/g)).toHaveLength(4);
  });

  it('can assert that no loop is cut', () => {
    const text = 'int nondet_int(void); int main(void) { while (nondet_int()); return 0; }';
    expect(printAfter('unwind-loops', text, { unwindingAssertions: true })).toContain(
      'unwinding assertion: loop main.0',
    );
  });
});

describe('duplicate-threads', () => {
  const header = '#include <pthread.h>\n';

  it('gives each place of creation a thread, also in loops and in threads', () => {
    const text = `${header}void *leaf(void *p) { return p; }
      void *node(void *p) { pthread_t t; pthread_create(&t, 0, leaf, p); return 0; }
      int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, node, 0); return 0; }`;
    const { bounded } = bound(text);
    expect(bounded?.threads.map(({ startName, creator }) => [startName, creator])).toEqual([
      ['main', -1],
      ['node', 0],
      ['node', 0],
      ['leaf', 1],
      ['leaf', 2],
    ]);
  });

  it('creates a thread for each start routine that a pointer may name', () => {
    const text = `${header}int x; void *a(void *p) { x = 1; return 0; } void *b(void *p) { x = 2; return 0; }
      int nondet_int(void);
      int main(void) { pthread_t t; void *(*f)(void *) = a; if (nondet_int()) f = b; pthread_create(&t, 0, f, 0); return 0; }`;
    expect(bound(text).bounded?.threads.map(({ startName }) => startName)).toEqual(['main', 'a', 'b']);
  });

  it('cuts executions with too many threads off, with a warning', () => {
    const text = `${header}void *f(void *p) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
      int main(void) { f(0); return 0; }`;
    const { bounded, diagnostics } = bound(text, { threadLimit: 4 });
    expect(bounded?.threads).toHaveLength(4);
    expect(diagnostics.map(({ code }) => code)).toContain('thread-limit');
    const asserted = bound(text, { threadLimit: 4, unwindingAssertions: true });
    expect(asserted.diagnostics).toEqual([]);
    expect(asserted.bounded && printProgram(asProgram(asserted.bounded))).toContain(
      '"unwinding assertion: limit of 4 threads"',
    );
  });
});

describe('propagate-constants', () => {
  const bodyOf = (text: string) => {
    const { bounded } = bound(text);
    return bounded === null ? '' : printProgram(asProgram(bounded));
  };

  it('knows parts of globals that nobody changes', () => {
    const parts = 'int n(void); struct { int a, b; } g = { 3, 4 }; int out; int *where;';
    expect(bodyOf(`${parts} int main(void) { g.b = n(); out = g.a + g.b; return 0; }`)).toContain('out = 3 + ');
    expect(bodyOf(`${parts} int main(void) { g.a = 3; out = g.a; return 0; }`)).toContain('out = 3;');
    expect(bodyOf(`${parts} int main(void) { ((int *)&g)[0] = 7; out = g.a; return 0; }`)).not.toContain('out = 3;');
    expect(bodyOf(`${parts} int main(void) { where = &g.b; where[-1] = 1; out = g.a; return 0; }`)).toContain('g.a;');
  });

  it('learns from conditions, for variables of one thread only', () => {
    const text = `#include <pthread.h>
      #include <stdlib.h>
      int n(void); int g, out; void *p; void *f(void *u) { g = n(); return 0; }
      int main(void) {
        pthread_t t; pthread_create(&t, 0, f, 0);
        int x = n(); if (x == 2) out = x; if (g == 4) out = g;
        p = malloc(1); if (!p) out = p == 0 ? 5 : 6;
        return 0;
      }`;
    expect(bodyOf(text)).toContain('out = 2;');
    expect(bodyOf(text)).toContain('out = 5;');
    expect(bodyOf(text)).not.toContain('out = 4;');
  });

  it('drops allocations that nobody uses', () => {
    const text = '#include <stdlib.h>\nint *kept; int main(void) { malloc(4); kept = malloc(5); return 0; }';
    expect(bodyOf(text).match(/__lazuli_allocate\(\d/g)).toEqual(['__lazuli_allocate(5']);
  });

  it('treats copies of a loop alike only while the values in it are', () => {
    const text =
      'int a[3], out; int main(void) { int last = 9; for (int i = 0; i < 3; i++) { if (i == 1) last = 5; a[i] = last; } out = last; return 0; }';
    expect(bodyOf(text)).toMatch(/a\[0\] = 9;[\s\S]*a\[1\] = 5;[\s\S]*a\[2\] = 5;[\s\S]*out = 5;/);
  });
});

describe('label-visible-statements', () => {
  it('labels nothing in main before the first thread, nor what one thread alone touches', () => {
    const text = `#include <pthread.h>
      int mine, ours; void *f(void *p) { mine = 1; mine = 2; ours = 1; return 0; }
      int main(void) { pthread_t t; ours = 0; ours = 2; pthread_create(&t, 0, f, 0); if (ours) ours = 3; return 0; }`;
    const { bounded } = bound(text, { atomicStatements: true });
    // Labels of main: its start, the creation, the read, the write, its end; of f: its start, the write, its end.
    expect(bounded?.threads.map(lastLabel)).toEqual([4, 2]);
  });
});

describe('a function that is defined nowhere', () => {
  it('is told once', () => {
    const { bounded, diagnostics } = bound('int f(int); int main(void) { return f(1) + f(2); }');
    expect(bounded).not.toBeNull();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "'f' is defined nowhere: it is taken as a function that returns any value and changes no memory",
    ]);
  });

  it('is not one that only an unused variable mentions', () => {
    const text = `int f(void) { return 1; } static int (*unused[])(void) = { f }; int (*called)(void);
      int main(void) { return called(); }`;
    expect(bound(text).diagnostics).toEqual([]);
  });
});

describe('refusals', () => {
  const cases: [string, string][] = [
    ['int main(void) { int x; __asm__("" : "=r"(x)); return x; }', 'inline assembly'],
    ['int f(void) { return 0; }', "no function 'main'"],
    ['int x; int main(void) { __VERIFIER_nondet_memory(&x, 4); return x; }', '__VERIFIER_nondet_memory is'],
  ];
  for (const [text, reason] of cases) {
    it(`refuses, with a place: ${reason}`, () => {
      const { bounded, diagnostics } = bound(text);
      expect(bounded).toBeNull();
      expect(diagnostics.map(({ message }) => message).join('\n')).toContain(reason);
      expect(diagnostics.every(({ loc }) => loc !== 0)).toBe(true);
    });
  }
});
