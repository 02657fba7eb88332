/**
 * What the elements of an array hold, all of them together, where accesses do not tell them apart: a set that contains
 * whatever is stored anywhere in the object, and how it starts. Elements may be structures: a *field* is what lies so
 * many bytes behind the beginning of any element, and each has a set of its own (the owner and the kind of the mutexes
 * of a table). How large elements are follows from the steps of the addresses. Only where every access is to one field
 * as a whole, and where the object does not begin with anything.
 *
 * A guess like the rest (guess-targets.ts): resolve-accesses.ts makes it an obligation of every store, and of every
 * access that it begins at its field.
 */

import { constantSet, joinSets, sameSet, setOfValues, topSet, type ValueSet } from '../../values/value-set.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { initialBits } from './cell-variables.ts';
import type { GraphObject, Model } from './graph.ts';

const MOST_ELEMENTS = 10_000;
const CHANGES_BEFORE_WIDENING = 8;

/** The elements of one object. */
interface Elements {
  /** How far they are apart, in bytes. */
  readonly stride: bigint;
  /** Widths of fields in bits, by their first byte in an element. */
  readonly fields: Map<bigint, number>;
  /** By the first byte of the field. */
  readonly sets: Map<bigint, ValueSet>;
  readonly changes: Map<bigint, number>;
}

export class ElementPools {
  readonly #model: Model;
  readonly #elements = new Map<number, Elements>();
  readonly #givenUp = new Set<number>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** Some access does not tell places apart: it begins at multiples of `stride` after `offset`. Whether that is new. */
  note(object: GraphObject, offset: bigint, stride: bigint, width: number): boolean {
    const known = this.#elements.get(object.id);
    const common = known ? commonDivisor(known.stride, stride) : stride;
    const isNew = known?.stride !== common;
    // Fields are others then; whatever is stored there comes again.
    if (isNew)
      this.#elements.set(object.id, { stride: common, fields: new Map(), sets: new Map(), changes: new Map() });
    return this.notePlace(object, offset, width) || isNew;
  }

  /** An access to one place. Whether it gives up. */
  notePlace(object: GraphObject, offset: bigint, width: number): boolean {
    const elements = this.#elements.get(object.id);
    if (!elements || this.#givenUp.has(object.id)) return false;
    const { stride, fields } = elements;
    const first = offset % stride;
    if (fields.get(first) === width) return false;
    const [low, high] = [first, first + BigInt(width / 8)];
    const isApart = [...fields].every(([other, bits]) => other >= high || other + BigInt(bits / 8) <= low);
    const isField = high <= stride && isApart;
    if (isField) fields.set(first, width);
    else this.#givenUp.add(object.id);
    return !isField;
  }

  giveUp(): void {
    for (const id of this.#elements.keys()) this.#givenUp.add(id);
  }

  /** How far elements are apart, where some access does not tell them apart. */
  strideOf({ id }: GraphObject): bigint | null {
    return this.#elements.get(id)?.stride ?? null;
  }

  /** The first byte of the field, in an element, that an access of this width is to; null where it is to none. */
  fieldOf({ id }: GraphObject, offset: bigint, width: number): bigint | null {
    const elements = this.#elements.get(id);
    if (!elements || this.#givenUp.has(id)) return null;
    const first = offset % elements.stride;
    return elements.fields.get(first) === width ? first : null;
  }

  /** What the field holds that an access of this width at the offset is to; null: anything. */
  of(object: GraphObject, offset: bigint, width: number): ValueSet | null {
    const elements = this.#elements.get(object.id);
    const first = this.fieldOf(object, offset, width);
    if (!elements || first === null || !this.#isKnownAtStart(object, elements.stride)) return null;
    const known = elements.sets.get(first);
    if (known) return known;
    const initial = this.#initialSet(object, first, elements.stride, width);
    elements.sets.set(first, initial);
    return initial;
  }

  /** Whether that is new. What grows again and again is widened. */
  join(object: GraphObject, offset: bigint, value: ValueSet): boolean {
    const before = this.of(object, offset, value.width);
    const elements = this.#elements.get(object.id);
    if (before === null || !elements) return false;
    const joined = joinSets(before, value);
    if (sameSet(before, joined)) return false;
    const first = offset % elements.stride;
    const changes = (elements.changes.get(first) ?? 0) + 1;
    elements.changes.set(first, changes);
    elements.sets.set(first, changes > CHANGES_BEFORE_WIDENING ? widenSets(before, joined) : joined);
    return true;
  }

  #isKnownAtStart({ kind, size }: GraphObject, stride: bigint): boolean {
    return kind === 'static' && BigInt(size) / stride + 1n <= MOST_ELEMENTS;
  }

  #initialSet(object: GraphObject, first: bigint, stride: bigint, width: number): ValueSet {
    if (object.source?.initial.length === 0) return constantSet(width, 0n);
    const values = new Set<bigint>();
    for (let offset = first; offset + BigInt(width / 8) <= object.size; offset += stride) {
      const bits = initialBits(object, this.#model, Number(offset), width);
      if (bits === null) return topSet(width);
      values.add(bits);
    }
    return setOfValues(width, values);
  }
}

export function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
