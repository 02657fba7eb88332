import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBenchmarks } from '../../../test/support/benchmarks.ts';
import { preprocessText } from '../../../test/support/preprocess-text.ts';
import { bundledHeaders } from '../headers/bundled.ts';
import { printPreprocessed } from './print-preprocessed.ts';

const print = (source: string, files: Record<string, string> = {}) => {
  const { tokens, sources } = preprocessText(source, { files });
  return printPreprocessed(tokens, sources);
};

describe('printing preprocessed tokens', () => {
  it('keeps lines, and marks where they do not follow', () => {
    const source = `int x;
#include "a.h"

  int  y;
${'\n'.repeat(20)}int z;`;
    expect(print(source, { 'a.h': '\nint a;\n' })).toBe(`# 1 "main.c"
int x;
# 2 "a.h"
int a;
# 4 "main.c"
int y;
# 25 "main.c"
int z;
`);
  });

  it('keeps tokens apart that would join', () => {
    const source = `#define E
#define id(x) x
-id(-)1 +E+ id(<)id(=) id(a)id(b) id(1)id(.) id(L)id("s") id(1e)id(+) id(.)id(.) id(/)id(*) id(#)id(#) x(a)`;
    const { tokens, sources } = preprocessText(source);
    const printed = printPreprocessed(tokens, sources);
    expect(preprocessText(printed).text).toBe(preprocessText(source).text);
    expect(printed).toBe('# 3 "main.c"\n- -1 + + < = a b 1 . L "s" 1e + . . / * # # x(a)\n');
  });

  it('gives pragmas a line of their own', () => {
    expect(print('a _Pragma("pack(1)") b\n#pragma pack()\nc')).toBe(`# 1 "main.c"
a
# 1 "main.c"
#pragma pack(1)
# 1 "main.c"
b
#pragma pack()
c
`);
  });

  it('prints nothing but a line end for nothing', () => {
    expect(print('')).toBe('\n');
  });
});

describe('the benchmark programs', () => {
  it('preprocess without a word, and print to the same tokens and places', () => {
    const folder = findBenchmarks();
    if (folder === null) return;
    const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.[ci]$/.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const [index, name] of names.entries()) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const options = { fileName: name, bundledHeaders, dataModel: 'ILP32' as const };
      const first = preprocessText(text, options);
      expect([name, ...first.messages]).toEqual([name]);
      if (index % 4 !== 0) continue;
      const second = preprocessText(printPreprocessed(first.tokens, first.sources), options);
      expect([name, second.text === first.text, ...second.messages]).toEqual([name, true]);
      const places = ({ tokens, sources }: typeof first) =>
        tokens.slice(0, -1).map(({ loc }) => `${sources.place(loc)?.file}:${sources.place(loc)?.line}`);
      expect([name, places(second).join() === places(first).join()]).toEqual([name, true]);
    }
  });
});
