/**
 * Integer and character constants as `#if` reads them: all integers have 64 bits (C11 6.10.1 p4), characters are those
 * of gcc on x86 (plain `char` is signed, several characters make one `int`, the execution character set is UTF-8).
 */

import { pushAll } from '../../support/push-all.ts';
import { rawByteOf } from '../../support/raw-bytes.ts';

/** A value of intmax_t or uintmax_t, wrapped to 64 bits. */
export interface IntegerValue {
  readonly bits: bigint;
  readonly unsigned: boolean;
}

type Fault = (message: string) => never;

const INTEGER = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uUlL]*)$/;
const SUFFIX = /^(?:[uU](?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU]?)?$/;

export function readInteger(text: string, fault: Fault): IntegerValue {
  const match = INTEGER.exec(text);
  if (!match) {
    if (/^[0-9]*(?:\.|[0-9][eE])[0-9]*/.test(text)) fault('floating constant in preprocessor expression');
    return fault(`invalid integer constant '${text}' in preprocessor expression`);
  }
  const [, digits = '0', suffix = ''] = match;
  if (!SUFFIX.test(suffix)) fault(`invalid suffix '${suffix}' on integer constant`);
  const octal = /^0[0-7]+$/.test(digits);
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  if (value >> 64n !== 0n) fault('integer constant is too large for its type');
  return { bits: value, unsigned: /[uU]/.test(suffix) || value >> 63n !== 0n };
}

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

/** Bits of one element by the literal's prefix. */
const WIDTHS: Readonly<Record<string, number>> = { '': 8, u8: 8, u: 16, U: 32, L: 32 };

export function readCharacter(text: string, fault: Fault): IntegerValue {
  const quote = text.indexOf("'");
  const prefix = text.slice(0, quote);
  const width = WIDTHS[prefix] ?? 8;
  const units = readUnits(text.slice(quote + 1, -1), width, fault);
  if (units.length === 0) fault('empty character constant');
  if (prefix === '') {
    const packed = units.slice(-4).reduce((value, unit) => (value << 8n) | unit, 0n);
    return { bits: BigInt.asIntN(units.length === 1 ? 8 : 32, packed), unsigned: false };
  }
  const last = units.at(-1) as bigint;
  return prefix === 'L' ? { bits: BigInt.asIntN(32, last), unsigned: false } : { bits: last, unsigned: true };
}

/** The elements of a character constant's body, escapes resolved. */
function readUnits(body: string, width: number, fault: Fault): bigint[] {
  const units: bigint[] = [];
  const pattern = /\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|./gsu;
  for (const [whole, hex, octal, short, long, simple] of body.matchAll(pattern)) {
    const point = short ?? long;
    if (hex !== undefined) units.push(BigInt.asUintN(width, BigInt(`0x${hex}`)));
    else if (octal !== undefined) units.push(BigInt.asUintN(width, BigInt(`0o${octal}`)));
    else if (point !== undefined) pushAll(units, encode(Number.parseInt(point, 16), width));
    else if (simple === undefined) pushAll(units, encode(whole.codePointAt(0) as number, width));
    else if (simple in SIMPLE_ESCAPES) units.push(BigInt(SIMPLE_ESCAPES[simple] as number));
    else fault(`unknown escape sequence '\\${simple}'`);
  }
  return units;
}

/** A code point in UTF-8 for elements of 8 bits, else as one element. */
function encode(point: number, width: number): bigint[] {
  const byte = rawByteOf(point);
  if (byte !== null) return [BigInt(byte)];
  if (width > 8 || point < 0x80) return [BigInt(point)];
  const tail = (shift: number) => BigInt(0x80 | ((point >> shift) & 0x3f));
  if (point < 0x800) return [BigInt(0xc0 | (point >> 6)), tail(0)];
  if (point < 0x10000) return [BigInt(0xe0 | (point >> 12)), tail(6), tail(0)];
  return [BigInt(0xf0 | (point >> 18)), tail(12), tail(6), tail(0)];
}
