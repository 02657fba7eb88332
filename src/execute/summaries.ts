/**
 * What is learned about large arrays with symbolic indexes, before their places are told apart. To tell them apart
 * costs by the square of the accesses (sparse-objects.ts), and most iterations of the symbolic execution only want to
 * know who touches an object and which values it can hold. So these use *summaries*. There are two kinds:
 *
 * - a *place* that is accessed by a constant address has a cell of its own, as in any other object;
 * - all accesses with symbolic addresses that can meet one another share a *stretch*, one cell for all places that they
 *   can touch. A read of it gives any value of the stretch and of the places within; a write adds values to it.
 *
 * A place within a stretch holds what was written to it or to the stretch. So the members beside an array in a record,
 * and elements that only constant indexes write, keep their own values. Within a stretch, places at different
 * remainders of its step have nothing to do with each other: the members of records in an array.
 *
 * Only when nothing more is learned, and only for objects whose contents matter to some condition, one more iteration
 * tells the places apart.
 */

import { gcd } from '../support/gcd.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Knowledge } from './knowledge.ts';
import { knownOfSight } from './known-addresses.ts';

/** Bytes of a sparse object that accesses with symbolic addresses can touch. */
export interface Stretch {
  low: number;
  /** The first byte behind it. */
  end: number;
  /** Places of one kind lie multiples of it apart. */
  step: number;
  /** A cell for each remainder and size. */
  readonly cells: Cell[];
}

/**
 * Where an access can go: to `low`, to places a multiple of `step` further, at most to `last`. A step of 0 for a single
 * place.
 */
export interface AccessRange {
  readonly low: number;
  readonly last: number;
  readonly step: number;
  readonly size: number;
}

export type Summary =
  | { readonly kind: 'cell'; readonly cell: Cell }
  /** Accesses overlap in part; in pieces of `unit` bytes they would not. */
  | { readonly kind: 'mixed'; readonly unit: number };

const LARGEST_ACCESS = 16;

/**
 * The summary of the places that an access can touch. What was known of stretches that it joins goes on to be known.
 */
export function summaryOf(knowledge: Knowledge, object: MemoryObject, range: AccessRange): Summary {
  return range.step === 0 ? placeSummary(knowledge, object, range) : stretchSummary(knowledge, object, range);
}

function placeSummary(knowledge: Knowledge, object: MemoryObject, { low, size }: AccessRange): Summary {
  const known = object.places.get(low);
  if (known?.size === size) return { kind: 'cell', cell: known };
  const cell = knowledge.addSummary(object, low, size, false);
  object.places.set(low, cell);
  for (let at = low - LARGEST_ACCESS; at < low + size; at++) {
    const other = at === low ? known : object.places.get(at);
    if (other && at + other.size > low) return { kind: 'mixed', unit: gcd(gcd(size, other.size), Math.abs(at - low)) };
  }
  const unit = stretchesAt(object, low, low + size).reduce((least, stretch) => least || mixedUnit(stretch, [cell]), 0);
  return unit === 0 ? { kind: 'cell', cell } : { kind: 'mixed', unit };
}

function stretchSummary(knowledge: Knowledge, object: MemoryObject, range: AccessRange): Summary {
  const { stretch, isNew } = findStretch(knowledge, object, range);
  const known = stretch.cells.find((cell) => isSameKind(stretch, cell, range.low, range.size));
  const cell = known ?? knowledge.addSummary(object, range.low, range.size, true);
  if (!known) stretch.cells.push(cell);
  if (known && !isNew) return { kind: 'cell', cell };
  const unit = mixedUnit(stretch, [...stretch.cells, ...placesIn(object, stretch)]);
  return unit === 0 ? { kind: 'cell', cell } : { kind: 'mixed', unit };
}

/** The stretch that the range belongs to; `isNew`: it has other places than before. */
function findStretch(
  knowledge: Knowledge,
  object: MemoryObject,
  { low, last, step, size }: AccessRange,
): { readonly stretch: Stretch; readonly isNew: boolean } {
  const end = last + size;
  const touched = stretchesAt(object, low, end);
  const [first] = touched;
  if (first && touched.length === 1 && step % first.step === 0 && first.low <= low && end <= first.end)
    return { stretch: first, isNew: false };
  const joined: Stretch = {
    low: touched.reduce((least, other) => Math.min(least, other.low), low),
    end: touched.reduce((most, other) => Math.max(most, other.end), end),
    step: touched.reduce((common, other) => gcd(common, other.step), step),
    cells: [],
  };
  for (const cell of touched.flatMap(({ cells }) => cells)) {
    const known = joined.cells.find((other) => isSameKind(joined, other, cell.offset, cell.size));
    if (known) knowledge.joinSummaries(known, cell);
    else joined.cells.push(cell);
  }
  object.stretches = [...object.stretches.filter((stretch) => !touched.includes(stretch)), joined];
  knowledge.structureChanged = true;
  knowledge.noteChange();
  return { stretch: joined, isNew: true };
}

function stretchesAt(object: MemoryObject, low: number, end: number): Stretch[] {
  return object.stretches.filter((stretch) => stretch.low < end && low < stretch.end);
}

function isSameKind({ step }: Stretch, cell: Cell, offset: number, size: number): boolean {
  return cell.size === size && (cell.offset - offset) % step === 0;
}

function placesIn({ places }: MemoryObject, { low, end }: Stretch): Cell[] {
  return [...places.values()].filter(({ offset, size }) => offset < end && offset + size > low);
}

/**
 * 0 where the cells are of the kinds of the stretch, or apart from them; otherwise the pieces in which they would be.
 */
function mixedUnit({ step, cells }: Stretch, others: readonly Cell[]): number {
  for (const a of others) {
    if (a.size > step) return gcd(step, a.size);
    for (const b of cells) {
      const ahead = (((b.offset - a.offset) % step) + step) % step;
      const isSame = ahead === 0 && a.size === b.size;
      const isApart = ahead >= a.size && step - ahead >= b.size;
      if (!isSame && !isApart) return gcd(gcd(step, ahead), gcd(a.size, b.size));
    }
  }
  return 0;
}

/** The places that a summary stands for. */
export function placesOf({ object, offset, size, isStretch }: Cell): AccessRange {
  const stretch = isStretch ? object.stretches.find(({ low, end }) => low <= offset && offset < end) : undefined;
  if (!stretch) return { low: offset, last: offset, step: 0, size };
  const { low, end, step } = stretch;
  const first = offset - Math.floor((offset - low) / step) * step;
  return { low: first, last: first + Math.floor((end - size - first) / step) * step, step, size };
}

// ---------------------------------------------------------------- what is known

/** Who touches the places of a summary, and which values they can have, from all accesses that can touch them. */
export interface Sight {
  readonly readers: ReadonlySet<number>;
  readonly writers: ReadonlySet<number>;
  readonly set: ValueSet;
  /** While the set is huge: the values that are not unconstrained. */
  readonly known: ValueSet;
}

export function lookAt(summary: Cell): Sight {
  const others = summary.isStretch ? placesOfKind(summary) : stretchAround(summary);
  let { set } = summary;
  let known = knownOfSight(summary);
  const [readers, writers] = [new Set(summary.readers), new Set(summary.writers)];
  for (const other of others) {
    for (const reader of other.readers) readers.add(reader);
    for (const writer of other.writers) writers.add(writer);
    set = sets.joinSets(set, other.set);
    known = sets.joinSets(known, knownOfSight(other));
  }
  return { readers, writers, set, known };
}

/** The places with constant addresses that lie in a stretch and are of its kind. */
function placesOfKind(cell: Cell): Cell[] {
  const { low, last, step } = placesOf(cell);
  return [...cell.object.places.values()].filter(
    ({ offset, size }) => size === cell.size && offset >= low && offset <= last && (offset - low) % step === 0,
  );
}

function stretchAround({ object, offset, size }: Cell): Cell[] {
  return stretchesAt(object, offset, offset + size).flatMap((stretch) =>
    stretch.cells.filter((cell) => isSameKind(stretch, cell, offset, size)),
  );
}
