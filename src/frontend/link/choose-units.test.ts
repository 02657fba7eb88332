import { describe, expect, it } from 'vitest';
import { readFiles } from '../front-end.ts';

function project(files: Readonly<Record<string, string>>, main: string | null = null, start: string | null = null) {
  const sources = Object.entries(files).map(([fileName, text]) => ({ fileName, text }));
  const { program, diagnostics } = readFiles(sources, { dataModel: 'LP64', project: { main }, start });
  const names = program?.items.flatMap((item) => (item.kind === 'function' ? [item.definition.symbol.name] : []));
  return { names, messages: diagnostics.map(({ message }) => message) };
}

const files = {
  'app/main.c': 'int f(void); int main(void) { return f(); }',
  'lib/f.c': 'int g(void); int f(void) { return g(); }',
  'lib/g.c': 'int g(void) { return 0; }',
  'lib/unused.c': 'int unused(void) { return 0; }',
  'test/main.c': 'int g(void); int main(void) { return g(); }',
};

describe('a program out of the files of a project', () => {
  it('takes what the main file needs', () => {
    expect(project(files, 'app/main.c')).toEqual({ names: ['main', 'f', 'g'], messages: [] });
    expect(project(files, './test/main.c')).toEqual({ names: ['g', 'main'], messages: [] });
    expect(
      project({ 'a.c': files['app/main.c'], 'lib/f.c': files['lib/f.c'], 'lib/g.c': files['lib/g.c'] }),
    ).toMatchObject({
      messages: [],
    });
  });

  it('can start at another function', () => {
    expect(project(files, null, 'f').names).toEqual(['f', 'g', 'main']);
  });

  it.each([
    [files, null, "several files define 'main', of which --main FILE chooses one: app/main.c, test/main.c"],
    [files, 'main.c', "several files are named 'main.c': app/main.c, test/main.c"],
    [files, 'x.c', "there is no file 'x.c' among those of the project"],
    [files, 'lib/f.c', "'lib/f.c' does not define 'main'"],
    [{ 'a.c': 'int f(void);' }, null, "no file defines 'main'"],
  ])('says why there is none', (given, main, message) => {
    expect(project(given as Record<string, string>, main)).toEqual({ names: undefined, messages: [message] });
  });

  it('leaves out files with errors that are not needed, and says so', () => {
    const { names, messages } = project({ ...files, 'bad.c': '#include "none.h"' }, 'app/main.c');
    expect(names).toEqual(['main', 'f', 'g']);
    expect(messages).toEqual([expect.stringMatching(/^'bad.c' has errors and was left out: cannot find the header/)]);
  });
});

describe('--function', () => {
  it('calls the function with any arguments', () => {
    const text =
      'struct s { int x; }; int f(struct s *p, int n, void *q) { return p ? p->x + n : 0; } int main(void) { return f(0, 0, 0); }';
    const { program, diagnostics } = readFiles([{ fileName: 'a.c', text }], { dataModel: 'LP64', start: 'f' });
    expect(diagnostics).toEqual([]);
    const names = program?.items.flatMap((item) => (item.kind === 'function' ? [item.definition.symbol.name] : []));
    expect(names).toEqual(['f', 'main__program', 'main']);
  });

  it('says what is wrong with the name', () => {
    const read = (texts: readonly string[], start: string) =>
      readFiles(
        texts.map((text, i) => ({ fileName: `${'ab'[i]}.c`, text })),
        { dataModel: 'LP64', start },
      ).diagnostics.map(({ message }) => message);
    expect(read(['int main(void) { return 0; }'], 'g')).toEqual(["the program has no function 'g'"]);
    const same = 'static int g(void) { return 0; }';
    expect(read([same, same], 'g')).toEqual(["several files have a function 'g': g__a, g__b"]);
    expect(read([same, same], 'g__a')).toEqual([]);
  });
});
