import { describe, expect, it } from 'vitest';
import { readProgram } from '../front-end.ts';
import { printProgram } from '../print/print-program.ts';

const read = (text: string, models = false) => readProgram({ fileName: 'program.c', text, dataModel: 'LP64', models });

describe('what runs before main and after it', () => {
  it('stands in main: destructors are registered first, constructors come by priority and definition', () => {
    const text = `#define BEFORE(n) __attribute__((constructor n))
      int main(void) { return 0; }
      BEFORE() void c(void) {} BEFORE((300)) void b(void) {} BEFORE((200)) void a(void) {} BEFORE() void d(void) {}
      __attribute__((destructor)) void e(void) {}  BEFORE() void elsewhere(void);`;
    const { program } = read(text);
    const printed = program === null ? '' : printProgram(program);
    expect(printed).toContain('int main(void) {\n  atexit(e);\n  a();\n  b();\n  c();\n  d();\n  return 0;\n}');
  });

  it.each([
    [
      'int main(int n) { return n ? 0 : main(1); } __attribute__((constructor)) void f(void) {}',
      'the use of main in a program with constructors, destructors or exit handlers is not supported',
    ],
    [
      '__attribute__((constructor)) void f(int n) {} int main(void) { return 0; }',
      "'f', a constructor or destructor with parameters or a result, is not supported",
    ],
    [
      'int atexit(void (*)(void)); void f(void); int main(void) { void *p = &&l; atexit(f); goto *p; l: return 0; }',
      "a computed 'goto' in the main of a program with destructors or exit handlers is not supported",
    ],
    [
      '__attribute__((destructor(65536))) void f(void) {} int main(void) { return 0; }',
      'a priority is an integer constant from 0 to 65535',
    ],
  ])('is refused: %s', (text, message) => {
    const { program, diagnostics } = read(text, true);
    expect(program).toBeNull();
    expect(diagnostics.map((diagnostic) => diagnostic.message)).toContain(message);
  });
});
