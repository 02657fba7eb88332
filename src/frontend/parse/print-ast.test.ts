import { describe, expect, it } from 'vitest';
import { longTexts } from '../../../test/support/hostile-nesting.ts';
import { parseText } from '../../../test/support/parse-text.ts';
import { printAst } from './print-ast.ts';

describe('printAst', () => {
  it('prints a line for each node, with places where they are asked for', () => {
    const { unit } = parseText('const int x = 1;');
    expect(printAst(unit, (loc) => (loc > 0 ? 'here' : ''))).toBe(
      [
        'declaration <here>',
        '  specifiers: const <here>',
        '    type: basic name="int"',
        '  declarators: <here>',
        '    declarator: name name="x" <here>',
        '    initializer: expression-initializer',
        '      value: number text="1" <here>',
        '',
      ].join('\n'),
    );
  });

  it('gets through trees that are as deep as a text is long', () => {
    const parts = 5_000;
    for (const name of ['sum', 'else if']) {
      const lines = printAst(parseText(longTexts(parts)[name] ?? '').unit).split('\n');
      expect(lines.length).toBeGreaterThan(parts);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
    }
  });
});
