/** Objects with initial values: those that are there from the start, and those of each thread. */

import type { CodeObject, Value } from '../../program/code.ts';
import { functionAddress } from '../../program/function-addresses.ts';
import { invariant } from '../../support/invariant.ts';
import type { CompiledProgram } from './compile-instructions.ts';
import { isBig } from './compile-values.ts';
import type { Memory, Region } from './memory.ts';
import type { Scalar } from './state.ts';

export function createStatics({ code, statics }: CompiledProgram, memory: Memory): void {
  const objects = code.objects.filter(({ duration }) => duration === 'static');
  for (const object of objects) {
    const { base } = createObject(object, 'static', -1, memory);
    invariant(base === statics[object.id], 'static objects lie where the compiler expects them');
  }
  // Addresses in initial values need all objects to be there.
  for (const object of objects) initialise(object, statics[object.id] as number, statics, memory);
}

export function createObject(object: CodeObject, kind: Region['kind'], thread: number, memory: Memory): Region {
  const { size, id, name, alignment } = object;
  return memory.create({ size, kind, object: id, thread, creator: name }, alignment, true);
}

/** `base`: where the object lies; `statics`: where those do to which its values may point. */
export function initialise(
  object: CodeObject,
  base: number,
  statics: CompiledProgram['statics'],
  memory: Memory,
): void {
  for (const { offset, type, value } of object.initial) {
    memory.write(base + offset, type, initialScalar(value, type, statics));
  }
  if (object.isConstant) memory.makeConstant(memory.find(base) as Region);
}

function initialScalar(
  value: CodeObject['initial'][number]['value'],
  type: Value['type'],
  statics: CompiledProgram['statics'],
): Scalar {
  switch (value.kind) {
    case 'constant':
      return isBig(type) ? value.value : Number(value.value);
    case 'float-constant':
      return value.value;
    case 'object-address':
      return asScalar((statics[value.object] as number) + value.offset, type);
    case 'function-address':
      return asScalar(functionAddress(value.function), type);
  }
}

function asScalar(value: number, type: Value['type']): Scalar {
  return isBig(type) ? BigInt(value) : value;
}
