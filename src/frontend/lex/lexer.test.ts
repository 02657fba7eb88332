import { describe, expect, it } from 'vitest';
import { lexText } from '../../../test/support/preprocess-text.ts';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { SourceMap } from '../../support/source.ts';
import { Lexer } from './lexer.ts';
import { TextTable } from './text-table.ts';

const kinds = (text: string) => lexText(text).tokens.map((token) => `${token.kind} ${token.text}`);
const texts = (text: string) => lexText(text).tokens.map((token) => token.text);

describe('tokens', () => {
  it('tells identifiers, numbers, literals and punctuators apart', () => {
    expect(kinds('int x1 = 0x1F + \'a\' "s";')).toEqual([
      'identifier int',
      'identifier x1',
      'punctuator =',
      'number 0x1F',
      'punctuator +',
      "character 'a'",
      'string "s"',
      'punctuator ;',
    ]);
  });

  it('takes the longest punctuator', () => {
    expect(texts('a<<=b>>=c...d->e---f+++g||h&&i!=j==k^=l|=m&=n%=o##p')).toEqual(
      'a <<= b >>= c ... d -> e -- - f ++ + g || h && i != j == k ^= l |= m &= n %= o ## p'.split(' '),
    );
    expect(texts('..')).toEqual(['.', '.']);
    expect(texts('x=-1/*c*/*p')).toEqual(['x', '=', '-', '1', '*', 'p']);
  });

  it('spells digraphs as the usual tokens', () => {
    expect(texts('<: :> <% %> %: %:%: %:%')).toEqual(['[', ']', '{', '}', '#', '##', '#', '%']);
  });

  it('reads preprocessing numbers greedily', () => {
    expect(kinds('1.5e+10f 0x1p-3 .5 1..2 0xe+1 1_000 3$ 1e')).toEqual(
      ['1.5e+10f', '0x1p-3', '.5', '1..2', '0xe+1', '1_000', '3$', '1e'].map((text) => `number ${text}`),
    );
  });

  it('keeps prefixes with their literals', () => {
    expect(kinds(`L'a' u'b' U'c' u8"d" L"e" u "f" Lx"g" LL'h'`)).toEqual([
      "character L'a'",
      "character u'b'",
      "character U'c'",
      'string u8"d"',
      'string L"e"',
      'identifier u',
      'string "f"',
      'identifier Lx',
      'string "g"',
      'identifier LL',
      "character 'h'",
    ]);
  });

  it('leaves escaped quotes inside', () => {
    expect(texts(String.raw`"a\"b" '\'' "\\" 'x'`)).toEqual([
      String.raw`"a\"b"`,
      String.raw`'\''`,
      String.raw`"\\"`,
      "'x'",
    ]);
  });

  it('interns identifiers across files', () => {
    const table = new TextTable();
    const read = (text: string) =>
      new Lexer(new SourceMap().addFile('a', text), table, new DiagnosticSink()).next().text;
    expect(read('some_name')).toBe(read('some_name+'));
    expect(table.intern('x')).toBe('x');
  });
});

describe('identifiers past ASCII', () => {
  it('takes letters, universal character names and the dollar', () => {
    expect(kinds('é \\u00e9 x\\U000000e9y $a a$ 变量 𝒳')).toEqual(
      ['é', 'é', 'xéy', '$a', 'a$', '变量', '𝒳'].map((text) => `identifier ${text}`),
    );
  });

  it('refuses characters that are no letters', () => {
    expect(kinds('a\u2028b \\u0024 «')).toEqual([
      'identifier a',
      'other \u2028',
      'identifier b',
      'other \\',
      'identifier u0024',
      'other «',
    ]);
  });
});

describe('white space', () => {
  it('sets the flags of the token after it', () => {
    const { tokens } = lexText('a b/**/c\n d // x\ne');
    expect(tokens.map(({ text, spaceBefore, lineStart }) => [text, spaceBefore, lineStart])).toEqual([
      ['a', false, true],
      ['b', true, false],
      ['c', true, false],
      ['d', true, true],
      ['e', true, true],
    ]);
  });

  it('does not take a line end inside a comment for one', () => {
    expect(lexText('a /* \n */ b').tokens.map((token) => token.lineStart)).toEqual([true, false]);
  });

  it('joins spliced lines, inside tokens and comments too', () => {
    expect(texts('ab\\\ncd "x\\\ny" +\\\n+ // c\\\nomment\n1\\\r\n2 e\\ \t\nf')).toEqual([
      'abcd',
      '"xy"',
      '++',
      '12',
      'ef',
    ]);
  });

  it('knows the original places after splices', () => {
    const { tokens, sources } = lexText('a\\\n\\\nb c\nd\\\n e');
    const places = tokens.map((token) => sources.place(token.loc)).map((place) => `${place?.line}:${place?.column}`);
    expect(places).toEqual(['1:1', '3:3', '4:1', '5:2']);
  });

  it('accepts a byte order mark and all line ends', () => {
    const { tokens, sources } = lexText('\ufeffa\r\nb\rc');
    expect(tokens.map((token) => token.text)).toEqual(['a', 'b', 'c']);
    expect(sources.place(tokens[0]!.loc)?.column).toBe(2);
    expect(sources.place(tokens[1]!.loc)?.line).toBe(2);
  });

  it('reads trigraphs only when asked to', () => {
    const read = (trigraphs: boolean) => lexText('??=??(a??/\nb', { trigraphs }).tokens.map((token) => token.text);
    expect(read(true)).toEqual(['#', '[', 'ab']);
    expect(read(false)).toEqual(['?', '?', '=', '?', '?', '(', 'a', '?', '?', '/', 'b']);
  });
});

describe('faults', () => {
  it('reports an unterminated comment once, where it begins', () => {
    const { tokens, sink, sources } = lexText('a\n /* b\nc');
    expect(tokens).toHaveLength(1);
    expect(sink.all.map(({ message, loc }) => [message, sources.place(loc)?.line])).toEqual([
      ['unterminated comment', 2],
    ]);
  });

  it('ends an unterminated literal at the line', () => {
    expect(kinds('"abc\nx \'y\r\nz L"')).toEqual([
      'other "abc',
      'identifier x',
      "other 'y",
      'identifier z',
      'other L"',
    ]);
    expect(kinds('"abc\\')).toEqual(['other "abc\\']);
  });

  it('makes tokens of any characters', () => {
    expect(kinds('@`\u0000\u0007\\\ud800')).toEqual(
      ['@', '`', '\u0000', '\u0007', '\\', '\ud800'].map((c) => `other ${c}`),
    );
  });

  it('gives the end again and again', () => {
    const lexer = new Lexer(new SourceMap().addFile('a', ''), new TextTable(), new DiagnosticSink());
    expect([lexer.next().kind, lexer.next().kind, lexer.nextInLine()]).toEqual(['end', 'end', null]);
  });
});

describe('what the preprocessor asks for', () => {
  const lexer = (text: string) => new Lexer(new SourceMap().addFile('a', text), new TextTable(), new DiagnosticSink());

  it('reads a header name', () => {
    expect(lexer('<a b/c.h> x').headerName()).toBeNull();
    const inLine = lexer('x <a//b.h> y');
    inLine.next();
    expect(inLine.headerName()).toMatchObject({ name: 'a//b.h', angled: true });
    expect(inLine.headerName()).toBeNull();
    expect(inLine.nextInLine()?.text).toBe('y');
  });

  it('does not look for a header name beyond the line', () => {
    const open = lexer('x <a\n>');
    open.next();
    expect(open.headerName()).toBeNull();
    expect(open.nextInLine()?.text).toBe('<');
  });

  it('stops at the end of the line', () => {
    const two = lexer('a b\nc');
    expect([two.nextInLine()?.text, two.next().text, two.nextInLine()?.text, two.nextInLine()]).toEqual([
      undefined,
      'a',
      'b',
      null,
    ]);
    expect(two.next()).toMatchObject({ text: 'c', lineStart: true });
  });

  it('skips to the next directive', () => {
    const skipping = lexer('a # b \'\n "\n x /*\n# no */ # no\n  #yes');
    expect(skipping.skipToDirective().text).toBe('#');
    expect(skipping.nextInLine()?.text).toBe('yes');
    expect(skipping.skipToDirective().kind).toBe('end');
  });
});
