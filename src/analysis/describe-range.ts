/** Value sets of variables as text: numbers in the variable's own view, addresses by the names of what they point to. */

import type { Code } from '../program/code.ts';
import { scalarPlaces } from '../program/scalar-places.ts';
import { NOWHERE } from '../support/source.ts';
import type { MemoryObject } from './execute/knowledge.ts';
import { floatFromBits } from './float-constants.ts';
import * as sets from './value-set.ts';
import type { Part } from './value-set-parts.ts';
import type { ValueAnalysis, VariableRange } from './variable-ranges.ts';

/** So many different names of addresses are listed, and so many addresses are looked at one by one for that. */
const MOST_ADDRESSES = 6;
const MOST_VALUES = 64;
/** So many parts of a set are listed. */
const MOST_PARTS = 3;

export function describeRange(range: VariableRange, { execution, allocated }: ValueAnalysis): string {
  const { set } = range;
  if (sets.isEmpty(set)) return 'no value';
  if (sets.sameSet(set, sets.topSet(set.width))) return 'any';
  if (range.isFloat) return describeFloats(range);
  if (range.isPointer)
    return describeAddresses(range, { code: execution.code, objects: execution.knowledge.objects, allocated });
  return set.parts.length <= MOST_PARTS || sets.countValues(set) <= 6n
    ? sets.printSet(set, range.signed)
    : `${range.least?.value} … ${range.most?.value} (${sets.countValues(set)} values)`;
}

function describeFloats({ set }: VariableRange): string {
  const values = sets.enumerateValues(set, MOST_ADDRESSES);
  if (values === null || ![32, 64].includes(set.width)) return 'several';
  return `{${values.map((bits) => floatFromBits(bits, set.width)).join(', ')}}`;
}

/** What gives addresses their names. */
interface Memory {
  readonly code: Code;
  readonly objects: readonly MemoryObject[];
  readonly allocated: ValueAnalysis['allocated'];
}

function describeAddresses({ set }: VariableRange, memory: Memory): string {
  const values = sets.enumerateValues(set, MOST_VALUES);
  const names = values
    ? values.map((value) => nameAddress(memory, value))
    : set.parts.map((part) => nameAddressPart(memory, part));
  const different = [...new Set(names)];
  const shown = different.slice(0, MOST_ADDRESSES).join(', ');
  return different.length > MOST_ADDRESSES ? `${shown}, …` : shown;
}

function nameAddressPart(memory: Memory, { low, high, step }: Part): string {
  const [first, last] = [nameAddress(memory, low), nameAddress(memory, high)];
  return first === last ? first : `${first} … ${last} step ${step}`;
}

/** `NULL`, `&stack.head`, the name of a function, or the number. */
function nameAddress({ code, objects, allocated }: Memory, address: bigint): string {
  if (address === 0n) return 'NULL';
  const each = code.functions[Number(address - 0x1000n) / 16];
  if (each && address >= 0x1000n) return each.name;
  const object = objects.find(({ base, size }) => address >= base && address <= base + BigInt(size));
  if (!object) return `0x${address.toString(16)}`;
  const offset = Number(address - object.base);
  const line = code.sources.place(allocated.get(object) ?? NOWHERE)?.line;
  return `&${line === undefined ? nameObject(object) : `allocated@${line}`}${pathTo(code, object, offset)}`;
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
