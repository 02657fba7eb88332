import { describe, expect, it } from 'vitest';
import { parseText } from '../../../test/support/parse-text.ts';

/** The canonical name of a basic type, or the first error. */
function nameOf(words: string): string {
  const { unit, diagnostics } = parseText(`${words} x;`);
  const [declaration] = unit.declarations;
  const type = declaration?.kind === 'declaration' ? declaration.specifiers.type : null;
  return diagnostics[0]?.message ?? (type?.kind === 'basic' ? type.name : 'not a basic type');
}

describe('basic types', () => {
  it.each([
    ['signed', 'int'],
    ['signed int', 'int'],
    ['int long unsigned long', 'unsigned long long'],
    ['short signed int', 'short'],
    ['char unsigned', 'unsigned char'],
    ['signed char', 'signed char'],
    ['char', 'char'],
    ['unsigned', 'unsigned int'],
    ['long', 'long'],
    ['long signed long', 'long long'],
    ['double long', 'long double'],
    ['long double _Complex', 'long double _Complex'],
    ['_Complex', 'double _Complex'],
    ['_Complex _Float128', '_Float128 _Complex'],
    ['signed __int128', '__int128'],
    ['__int128_t', '__int128'],
    ['_Bool', '_Bool'],
  ])('%s is %s', (words, name) => {
    expect(nameOf(words)).toBe(name);
  });

  it.each([
    'long long long',
    'long long long long',
    'int long long int long',
    'short long',
    'signed unsigned',
    'int int',
    'float int',
    'unsigned double',
    'void char',
  ])('refuses %s', (words) => {
    expect(nameOf(words)).toBe(`invalid combination of type specifiers '${words}'`);
  });

  it('says what is not supported', () => {
    expect(nameOf('_Decimal32')).toBe("the type '_Decimal32' is not supported");
    expect(nameOf('int _Complex')).toBe("the type 'int _Complex' is not supported");
  });

  it('refuses a basic type next to another type', () => {
    expect(nameOf('struct s int')).toBe('two or more data types in declaration specifiers');
    expect(nameOf('struct s enum e')).toBe('two or more data types in declaration specifiers');
  });
});
