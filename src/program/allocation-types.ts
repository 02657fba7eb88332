/**
 * What allocated memory holds. An allocation has no type of its own; it is given that of the pointers that are made to
 * point to it: the declared type of the variable or member in which its address is put. The type that says most wins: a
 * record over a scalar, a scalar over `char`, and one that fills the whole allocation over one that does not. A wrong
 * guess (a pointer that is cast on the way) costs a misleading name in a report, nothing else.
 *
 * Allocations are told apart by a number, such as the address of one, or the place in the source that makes several.
 */

import type { DataModel } from './data-model.ts';
import { sizeOf } from './layout.ts';
import { isFlexible } from './part-paths.ts';
import type { Type } from './types.ts';

interface Guess {
  readonly type: Type;
  readonly merit: number;
}

export class AllocationTypes {
  readonly #model: DataModel;
  readonly #guesses = new Map<number, Guess>();

  constructor(model: DataModel) {
    this.#model = model;
  }

  /** The number means another allocation from now on. */
  forget(allocation: number): void {
    this.#guesses.delete(allocation);
  }

  /**
   * An address in the allocation, of `bytes` bytes, is held as a pointer to `target`. Says whether that tells more
   * than was known.
   */
  learn(allocation: number, bytes: number, offset: number, target: Type): boolean {
    const size = elementSize(target, this.#model);
    if (size === 0 || size > bytes || offset % size !== 0) return false;
    const merit = meritOf(target, size === bytes);
    if (merit <= (this.#guesses.get(allocation)?.merit ?? -1)) return false;
    const isArray = bytes >= 2 * size && !endsFlexibly(target);
    const type: Type = isArray ? { kind: 'array', element: target, length: null, qualifiers: 0, alias: null } : target;
    this.#guesses.set(allocation, { type, merit });
    return true;
  }

  typeOf(allocation: number): Type | null {
    return this.#guesses.get(allocation)?.type ?? null;
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
