import { describe, expect, it } from 'vitest';
import { createPainter } from './painter.ts';
import { printRangeTable, type TableRow } from './range-table.ts';

const paint = createPainter(false);

function row(group: string, name: string, range: string, more: Partial<TableRow> = {}): TableRow {
  return { group, name, line: null, type: 'int', range, bits: '3 of 32', origin: 'line 7', isNarrow: true, ...more };
}

const rows = [
  row('globals', 'a[0]', '{1, 2}'),
  row('globals', 'a[1]', '{1, 2}'),
  row('globals', 'b', '{0}', { origin: 'initial value' }),
  row('run()', 'i', '{0, 1}', { line: 4 }),
  row('run()', 'i', '{100, 200, 300, 400, 500}', { line: 5, origin: 'initial value, line 9' }),
];

describe('printRangeTable', () => {
  it('has a line for each variable, folds elements and tells variables of one name apart', () => {
    expect(printRangeTable(rows, null, paint)).toEqual([
      'variable      type  range                         bits  least, most from',
      'globals',
      '  a[0..1]     int   {1, 2}                     3 of 32  line 7',
      '  b           int   {0}                        3 of 32  initial value',
      'run()',
      '  i (line 4)  int   {0, 1}                     3 of 32  line 7',
      '  i (line 5)  int   {100, 200, 300, 400, 500}  3 of 32  initial value, line 9',
    ]);
  });

  it('keeps to one line a variable where the terminal is wide enough', () => {
    expect(printRangeTable(rows, 77, paint)).toEqual(printRangeTable(rows, null, paint));
  });

  it('puts origins below the variables and breaks ranges where it is not', () => {
    expect(printRangeTable(rows, 45, paint)).toEqual([
      'variable      type  range                bits',
      '      least, most from',
      'globals',
      '  a[0..1]     int   {1, 2}            3 of 32',
      '      line 7',
      '  b           int   {0}               3 of 32',
      'run()',
      '  i (line 4)  int   {0, 1}            3 of 32',
      '      line 7',
      '  i (line 5)  int   {100, 200, 300,   3 of 32',
      '                    400, 500}',
      '      initial value, line 9',
    ]);
  });
});
