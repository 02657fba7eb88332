/**
 * The text of a string as people read it: bytes are UTF-8, and where they are not, each stands for the letter that it
 * is in Latin-1, as sources that are not UTF-8 are shown (support/raw-bytes.ts). A string literal is an object without
 * a name of its own; `nameOfObject` calls it by its text.
 */

import type { CodeObject } from './code.ts';
import type { StringExpression } from './tree.ts';

/** The characters of a literal, without the terminating 0. */
export function textOfString({ type, units }: StringExpression): string {
  const isWide = type.kind === 'array' && type.element.kind === 'integer' && type.element.name !== 'char';
  return textOfUnits(units.slice(0, -1), isWide);
}

function textOfUnits(units: readonly number[], isWide: boolean): string {
  return isWide ? units.map(toCharacter).join('') : textOfBytes(units);
}

function textOfBytes(bytes: readonly number[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return bytes.map((byte) => String.fromCharCode(byte & 0xff)).join('');
  }
}

/** Halves of characters beyond U+FFFF find together again. */
function toCharacter(unit: number): string {
  return unit <= 0xffff ? String.fromCharCode(unit) : unit <= 0x10_ffff ? String.fromCodePoint(unit) : '\ufffd';
}

export function isStringLiteral({ variable, isConstant, duration, type }: CodeObject): boolean {
  return variable === null && isConstant && duration === 'static' && type?.kind === 'array';
}

/** A string literal of more characters is cut. */
const LONGEST_STRING = 20;

/** What the user calls an object; those of the models are called what the standard calls them (`errno`). */
export function nameOfObject(object: CodeObject): string {
  return isStringLiteral(object) ? quote(object) : object.name.replace(MODEL_PREFIX, '');
}

const MODEL_PREFIX = '__lazuli_';

/** Zeros are not among the initial values. */
function quote({ initial, size, alignment }: CodeObject): string {
  const length = size / alignment - 1;
  const units = new Array<number>(Math.min(length, 4 * LONGEST_STRING + 4)).fill(0);
  for (const { offset, value } of initial) {
    if (offset / alignment >= units.length) break;
    if (value.kind === 'constant') units[offset / alignment] = Number(BigInt.asUintN(8 * alignment, value.value));
  }
  const characters = Array.from(textOfUnits(units, alignment > 1));
  const isCut = length > units.length || characters.length > LONGEST_STRING;
  const text = characters.slice(0, LONGEST_STRING).map(escapeCharacter).join('');
  return `"${text}${isCut ? '…' : ''}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return ESCAPES[character] ?? (isControl ? `\\x${code.toString(16).padStart(2, '0')}` : character);
}
