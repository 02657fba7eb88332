import { describe, expect, it } from 'vitest';
import { expectGolden } from '../../../test/support/golden.ts';
import { validateTree } from '../../program/validate-tree.ts';
import { printDiagnostics } from '../../support/print-diagnostics.ts';
import { type ProgramOptions, readFiles } from '../front-end.ts';
import { printProgram } from '../print/print-program.ts';

/** Files by name; `#include "x.h"` finds the headers among them. */
type Files = Readonly<Record<string, string>>;

function link(files: Files, options: Partial<ProgramOptions> = {}) {
  const sources = Object.entries(files).flatMap(([fileName, text]) =>
    fileName.endsWith('.c') ? [{ fileName, text }] : [],
  );
  const reader = { read: (name: string) => files[name] ?? null };
  return readFiles(sources, { dataModel: 'LP64', reader, ...options });
}

function print(files: Files, options: Partial<ProgramOptions> = {}): string {
  const { program, diagnostics, sources } = link(files, options);
  if (program === null) throw new Error(printDiagnostics(diagnostics, sources, { colour: false }));
  expect(validateTree(program)).toEqual([]);
  return printProgram(program);
}

function messages(files: Files): string[] {
  const { diagnostics, sources } = link(files);
  const at = (loc: Parameters<typeof sources.place>[0]) => {
    const place = sources.place(loc);
    return place ? `${place.file}:${place.line}` : '?';
  };
  return diagnostics.map(({ severity, loc, message, notes }) =>
    [`${at(loc)}: ${severity}: ${message}`, ...notes.map((note) => `${at(note.loc)}: ${note.message}`)].join('; '),
  );
}

describe('linkUnits', () => {
  it('makes one program of files that share a header', async () => {
    const files = {
      'queue.h': `#ifndef Q
        #define Q
        enum mode { FAST, SLOW };
        typedef struct { int used; } meter;
        struct queue;
        struct node { struct node *next; struct queue *owner; union { int a; char b[4]; }; };
        struct queue { struct node *head; enum mode mode; meter meter; };
        extern struct queue shared;
        void push(struct queue *, struct node *);
        static inline int size(const struct queue *q) { int n = 0; for (struct node *p = q->head; p; p = p->next) n++; return n; }
        #endif`,
      'queue.c': `#include "queue.h"
        struct queue shared = { .mode = SLOW };
        static int count;
        void push(struct queue *q, struct node *n) { n->owner = q; n->next = q->head; q->head = n; n->a = 1; count++; q->meter.used++; }`,
      'main.c': `#include "queue.h"
        static int count = 7;
        int main(void) { struct node n; push(&shared, &n); shared.mode = FAST; n.b[0] = count; return size(&shared); }`,
    };
    await expectGolden('link/shared-header.txt', print(files));
  });

  it('keeps what is static apart', () => {
    const text = print({
      'a.c': 'static int x = 1; static int get(void) { return x; } int a(void) { return get(); }',
      'lib/b.c':
        'static int x = 2; static int get(void) { return x; } int a(void); int main(void) { return a() + get(); }',
    });
    expect(text).toContain('static int get__a(void) {\n  return x__a;\n}');
    expect(text).toContain('static int get__b(void) {\n  return x__b;\n}');
    expect(text).toContain('return a() + get__b();');
  });

  it('names files of the same name by their folders', () => {
    const text = print({
      'one/x.c': 'static int n; int *one(void) { return &n; }',
      'two/x.c': 'static int n; int *one(void); int main(void) { return n + *one(); }',
    });
    expect(text).toContain('&n__one_x');
    expect(text).toContain('n__two_x + *one()');
  });

  it('tells enumerators, typedefs and tags of different meanings apart', () => {
    const text = print({
      'a.c': 'enum e { A, B }; struct s { int x; }; typedef int t; int a(struct s *p) { t n = B; return p->x + n; }',
      'b.c':
        'enum f { B, A }; struct s { long y; }; typedef char t; int main(void) { struct s s = { 1 }; t n = B; return n + s.y; }',
    });
    expect(text).toContain('enum f { B__b, A__b }');
    expect(text).toMatch(/struct s_1 \{\n {2}long y;/);
    expect(text).toContain('typedef char t_1;');
  });

  it('completes arrays, functions and structures by what other files know', () => {
    const text = print({
      'a.c':
        'extern int table[]; struct s; struct s *make(); int f(struct s *); int main(void) { return table[1] + f(make()); }',
      'b.c':
        'int table[2] = { 1, 2 }; struct s { int x; } one; struct s *make(void) { return &one; } int f(struct s *p) { return p->x; }',
    });
    expect(text).toContain('extern int table[2];');
    expect(text).toContain('struct s *make(void);');
  });

  it('takes a definition before a weak one, that before an inline one', () => {
    const files = {
      'a.c':
        '__attribute__((weak)) int f(void) { return 1; } inline int g(void) { return 1; } __attribute__((weak)) int v = 1;',
      'b.c': 'int f(void) { return 2; } int g(void) { return 2; } int v = 2;',
      'c.c':
        '__attribute__((weak)) int h(void) { return 3; } int f(void), g(void); extern int v; int main(void) { return f() + g() + h() + v; }',
    };
    const text = print(files);
    expect(text.match(/int [fgh]\(void\) \{\n {2}return \d;/g)).toEqual([
      'int f(void) {\n  return 2;',
      'int g(void) {\n  return 2;',
      'int h(void) {\n  return 3;',
    ]);
    expect(text.match(/int v = \d;/g)).toEqual(['int v = 2;']);
  });

  it('knows GNU extern inline, and inline before C99', () => {
    const extern = '__attribute__((gnu_inline)) extern inline int f(void) { return 1; }';
    expect(print({ 'a.c': `${extern} int main(void) { return f(); }`, 'b.c': 'int f(void) { return 2; }' })).toContain(
      'return 2;',
    );
    const both = {
      'a.c': '__attribute__((gnu_inline)) inline int f(void) { return 1; }',
      'b.c': 'int f(void) { return 2; }',
    };
    expect(messages(both)).toEqual(["b.c:1: error: multiple definition of 'f'; a.c:1: first defined here"]);
    const old = Object.entries(both).map(([fileName, text]) => ({
      fileName,
      text: text.replace('__attribute__((gnu_inline)) ', ''),
      gnuInline: true,
    }));
    expect(readFiles(old, { dataModel: 'LP64' }).program).toBeNull();
  });

  it('gives the address 0 to what is weak and defined nowhere', () => {
    const text =
      '__attribute__((weak)) void hook(void); extern int w __attribute__((weak)); int main(void) { if (hook) hook(); return &w != 0; }';
    const printed = print({ 'a.c': text });
    expect(printed).not.toContain('if (hook)');
    expect(messages({ 'a.c': text })).toHaveLength(2);
    expect(print({ 'a.c': text, 'b.c': 'void hook(void) {} int w;' })).toContain('if (hook)');
  });

  it('runs constructors of all files before main', () => {
    const text = print({
      'a.c': 'int main(void) { return 0; } __attribute__((constructor)) static void init(void) {}',
      'b.c':
        '__attribute__((constructor)) static void init(void) {} __attribute__((constructor(200))) void first(void) {}',
    });
    expect(text).toContain('int main(void) {\n  first();\n  init__a();\n  init__b();\n  return 0;\n}');
  });

  it('links models once, with what other files switch on in them', () => {
    const files = {
      'a.c':
        '#include <pthread.h>\npthread_mutex_t m; void lock(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }',
      'b.c':
        '#include <pthread.h>\nextern pthread_mutex_t m; void lock(void); int main(void) { lock(); pthread_mutex_lock(&m); pthread_mutex_destroy(&m); return 0; }',
    };
    const text = print(files, { models: true });
    expect(text.match(/^int pthread_mutex_lock\(.*\{$/gm)).toHaveLength(1);
    expect(text).toContain('__lazuli_mutex_check(owner)');
  });

  it('takes a function that a file defines instead of a model', () => {
    const text = print(
      {
        'a.c': 'int atoi(const char *); int main(void) { return atoi("1"); }',
        'b.c': 'int atoi(const char *s) { return s[0]; }',
      },
      { models: true },
    );
    expect(text).not.toContain('<lazuli');
    expect(text).toContain('return s[0];');
  });

  it.each<[string, Files, string[]]>([
    [
      'two definitions',
      { 'a.c': 'int f(void) { return 1; }\nint x = 1;', 'b.c': 'int x = 2;\nint f(void) { return 2; }' },
      [
        "b.c:2: error: multiple definition of 'f'; a.c:1: first defined here",
        "b.c:1: error: multiple definition of 'x'; a.c:2: first defined here",
      ],
    ],
    [
      'tentative definitions',
      { 'a.c': 'int x;', 'b.c': 'int x = 2;' },
      [
        "a.c:1: warning: 'x' is defined in several files: they are one object, as with -fcommon; b.c:1: also defined here",
      ],
    ],
    [
      'types of variables',
      { 'a.c': 'long x;', 'b.c': 'extern int x;' },
      ["b.c:1: error: conflicting types for 'x' in two files: 'int'; a.c:1: declared as 'long' here"],
    ],
    [
      'types of functions',
      { 'a.c': 'int f(int a, int b) { return a + b; }', 'b.c': 'int f(int);' },
      ["b.c:1: error: conflicting types for 'f' in two files: 'int (int)'; a.c:1: declared as 'int (int, int)' here"],
    ],
    [
      'structures of other contents',
      { 'a.c': 'struct s { int x; } v;', 'b.c': 'extern struct s { long x; } v;' },
      ["b.c:1: error: conflicting types for 'v' in two files: 'struct s'; a.c:1: declared as 'struct s' here"],
    ],
    [
      'what pointers point to',
      { 'a.c': 'struct s { int x; }; int f(struct s *p) { return p->x; }', 'b.c': 'int f(void *);' },
      [
        "b.c:1: warning: 'f' has another type in another file; this one is 'int (void *)'; a.c:1: declared as 'int (struct s *)' here",
      ],
    ],
    [
      'a function and a variable',
      { 'a.c': 'int x;', 'b.c': 'int x(void);' },
      ["b.c:1: error: 'x' is a function in one file and a variable in another; a.c:1: defined here"],
    ],
    [
      'thread-local or not',
      { 'a.c': '_Thread_local int x;', 'b.c': 'extern int x;' },
      ["b.c:1: error: 'x' is thread-local in one file and not in another; a.c:1: defined here"],
    ],
    [
      'a function that is called before its declaration',
      { 'a.c': 'char *f(void) { return 0; }', 'b.c': 'int main(void) { return f() != 0; }' },
      [
        "b.c:1: warning: implicit declaration of function 'f'",
        "b.c:1: error: conflicting types for 'f' in two files: 'int ()'; a.c:1: declared as 'char *(void)' here",
      ],
    ],
  ])('reports %s with both places', (_, files, expected) => {
    expect(messages(files)).toEqual(expected);
  });
});

describe('other names', () => {
  const alias = (name: string, target: string) => `int ${name}(void) __attribute__((alias("${target}")));`;

  it('are their targets, also in other files, and give way to definitions when they are weak', () => {
    const text = print({
      'a.c': `static int one(void) { return 1; }\n${alias('two', 'one')}\nint own(void);\n#pragma weak own = one\n`,
      'b.c': 'int two(void); int own(void) { return 2; } int main(void) { return two() + own(); }\n',
    });
    expect(text).toContain('return one() + own();');
  });

  it('need a target of the same type in the same file', () => {
    const [missing] = messages({
      'a.c': `${alias('two', 'one')} int main(void) { return two(); }\n`,
      'b.c': 'int one;\n',
    });
    expect(missing).toBe("a.c:1: error: 'two' is another name of 'one', which this file does not define");
    const [other] = messages({ 'a.c': `int one; ${alias('two', 'one')} int main(void) { return two(); }\n` });
    expect(other).toBe("a.c:1: error: another name of 'one' with another type is not supported");
    const [round] = messages({ 'a.c': `${alias('a', 'b')} ${alias('b', 'a')} int main(void) { return a(); }\n` });
    expect(round).toMatch(/^a\.c:1: error: '[ab]' is another name/);
  });
});

describe('files of macros', () => {
  it('give nothing but their macros', () => {
    const reader = { read: (name: string) => (name.endsWith('m.h') ? '#define N 5\nint hidden = ;\n' : null) };
    const files = [{ fileName: 'a.c', text: 'int hidden = N; int main(void) { return N; }\n', macroFiles: ['m.h'] }];
    const { program, diagnostics } = readFiles(files, { dataModel: 'LP64', reader });
    expect(diagnostics).toEqual([]);
    expect(program && printProgram(program)).toContain('return 5;');
  });
});
