import { describe, expect, it } from 'vitest';
import type { DataModel } from '../../program/data-model.ts';
import { readCharacter, readNumber, readString } from './literals.ts';

function number(text: string, model: DataModel = 'LP64'): string {
  const literal = readNumber(text, model);
  if (literal.kind === 'invalid') return literal.complaint.message;
  return `${literal.type.name} ${literal.value}${literal.complaint === null ? '' : ' !'}`;
}

describe('numbers', () => {
  it.each([
    ['0', 'int 0'],
    ['2147483647', 'int 2147483647'],
    ['2147483648', 'long 2147483648'],
    ['0x80000000', 'unsigned int 2147483648'],
    ['0xFFFFFFFFFFFFFFFF', 'unsigned long 18446744073709551615'],
    ['07uLL', 'unsigned long long 7'],
    ['0b11', 'int 3'],
    ['18446744073709551616', 'unsigned long long 0 !'],
    ['9223372036854775808', '__int128 9223372036854775808 !'],
    ['1.5', 'double 1.5'],
    ['1e3f', 'float 1000'],
    ['.1f', 'float 0.10000000149011612'],
    ['0x1.8p1', 'double 3'],
    ['0x1p10', 'double 1024'],
    ['0x1p-1074', 'double 5e-324'],
    ['0x1.00000000000008p0', 'double 1'],
    ['0x1.000000000000081p0', 'double 1.0000000000000002'],
    ['1.0L', 'long double 1'],
    ['1e400', 'double Infinity !'],
    ['08', "invalid digit in octal constant '08'"],
    ['1lLu', "invalid suffix 'lLu' on integer constant"],
    ['1.0x', "invalid suffix 'x' on floating constant"],
    ['1.0iF', 'complex numbers are not supported'],
    ['1abc', "invalid number '1abc'"],
  ])('%s is %s', (text, expected) => {
    expect(number(text)).toBe(expected);
  });

  it('depend on the data model', () => {
    expect(number('2147483648', 'ILP32')).toBe('long long 2147483648');
    expect(number('0xffffffffff', 'ILP32')).toBe('long long 1099511627775');
  });
});

describe('characters', () => {
  it.each([
    ["'a'", 97n],
    ["'\\xff'", -1n],
    ["'\\0'", 0n],
    ["'\\101'", 65n],
    ["'ab'", 0x6162n],
    ["'é'", BigInt((0xc3 << 8) | 0xa9)],
    ["L'é'", 0xe9n],
    ["u'\\uFFFF'", 0xffffn],
    ["U'\\U0001F600'", 0x1f600n],
    ["'\\e'", 27n],
  ])('%s is %s', (text, expected) => {
    expect(readCharacter(text, 'LP64').value).toBe(expected);
  });

  it('complain about what is empty or too long', () => {
    expect(readCharacter("''", 'LP64').complaints[0]?.severity).toBe('error');
    expect(readCharacter("'ab'", 'LP64').complaints[0]?.severity).toBe('warning');
  });
});

describe('strings', () => {
  it('are joined, encoded and prefixed', () => {
    expect(readString(['"a\\n"', '"é"'], 'LP64').units).toEqual([97, 10, 0xc3, 0xa9]);
    expect(readString(['"a"', 'L"é"'], 'LP64')).toMatchObject({ units: [97, 0xe9], element: { name: 'int' } });
    expect(readString(['u"\u{1F600}"'], 'LP64').units).toEqual([0xd83d, 0xde00]);
    expect(readString(['"\\x41" "1"'.slice(0, 6), '"1"'], 'LP64').units).toEqual([0x41, 0x31]);
    expect(readString(['L"a"', 'u"b"'], 'LP64').complaints).toHaveLength(1);
  });
});
