/**
 * What the elements of an array hold, all of them together, where accesses do not tell them apart: a set that contains
 * whatever is stored anywhere in the object, and how it starts. Only where all accesses are of one size, each to a
 * whole element, and where the object does not begin with anything.
 *
 * A guess like the rest (guess-targets.ts): resolve-accesses.ts makes it an obligation of every store.
 */

import { constantSet, joinSets, sameSet, setOfValues, topSet, type ValueSet } from '../../values/value-set.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { initialBits } from './cell-variables.ts';
import type { GraphObject, Model } from './graph.ts';
import type { TargetRange } from './guess-targets.ts';

const MOST_ELEMENTS = 10_000;

export class ElementPools {
  readonly #model: Model;
  /** By object and width. */
  readonly #sets = new Map<string, ValueSet>();
  readonly #widths = new Map<number, Set<number>>();
  readonly #used = new Set<number>();
  readonly #givenUp = new Set<number>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** Some access does not tell places apart. */
  note({ object, isAligned }: TargetRange, width: number): void {
    this.#used.add(object.id);
    this.#noteWidth(object, width);
    if (!isAligned) this.#givenUp.add(object.id);
  }

  /** An access to one place. */
  notePlace(object: GraphObject, offset: bigint, width: number): void {
    this.#noteWidth(object, width);
    if (offset % BigInt(width / 8) !== 0n) this.#givenUp.add(object.id);
  }

  isUsed({ id }: GraphObject): boolean {
    return this.#used.has(id);
  }

  /** Null: anything. */
  of(object: GraphObject, width: number): ValueSet | null {
    const { id, kind, size } = object;
    const isWhole = kind === 'static' && size % (width / 8) === 0 && size / (width / 8) <= MOST_ELEMENTS;
    if (!isWhole || this.#givenUp.has(id) || (this.#widths.get(id)?.size ?? 0) > 1) return null;
    return this.#setOf(object, width);
  }

  /** Whether that is new. */
  join(object: GraphObject, value: ValueSet, isWidened: boolean): boolean {
    if (this.of(object, value.width) === null) return false;
    const before = this.#setOf(object, value.width);
    const joined = joinSets(before, value);
    if (sameSet(before, joined)) return false;
    this.#sets.set(keyOf(object, value.width), isWidened ? widenSets(before, joined) : joined);
    return true;
  }

  #noteWidth({ id }: GraphObject, width: number): void {
    this.#widths.set(id, (this.#widths.get(id) ?? new Set()).add(width));
  }

  #setOf(object: GraphObject, width: number): ValueSet {
    const key = keyOf(object, width);
    const known = this.#sets.get(key);
    if (known) return known;
    const initial = this.#initialSet(object, width);
    this.#sets.set(key, initial);
    return initial;
  }

  #initialSet(object: GraphObject, width: number): ValueSet {
    const bytes = width / 8;
    if (object.source?.initial.length === 0) return constantSet(width, 0n);
    const values = new Set<bigint>();
    for (let offset = 0; offset < object.size; offset += bytes) {
      const bits = initialBits(object, this.#model, offset, width);
      if (bits === null) return topSet(width);
      values.add(bits);
    }
    return setOfValues(width, values);
  }
}

const keyOf = ({ id }: GraphObject, width: number): string => `${id}:${width}`;
