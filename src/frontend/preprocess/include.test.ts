import { describe, expect, it } from 'vitest';
import { preprocessText } from '../../../test/support/preprocess-text.ts';

const bundledHeaders = new Map([
  ['stdio.h', '#include "bits/x.h"\nstdio'],
  ['bits/x.h', '#include "y.h"\nx'],
  ['bits/y.h', 'y'],
]);

describe('#include', () => {
  it('looks beside the file first, then in the include paths, then among bundled headers', () => {
    const files = {
      'src/a.h': 'beside',
      'inc/a.h': 'first',
      'inc2/a.h': 'second',
      'inc2/b.h': 'b',
      'src/main.c': '',
    };
    const options = { files, bundledHeaders, fileName: 'src/main.c', includePaths: ['inc', './inc2/'] };
    expect(preprocessText('#include "a.h"\n#include <a.h>\n#include "b.h"\n#include <stdio.h>', options).text).toBe(
      'beside first b y x stdio',
    );
  });

  it('takes a header name from macros', () => {
    const files = { 'a.h': 'A', 'x/b.h': 'B' };
    const source = '#define Q "a.h"\n#define H <b.h>\n#define P(x) <x.h>\n#include Q\n#include H\n#include P(b)';
    expect(preprocessText(source, { files, includePaths: ['x'] }).text).toBe('A B B');
  });

  it('drops what stands after a header name', () => {
    const result = preprocessText('#define H <a.h> x\n#include H\nz', { files: { 'i/a.h': 'A' }, includePaths: ['i'] });
    expect(result.text).toBe('A z');
  });

  it('goes on with the next directory for #include_next', () => {
    const files = { '1/a.h': 'one\n#include_next <a.h>', '2/a.h': 'two\n#include_next <stdio.h>' };
    const options = { files, bundledHeaders: new Map([['stdio.h', 'io']]), includePaths: ['1', '2'] };
    expect(preprocessText('#include <a.h>', options).text).toBe('one two io');
  });

  it('stops at a missing header, with no tokens', () => {
    const result = preprocessText('x\n#include <none.h>\n#error no');
    expect(result.messages).toEqual([
      '2: error: cannot find the header \'none.h\' (-I names its directory; --cpp "gcc -E" takes the headers of the system)',
    ]);
    expect(result.tokens.map(({ kind }) => kind)).toEqual(['end']);
  });

  it('reports malformed names', () => {
    const expects = 'expects "FILENAME" or <FILENAME>';
    expect(preprocessText('#include\n#include x\n#include <a\n#include ""\n#import 3').messages).toEqual([
      `1: error: #include ${expects}`,
      `2: error: #include ${expects}`,
      `3: error: #include ${expects}`,
      `4: error: #include ${expects}`,
      `5: error: #import ${expects}`,
    ]);
  });

  it('knows files, lines and inclusions of tokens', () => {
    const { tokens, sources } = preprocessText('\n#include "a.h"\nz', {
      files: { 'a.h': '\n x __FILE__ __INCLUDE_LEVEL__' },
    });
    expect(tokens.map(({ text }) => text)).toEqual(['x', '"a.h"', '1', 'z', '']);
    expect(sources.place(tokens[0]!.loc)).toMatchObject({ file: 'a.h', line: 2, column: 2 });
    expect(sources.includeStack(tokens[0]!.loc).map((loc) => sources.place(loc)?.line)).toEqual([2]);
  });

  it('marks bundled headers as system headers', () => {
    const { tokens, sources } = preprocessText('#include <stdio.h>\nz', { bundledHeaders });
    expect(sources.place(tokens[0]!.loc)).toMatchObject({ file: '<lazuli>/bits/y.h', line: 1, inSystemHeader: true });
    expect(sources.place(tokens[3]!.loc)).toMatchObject({ inSystemHeader: false });
  });

  it('keeps conditionals and macro arguments inside a file', () => {
    const files = { 'a.h': '#if 1\nx', 'b.h': '#endif', 'f.h': 'f', 'g.h': 'f(1' };
    const define = '#define f(x) <x>\n';
    expect(preprocessText('#include "a.h"\n#if 1\n#include "b.h"\n#endif', { files }).messages).toEqual([
      '1: error: unterminated #if',
      '1: error: #endif without #if',
    ]);
    expect(preprocessText(`${define}#include "f.h"\n(1)`, { files }).text).toBe('f ( 1 )');
    expect(preprocessText(`${define}#include "g.h"\n)`, { files }).messages).toEqual([
      "1: error: unterminated argument list invoking macro 'f'",
    ]);
  });
});

describe('reading a header once', () => {
  const inclusions = (header: string, between = '') => {
    const source = `#include "a.h"\n${between}\n#include "a.h"`;
    const { text, sources } = preprocessText(source, { files: { 'a.h': header } });
    return [text, sources.files.filter(({ name }) => name === 'a.h').length];
  };

  it('obeys #pragma once and #import', () => {
    expect(inclusions('#pragma once\nx')).toEqual(['x', 1]);
    expect(preprocessText('#import "a.h"\n#import "a.h"', { files: { 'a.h': 'x' } }).text).toBe('x');
  });

  it('recognises guards', () => {
    expect(inclusions('/* c */\n#ifndef G\n#define G\nx\n#endif // G\n')).toEqual(['x', 1]);
    expect(inclusions('#if !defined(G)\n#define G\nx\n#endif')).toEqual(['x', 1]);
    expect(inclusions('#if ! defined G\n#define G\n#if 1\nx\n#endif\n#endif')).toEqual(['x', 1]);
    expect(inclusions('#ifndef G\n#define G\nx\n#endif', '#undef G')).toEqual(['x x', 2]);
  });

  it('is not fooled by what looks like one', () => {
    expect(inclusions('#ifndef G\n#define G\nx\n#else\ny\n#endif')).toEqual(['x y', 2]);
    expect(inclusions('#ifndef G\n#define G\nx\n#endif\nz')).toEqual(['x z z', 2]);
    expect(inclusions('z\n#ifndef G\n#define G\nx\n#endif')).toEqual(['z x z', 2]);
    expect(inclusions('#ifndef G\n#define G\nx\n#endif\n#ifdef G\ny\n#endif')).toEqual(['x y y', 2]);
    expect(inclusions('#if !defined(G) || 1\n#define G\nx\n#endif')).toEqual(['x x', 2]);
    expect(inclusions('#if !defined G + 1\n#define G\nx\n#endif')).toEqual(['x x', 2]);
  });
});
