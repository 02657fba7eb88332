/**
 * Integer types as sets of numbers: width, signedness, least and greatest value, wrapping. `char` is signed and two's
 * complement is used throughout, as gcc does on x86. An enum counts as the integer type that represents it.
 */

import { InvariantError } from '../support/invariant.ts';
import type { DataModel } from './data-model.ts';
import type { IntegerName, Type } from './types.ts';

const fixedBytes: Readonly<Record<IntegerName, number>> = {
  _Bool: 1,
  char: 1,
  'signed char': 1,
  'unsigned char': 1,
  short: 2,
  'unsigned short': 2,
  int: 4,
  'unsigned int': 4,
  long: 0,
  'unsigned long': 0,
  'long long': 8,
  'unsigned long long': 8,
  __int128: 16,
  'unsigned __int128': 16,
};

/** The bytes that a value of the type occupies. */
export function integerSize(name: IntegerName, model: DataModel): number {
  return fixedBytes[name] || (model === 'ILP32' ? 4 : 8);
}

/** The number of bits that hold the value: 1 for `_Bool`. */
export function integerWidth(name: IntegerName, model: DataModel): number {
  return name === '_Bool' ? 1 : 8 * integerSize(name, model);
}

export function isSignedName(name: IntegerName): boolean {
  return name !== '_Bool' && !name.startsWith('unsigned');
}

/** The integer type that represents values of an integer or enum type. */
export function integerNameOf(type: Type): IntegerName {
  if (type.kind === 'integer') return type.name;
  if (type.kind === 'enum') return type.declaration.underlying;
  throw new InvariantError(`integer type expected, got ${type.kind}`);
}

export function minimumOf(name: IntegerName, model: DataModel): bigint {
  return isSignedName(name) ? -(1n << BigInt(integerWidth(name, model) - 1)) : 0n;
}

export function maximumOf(name: IntegerName, model: DataModel): bigint {
  const width = BigInt(integerWidth(name, model));
  return (1n << (isSignedName(name) ? width - 1n : width)) - 1n;
}

export function fitsInteger(value: bigint, name: IntegerName, model: DataModel): boolean {
  return wrapInteger(value, name, model) === value;
}

/** What a conversion to the type makes of a value: modulo 2^width; for `_Bool`, whether it is not 0. */
export function wrapInteger(value: bigint, name: IntegerName, model: DataModel): bigint {
  if (name === '_Bool') return value === 0n ? 0n : 1n;
  const width = integerWidth(name, model);
  return isSignedName(name) ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
}

const ranks: readonly (readonly IntegerName[])[] = [
  ['_Bool'],
  ['char', 'signed char', 'unsigned char'],
  ['short', 'unsigned short'],
  ['int', 'unsigned int'],
  ['long', 'unsigned long'],
  ['long long', 'unsigned long long'],
  ['__int128', 'unsigned __int128'],
];
const rankTable: ReadonlyMap<IntegerName, number> = new Map(
  ranks.flatMap((names, rank) => names.map((name) => [name, rank] as const)),
);

/** The conversion rank of C 6.3.1.1: a greater number converts a smaller one. */
export function integerRank(name: IntegerName): number {
  return rankTable.get(name) ?? 0;
}

/** The unsigned type of the same rank. */
export function unsignedName(name: IntegerName): IntegerName {
  if (!isSignedName(name)) return name;
  if (name === 'char' || name === 'signed char') return 'unsigned char';
  return `unsigned ${name}` as IntegerName;
}

/** The signed type of the same rank; `_Bool` stays. */
export function signedName(name: IntegerName): IntegerName {
  if (name === 'unsigned char') return 'signed char';
  return name.startsWith('unsigned ') ? (name.slice('unsigned '.length) as IntegerName) : name;
}
