/**
 * Memory as variables. Every object is cut at the borders of its accesses, as far as these overlap; each piece is a
 * cell. A load joins the cells that it covers, a store takes its value apart. Parts of an object whose places are not
 * told apart are *blurred*: what is read there is anything, and what is written is forgotten.
 */

import type { InitialValue } from '../../program/code.ts';
import type { DataModel } from '../../program/data-model.ts';
import { functionAddress } from '../../program/function-addresses.ts';
import { isSignedName } from '../../program/integer-range.ts';
import { partAt } from '../../program/part-paths.ts';
import { floatToBits } from '../../values/float-constants.ts';
import type { Term } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { type GraphObject, type Model, SHARED, type Variable } from './graph.ts';

interface Piece {
  readonly low: number;
  readonly high: number;
}

export class CellVariables {
  readonly #model: Model;
  readonly #dataModel: DataModel;
  /** Per object: accesses by first byte and end; blurred parts. */
  readonly #accesses = new Map<number, Map<string, Piece>>();
  readonly #blurred = new Map<number, Piece[]>();
  readonly #cells = new Map<number, { readonly piece: Piece; readonly variable: number }[]>();
  /** Per object: what its chosen elements hold (chosen-elements.ts). */
  readonly #elements = new Map<number, number[]>();

  constructor(model: Model, dataModel: DataModel) {
    this.#model = model;
    this.#dataModel = dataModel;
  }

  noteAccess({ id }: GraphObject, offset: number, bytes: number): void {
    const known = this.#accesses.get(id) ?? new Map<string, Piece>();
    known.set(`${offset}:${bytes}`, { low: offset, high: offset + bytes });
    this.#accesses.set(id, known);
  }

  blur({ id }: GraphObject, low: number, high: number): void {
    this.#blurred.set(id, [...(this.#blurred.get(id) ?? []), { low, high }]);
  }

  /** Once all accesses are noted. */
  divide(): void {
    for (const [id, accesses] of this.#accesses) {
      const object = this.#model.objects[id] as GraphObject;
      const groups = joinOverlapping([...accesses.values()]);
      const cells = groups.flatMap((group) => (this.isBlurred(object, group) ? [] : splitGroup(group, accesses)));
      this.#cells.set(
        id,
        cells.map((piece) => ({ piece, variable: this.#addCell(object, piece) })),
      );
    }
  }

  /** Whether any part of the bytes is blurred; then all of the group of accesses is. */
  isBlurred({ id }: GraphObject, { low, high }: Piece): boolean {
    return (this.#blurred.get(id) ?? []).some((each) => each.low < high && low < each.high);
  }

  /** The cells of an access, the lowest first; null where it is blurred. */
  at({ id }: GraphObject, offset: number, bytes: number): readonly Variable[] | null {
    const inside = (this.#cells.get(id) ?? []).filter(
      ({ piece }) => piece.low >= offset && piece.high <= offset + bytes,
    );
    const covered = inside.reduce((sum, { piece }) => sum + piece.high - piece.low, 0);
    return covered === bytes ? inside.map(({ variable }) => this.#model.variables[variable] as Variable) : null;
  }

  of({ id }: GraphObject): readonly number[] {
    return [...(this.#cells.get(id) ?? []).map(({ variable }) => variable), ...(this.#elements.get(id) ?? [])];
  }

  /** A cell for one of the blurred elements, the first of which begins at the offset. */
  addElement(object: GraphObject, offset: number, width: number, initial: bigint): Variable {
    const piece = { low: offset, high: offset + width / 8 };
    const name = this.#nameOf(object, piece);
    const shown = /\[\d+\](?!.*\[)/.test(name) ? name.replace(/\[\d+\](?!.*\[)/, '[any]') : `${name}[any]`;
    const id = this.#addVariable(object, piece, shown, initial);
    this.#elements.set(object.id, [...(this.#elements.get(object.id) ?? []), id]);
    return this.#model.variables[id] as Variable;
  }

  #addCell(object: GraphObject, piece: Piece): number {
    const initial = initialBits(object, this.#model, piece.low, 8 * (piece.high - piece.low)) ?? 0n;
    return this.#addVariable(object, piece, this.#nameOf(object, piece), initial);
  }

  #addVariable(object: GraphObject, piece: Piece, name: string, initial: bigint): number {
    const width = 8 * (piece.high - piece.low);
    const owner = object.kind === 'static' ? SHARED : object.owner;
    const signed = this.#isSigned(object, piece);
    return addVariable(this.#model, { name, width, owner, kind: 'cell', signed, initial }).id;
  }

  #nameOf({ name, source }: GraphObject, { low, high }: Piece): string {
    if (!source?.type) return low === 0 ? name : `${name}+${low}`;
    const { path, rest } = partAt(source.type, low, high - low, this.#dataModel);
    return `${name}${path}${rest === 0 ? '' : `+${rest}`}`;
  }

  #isSigned({ source }: GraphObject, { low, high }: Piece): boolean {
    if (!source?.type) return false;
    const { type } = partAt(source.type, low, high - low, this.#dataModel);
    return type.kind === 'integer' && isSignedName(type.name);
  }
}

/** The value that several cells hold together. */
export function joinCells({ graph }: Pick<Model, 'graph'>, cells: readonly Variable[]): Term {
  const [first, ...others] = cells.map(({ term }) => term) as [Term, ...Term[]];
  return others.reduce((low, high) => graph.concat(high, low), first);
}

/** What each of the cells gets of a value. */
export function splitValue({ graph }: Pick<Model, 'graph'>, cells: readonly Variable[], value: Term): Term[] {
  let low = 0;
  return cells.map(({ width }) => {
    low += width;
    return graph.extract(value, low - width, width);
  });
}

/** How bits of an object start; null where they start as anything. */
export function initialBits(object: GraphObject, model: Model, offset: number, width: number): bigint | null {
  const { source, kind } = object;
  if (kind === 'automatic' || kind === 'heap' || source === null) return null;
  let bits = 0n;
  for (const each of source.initial) {
    const from = 8 * (each.offset - offset);
    if (from >= width || from + each.type.bits <= 0) continue;
    const value = BigInt.asUintN(each.type.bits, initialNumber(each, model));
    bits |= from >= 0 ? value << BigInt(from) : value >> BigInt(-from);
  }
  return BigInt.asUintN(width, bits);
}

function initialNumber({ value, type }: InitialValue, model: Model): bigint {
  switch (value.kind) {
    case 'constant':
      return value.value;
    case 'float-constant':
      return floatToBits(value.value, type.bits);
    case 'function-address':
      return BigInt(functionAddress(value.function));
    case 'object-address': {
      const object = model.objects.find(({ source, kind }) => kind === 'static' && source?.id === value.object);
      return (object?.base ?? 0n) + BigInt(value.offset);
    }
  }
}

/** Pieces that overlap, as one. */
function joinOverlapping(pieces: readonly Piece[]): Piece[] {
  const sorted = [...pieces].sort((a, b) => a.low - b.low);
  const groups: Piece[] = [];
  for (const piece of sorted) {
    const last = groups[groups.length - 1];
    if (last && piece.low < last.high)
      groups[groups.length - 1] = { low: last.low, high: Math.max(last.high, piece.high) };
    else groups.push(piece);
  }
  return groups;
}

/** A group cut at all borders of accesses in it. */
function splitGroup(group: Piece, accesses: ReadonlyMap<string, Piece>): Piece[] {
  const borders = new Set([group.low, group.high]);
  for (const { low, high } of accesses.values()) {
    for (const border of [low, high]) if (border > group.low && border < group.high) borders.add(border);
  }
  const sorted = [...borders].sort((a, b) => a - b);
  return sorted.slice(1).map((high, i) => ({ low: sorted[i] as number, high }));
}
