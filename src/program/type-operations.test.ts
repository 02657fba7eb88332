import { describe, expect, it } from 'vitest';
import { NOWHERE } from '../support/source.ts';
import { fitsInteger, maximumOf, minimumOf, signedName, unsignedName, wrapInteger } from './integer-range.ts';
import { printType } from './print-type.ts';
import {
  arrayOf,
  charType,
  commonType,
  compatible,
  compositeType,
  doubleType,
  enumType,
  floatType,
  functionType,
  integerType,
  intType,
  pointerTo,
  promoted,
  qualifiersOf,
  sameType,
  unqualified,
  voidType,
  withAlias,
  withQualifiers,
} from './type-operations.ts';
import { type EnumDeclaration, QUALIFIER_CONST, QUALIFIER_VOLATILE, type Type } from './types.ts';

const constInt = withQualifiers(intType, QUALIFIER_CONST);
const colour: EnumDeclaration = { id: 1, tag: 'colour', loc: NOWHERE, enumerators: [], underlying: 'unsigned int' };

describe('printType', () => {
  it.each<[Type, string]>([
    [intType, 'int x'],
    [pointerTo(arrayOf(intType, 3)), 'int (*x)[3]'],
    [arrayOf(pointerTo(intType), 3), 'int *x[3]'],
    [pointerTo(functionType(voidType, [intType], true)), 'void (*x)(int, ...)'],
    [arrayOf(pointerTo(functionType(pointerTo(charType), [])), 2), 'char *(*x[2])(void)'],
    [pointerTo(constInt, QUALIFIER_CONST), 'const int *const x'],
    [functionType(intType, [], false, true), 'int x()'],
    [arrayOf(arrayOf(intType, null), 2), 'int x[2][]'],
    [functionType(pointerTo(functionType(intType, [doubleType])), [charType]), 'int (*x(char))(double)'],
  ])('prints the declarator around the name (%#)', (type, expected) => {
    expect(printType(type, 'x')).toBe(expected);
  });

  it('uses typedef names with the qualifiers that they do not bring along', () => {
    const alias = { kind: 'typedef-symbol', id: 1, name: 'T', type: constInt, alignment: null, loc: NOWHERE } as const;
    const named = withAlias(constInt, alias);
    expect(printType(named, 'x')).toBe('T x');
    expect(printType(withQualifiers(named, QUALIFIER_VOLATILE), 'x')).toBe('volatile T x');
    expect(printType(unqualified(named), 'x')).toBe('int x');
    expect(printType(named, 'x', { useAliases: false })).toBe('const int x');
  });
});

describe('compatibility', () => {
  it('ignores what is not known and insists on what is', () => {
    expect(compatible(arrayOf(intType, 3), arrayOf(intType, null))).toBe(true);
    expect(sameType(arrayOf(intType, 3), arrayOf(intType, null))).toBe(false);
    expect(compatible(arrayOf(intType, 3), arrayOf(intType, 4))).toBe(false);
    expect(compatible(pointerTo(intType), pointerTo(constInt))).toBe(false);
    expect(compatible(functionType(intType, [constInt]), functionType(intType, [intType]))).toBe(true);
    expect(compatible(functionType(intType, [], false, true), functionType(intType, [intType]))).toBe(true);
    expect(compatible(functionType(intType, [], false, true), functionType(intType, [charType]))).toBe(false);
    expect(compatible(enumType(colour), integerType('unsigned int'))).toBe(true);
    expect(sameType(enumType(colour), integerType('unsigned int'))).toBe(false);
    expect(compatible(integerType('long'), integerType('long long'))).toBe(false);
  });

  it('makes composites of all that is known', () => {
    const known = compositeType(arrayOf(intType, null), arrayOf(intType, 3));
    expect(printType(known)).toBe('int [3]');
    const prototype = functionType(intType, [pointerTo(arrayOf(intType, 3))]);
    expect(printType(compositeType(functionType(intType, [], false, true), prototype))).toBe('int (int (*)[3])');
    expect(compositeType(prototype, prototype)).toBe(prototype);
  });

  it('puts the qualifiers of an array on its elements', () => {
    const type = withQualifiers(arrayOf(arrayOf(intType, 2), 3), QUALIFIER_CONST);
    expect(printType(type, 'x')).toBe('const int x[3][2]');
    expect(qualifiersOf(type)).toBe(QUALIFIER_CONST);
    expect(type.qualifiers).toBe(0);
  });

  it('follows chains of any length', () => {
    let left: Type = intType;
    let right: Type = intType;
    for (let i = 0; i < 100_000; i++) {
      left = pointerTo(left);
      right = pointerTo(right);
    }
    expect(sameType(left, right)).toBe(true);
    expect(printType(left).length).toBe('int '.length + 100_000);
  });
});

describe('promotions', () => {
  it('follow the ranks and the data model', () => {
    expect(promoted(integerType('unsigned short'))).toBe(intType);
    expect(promoted(enumType(colour))).toBe(integerType('unsigned int'));
    expect(commonType(integerType('unsigned int'), integerType('long'), 'LP64')).toBe(integerType('long'));
    expect(commonType(integerType('unsigned int'), integerType('long'), 'ILP32')).toBe(integerType('unsigned long'));
    expect(commonType(integerType('unsigned long'), integerType('long long'), 'LP64')).toBe(
      integerType('unsigned long long'),
    );
    expect(commonType(intType, floatType('float'), 'LP64')).toBe(floatType('float'));
    expect(commonType(doubleType, floatType('long double'), 'LP64')).toBe(floatType('long double'));
  });
});

describe('integer ranges', () => {
  it('know bounds and wrapping', () => {
    expect(minimumOf('signed char', 'LP64')).toBe(-128n);
    expect(maximumOf('unsigned long', 'ILP32')).toBe(0xffffffffn);
    expect(maximumOf('long', 'LP64')).toBe((1n << 63n) - 1n);
    expect(maximumOf('_Bool', 'LP64')).toBe(1n);
    expect(wrapInteger(300n, 'unsigned char', 'LP64')).toBe(44n);
    expect(wrapInteger(200n, 'char', 'LP64')).toBe(-56n);
    expect(wrapInteger(256n, '_Bool', 'LP64')).toBe(1n);
    expect(fitsInteger(-1n, 'unsigned int', 'LP64')).toBe(false);
    expect([unsignedName('char'), signedName('unsigned long long'), signedName('_Bool')]).toEqual([
      'unsigned char',
      'long long',
      '_Bool',
    ]);
  });
});
