/**
 * Constants and strings as C text. The text denotes the value exactly and, for integers of at least the rank of int and
 * for floating types, has the type too. Constants of smaller integer types are written as int: C has no literals for
 * them, and every use promotes them anyway.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { FloatExpression, StringExpression } from '../../program/tree.ts';
import type { FloatName, IntegerName, Type } from '../../program/types.ts';
import { PRECEDENCE, type Rendered, rendered } from './rendered.ts';

const SUFFIXES: Readonly<Partial<Record<IntegerName, string>>> = {
  'unsigned int': 'U',
  long: 'L',
  'unsigned long': 'UL',
  'long long': 'LL',
  'unsigned long long': 'ULL',
};

const INT_MAX = 2n ** 31n - 1n;
const LLONG_MAX = 2n ** 63n - 1n;
const ULLONG_MAX = 2n ** 64n - 1n;

/** An integer constant of the type. */
export function renderInteger(value: bigint, type: Type, model: DataModel): Rendered {
  const name = type.kind === 'integer' ? type.name : type.kind === 'enum' ? type.declaration.underlying : 'int';
  if (name === '__int128' || name === 'unsigned __int128') return renderWideInteger(value, name);
  const suffix = SUFFIXES[name] ?? '';
  const smallest = name === 'long long' || (name === 'long' && model === 'LP64') ? -LLONG_MAX - 1n : -INT_MAX - 1n;
  return renderSuffixed(value, suffix, smallest);
}

/** A constant whose type does not matter, as in `case`: the literal that C gives the value. */
export function renderAnyInteger(value: bigint): Rendered {
  if (value > LLONG_MAX) return renderSuffixed(value, 'ULL', 0n);
  if (value > INT_MAX || value < -INT_MAX - 1n) return renderSuffixed(value, 'LL', -LLONG_MAX - 1n);
  return renderSuffixed(value, '', -INT_MAX - 1n);
}

function renderSuffixed(value: bigint, suffix: string, smallest: bigint): Rendered {
  if (value >= 0n) return rendered(`${value}${suffix}`, PRECEDENCE.primary);
  // The magnitude of the smallest value does not fit its own type.
  if (value <= smallest) return rendered(`${value + 1n}${suffix} - 1${suffix}`, PRECEDENCE.additive, '-');
  return rendered(`${value}${suffix}`, PRECEDENCE.unary);
}

/** C has no literals of 128 bits: shorter ones are cast, longer ones are put together from halves. */
function renderWideInteger(value: bigint, name: '__int128' | 'unsigned __int128'): Rendered {
  if (value >= 0n && value <= ULLONG_MAX) {
    const literal = value > LLONG_MAX ? `${value}ULL` : value > INT_MAX ? `${value}LL` : `${value}`;
    return rendered(`(${name})${literal}`, PRECEDENCE.cast);
  }
  if (value < 0n && value >= -LLONG_MAX) {
    return rendered(`(${name})${value}${value < -INT_MAX ? 'LL' : ''}`, PRECEDENCE.cast);
  }
  const bits = BigInt.asUintN(128, value);
  const halves = `(unsigned __int128)${bits >> 64n}ULL << 64 | ${bits & ULLONG_MAX}ULL`;
  if (name === 'unsigned __int128') return rendered(halves, PRECEDENCE.bitOr, '|');
  return rendered(`(${name})(${halves})`, PRECEDENCE.cast);
}

const FLOAT_SUFFIXES: Readonly<Record<FloatName, string>> = {
  float: 'f',
  double: '',
  'long double': 'L',
  _Float16: 'f16',
  _Float32: 'f32',
  _Float64: 'f64',
  _Float32x: 'f32x',
  _Float64x: 'f64x',
  _Float128: 'f128',
};

/** Types wider than double, in which a decimal text would not be the double exactly. */
const WIDE_FLOATS: ReadonlySet<FloatName> = new Set<FloatName>(['long double', '_Float64x', '_Float128']);

export function renderFloat(expression: FloatExpression): Rendered {
  const { value, spelling, type } = expression;
  if (spelling !== null) {
    return rendered(spelling, /^[-+]/.test(spelling) ? PRECEDENCE.unary : PRECEDENCE.primary);
  }
  const name = type.kind === 'float' ? type.name : 'double';
  if (!Number.isFinite(value)) return renderSpecialFloat(value, name);
  const magnitude = Math.abs(value);
  const text = WIDE_FLOATS.has(name) ? hexadecimalFloat(magnitude) : decimalFloat(magnitude);
  const isNegative = value < 0 || Object.is(value, -0);
  return isNegative
    ? rendered(`-${text}${FLOAT_SUFFIXES[name]}`, PRECEDENCE.unary)
    : rendered(`${text}${FLOAT_SUFFIXES[name]}`, PRECEDENCE.primary);
}

function renderSpecialFloat(value: number, name: FloatName): Rendered {
  const suffix = name === 'float' ? 'f' : name === 'long double' ? 'l' : '';
  const known = suffix !== '' || name === 'double';
  const call = Number.isNaN(value) ? `__builtin_nan${suffix}("")` : `__builtin_inf${suffix}()`;
  const signed = value < 0 ? `-${call}` : call;
  if (!known) return rendered(`(${name})${signed}`, PRECEDENCE.cast);
  return rendered(signed, value < 0 ? PRECEDENCE.unary : PRECEDENCE.primary);
}

/** The shortest decimal text that reads back as the same double, recognisable as a floating constant. */
function decimalFloat(magnitude: number): string {
  const text = String(magnitude);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function hexadecimalFloat(magnitude: number): string {
  if (magnitude === 0) return '0x0p0';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, magnitude);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const digits = (bits & (2n ** 52n - 1n)).toString(16).padStart(13, '0').replace(/0+$/, '');
  const [lead, power] = exponent === 0 ? ['0', -1022] : ['1', exponent - 1023];
  return `0x${lead}${digits === '' ? '' : `.${digits}`}p${power}`;
}

// ---------------------------------------------------------------- strings

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
]);

/** The literal of a string expression, with the prefix that its element type asks for. */
export function printString(expression: StringExpression): string {
  const { units } = expression;
  const end = units.at(-1) === 0 ? units.length - 1 : units.length;
  const prefix = stringPrefix(expression.type);
  return quoteUnits(units.slice(0, end), prefix);
}

/** A narrow literal of a text that is known as characters, as in `asm`. */
export function quoteText(text: string): string {
  return quoteUnits(encodeUtf8(text), '');
}

function stringPrefix(type: Type): string {
  const element = type.kind === 'array' ? type.element : type;
  if (element.kind !== 'integer') return '';
  switch (element.name) {
    case 'int':
    case 'long':
      return 'L';
    case 'unsigned short':
      return 'u';
    case 'unsigned int':
      return 'U';
    default:
      return '';
  }
}

/** A hexadecimal escape goes on as far as there are digits, so the literal is closed and reopened after one. */
function quoteUnits(units: readonly number[], prefix: string): string {
  let text = `${prefix}"`;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    const next = units[at + 1] ?? 0;
    const piece = quoteUnit(unit, next, units[at - 1] ?? 0, prefix !== '');
    text += piece;
    if (piece.startsWith('\\x') && at + 1 < units.length) text += `" ${prefix}"`;
  }
  return `${text}"`;
}

function quoteUnit(unit: number, next: number, previous: number, isWide: boolean): string {
  const known = ESCAPES.get(unit);
  if (known !== undefined) return known;
  // Two question marks could begin a trigraph.
  if (unit === 63 && previous === 63) return '\\?';
  if (unit >= 32 && unit < 127) return String.fromCharCode(unit);
  if (isWide && unit >= 0xa0 && unit <= 0x10ffff && (unit < 0xd800 || unit > 0xdfff)) {
    return unit > 0xffff ? `\\U${unit.toString(16).padStart(8, '0')}` : `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  if (unit >= 0 && unit < 256) {
    const isDigitNext = next >= 48 && next <= 57;
    return `\\${unit.toString(8).padStart(isDigitNext ? 3 : 1, '0')}`;
  }
  return `\\x${(unit >>> 0).toString(16)}`;
}

/** By hand, since the core has no TextEncoder in its library. */
function encodeUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}
