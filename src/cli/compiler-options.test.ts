import { describe, expect, it } from 'vitest';
import { readCompilerOption } from './compiler-options.ts';
import { frontEndOptions } from './front-end-options.ts';
import { parseArguments } from './options.ts';

const table = {
  ...frontEndOptions,
  forUnwind: { kind: 'number', short: 'f', value: 'N', min: 1, max: 9, help: '' },
} as const;

function parse(args: string) {
  const operands = { name: 'FILE', min: 1, max: 9, unless: 'compileCommands', compiled: true };
  return parseArguments(table, operands, args.split(' '));
}

describe('options of compilers', () => {
  it('are ignored where they say nothing about meaning', () => {
    const flags =
      '-Wall -Wextra -Wl,-rpath,x -O2 -O -g -g3 -ggdb -fPIC -fno-strict-aliasing -pedantic -pipe -c -o x.o -MMD -MF x.d';
    const more = '-L. -L lib -lm -l rt -march=native -msse2 -shared -rdynamic -static -x c -s --param x=1 -pg';
    expect(parse(`${flags} a.c ${more} b.c`)).toMatchObject({ kind: 'parsed', operands: ['a.c', 'b.c'] });
  });

  it('do what they say where they change what is read', () => {
    const args = '-m32 -include a.h -imacros m.h -isystem s -isystemt -iquote q -std=gnu89 -pthread -DX=1 -I i -UY a.c';
    expect(parse(args)).toMatchObject({
      options: {
        dataModel: '32',
        includeFile: ['a.h'],
        macrosFile: ['m.h'],
        isystem: ['s', 't'],
        iquote: ['q'],
        std: 'gnu89',
        define: ['_REENTRANT=1', 'X=1'],
        include: ['i'],
        undefine: ['Y'],
      },
    });
  });

  it('leave options of ours alone', () => {
    expect(parse('-f 3 -fPIC a.c')).toMatchObject({ kind: 'parsed', options: { forUnwind: 3 } });
    expect(parse('--compile-commands build')).toMatchObject({ kind: 'parsed', operands: [] });
    expect(parse('-Wall')).toEqual({ kind: 'problem', message: 'FILE is missing' });
    expect(readCompilerOption('--unwind')).toBeNull();
    expect(readCompilerOption('-Dx')).toBeNull();
  });

  it.each(['-funsigned-char', '-fshort-enums', '-fopenmp', '-mx32', '-std=c++17'])('are refused: %s', (option) => {
    expect(parse(`${option} a.c`)).toMatchObject({ kind: 'problem' });
  });
});
