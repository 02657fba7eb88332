/** Value sets of variables as text: numbers in the variable's own view, addresses by the names of what they point to. */

import type { Code } from '../program/code.ts';
import { scalarPlaces } from '../program/scalar-places.ts';
import type { MemoryObject } from './execute/knowledge.ts';
import { floatFromBits } from './float-constants.ts';
import * as sets from './value-set.ts';
import type { Part } from './value-set-parts.ts';
import type { ValueAnalysis, VariableRange } from './variable-ranges.ts';

/** So many addresses are named one by one. */
const MOST_ADDRESSES = 6;
/** So many parts of a set are listed. */
const MOST_PARTS = 3;

export function describeRange(range: VariableRange, { execution }: ValueAnalysis): string {
  const { set } = range;
  if (sets.isEmpty(set)) return 'no value';
  if (sets.sameSet(set, sets.topSet(set.width))) return 'any';
  if (range.isFloat) return describeFloats(range);
  if (range.isPointer) return describeAddresses(range, execution.code, execution.knowledge.objects);
  return set.parts.length <= MOST_PARTS || sets.countValues(set) <= 6n
    ? sets.printSet(set, range.signed)
    : `${range.least?.value} … ${range.most?.value} (${sets.countValues(set)} values)`;
}

function describeFloats({ set }: VariableRange): string {
  const values = sets.enumerateValues(set, MOST_ADDRESSES);
  if (values === null || ![32, 64].includes(set.width)) return 'several';
  return `{${values.map((bits) => floatFromBits(bits, set.width)).join(', ')}}`;
}

function describeAddresses({ set }: VariableRange, code: Code, objects: readonly MemoryObject[]): string {
  const values = sets.enumerateValues(set, MOST_ADDRESSES);
  const names = values
    ? values.map((value) => nameAddress(code, objects, value))
    : set.parts.slice(0, MOST_PARTS).map((part) => nameAddressPart(code, objects, part));
  const shown = [...new Set(names)].join(', ');
  return values || set.parts.length <= MOST_PARTS ? shown : `${shown}, …`;
}

function nameAddressPart(code: Code, objects: readonly MemoryObject[], { low, high, step }: Part): string {
  const first = nameAddress(code, objects, low);
  return low === high ? first : `${first} … ${nameAddress(code, objects, high)} step ${step}`;
}

/** `NULL`, `&stack.head`, the name of a function, or the number. */
function nameAddress(code: Code, objects: readonly MemoryObject[], address: bigint): string {
  if (address === 0n) return 'NULL';
  const each = code.functions[Number(address - 0x1000n) / 16];
  if (each && address >= 0x1000n) return each.name;
  const object = objects.find(({ base, size }) => address >= base && address <= base + BigInt(size));
  if (!object) return `0x${address.toString(16)}`;
  const offset = Number(address - object.base);
  return `&${nameObject(object)}${pathTo(code, object, offset)}`;
}

function nameObject(object: MemoryObject): string {
  return object.declared?.variable?.name ?? object.declared?.name ?? object.name;
}

function pathTo(code: Code, { declared }: MemoryObject, offset: number): string {
  const places = declared?.type ? scalarPlaces(declared.type, code.dataModel) : [];
  const here = places.find((place) => place.offset === offset && place.repeats.length === 0);
  if (here) return offset === 0 ? '' : here.path;
  return offset === 0 ? '' : `+${offset}`;
}
