/**
 * What numbers, characters and strings mean: value and type of a literal from its text. Pure functions that return
 * complaints instead of reporting them, so that the preprocessor's rules and the checker's stay apart.
 *
 * Source text is Unicode; narrow characters are encoded as UTF-8, as gcc does by default. The value of a floating
 * constant is the nearest double (or float); types wider than double keep their spelling for whoever needs more digits.
 */

import type { DataModel } from '../../program/data-model.ts';
import { fitsInteger, integerSize } from '../../program/integer-range.ts';
import { charType, floatType, integerType, intType, wideCharacterType } from '../../program/type-operations.ts';
import type { FloatName, FloatType, IntegerName, IntegerType } from '../../program/types.ts';
import { rawByteOf } from '../../support/raw-bytes.ts';

export interface Complaint {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

export type NumberLiteral =
  | {
      readonly kind: 'integer';
      readonly value: bigint;
      readonly type: IntegerType;
      readonly complaint: Complaint | null;
    }
  | { readonly kind: 'float'; readonly value: number; readonly type: FloatType; readonly complaint: Complaint | null }
  | { readonly kind: 'invalid'; readonly complaint: Complaint };

// ---------------------------------------------------------------- numbers

const integerPattern = /^(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9][0-9]*))([uUlL]*)$/;
const floatPattern =
  /^(?:((?!0[xX])(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+))([a-zA-Z][a-zA-Z0-9]*)?$/;

export function readNumber(text: string, model: DataModel): NumberLiteral {
  if (text.length < 10 && /^(?:0|[1-9][0-9]*)$/.test(text)) {
    const value = Number(text);
    if (value <= 0x7fffffff) return { kind: 'integer', value: BigInt(value), type: intType, complaint: null };
  }
  const integer = integerPattern.exec(text);
  if (integer) return readInteger(integer, model);
  const float = floatPattern.exec(text);
  if (float && /[.eEpP]/.test(float[1] ?? 'p')) return readFloat(float);
  const octal = /^0[0-9]+[uUlL]*$/.test(text);
  return invalid(octal ? `invalid digit in octal constant '${text}'` : `invalid number '${text}'`);
}

function invalid(message: string): NumberLiteral {
  return { kind: 'invalid', complaint: { severity: 'error', code: 'invalid-literal', message } };
}

interface IntegerSuffix {
  readonly unsigned: boolean;
  /** How many `l` it has. */
  readonly longs: number;
}

const suffixes: ReadonlyMap<string, IntegerSuffix> = new Map(
  ['', 'l', 'll'].flatMap((long, longs): [string, IntegerSuffix][] => [
    [long, { unsigned: false, longs }],
    [`u${long}`, { unsigned: true, longs }],
    [`${long}u`, { unsigned: true, longs }],
  ]),
);

function readInteger(match: RegExpExecArray, model: DataModel): NumberLiteral {
  const [text, hexadecimal, binary, octal, decimal, suffixText = ''] = match;
  const suffix = /lL|Ll/.test(suffixText) ? undefined : suffixes.get(suffixText.toLowerCase());
  if (suffix === undefined) return invalid(aboutSuffix(suffixText, 'integer'));
  let value: bigint;
  if (hexadecimal !== undefined) value = BigInt(`0x${hexadecimal}`);
  else if (binary !== undefined) value = BigInt(`0b${binary}`);
  else if (octal !== undefined) value = octal === '0' ? 0n : BigInt(`0o${octal.slice(1)}`);
  else value = BigInt(decimal as string);
  const isDecimal = decimal !== undefined;
  for (const name of integerCandidates(suffix.unsigned, suffix.longs, isDecimal)) {
    if (fitsInteger(value, name, model)) {
      return { kind: 'integer', value, type: integerType(name), complaint: null };
    }
  }
  return readOversized(value, text ?? '', isDecimal, model);
}

/** The types of C 6.4.4.1 table, narrowest first. */
function integerCandidates(unsigned: boolean, longs: number, isDecimal: boolean): readonly IntegerName[] {
  const signedNames: readonly IntegerName[] = ['int', 'long', 'long long'];
  const names: IntegerName[] = [];
  for (const name of signedNames.slice(longs)) {
    if (!unsigned) names.push(name);
    if (unsigned || !isDecimal) names.push(`unsigned ${name}` as IntegerName);
  }
  return names;
}

/** gcc takes `__int128` where it has it, and the widest unsigned type else, with a warning. */
function readOversized(value: bigint, text: string, isDecimal: boolean, model: DataModel): NumberLiteral {
  const warning = (message: string): Complaint => ({ severity: 'warning', code: 'overflow', message });
  if (value >= 1n << 64n) {
    return {
      kind: 'integer',
      value: BigInt.asUintN(64, value),
      type: integerType('unsigned long long'),
      complaint: warning(`integer constant '${text}' is too large for its type`),
    };
  }
  const name: IntegerName = model === 'LP64' && isDecimal ? '__int128' : 'unsigned long long';
  const complaint = warning(`integer constant '${text}' is so large that it is unsigned`);
  return { kind: 'integer', value, type: integerType(name), complaint };
}

function aboutSuffix(suffix: string, kind: 'integer' | 'floating'): string {
  const isImaginary = /^[a-hk-z\d]*[ij][a-hk-z\d]*$/i.test(suffix);
  return isImaginary ? 'complex numbers are not supported' : `invalid suffix '${suffix}' on ${kind} constant`;
}

const floatSuffixes: ReadonlyMap<string, FloatName> = new Map([
  ['', 'double'],
  ['f', 'float'],
  ['l', 'long double'],
  ['d', 'double'],
  ['w', '_Float64x'],
  ['q', '_Float128'],
  ['f16', '_Float16'],
  ['f32', '_Float32'],
  ['f64', '_Float64'],
  ['f32x', '_Float32x'],
  ['f64x', '_Float64x'],
  ['f128', '_Float128'],
]);

function readFloat(match: RegExpExecArray): NumberLiteral {
  const [, decimal, hexadecimal, suffix = ''] = match;
  const name = floatSuffixes.get(suffix.toLowerCase());
  if (name === undefined) return invalid(aboutSuffix(suffix, 'floating'));
  let value = decimal === undefined ? readHexadecimalFloat(hexadecimal as string) : Number(decimal);
  if (name === 'float' || name === '_Float32') value = Math.fround(value);
  const overflow: Complaint = { severity: 'warning', code: 'overflow', message: 'floating constant exceeds its range' };
  const widerThanDouble = name === 'long double' || name === '_Float64x' || name === '_Float128';
  const complaint = value === Number.POSITIVE_INFINITY && !widerThanDouble ? overflow : null;
  return { kind: 'float', value, type: floatType(name), complaint };
}

/** Digits beyond the 64th bit only decide rounding: they are folded into a sticky lowest bit. */
function readHexadecimalFloat(text: string): number {
  const match = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/.exec(text);
  if (!match) return Number.NaN;
  const [, whole = '', fraction = '', exponentText = '0'] = match;
  let mantissa = BigInt(`0x0${whole}${fraction}`);
  let exponent = Number(exponentText) - 4 * fraction.length;
  const excess = mantissa.toString(2).length - 64;
  if (excess > 0) {
    const lost = mantissa & ((1n << BigInt(excess)) - 1n);
    mantissa = (mantissa >> BigInt(excess)) | (lost === 0n ? 0n : 1n);
    exponent += excess;
  }
  return scaleByPowerOfTwo(mantissa, exponent);
}

/** mantissa · 2^exponent rounded once to the nearest double. */
function scaleByPowerOfTwo(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  if (length + exponent > 1024) return Number.POSITIVE_INFINITY;
  if (length + exponent < -1080) return 0;
  // Keep so many bits that the result has at most 53 and none below 2^-1074, rounding to even.
  const drop = Math.max(length - 53, -1074 - exponent);
  if (drop <= 0) return scaleExactly(Number(mantissa), exponent);
  const half = 1n << BigInt(drop - 1);
  const rest = mantissa & ((1n << BigInt(drop)) - 1n);
  let kept = mantissa >> BigInt(drop);
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  return scaleExactly(Number(kept), exponent + drop);
}

function scaleExactly(value: number, exponent: number): number {
  let result = value;
  let rest = exponent;
  for (; rest > 1000; rest -= 1000) result *= 2 ** 1000;
  for (; rest < -1000; rest += 1000) result *= 2 ** -1000;
  return result * 2 ** rest;
}

// ---------------------------------------------------------------- characters and strings

export type LiteralPrefix = '' | 'L' | 'u' | 'U' | 'u8';

export function elementType(prefix: LiteralPrefix, model: DataModel): IntegerType {
  switch (prefix) {
    case '':
    case 'u8':
      return charType;
    case 'L':
      return wideCharacterType(model);
    case 'u':
      return integerType('unsigned short');
    case 'U':
      return integerType('unsigned int');
  }
}

export interface CharacterLiteral {
  readonly value: bigint;
  readonly type: IntegerType;
  readonly complaints: readonly Complaint[];
}

export function readCharacter(text: string, model: DataModel): CharacterLiteral {
  const { prefix, body } = splitLiteral(text);
  const complaints: Complaint[] = [];
  const type = prefix === '' ? intType : elementType(prefix, model);
  const unitSize = prefix === '' || prefix === 'u8' ? 1 : integerSize(type.name, model);
  const units: number[] = [];
  appendUnits(body, unitSize, units, complaints);
  const [first] = units;
  if (first === undefined) {
    return { value: 0n, type, complaints: [...complaints, literalError('empty character constant')] };
  }
  if (prefix !== '') {
    if (units.length > 1) complaints.push(literalWarning('multichar', 'character constant too long for its type'));
    return { value: BigInt(type.name === 'int' || type.name === 'long' ? first | 0 : first), type, complaints };
  }
  if (units.length === 1) return { value: BigInt((first << 24) >> 24), type, complaints };
  const message = units.length > 4 ? 'character constant too long for its type' : 'multi-character character constant';
  complaints.push(literalWarning('multichar', message));
  return { value: BigInt(units.reduce((value, unit) => (value << 8) | unit, 0)), type, complaints };
}

export interface StringLiteral {
  /** Without the terminating 0. */
  readonly units: readonly number[];
  readonly element: IntegerType;
  readonly complaints: readonly Complaint[];
}

/** Adjacent literals make one string; a prefix on one holds for all. */
export function readString(parts: readonly string[], model: DataModel): StringLiteral {
  const complaints: Complaint[] = [];
  const split = parts.map(splitLiteral);
  let prefix: LiteralPrefix = '';
  for (const part of split) {
    if (part.prefix === '' || part.prefix === prefix) continue;
    if (prefix === '') prefix = part.prefix;
    else complaints.push(literalError('unsupported concatenation of string literals with different prefixes'));
  }
  const element = elementType(prefix, model);
  const unitSize = integerSize(element.name, model);
  const units: number[] = [];
  for (const part of split) appendUnits(part.body, unitSize, units, complaints);
  return { units, element, complaints };
}

function splitLiteral(text: string): { prefix: LiteralPrefix; body: string } {
  const quote = text.search(/["']/);
  const end = text.length > quote + 1 && text.endsWith(text[quote] ?? '') ? text.length - 1 : text.length;
  return { prefix: text.slice(0, quote) as LiteralPrefix, body: text.slice(quote + 1, end) };
}

function literalError(message: string): Complaint {
  return { severity: 'error', code: 'invalid-literal', message };
}

function literalWarning(code: string, message: string): Complaint {
  return { severity: 'warning', code, message };
}

const simpleEscapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  E: 27,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

function appendUnits(body: string, unitSize: number, units: number[], complaints: Complaint[]): void {
  for (let at = 0; at < body.length; ) {
    const code = body.codePointAt(at) as number;
    if (code !== 92) {
      appendCodePoint(code, unitSize, units);
      at += code > 0xffff ? 2 : 1;
    } else at = appendEscape(body, at + 1, unitSize, units, complaints);
  }
}

/** Reads the escape whose letter stands at `at`; returns where the text goes on. */
function appendEscape(body: string, at: number, unitSize: number, units: number[], complaints: Complaint[]): number {
  const letter = body[at] ?? '';
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    units.push(simple);
    return at + 1;
  }
  const numeric = /^(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(body.slice(at, at + 64));
  if (numeric === null) {
    if (/[xuU]/.test(letter)) complaints.push(literalError(`\\${letter} used with no following hex digits`));
    else complaints.push(literalWarning('unknown-escape', `unknown escape sequence '\\${letter}'`));
    appendCodePoint(body.codePointAt(at) ?? 0, unitSize, units);
    return at + Math.max(letter.length, 1);
  }
  const [text, hexadecimal, octal, short, long] = numeric;
  if (short !== undefined || long !== undefined) {
    appendUniversalName(Number.parseInt(short ?? long ?? '0', 16), unitSize, units, complaints);
  } else {
    const value = hexadecimal === undefined ? BigInt(`0o${octal}`) : BigInt(`0x${hexadecimal}`);
    if (value >= 1n << BigInt(8 * unitSize)) {
      complaints.push(literalWarning('overflow', `${hexadecimal ? 'hex' : 'octal'} escape sequence out of range`));
    }
    units.push(Number(BigInt.asUintN(8 * unitSize, value)));
  }
  return at + text.length;
}

function appendUniversalName(code: number, unitSize: number, units: number[], complaints: Complaint[]): void {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    complaints.push(literalError(`\\u${code.toString(16)} is not a valid universal character`));
  } else appendCodePoint(code, unitSize, units);
}

function appendCodePoint(code: number, unitSize: number, units: number[]): void {
  const byte = rawByteOf(code);
  if (byte !== null) units.push(byte);
  else if (unitSize === 4 || code < 0x80) units.push(code);
  else if (unitSize === 2) {
    if (code < 0x10000) units.push(code);
    else units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
  } else if (code < 0x800) units.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) units.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else {
    units.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
}
