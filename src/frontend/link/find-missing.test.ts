import { describe, expect, it } from 'vitest';
import { type ProgramOptions, readFiles } from '../front-end.ts';

const HEADER = 'int push(int v); extern int depth; int nondet_size(void); typedef int (*action)(int);\n';

/** The names that are missing, of a program that can include "queue.h"; `beside` is what other files define. */
function missing(
  text: string,
  beside: readonly string[] = [],
  more: Partial<ProgramOptions> = {},
  fileName = 'main.c',
): string[] {
  const reader = {
    read: (path: string) => (path.endsWith('queue.h') ? HEADER : null),
    findDefinitions: ({ names }: { readonly names: readonly string[] }) =>
      new Map(names.filter((name) => beside.includes(name)).map((name) => [name, ['other.c']])),
  };
  const options = { dataModel: 'LP64', models: true, allowUndefined: false, reader, ...more } as const;
  const { diagnostics } = readFiles([{ fileName, text }], options);
  return diagnostics.flatMap(({ code, message }) => (code === 'missing' ? [/'(.*?)'/.exec(message)?.[1] ?? ''] : []));
}

describe('a definition is missing', () => {
  it('that a header of the program announces', () => {
    const text = '#include "queue.h"\nint main(void) { return push(1) + depth; }';
    expect(missing(text)).toEqual(['push', 'depth']);
    expect(missing(text, [], { allowUndefined: true })).toEqual([]);
    expect(missing(`${text}\nint depth; int push(int v) { return v; }`)).toEqual([]);
  });

  it('that another file seems to have', () => {
    const text = 'int push(int v); int sensor(void); int main(void) { return push(sensor()); }';
    expect(missing(text, ['push'])).toEqual(['push']);
    expect(missing(text)).toEqual([]);
  });

  it('if main can reach it, by whatever road', () => {
    const table = '#include "queue.h"\nstatic const action table[] = { push };\n';
    expect(missing(`${table}int main(void) { return table[0](1); }`)).toEqual(['push']);
    expect(missing(`${table}int main(void) { return 0; }`)).toEqual([]);
    const unused = '#include "queue.h"\nint unused(void) { return push(1); }\nint main(void) { return 0; }';
    expect(missing(unused)).toEqual([]);
    expect(missing(unused, [], { start: 'unused' })).toEqual(['push']);
    const thread = '#include "queue.h"\n#include <pthread.h>\nvoid *run(void *a) { push(1); return a; }\n';
    const start = 'int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); }';
    expect(missing(`${thread}${start}`)).toEqual(['push']);
  });

  it.each(['nondet_size()', '__VERIFIER_nondet_int()', 'rand()', 'getpid()', '__builtin_popcount(3)', 'my_nondet()'])(
    'but not where everybody knows it: %s',
    (call) => {
      const text = `#include "queue.h"\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) { return ${call}; }`;
      expect(missing(text, ['rand', 'my_nondet', '__VERIFIER_nondet_int'])).toEqual([]);
    },
  );

  it('but not of a preprocessed file', () => {
    const text = '# 1 "include/queue.h" 1\nint push(int v);\n# 2 "main.c" 2\nint main(void) { return push(1); }';
    expect(missing(text)).toEqual(['push']);
    expect(missing(text, [], {}, 'main.i')).toEqual([]);
  });

  it('but not if it is weak', () => {
    const weak = 'extern int push(int) __attribute__((weak)); int main(void) { return push ? push(1) : 0; }';
    expect(missing(weak, ['push'])).toEqual([]);
  });
});
