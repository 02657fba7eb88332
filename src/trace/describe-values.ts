/** Names for addresses and texts for values, as a person would write them: `stack.array[1].next`, `&x`, `NULL`, `'a'`. */

import type { Code, ScalarType } from '../program/code.ts';
import { sizeOf } from '../program/layout.ts';
import type { RecordDeclaration, Type } from '../program/types.ts';
import { functionAt } from './interpreter/compile-instructions.ts';
import type { Memory, Region } from './interpreter/memory.ts';
import type { Scalar } from './interpreter/state.ts';

/** What an address denotes: the object's name and the path into it. */
export function nameAddress(code: Code, memory: Memory, address: number, size: number): string {
  const region = memory.find(address);
  if (!region) return `*0x${address.toString(16)}`;
  const offset = address - region.base;
  const type = region.object >= 0 ? code.objects[region.object]?.type : null;
  const name = nameRegion(code, memory, region);
  return type ? name + pathInto(type, offset, size, code) : offset === 0 ? name : `${name}+${offset}`;
}

function nameRegion(code: Code, memory: Memory, region: Region): string {
  if (region.object >= 0) return code.objects[region.object]?.name ?? '?';
  // Allocations are numbered in their order.
  let number = 0;
  for (const other of memory.regions) {
    if (other.kind === 'heap' || other.kind === 'alloca') number++;
    if (other === region) break;
  }
  return `allocated#${number}`;
}

/** `.array[1].next` for an offset into a type; the rest as `+n` when the offset fits no member. */
function pathInto(type: Type, offset: number, size: number, code: Code): string {
  let path = '';
  let at = type;
  let rest = offset;
  for (;;) {
    if (at.kind === 'array') {
      const stride = sizeOfElement(at.element, code);
      if (stride === 0 || (rest === 0 && size > stride)) break;
      path += `[${Math.floor(rest / stride)}]`;
      rest %= stride;
      at = at.element;
    } else if (at.kind === 'record') {
      const field = fieldAt(at.declaration, rest, size, code);
      if (!field) break;
      if (field.name !== null) path += `.${field.name}`;
      rest -= field.offset;
      at = field.type;
    } else break;
  }
  return rest === 0 ? path : `${path}+${rest}`;
}

function sizeOfElement(type: Type, code: Code): number {
  return type.kind === 'array' && typeof type.length !== 'number' ? 0 : sizeOf(type, code.dataModel);
}

/** The member that holds the bytes; of a union, the first that they fit exactly, else the first. */
function fieldAt(record: RecordDeclaration, offset: number, size: number, code: Code) {
  const holding = (record.fields ?? []).filter((field) => {
    const end = field.offset + sizeOfElement(field.type, code);
    return offset >= field.offset && offset + size <= end;
  });
  return holding.find((field) => sizeOfElement(field.type, code) === size) ?? holding[0];
}

/** A value as text; pointers by what they point to. */
export function describeValue(code: Code, memory: Memory, type: ScalarType, value: Scalar): string {
  if (type.kind === 'float') return Object.is(value, -0) ? '-0' : String(value);
  if (!type.pointer) return String(value);
  const address = Number(value);
  if (address === 0) return 'NULL';
  const callee = code.functions[functionAt(address, code.functions.length)];
  if (callee) return callee.name;
  const region = memory.find(address);
  // As a number, the largest addresses would be rounded up to one bit more.
  return region ? `&${nameAddress(code, memory, address, 1)}` : `0x${BigInt(value).toString(16)}`;
}
