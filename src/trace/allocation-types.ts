/**
 * What allocated memory holds. An allocation has no type of its own; it is given that of the pointers that are made to
 * point to it: the declared type of the variable or member in which its address is put. The type that says most wins: a
 * record over a scalar, a scalar over `char`, and one that fills the whole allocation over one that does not. A wrong
 * guess (a pointer that is cast on the way) costs a misleading name in a report, nothing else.
 */

import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import type { Type } from '../program/types.ts';
import type { Region } from './interpreter/memory.ts';
import { isFlexible } from './paths.ts';

interface Guess {
  readonly type: Type;
  readonly merit: number;
}

export class AllocationTypes {
  readonly #model: DataModel;
  /** By the base of the region. */
  readonly #guesses = new Map<number, Guess>();

  constructor(model: DataModel) {
    this.#model = model;
  }

  /** Another allocation starts at this address: one that was undone may have been here before. */
  forget(base: number): void {
    this.#guesses.delete(base);
  }

  /** An address in the region is now held as a pointer to `target`. */
  learn(region: Region, offset: number, target: Type): void {
    const size = elementSize(target, this.#model);
    if (size === 0 || size > region.size || offset % size !== 0) return;
    const merit = meritOf(target, size === region.size);
    if (merit <= (this.#guesses.get(region.base)?.merit ?? -1)) return;
    const isArray = region.size >= 2 * size && !endsFlexibly(target);
    const type: Type = isArray ? { kind: 'array', element: target, length: null, qualifiers: 0, alias: null } : target;
    this.#guesses.set(region.base, { type, merit });
  }

  typeOf(region: Region): Type | null {
    return this.#guesses.get(region.base)?.type ?? null;
  }
}

/** 0 for what cannot be the element of an object. */
function elementSize(type: Type, model: DataModel): number {
  if (type.kind === 'void' || type.kind === 'function') return 0;
  if (type.kind === 'record' && type.declaration.fields === null) return 0;
  if (type.kind === 'array' && typeof type.length !== 'number') return 0;
  return sizeOf(type, model);
}

function meritOf(type: Type, fills: boolean): number {
  const isCharacter = type.kind === 'integer' && type.name.endsWith('char');
  const kind = type.kind === 'record' || type.kind === 'array' ? 2 : isCharacter ? 0 : 1;
  return 2 * kind + (fills ? 1 : 0);
}

function endsFlexibly(type: Type): boolean {
  const last = type.kind === 'record' ? type.declaration.fields?.at(-1) : undefined;
  return last !== undefined && isFlexible(last);
}
