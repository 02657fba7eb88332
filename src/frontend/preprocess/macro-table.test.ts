import { describe, expect, test } from 'vitest';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { SourceMap } from '../../support/source.ts';
import { TextTable } from '../lex/text-table.ts';
import { predefinedText } from './builtin-macros.ts';
import { MacroTable } from './macro-table.ts';

function tableOf(text: string) {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  const table = new MacroTable(sources, new TextTable(), sink);
  table.predefine('<built-in>', text);
  return { table, sources, sink };
}

describe('predefined macros', () => {
  test('are read where they stand', () => {
    const { table, sources } = tableOf('#define ONE 1\n#define TWICE(x) x x\n#define NONE\n');
    const one = table.get('ONE');
    expect(one).toMatchObject({ kind: 'object', name: 'ONE', body: [{ text: '1' }] });
    expect(sources.place(one?.loc ?? (0 as never))).toMatchObject({ file: '<built-in>', line: 1, column: 9 });
    expect(table.get('TWICE')).toMatchObject({
      kind: 'function',
      parameters: ['x'],
      body: [{ text: 'x' }, { text: 'x' }],
    });
    expect(table.get('NONE')).toMatchObject({ kind: 'object', body: [] });
    expect(table.get('ONE')).toBe(one);
    expect(table.get('OTHER')).toBeUndefined();
  });

  test('go, read or not', () => {
    const { table } = tableOf('#define A 1\n#define B 2\n');
    expect(table.has('A')).toBe(true);
    table.get('B');
    table.delete('A');
    table.delete('B');
    for (const name of ['A', 'B']) {
      expect(table.has(name)).toBe(false);
      expect(table.get(name)).toBeUndefined();
    }
  });

  test.each(['ILP32', 'LP64'] as const)('of %s can all be read, and each is there once', (dataModel) => {
    const text = predefinedText({ dataModel });
    const { table, sink } = tableOf(text);
    const lines = text.split('\n').filter((line) => line !== '');
    const names = lines.map((line) => /^#define (\w+)/.exec(line)?.[1] ?? line);
    expect(new Set(names).size).toBe(lines.length);
    expect(names.filter((name) => table.get(name)?.name !== name)).toEqual([]);
    expect(sink.all).toEqual([]);
  });
});
