import { describe, expect, it } from 'vitest';
import { readProgram } from './front-end.ts';

/** The functions that a program has with its models. */
function functionsOf(text: string): string[] {
  const { program, diagnostics } = readProgram({ fileName: 'test.c', text, dataModel: 'LP64', models: true });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program.items.flatMap((item) => (item.kind === 'function' ? [item.definition.symbol.name] : []));
}

describe('findModels', () => {
  it('appends what is used and what that needs', () => {
    const names = functionsOf(
      '#include <pthread.h>\npthread_mutex_t m; int main(void) { return pthread_mutex_lock(&m); }',
    );
    expect(names).toEqual(expect.arrayContaining(['main', 'pthread_mutex_lock', '__lazuli_mutex_lock']));
    expect(names).not.toContain('pthread_create');
  });

  it('leaves alone what is only declared, or defined by the program', () => {
    expect(functionsOf('#include <string.h>\n#include <pthread.h>\nint main(void) { return 0; }')).toEqual(['main']);
    expect(
      functionsOf('void *malloc(unsigned long n) { return 0; } int main(void) { return malloc(1) != 0; }'),
    ).toEqual(['malloc', 'main']);
  });

  it('is not misled by variables with the names of functions', () => {
    expect(
      functionsOf('int signal; int main(void) { int index = 1, time = 2; return index + time + signal; }'),
    ).toEqual(['main']);
  });

  it('takes a function that is declared with another number of parameters as one of the program', () => {
    expect(functionsOf('extern int read(int sensor); int main(void) { return read(1); }')).toEqual(['main']);
    expect(functionsOf('#include <unistd.h>\nint main(void) { char c; return read(0, &c, 1); }')).toContain('read');
    expect(functionsOf('extern int rand(void); int main(void) { return rand(); }')).toContain('rand');
    expect(functionsOf('int printf(const char *, ...); int main(void) { return printf("!"); }')).toContain('printf');
    expect(functionsOf('extern int rand(); int main(void) { return rand(); }')).toContain('rand');
  });

  it('serves calls without a declaration, builtins and addresses', () => {
    expect(functionsOf('int main(void) { char a[2]; __builtin_memset(a, 0, 2); return 0; }')).toContain('memset');
    expect(
      functionsOf('#include <stdlib.h>\nvoid (*end)(void *) = free; int main(void) { end(0); return 0; }'),
    ).toContain('free');
  });

  it('keeps the macros of the program out of the models', () => {
    expect(
      functionsOf(
        '#include <pthread.h>\n#define self nonsense(\n#define owner 1 +\npthread_mutex_t m; int main(void) { return pthread_mutex_lock(&m); }',
      ),
    ).toContain('__lazuli_mutex_lock');
  });
});
