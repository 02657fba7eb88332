/**
 * Names for places in memory and texts for values, as a person would write them: `stack.array[1].next`,
 * `allocated#2.value`, `&x`, `NULL`, an enumerator, `thread 1`. Allocations are numbered in their order.
 */

import { AllocationTypes } from '../program/allocation-types.ts';
import type { Code, ScalarType } from '../program/code.ts';
import { type DataModel, wordSize } from '../program/data-model.ts';
import { functionAt } from '../program/function-addresses.ts';
import { sizeOf } from '../program/layout.ts';
import { type BitField, isPadding, type Part, partAt, partPointedTo } from '../program/part-paths.ts';
import { partView, scalarParts } from '../program/scalar-parts.ts';
import { isStringLiteral, nameOfObject } from '../program/string-text.ts';
import type { Type } from '../program/types.ts';
import { spellFloat } from '../support/spell-float.ts';
import type { Memory, Region } from './interpreter/memory.ts';
import type { Scalar } from './interpreter/state.ts';

/** A place in memory. */
export interface NamedMemory {
  readonly name: string;
  /** Its declared type, as far as it is known. */
  readonly type: Type | null;
  /** The bit-fields that lie in it, or its members if it is a record, with their whole names. */
  readonly bitFields: readonly BitField[];
  /** It lies between the members of a record. */
  readonly isPadding: boolean;
}

/** The types of thread identifiers. In the models such an identifier is the thread's number plus one. */
const THREAD_TYPES: ReadonlySet<string> = new Set(['pthread_t', 'thrd_t']);

export class Describer {
  readonly allocationTypes: AllocationTypes;
  readonly #code: Code;
  readonly #memory: Memory;

  constructor(code: Code, memory: Memory) {
    this.#code = code;
    this.#memory = memory;
    this.allocationTypes = new AllocationTypes(code.dataModel);
  }

  /** What an access denotes. */
  cell(address: number, size: number): NamedMemory {
    const region = this.#memory.find(address);
    if (!region) return { name: `*0x${address.toString(16)}`, type: null, bitFields: [], isPadding: false };
    const offset = address - region.base;
    const type = this.#typeOf(region);
    const object = this.region(region);
    if (!type) return { name: object + beyond(offset), type: null, bitFields: [], isPadding: false };
    const part = partAt(type, offset, size, this.#code.dataModel);
    const half = part.bitFields.length > 0 ? null : halfOf(part, size, this.#code.dataModel);
    const name = object + (half ?? spell(part));
    const members = part.rest === 0 ? this.#membersOf(part.type, part.path) : [];
    const bitFields = [...part.bitFields, ...members].map((field) => ({ ...field, path: object + field.path }));
    const inside = part.rest === 0 ? part.type : null;
    return { name, type: inside, bitFields, isPadding: isPadding(part, size, this.#code.dataModel) };
  }

  /** The members of a small record as bits of it; none if there are floats or long arrays among them. */
  #membersOf(type: Type, path: string): BitField[] {
    if (type.kind !== 'record') return [];
    const places = scalarParts(type, this.#code.dataModel);
    if (places.some((place) => place.repeats.length > 0 || place.type.kind === 'float')) return [];
    return places.map((place) => ({
      path: path + place.path,
      start: 8 * place.offset + (place.bits?.offset ?? 0),
      width: partView(place).bits,
      type: place.type,
    }));
  }

  /** A value as text; pointers by what they point to. `type` is what it is declared as, where that is known. */
  value(scalar: ScalarType, value: Scalar, type: Type | null = null): string {
    if (scalar.kind === 'float') return spellFloat(Number(value), scalar.bits);
    // An atomic exchange writes the bits of a pointer.
    const isPointer =
      scalar.pointer || (type?.kind === 'pointer' && scalar.bits === 8 * wordSize(this.#code.dataModel));
    if (isPointer) return this.#pointer(value, type?.kind === 'pointer' ? type.target : null);
    if (type?.alias && THREAD_TYPES.has(type.alias.name) && value > 0) return `thread ${BigInt(value) - 1n}`;
    const named = type?.kind === 'enum' ? type.declaration.enumerators : null;
    return named?.find((each) => each.value === BigInt(value))?.name ?? String(value);
  }

  #pointer(value: Scalar, target: Type | null): string {
    const address = Number(value);
    if (address === 0) return 'NULL';
    const callee = this.#code.functions[functionAt(address, this.#code.functions.length)];
    if (callee) return callee.name;
    const region = this.#memory.find(address);
    // As a number, the largest addresses would be rounded up to one bit more.
    if (!region) return `0x${BigInt(value).toString(16)}`;
    const offset = address - region.base;
    // The first of several allocated integers or pointers is the allocation itself to everybody; of several records it
    // is one of them.
    const isWhole = region.object < 0 && offset === 0 && target?.kind !== 'record';
    const type = isWhole ? null : this.#typeOf(region);
    const path = type ? spell(partPointedTo(type, offset, target, this.#code.dataModel)) : beyond(offset);
    const object = this.#code.objects[region.object];
    if (object && offset === 0 && isStringLiteral(object)) return nameOfObject(object);
    return `&${this.region(region)}${path}`;
  }

  /** Notes that a value is held as a pointer of this type, if it is one. */
  learn(value: Scalar, type: Type | null | undefined): void {
    if (type?.kind !== 'pointer') return;
    const address = Number(value);
    const region = this.#memory.find(address);
    if (!region || region.object >= 0) return;
    this.allocationTypes.learn(region.base, region.size, address - region.base, type.target);
  }

  #typeOf(region: Region): Type | null {
    if (region.object < 0) return this.allocationTypes.typeOf(region.base);
    return this.#code.objects[region.object]?.type ?? null;
  }

  /** Whether an address lies in an object that the user does not know of, such as the arguments of a variadic call. */
  isTemporary(address: number): boolean {
    const object = this.#code.objects[this.#memory.find(address)?.object ?? -1];
    return object !== undefined && object.variable === null && !isStringLiteral(object);
  }

  /** The name of an object. */
  region(region: Region): string {
    const object = this.#code.objects[region.object];
    if (object) return nameOfObject(object);
    let number = 0;
    for (const other of this.#memory.regions) {
      if (other.kind === 'heap' || other.kind === 'alloca') number++;
      if (other === region) break;
    }
    return `allocated#${number}`;
  }
}

/** An integer that is wider than a word is read and written in two steps. */
function halfOf({ path, type, rest }: Part, size: number, model: DataModel): string | null {
  if (type.kind !== 'integer' || sizeOf(type, model) !== 2 * size || (rest !== 0 && rest !== size)) return null;
  return `${path} (${rest === 0 ? 'lower' : 'upper'} half)`;
}

function spell({ path, rest }: Part): string {
  return path + beyond(rest);
}

function beyond(offset: number): string {
  return offset === 0 ? '' : `+${offset}`;
}
