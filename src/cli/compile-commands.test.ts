import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCompileCommands } from './compile-commands.ts';
import { splitCommand } from './split-command.ts';

const read = (entries: unknown) => readCompileCommands(JSON.stringify(entries), '/p/build/compile_commands.json');

describe('readCompileCommands', () => {
  it('reads commands and lists of arguments, with names relative to the directory', () => {
    const database = read([
      {
        directory: '/p/build',
        file: '../src/a.c',
        command: 'cc -I../include -DNAME=\\"x\\ y\\" -m32 -std=c99 -O2 -c ../src/a.c -o a.o',
      },
      {
        directory: '.',
        file: 'b.c',
        arguments: ['gcc', '-I', 'inc', '-U', 'X', '-include', 'conf.h', '-isystem', '/s', '-c', 'b.c'],
      },
      { directory: '/p', file: 'c.cpp', command: 'c++ c.cpp' },
    ]);
    const none = { include: [], define: [], undefine: [], iquote: [], isystem: [], includeFile: [], macrosFile: [] };
    const plain = { ...none, std: undefined, gnu89Inline: false };
    expect(database).toEqual({
      kind: 'database',
      files: [
        {
          file: '/p/src/a.c',
          dataModel: '32',
          options: { ...plain, include: ['/p/include'], define: ['NAME="x y"'], std: 'c99' },
        },
        {
          file: '/p/build/b.c',
          dataModel: null,
          options: {
            ...plain,
            include: ['/p/build/inc'],
            undefine: ['X'],
            includeFile: ['/p/build/conf.h'],
            isystem: ['/s'],
          },
        },
      ],
    });
  });

  it('shows files below the current folder by their relative names, and the first of several entries', () => {
    const entry = { directory: process.cwd(), file: 'a.c', command: 'cc -DONE a.c' };
    const database = read([entry, { ...entry, command: 'cc -DTWO a.c' }]);
    expect(database).toMatchObject({ files: [{ file: 'a.c', options: { define: ['ONE'] } }] });
    expect(path.isAbsolute('a.c')).toBe(false);
  });

  it.each([
    ['{', /no JSON/],
    ['{}', /is a list/],
    ['[1]', /entry 1: no object/],
    ['[{"file": 1}]', /entry 1: there is no 'file'/],
    ['[{"file": "a.c"}]', /neither 'arguments' nor 'command'/],
    ['[{"file": "a.c", "arguments": [1]}]', /'arguments' are no texts/],
    ['[{"file": "a.c", "directory": 1, "command": "cc"}]', /'directory' is no text/],
    ['[{"file": "a.cc", "command": "c++"}]', /there are no C files in it/],
    ['[{"file": "a.c", "command": "cc -funsigned-char a.c"}]', /entry 1: -funsigned-char changes the meaning/],
  ])('says what is wrong with %s', (text, message) => {
    const result = readCompileCommands(text, 'db.json');
    expect(result).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });
});

describe('splitCommand', () => {
  it('knows the quotes and escapes of shells', () => {
    expect(splitCommand(`a\\ b "c \\"d\\" \\n" 'e\\f' g"h"'i'`, true)).toEqual(['a b', 'c "d" \\n', 'e\\f', 'ghi']);
  });
});
