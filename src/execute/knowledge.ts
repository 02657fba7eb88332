/**
 * What symbolic execution learns and keeps from one iteration to the next. Threads are executed one after the other, so
 * what a thread reads may be written by one that is executed later. The execution is therefore repeated until nothing
 * new is learned: which objects exist and where, into which cells they are split, which threads touch a cell, which
 * values it can have. Everything here only grows, so the repetition ends (value sets are widened).
 *
 * Who owns it: `executeProgram` creates one and hands it to each iteration, which records into it.
 */

import { firstNumberFrom } from '../program/address-numbers.ts';
import { functionAddress } from '../program/function-addresses.ts';
import { gcd } from '../support/gcd.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import {
  ALIVE,
  areTiles,
  type Cell,
  type CellValues,
  type MemoryObject,
  makeCell,
  noValues,
  sharedCell,
  valuesOf,
} from './cells.ts';
import { isHuge } from './known-addresses.ts';
import { lookAt, type Sight } from './summaries.ts';
import type { WholeWords } from './whole-words.ts';

const FUNCTION_SPACING = BigInt(functionAddress(1) - functionAddress(0));

/** After so many times nothing is known any more. */
const MOST_KNOWN_GROWTHS = 24;
const FIRST_ADDRESS = 0x1_0000n;
const SMALLEST_SPACING = 0x1_0000;
/** No access has more bytes. */
const LARGEST_CELL = 16;

export class Knowledge {
  readonly objects: MemoryObject[] = [];
  readonly cells: Cell[] = [];
  /** Which thread makes an object, by its id; those that main makes before the first thread are not in it. */
  readonly owners = new Map<number, number>();
  readonly #byKey = new Map<string, MemoryObject>();
  #nextAddress = FIRST_ADDRESS;
  /** Threads by the instruction instance that creates them: their numbers stay the same in all iterations. */
  readonly #threads = new Map<string, number>();
  /** What is known of summaries, until something changes. */
  readonly #sights = new Map<Cell, Sight>();
  /** The cells of sparse objects, by the access that they were made for. */
  readonly #slots = new Map<string, number>();
  /** Set when an iteration learned something that changes what another one would do. */
  structureChanged = false;
  /** Turns around condition variables are not left out: somebody would notice (waiting-turns.ts). */
  keepsWaits = false;
  /** Nor are turns that take these locks (polling-turns.ts). */
  readonly keptLocks = new Set<number>();
  /** In the first iteration nothing is known of what other threads write: nobody waits in vain then. */
  isFirst: boolean;
  /** Cells that can have more values than they were known to have before the iteration. */
  readonly grown = new Set<Cell>();
  /** Those of them whose set has grown, and not only what is known not to be unconstrained. */
  readonly grownSets = new Set<Cell>();
  /** What was known of the values of cells before the iteration. */
  #before: CellValues[] = [];
  /** How many objects were known before the iteration. */
  #formerObjects = 0;
  /**
   * Somebody has looked at addresses that were not given out yet: objects that are made later in the iteration are news
   * to him.
   */
  #areObjectsNews = false;
  /** Accesses to some sparse object are made in pieces. */
  hasSparseUnits = false;
  /** Set when cells were replaced by others: their contents are lost for the rest of the iteration. */
  cellsChanged = false;

  readonly #addressLimit: bigint;
  /** What words in pieces hold as a whole; null where they are not tracked. */
  readonly words: WholeWords | null;

  /** Where no object should lie (program/address-numbers.ts). */
  readonly #avoided: readonly number[];

  constructor(
    addressLimit: bigint,
    isFirst: boolean,
    words: WholeWords | null = null,
    avoided: readonly number[] = [],
  ) {
    this.#addressLimit = addressLimit;
    this.#avoided = avoided;
    this.isFirst = isFirst;
    this.words = words;
  }

  /** Only small objects can keep clear of all numbers. */
  #clearPlace(from: bigint, spacing: number, size: number): bigint {
    if (spacing > SMALLEST_SPACING) return from;
    let base = from;
    while (firstNumberFrom(this.#avoided, Number(base)) <= Number(base) + size) base += BigInt(spacing);
    return base;
  }

  /** How many threads are known besides main. */
  get threadCount(): number {
    return this.#threads.size;
  }

  /** What is known is where another execution starts, in which cells may grow anew. */
  forgetGrowths(): void {
    for (const cell of this.cells) cell.growths = cell.isCounted ? cell.growths : 0;
  }

  /** All threads are going to be executed once more. */
  beginIteration(): void {
    this.structureChanged = false;
    this.grown.clear();
    this.grownSets.clear();
    this.#before = this.cells.map(valuesOf);
    this.#formerObjects = this.objects.length;
    this.#areObjectsNews = false;
  }

  /** The object of a key, with at least the given size. Its address stays the same in all iterations. */
  object(
    key: string,
    make: () => Pick<MemoryObject, 'name' | 'declared' | 'kind' | 'creator'>,
    size: number,
  ): MemoryObject {
    const known = this.#byKey.get(key);
    if (known) {
      if (size > known.size) {
        known.size = size;
        this.structureChanged = true;
      }
      return known;
    }
    const spacing = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST_SPACING, 2 * size)));
    const base = this.#clearPlace((this.#nextAddress / BigInt(spacing) + 1n) * BigInt(spacing), spacing, size);
    this.#nextAddress = base + BigInt(spacing) - 1n;
    if (this.#nextAddress > this.#addressLimit) throw new AddressSpaceFull();
    const made: MemoryObject = {
      id: this.objects.length,
      key,
      base,
      size,
      cells: new Map(),
      ends: false,
      isOpen: false,
      isZeroed: false,
      isSparse: false,
      sparseUnit: 0,
      isDense: false,
      places: new Map(),
      stretches: [],
      ...make(),
    };
    this.objects.push(made);
    this.#byKey.set(key, made);
    if (this.#areObjectsNews) this.structureChanged = true;
    return made;
  }

  /** What is done next depends on all objects that there are. */
  expectObjects(): void {
    this.#areObjectsNews = true;
  }

  /** All objects lie between these addresses. */
  get addresses(): { readonly first: bigint; readonly end: bigint } {
    this.expectObjects();
    const [first, last] = [this.objects[0], this.objects[this.objects.length - 1]];
    return { first: first?.base ?? 0n, end: last ? last.base + BigInt(last.size) : 0n };
  }

  /** The number of the thread that an instance of a creating instruction starts; main is 0. */
  threadOf(creation: string): number {
    const known = this.#threads.get(creation);
    if (known !== undefined) return known;
    this.#threads.set(creation, this.#threads.size + 1);
    return this.#threads.size;
  }

  /** Objects that a range of addresses touches, in order of address. */
  objectsIn(low: bigint, high: bigint): MemoryObject[] {
    if (high > this.#nextAddress) this.expectObjects();
    return this.#objectsIn(low, high);
  }

  /** The object of which this is an address, or one just behind it. */
  objectsAt(address: bigint): MemoryObject[] {
    return this.#objectsIn(address, address);
  }

  /** Objects are created in increasing order of address. */
  #objectsIn(low: bigint, high: bigint): MemoryObject[] {
    let from = 0;
    let to = this.objects.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const object = this.objects[middle] as MemoryObject;
      if (object.base + BigInt(object.size) < low) from = middle + 1;
      else to = middle;
    }
    const found: MemoryObject[] = [];
    for (let i = from; i < this.objects.length; i++) {
      const object = this.objects[i] as MemoryObject;
      if (object.base > high) break;
      found.push(object);
    }
    return found;
  }

  /**
   * The cells that an access covers, lowest first: one when the access fits the cell, several when it is made of them.
   * When it overlaps with some in part, these are split, and the iteration is to be repeated. The rest of the object
   * stays whole: a pointer in pieces could be any combination of what the pieces hold.
   */
  cellsAt(object: MemoryObject, offset: number, size: number): Cell[] {
    const exact = object.cells.get(offset);
    if (exact && exact.size === size) return [exact];
    const overlapping = this.#overlapping(object, offset, size);
    if (overlapping.length === 0) return [this.#addCell(object, offset, size)];
    if (!areTiles(overlapping, offset, size)) this.#split(object, overlapping, offset, size);
    return this.#overlapping(object, offset, size);
  }

  /** The cell of an access to a sparse object, by the instance of the instruction. */
  slotCell(object: MemoryObject, access: string, summary: Cell): Cell {
    const key = `${object.id} ${summary.size} ${access}`;
    const number = this.#slots.get(key) ?? this.#slots.size;
    this.#slots.set(key, number);
    const cell = object.cells.get(number) ?? this.#addCell(object, number, summary.size);
    cell.summary = summary;
    return cell;
  }

  /** A cell for what is learned about a place of a sparse object, or a stretch in which it lies. */
  addSummary(object: MemoryObject, offset: number, size: number, isStretch: boolean): Cell {
    const cell = makeCell(this.cells.length, object, offset, size, true, isStretch);
    this.noteChange();
    this.cells.push(cell);
    return cell;
  }

  /** What is known of one summary holds for another, too: their places turned out to be the same. */
  joinSummaries(into: Cell, from: Cell): void {
    for (const reader of from.readers) into.readers.add(reader);
    for (const writer of from.writers) into.writers.add(writer);
    this.recordValues(into, from.set);
    this.recordKnown(into, from.known);
    this.structureChanged = true;
    this.noteChange();
  }

  /** Who touches the cell and which values it can have. */
  sightOf(cell: Cell): Sight {
    const shared = sharedCell(cell);
    if (!shared.isSummary) return shared;
    let known = this.#sights.get(shared);
    if (!known) {
      known = lookAt(shared);
      this.#sights.set(shared, known);
    }
    return known;
  }

  /** What was seen of summaries has to be looked at again. */
  noteChange(): void {
    this.#sights.clear();
  }

  recordSparse(object: MemoryObject): void {
    if (object.isSparse || object.isDense) return;
    object.isSparse = true;
    const former = [...object.cells.values()];
    this.#dropCells(object);
    for (const { offset, size, readers, writers } of former) {
      if (offset === ALIVE) continue;
      const place = this.addSummary(object, offset, size, false);
      for (const reader of readers) place.readers.add(reader);
      for (const writer of writers) place.writers.add(writer);
      object.places.set(offset, place);
    }
    this.structureChanged = true;
  }

  recordSparseUnit(object: MemoryObject, unit: number): void {
    object.sparseUnit = gcd(object.sparseUnit, unit);
    this.hasSparseUnits = true;
    this.#dropCells(object);
    this.structureChanged = true;
  }

  recordDense(object: MemoryObject): void {
    object.isSparse = false;
    object.isDense = true;
    this.#dropCells(object);
    this.structureChanged = true;
  }

  #dropCells(object: MemoryObject): void {
    const alive = object.cells.get(ALIVE);
    object.places.clear();
    object.stretches = [];
    this.noteChange();
    object.cells.clear();
    if (alive) object.cells.set(ALIVE, alive);
    this.cellsChanged = true;
  }

  aliveCell(object: MemoryObject): Cell {
    return object.cells.get(ALIVE) ?? this.#addCell(object, ALIVE, 0);
  }

  /** The cells that have bytes in common with an access, lowest first. */
  #overlapping(object: MemoryObject, offset: number, size: number): Cell[] {
    const found: Cell[] = [];
    for (let at = Math.max(0, offset - LARGEST_CELL + 1); at < offset + size; at++) {
      const cell = object.cells.get(at);
      if (cell && at + cell.size > offset) found.push(cell);
    }
    return found;
  }

  /** Where an access and the cells that it overlaps with lie, all cells get the size that divides all of them. */
  #split(object: MemoryObject, overlapping: readonly Cell[], offset: number, size: number): void {
    const unit = overlapping.reduce((divisor, cell) => gcd(divisor, gcd(cell.offset, cell.size)), gcd(offset, size));
    const [first, last] = [overlapping[0] as Cell, overlapping.at(-1) as Cell];
    const replaced = overlapping.filter((cell) => cell.size !== unit);
    for (const cell of replaced) object.cells.delete(cell.offset);
    const end = Math.max(last.offset + last.size, offset + size);
    for (let at = Math.min(first.offset, offset); at < end; at += unit)
      if (!object.cells.has(at)) this.#addCell(object, at, unit);
    if (replaced.length === 0) return;
    this.cellsChanged = true;
    this.structureChanged = true;
  }

  /** Gives the cell this size or a divisor of it; false if it has it. */
  splitInto({ object, offset, size }: Cell, unit: number): boolean {
    const parts = this.#overlapping(object, offset, size);
    if (parts.every((part) => unit % part.size === 0)) return false;
    this.#split(object, parts, offset, unit);
    return true;
  }

  /**
   * Values are as before the iteration: what was in cells that were split in the middle of it was anything for its
   * rest.
   */
  restoreValues(): void {
    this.cellsChanged = false;
    this.noteChange();
    for (const [at, cell] of this.cells.entries()) Object.assign(cell, this.#before[at] ?? noValues(cell.set.width));
  }

  /** The values of these cells are learned anew. */
  forgetValues(cells: readonly Cell[]): void {
    for (const cell of cells) Object.assign(cell, noValues(cell.set.width));
    this.noteChange();
  }

  #addCell(object: MemoryObject, offset: number, size: number): Cell {
    const cell = makeCell(this.cells.length, object, offset, size, false, false);
    this.cells.push(cell);
    object.cells.set(offset, cell);
    return cell;
  }

  recordShownUnwritten(cell: Cell): void {
    if (cell.isShownUnwritten) return;
    cell.isShownUnwritten = true;
    this.structureChanged = true;
  }

  /** If only one other thread touched the cell so far, and wrote it, then its writes become visible. */
  recordRead(cell: Cell, thread: number): void {
    const shared = sharedCell(cell);
    const { readers, writers } = shared;
    if (readers.has(thread)) return;
    const isNews = writers.size === 1 && !writers.has(thread) && isWithin(readers, writers);
    if (shared.isSummary || isNews) this.#showUnseen(shared);
    readers.add(thread);
    this.noteChange();
  }

  /** If other threads touched the cell, but at most one of them wrote it, then something of theirs becomes visible. */
  recordWrite(cell: Cell, thread: number): void {
    const shared = sharedCell(cell);
    const { readers, writers } = shared;
    if (writers.has(thread)) return;
    const isNews = writers.size === 1 || (writers.size === 0 && !isWithin(readers, new Set([thread])));
    if (shared.isSummary || isNews) this.#showUnseen(shared);
    writers.add(thread);
    this.noteChange();
  }

  #showUnseen(cell: Cell): void {
    this.structureChanged = true;
    this.recordValues(cell, cell.unseen);
  }

  /** Values that a thread wrote to a cell that it is alone with, as far as is known. */
  recordUnseen(cell: Cell, values: ValueSet): void {
    if (!sets.isSubset(values, cell.unseen)) cell.unseen = sets.joinSets(cell.unseen, values);
  }

  /** The cell can have these values too. */
  recordValues(cell: Cell, values: ValueSet): void {
    if (sets.isSubset(values, cell.set)) return;
    cell.set = sets.joinSets(cell.set, values);
    this.#countGrowth(cell);
    cell.isCounted = false;
    this.noteChange();
    this.grown.add(cell);
  }

  #countGrowth(cell: Cell): void {
    if (!this.grownSets.has(cell)) cell.growths++;
    this.grownSets.add(cell);
  }

  /**
   * The cell can have these values, which are not unconstrained. Small numbers are no addresses, neither of functions
   * nor of data, and do not matter.
   */
  recordKnown(cell: Cell, values: ValueSet): void {
    const { width } = values;
    const functions = sets.rangeSet(width, BigInt(functionAddress(0)), FIRST_ADDRESS - 1n, FUNCTION_SPACING);
    const data = sets.rangeSet(width, FIRST_ADDRESS, this.#addressLimit);
    const addresses = sets.meetSets(values, sets.joinSets(functions, data));
    if (sets.isSubset(addresses, cell.known)) return;
    const all = sets.joinSets(cell.known, addresses);
    cell.known = ++cell.knownGrowths > MOST_KNOWN_GROWTHS || isHuge(all) ? sets.topSet(all.width) : all;
    this.noteChange();
    // Of other cells all values are known (knownOfSight). Those of a summary may be many together with those of other
    // summaries.
    if (isHuge(cell.set) || cell.isSummary || this.words) this.grown.add(cell);
  }

  /** The cell has just these values: a bound that was found otherwise than by joining what is written. */
  widenTo(cell: Cell, values: ValueSet, isCounted: boolean): void {
    cell.set = values;
    this.#countGrowth(cell);
    cell.hasJumped = true;
    cell.isCounted = isCounted;
    this.noteChange();
    this.grown.add(cell);
  }

  /** Does a thread's read of the cell see writes of others? */
  readIsVisible(cell: Cell, thread: number): boolean {
    for (const writer of this.sightOf(cell).writers) if (writer !== thread) return true;
    return false;
  }

  /** Can another thread see a thread's write to the cell? */
  writeIsVisible(cell: Cell, thread: number): boolean {
    for (const reader of this.sightOf(cell).readers) if (reader !== thread) return true;
    return this.readIsVisible(cell, thread);
  }

  recordOpen(object: MemoryObject): void {
    if (object.isOpen) return;
    object.isOpen = true;
    this.structureChanged = true;
  }

  /**
   * Concerns those who have accessed the object without a look whether it is alive; if that is its maker only, then it
   * was.
   */
  recordEnd(object: MemoryObject, isSecret: boolean): void {
    if (object.ends) return;
    object.ends = true;
    if (!isSecret || object.id < this.#formerObjects) this.structureChanged = true;
  }
}

/** Thrown when a program has more or larger objects than its address space holds. */
export class AddressSpaceFull extends Error {
  override readonly name = 'AddressSpaceFull';
}

function isWithin(threads: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  for (const thread of threads) if (!others.has(thread)) return false;
  return true;
}
