/**
 * The values of one piece of an object, from the stores to it. A store of just this piece gives its value as it is, a
 * larger one gives bits of its value. Where a store covers only part of the piece (bytes of an int, as `memcpy` may
 * do), each byte is looked at alone and the piece is put together from what its bytes can be.
 *
 * Of a large array with symbolic indexes only the steps between the bytes are known to which a store may go. It gives
 * its value to pieces of just that size on these steps; a piece that it may cover in part can have any value.
 */

import type { Execution } from '../execute/execution.ts';
import type { ObjectValues, StoredValues, StridedBytes, ValuesByPlace } from '../execute/value-recorder.ts';
import { gcd } from '../support/gcd.ts';
import { pushAll } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { concatSets, extractSet } from '../values/value-set-bits.ts';

/** What gave a value: a place of the source, or the start of the program. */
export type Origin =
  | { readonly kind: 'assigned'; readonly loc: Loc }
  /** Read there although nothing was assigned. */
  | { readonly kind: 'uninitialised'; readonly loc: Loc }
  | { readonly kind: 'initial' };

/** Values by what gave them. */
export interface Given {
  readonly origin: Origin;
  readonly set: ValueSet;
}

export interface Piece {
  readonly offset: number;
  readonly size: number;
  /** Such pieces follow one another at these distances, outermost first. */
  readonly repeats: readonly { readonly count: number; readonly stride: number }[];
}

/** Everything that one instance of an object gives to a piece, initial values first. */
export function valuesOfPiece(execution: Execution, values: ObjectValues, piece: Piece): Given[] {
  const given = [...initialValues(execution, values, piece), ...steppedValues(values, piece)];
  for (const offset of touchedOffsets(values, piece))
    pushAll(given, storedValues(execution, values, offset, piece.size));
  return given;
}

/** What the stores give of which only the steps are known. */
function steppedValues({ stores, uninitialised }: ObjectValues, piece: Piece): Given[] {
  const given: Given[] = [];
  const any = sets.topSet(8 * piece.size);
  const isCut = [...stores.values()].some((store) => relate(store, piece) === 'mixed');
  for (const store of stores.values()) {
    if (store.step === 0 || relate(store, piece) === 'apart') continue;
    // Where stores overlap in part, a value may be put together from several.
    for (const one of fromPlaces(store.assigned, 'assigned')) given.push(isCut ? { ...one, set: any } : one);
  }
  for (const bytes of uninitialised.values()) {
    if (bytes.step === 0 || relate(bytes, piece) === 'apart') continue;
    given.push({ origin: { kind: 'uninitialised', loc: bytes.loc }, set: any });
  }
  return given;
}

/**
 * How the bytes of a store meet the pieces: each is one of them (`same`), some cover parts of pieces (`mixed`), or
 * none meets any.
 */
export function relate(bytes: StridedBytes, piece: Piece): 'same' | 'apart' | 'mixed' {
  const step = piece.repeats.reduce((divisor, { stride }) => gcd(divisor, stride), bytes.step);
  const distance = piece.offset - bytes.offset;
  if (step === 0) {
    if (distance === 0 && bytes.size === piece.size) return 'same';
    return distance >= bytes.size || -distance >= piece.size ? 'apart' : 'mixed';
  }
  const ahead = ((distance % step) + step) % step;
  if (ahead === 0) return bytes.size === piece.size && step >= piece.size ? 'same' : 'mixed';
  return ahead >= bytes.size && step - ahead >= piece.size ? 'apart' : 'mixed';
}

/** The pieces that a store or an uninitialised read may touch; of a single piece, just that one. */
function touchedOffsets(values: ObjectValues, piece: Piece): readonly number[] {
  if (piece.repeats.length === 0) return [piece.offset];
  const offsets = new Set<number>();
  for (const { offset, size, step } of [...values.stores.values(), ...values.uninitialised.values()]) {
    if (step > 0) continue;
    for (let at = offset; at < offset + size; at++) {
      const start = startOfPiece(piece, at);
      if (start !== null) offsets.add(start);
    }
  }
  return [...offsets].sort((a, b) => a - b);
}

/** Where the repeated piece begins that a byte lies in; null when it lies between them. */
function startOfPiece(piece: Piece, at: number): number | null {
  let rest = at - piece.offset;
  let start = piece.offset;
  for (const { count, stride } of piece.repeats) {
    const index = Math.floor(rest / stride);
    if (index < 0 || index >= count) return null;
    start += index * stride;
    rest -= index * stride;
  }
  return rest < piece.size ? start : null;
}

function storedValues(execution: Execution, values: ObjectValues, offset: number, size: number): Given[] {
  const end = offset + size;
  const isOver = (bytes: StridedBytes) => bytes.step === 0 && bytes.offset < end && bytes.offset + bytes.size > offset;
  const overlapping = [...values.stores.values()].filter(isOver);
  const uninitialised = [...values.uninitialised.values()].filter(isOver);
  const unknown: Given[] = uninitialised.map(({ loc }) => ({
    origin: { kind: 'uninitialised', loc },
    set: sets.topSet(8 * size),
  }));
  if (overlapping.some((store) => store.offset > offset || store.offset + store.size < end)) {
    return [...byteByByte(execution, values, overlapping, offset, size), ...unknown];
  }
  return [...overlapping.flatMap((store) => cutStore(store, offset, size)), ...unknown];
}

function cutStore(store: StoredValues, offset: number, size: number): Given[] {
  const given = fromPlaces(store.assigned, 'assigned');
  if (store.size === size) return given;
  return given.map(({ origin, set }) => ({ origin, set: extractSet(set, 8 * (offset - store.offset), 8 * size) }));
}

/**
 * The piece as all that its bytes can be together. By what gives the highest byte that has different values: that byte
 * decides which of the values is the greatest.
 */
function byteByByte(
  execution: Execution,
  values: ObjectValues,
  stores: readonly StoredValues[],
  offset: number,
  size: number,
): Given[] {
  const bytes = Array.from({ length: size }, (_, i) => valuesOfByte(execution, values, stores, offset + i));
  const all = bytes.map((given) => joinValues(8, given));
  const varying = all.findLastIndex((set) => sets.singleValue(set) === null);
  const deciding = varying < 0 ? size - 1 : varying;
  return (bytes[deciding] ?? []).map(({ origin, set }) => ({
    origin,
    set: all.map((byte, i) => (i === deciding ? set : byte)).reduce((below, byte) => concatSets(byte, below)),
  }));
}

/** A byte that nothing is known of has any value; it is told by the first of the stores around it. */
function valuesOfByte(
  execution: Execution,
  values: ObjectValues,
  stores: readonly StoredValues[],
  at: number,
): readonly Given[] {
  const covering = stores.filter((store) => store.offset <= at && store.offset + store.size > at);
  const initial = initialValues(execution, values, { offset: at, size: 1, repeats: [] });
  const given = [...initial, ...covering.flatMap((store) => cutStore(store, at, 1))];
  if (given.some(({ set }) => !sets.isEmpty(set))) return given;
  const [loc] = stores[0]?.assigned.keys() ?? [];
  return loc === undefined ? [] : [{ origin: { kind: 'assigned', loc }, set: sets.topSet(8) }];
}

/** What the program starts with; nothing for locals and allocations, unless they are zeroed. */
function initialValues(execution: Execution, { object }: ObjectValues, piece: Piece): Given[] {
  const width = 8 * piece.size;
  if (object.kind !== 'static' && object.kind !== 'thread') {
    if (!object.isZeroed) return [];
    return [{ origin: { kind: 'initial' }, set: sets.constantSet(width, 0n) }];
  }
  const starts = new Set(
    piece.repeats.length === 0 ? [piece.offset] : initialOffsets(object.declared?.initial ?? [], piece),
  );
  const values = [...starts].map((start) => execution.initial.staticBytes(object, start, piece.size));
  const total = piece.repeats.reduce((product, { count }) => product * count, 1);
  if (starts.size < total) values.push(0n);
  return [{ origin: { kind: 'initial' }, set: sets.setOfValues(width, values) }];
}

function initialOffsets(items: readonly { readonly offset: number }[], piece: Piece): number[] {
  return items.map(({ offset }) => startOfPiece(piece, offset)).filter((start) => start !== null);
}

/** All values together. */
export function joinValues(width: number, given: readonly Given[]): ValueSet {
  let all = sets.emptySet(width);
  for (const { set } of given) all = sets.joinSets(all, set);
  return all;
}

export function fromPlaces(values: ValuesByPlace, kind: 'assigned' | 'uninitialised'): Given[] {
  return [...values].map(([loc, set]) => ({ origin: { kind, loc }, set }));
}
