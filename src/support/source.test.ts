import { describe, expect, it } from 'vitest';
import { type Loc, NOWHERE, SourceMap } from './source.ts';

describe('places in files', () => {
  it('finds line, column and text', () => {
    const sources = new SourceMap();
    const file = sources.addFile('a.c', 'one\r\ntwo\n\nlast');
    const at = (offset: number) => {
      const place = sources.place(sources.locAt(file, offset));
      return [place?.line, place?.column, place?.lineText];
    };
    expect([at(0), at(5), at(7), at(9), at(10), at(14)]).toEqual([
      [1, 1, 'one'],
      [2, 1, 'two'],
      [2, 3, 'two'],
      [3, 1, ''],
      [4, 1, 'last'],
      [4, 5, 'last'],
    ]);
  });

  it('tells files apart, and the empty one too', () => {
    const sources = new SourceMap();
    const files = ['a.c', 'b.c', 'c.c'].map((name) => sources.addFile(name, name === 'b.c' ? '' : 'x'));
    expect(files.map((file) => sources.place(sources.locAt(file, 0))?.file)).toEqual(['a.c', 'b.c', 'c.c']);
    expect(files.map((file) => sources.fileOf(sources.locAt(file, file.text.length))?.name)).toEqual([
      'a.c',
      'b.c',
      'c.c',
    ]);
  });

  it('has none for what the compiler made up', () => {
    const sources = new SourceMap();
    sources.addFile('a.c', 'x');
    expect([sources.place(NOWHERE), sources.fileOf(NOWHERE), sources.includeStack(NOWHERE)]).toEqual([null, null, []]);
    expect(sources.offsetOf(NOWHERE)).toBe(0);
  });
});

describe('presumed places', () => {
  it('counts from a directive on', () => {
    const sources = new SourceMap();
    const text = 'a\n# 10 "x.h" 3\nb\nc\n# 4 "y.c"\nd';
    const file = sources.addFile('a.i', text);
    sources.addLineDirective(file, text.indexOf('# 10'), 10, 'x.h', true);
    sources.addLineDirective(file, text.indexOf('# 4'), 4, 'y.c', false);
    const at = (needle: string) => {
      const place = sources.place(sources.locAt(file, text.indexOf(needle)));
      return `${place?.file}:${place?.line} ${place?.inSystemHeader}`;
    };
    expect([at('a'), at('b\n'), at('c\n'), at('d')]).toEqual([
      'a.i:1 false',
      'x.h:10 true',
      'x.h:11 true',
      'y.c:4 false',
    ]);
  });

  it('can rename a whole file', () => {
    const sources = new SourceMap();
    const file = sources.addFile('a.h', 'a\nb');
    sources.addLineDirective(file, -1, 1, 'sys.h', true);
    expect(sources.place(sources.locAt(file, 0))).toMatchObject({ file: 'sys.h', line: 1, inSystemHeader: true });
    expect(sources.place(sources.locAt(file, 2))).toMatchObject({ line: 2 });
  });
});

describe('expansions and inclusions', () => {
  it('remembers spelling, use and macros', () => {
    const sources = new SourceMap();
    const file = sources.addFile('a.c', '0123456789');
    const at = (offset: number) => sources.locAt(file, offset);
    const [outer, inner] = [sources.addMacroName('OUTER'), sources.addMacroName('INNER')];
    const use = sources.addExpansion(at(3), at(8), outer);
    const token = sources.addExpansion(at(1), use, inner);
    const again = sources.addExpansion(token, at(9), outer);
    expect([sources.spellingOf(token), sources.expansionOf(token)]).toEqual([at(1), at(8)]);
    expect([sources.spellingOf(again), sources.expansionOf(again)]).toEqual([at(1), at(9)]);
    expect(sources.macroStack(token)).toEqual([
      { name: 'INNER', usedAt: use },
      { name: 'OUTER', usedAt: at(8) },
    ]);
    expect(sources.offsetOf(token)).toBe(8);
  });

  it('holds very many expansions', () => {
    const sources = new SourceMap();
    const file = sources.addFile('a.c', 'x'.repeat(10));
    const macro = sources.addMacroName('M');
    let loc: Loc = NOWHERE;
    for (let count = 0; count < 100_000; count++)
      loc = sources.addExpansion(sources.locAt(file, 1), sources.locAt(file, 2), macro);
    expect(sources.expansionOf(loc)).toBe(sources.locAt(file, 2));
  });

  it('lists inclusions from the inside out', () => {
    const sources = new SourceMap();
    const main = sources.addFile('main.c', 'abc');
    const a = sources.addFile('a.h', 'abc', sources.locAt(main, 1));
    const b = sources.addFile('b.h', 'abc', sources.locAt(a, 2));
    expect(sources.includeStack(sources.locAt(b, 0))).toEqual([sources.locAt(a, 2), sources.locAt(main, 1)]);
    expect(sources.files.map(({ name }) => name)).toEqual(['main.c', 'a.h', 'b.h']);
  });
});
