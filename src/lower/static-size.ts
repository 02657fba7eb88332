/**
 * The size of a static object in bytes: that of its type, and what an initializer adds to a flexible last member (a GNU
 * extension, which compilers allow at the outermost level only).
 */

import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import type { Initializer, VariableSymbol } from '../program/tree.ts';

export function staticSize({ type, initializer }: VariableSymbol, model: DataModel): number {
  const size = sizeOf(type, model);
  const last = initializer?.kind === 'record' ? initializer.items[initializer.items.length - 1] : undefined;
  if (last === undefined || last.field.type.kind !== 'array' || last.field.type.length !== null) return size;
  return Math.max(size, last.field.offset + countElements(last.value) * sizeOf(last.field.type.element, model));
}

function countElements(initializer: Initializer): number {
  if (initializer.kind === 'characters') return initializer.value.units.length;
  if (initializer.kind !== 'array') return 0;
  // Items are in the order of their places.
  return (initializer.items[initializer.items.length - 1]?.last ?? -1) + 1;
}
