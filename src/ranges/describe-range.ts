/**
 * Value sets of variables as text: numbers in the variable's own view, enumerators and characters as the user writes
 * them, addresses by the names of what they point to.
 */

import type { MemoryObject } from '../execute/cells.ts';
import type { Code } from '../program/code.ts';
import { functionAt } from '../program/function-addresses.ts';
import { partPointedTo } from '../program/part-paths.ts';
import { isStringLiteral, nameOfObject } from '../program/string-text.ts';
import type { Type } from '../program/types.ts';
import { spellFloat } from '../support/spell-float.ts';
import { floatBounds, floatOrder, hasNan } from '../values/float-bounds.ts';
import { floatFromBits } from '../values/float-constants.ts';
import * as sets from '../values/value-set.ts';
import type { SetPart } from '../values/value-set-parts.ts';
import type { VariableRange } from './make-range.ts';
import type { NamedAnalysis } from './name-allocations.ts';
import { isKnownFloat } from './range-extremes.ts';

/** So many different names of addresses are listed, and so many addresses are looked at one by one for that. */
const MOST_ADDRESSES = 6;
const MOST_VALUES = 64;
/** So many numbers, and so many parts of a set, are listed. */
const MOST_LISTED = 6;
const MOST_PARTS = 3;

export function describeRange(range: VariableRange, { execution, names }: NamedAnalysis): string {
  const { set } = range;
  if (sets.isEmpty(set)) return 'no value';
  if (set.width > 1 && sets.sameSet(set, sets.topSet(set.width))) return 'any';
  if (range.isFloat) return describeFloats(range);
  if (range.isPointer)
    return describeAddresses(range, { code: execution.code, objects: execution.knowledge.objects, names });
  return describeNumbers(range);
}

function describeNumbers(range: VariableRange): string {
  const { set, signed } = range;
  const count = sets.countValues(set);
  const values = sets
    .enumerateValues(set, MOST_LISTED)
    ?.map((bits) => (signed ? BigInt.asIntN(set.width, bits) : bits));
  const names = values && (nameEnumerators(range, values) ?? nameCharacters(range, values));
  if (names) return `{${names.join(', ')}}`;
  return set.parts.length <= MOST_PARTS || count <= BigInt(MOST_LISTED)
    ? sets.printSet(set, signed)
    : `${range.least?.value} … ${range.most?.value} (${count} values)`;
}

/** The names of an enumeration's constants; numbers that have none stay numbers. Null for other types. */
function nameEnumerators({ type }: VariableRange, values: readonly bigint[]): string[] | null {
  if (type === null || !('qualifiers' in type) || type.kind !== 'enum') return null;
  const names = new Map((type.declaration.enumerators ?? []).map(({ name, value }) => [value, name]));
  const inOrder = [...values].sort((a, b) => (a < b ? -1 : 1));
  return inOrder.map((value) => names.get(value) ?? `${value}`);
}

/** Characters of a `char`, if all of them can be printed or end a string. */
function nameCharacters({ type }: VariableRange, values: readonly bigint[]): string[] | null {
  const isChar = type !== null && 'qualifiers' in type && type.kind === 'integer' && type.name === 'char';
  const isText = values.some((value) => value !== 0n) && values.every((value) => value === 0n || isPrintable(value));
  if (!isChar || !isText) return null;
  return values.map((value) => {
    const character = String.fromCharCode(Number(value));
    return value === 0n ? "'\\0'" : /['\\]/.test(character) ? `'\\${character}'` : `'${character}'`;
  });
}

const isPrintable = (value: bigint) => value >= 0x20n && value < 0x7fn;

function describeFloats({ set, least, most }: VariableRange): string {
  const { width } = set;
  if (!isKnownFloat(width)) return `${sets.countValues(set)} values`;
  const values = sets.enumerateValues(set, MOST_LISTED);
  if (values) {
    const inOrder = [...values].sort((a, b) => (floatOrder(a, width) < floatOrder(b, width) ? -1 : 1));
    return `{${[...new Set(inOrder.map((bits) => spellBits(bits, width)))].join(', ')}}`;
  }
  if (!least || !most || !floatBounds(set)) return 'no number';
  return `${spellBits(least.value, width)} … ${spellBits(most.value, width)}${hasNan(set) ? ' or no number' : ''}`;
}

/** The number that a pattern of bits stands for, as text. */
export function spellBits(bits: bigint, width: number): string {
  return spellFloat(floatFromBits(BigInt.asUintN(width, bits), width), width);
}

/** What gives addresses their names. */
interface MemoryNames {
  readonly code: Code;
  readonly objects: readonly MemoryObject[];
  readonly names: NamedAnalysis['names'];
}

function describeAddresses({ set, type }: VariableRange, memory: MemoryNames): string {
  const values = sets.enumerateValues(set, MOST_VALUES);
  const target = type !== null && 'qualifiers' in type && type.kind === 'pointer' ? type.target : null;
  const names = values
    ? values.map((value) => nameAddress(memory, value, target))
    : set.parts.map((part) => nameAddressPart(memory, part, target));
  const different = [...new Set(names)];
  const shown = different.slice(0, MOST_ADDRESSES).join(', ');
  return different.length > MOST_ADDRESSES ? `${shown}, …` : shown;
}

function nameAddressPart(memory: MemoryNames, { low, high, step }: SetPart, target: Type | null): string {
  const [first, last] = [nameAddress(memory, low, target), nameAddress(memory, high, target)];
  return first === last ? first : `${first} … ${last} step ${step}`;
}

/** `NULL`, `&stack.head`, `"text"`, the name of a function, or the number. */
function nameAddress({ code, objects, names }: MemoryNames, address: bigint, target: Type | null): string {
  if (address === 0n) return 'NULL';
  const each = code.functions[functionAt(address, code.functions.length)];
  if (each) return each.name;
  const object = objects.find(({ base, size }) => address >= base && address <= base + BigInt(size));
  if (!object) return `0x${address.toString(16)}`;
  const offset = Number(address - object.base);
  if (object.declared && isStringLiteral(object.declared)) {
    return offset === 0 ? nameObject(object) : `${nameObject(object)} + ${offset}`;
  }
  const allocated = names.get(object);
  const name = allocated?.name ?? nameObject(object);
  // The first of several allocated numbers is the allocation itself to everybody; of several records it is one of them.
  const isWhole = allocated !== undefined && offset === 0 && target?.kind !== 'record';
  const type = isWhole ? null : (allocated ?? object.declared)?.type;
  if (!type) return `&${name}${beyond(offset)}`;
  const { path, rest } = partPointedTo(type, offset, target, code.dataModel);
  return `&${name}${path}${beyond(rest)}`;
}

function beyond(offset: number): string {
  return offset === 0 ? '' : `+${offset}`;
}

function nameObject({ declared, name }: MemoryObject): string {
  return declared?.variable?.name ?? (declared ? nameOfObject(declared) : name);
}
