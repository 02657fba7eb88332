/**
 * Large arrays with symbolic indexes. An object of which one access can touch very many places is not split into a cell
 * for each place. It becomes sparse: it has a cell for each *access*, standing for whatever place that access touches.
 * An execution touches at most as many places as there are accesses, so this is enough, and it costs by the accesses
 * instead of by the size.
 *
 * Two accesses to the same place must find the same cell. The rule: an access uses the cell of the first access, in the
 * order of symbolic execution, whose address equals its own; if there is none before it, its own cell. Whether that
 * earlier access ever runs does not matter: its address is a value like any other, and a cell that nobody writes holds
 * what the place held at first. No cell is used by two places, and no place has two cells.
 *
 * The places must not overlap in part. Accesses of different sizes, or at odd distances, are told apart by the steps of
 * their addresses (fields of an array of records). Where that is not possible a small object gets cells for all of its
 * places after all, and a large one is accessed in pieces from then on, as small as it takes.
 */

import { nameOfObject } from '../program/string-text.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import { constantSet, countValues, joinSets, meetSets, rangeSet, topSet, type ValueSet } from '../values/value-set.ts';
import { gcd } from '../values/value-set-parts.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import { placesOf, summaryOf } from './summaries.ts';
import type { Position } from './thread-steps.ts';
import { UnsupportedError } from './unsupported.ts';

/** Objects of up to so many bytes can also have a cell for each place. */
const LARGEST_DENSE = 4096;
/** One access to a sparse object may choose between so many cells. */
const MOST_SLOTS = 4096;

interface Slot {
  /** How many came before it. */
  readonly order: number;
  readonly cell: Cell;
  readonly address: Term;
  readonly grid: Grid;
}

/** The accesses to a sparse object in one iteration, in the order of symbolic execution. */
interface SparseAccesses {
  readonly slots: Slot[];
  /** Those with a constant address, by it; the others. */
  readonly byAddress: Map<bigint, Slot>;
  readonly symbolic: Slot[];
}

/** What one iteration does to sparse objects. */
export interface SparseRecord {
  /** By object. */
  readonly accesses: Map<number, SparseAccesses>;
  /** The addresses that cells stand for, by cell. */
  readonly addresses: Map<number, Term>;
  /** Objects whose places are told apart in this iteration, even where others can see them. */
  readonly detailed: ReadonlySet<MemoryObject>;
}

export interface SparseTarget {
  readonly cell: Cell;
  readonly select: Term;
}

/** A part of an access: the how-manieth, where and how long. */
interface Piece {
  readonly at: Term;
  readonly piece: number;
  readonly bytes: number;
}

/** An access as a whole, or in the pieces that sparse objects ask for; lowest first. */
export function piecesOf({ graph, knowledge }: Execution, address: Term, size: number): Piece[] {
  if (!knowledge.hasSparseUnits) return [{ at: address, piece: 0, bytes: size }];
  let bytes = size;
  for (const part of graph.setOf(address).parts) {
    for (const { isSparse, sparseUnit } of knowledge.objectsIn(part.low, part.high))
      if (isSparse && sparseUnit > 0 && bytes % sparseUnit === 0) bytes = Math.min(bytes, sparseUnit);
  }
  const at = (piece: number) => graph.add(address, graph.constant(graph.widthOf(address), BigInt(piece * bytes)));
  return Array.from({ length: size / bytes }, (_, piece) => ({ at: at(piece), piece, bytes }));
}

/**
 * What is known together of all places that an access can touch; null if they overlap with others in part: the object
 * is then treated otherwise from the next iteration on.
 */
export function findSummary(
  { knowledge }: Execution,
  object: MemoryObject,
  values: ValueSet,
  size: number,
): Cell | null {
  const grid = gridOf(insideOf(object, values, size), size);
  const range = {
    low: Number(grid.first - object.base),
    last: Number(grid.last - object.base),
    step: Number(grid.step),
    size,
  };
  const summary = summaryOf(knowledge, object, range);
  if (summary.kind === 'cell') return summary.cell;
  if (object.size <= LARGEST_DENSE) knowledge.recordDense(object);
  else knowledge.recordSparseUnit(object, summary.unit);
  return null;
}

/** The addresses at which an access lies within the object. */
function insideOf(object: MemoryObject, values: ValueSet, size: number): ValueSet {
  return meetSets(values, rangeSet(values.width, object.base, object.base + BigInt(object.size - size)));
}

/**
 * The cells that an access of `size` bytes can use, each with the condition. At most one is chosen; one is if the
 * address lies within the object.
 */
export function sparseTargets(
  execution: Execution,
  object: MemoryObject,
  thread: number,
  address: Term,
  summary: Cell,
  position: Position,
  piece: number,
): SparseTarget[] {
  const { graph } = execution;
  const { size } = summary;
  const accesses = accessesOf(execution, object);
  const grid = gridOf(graph.setOf(address), size);
  const targets: SparseTarget[] = [];
  let isOther = isInside(execution, object, address, size);
  // When places with constant addresses have covered all values of the address, there is no other.
  let uncovered = countValues(insideOf(object, graph.setOf(address), size));
  const candidates = graph.constantOf(address) === null ? accesses.slots : candidatesOf(accesses, grid);
  for (const slot of candidates) {
    if (areApart(slot.grid, grid)) continue;
    const isSame = graph.eq(slot.address, address);
    const select = graph.and(isOther, isSame);
    if (!graph.isFalse(select)) targets.push({ cell: slot.cell, select });
    isOther = graph.and(isOther, graph.not(isSame));
    if (slot.grid.step === 0n && !graph.isFalse(isSame)) uncovered--;
    if (graph.isFalse(isOther) || uncovered === 0n) return targets;
    if (targets.length > MOST_SLOTS) {
      throw new UnsupportedError(position.loc, `this access can touch more than ${MOST_SLOTS} places in memory`);
    }
  }
  const key = `${thread} ${position.key}${piece > 0 ? ` piece ${piece}` : ''}`;
  const own = addSlot(execution, object, accesses, key, address, grid, summary);
  return [...targets, { cell: own.cell, select: isOther }];
}

/** Does the whole access lie within the object? */
export function isInside({ graph }: Execution, object: MemoryObject, address: Term, size: number): Term {
  const width = graph.widthOf(address);
  if (object.size < size) return graph.false;
  const last = object.base + BigInt(object.size - size);
  return graph.and(
    graph.not(graph.less('ult', address, graph.constant(width, object.base))),
    graph.not(graph.less('ult', graph.constant(width, last), address)),
  );
}

/** The offset of the first byte behind an access. */
export function endOfAccess({ graph }: Execution, object: MemoryObject, address: Term, size: number): Term {
  const width = graph.widthOf(address);
  return graph.sub(graph.add(address, graph.constant(width, BigInt(size))), graph.constant(width, object.base));
}

/** What the place of a cell holds before anybody has written to it. */
export function initialOfSlot(execution: Execution, cell: Cell): Term {
  const { graph, reach, sparse } = execution;
  const { object } = cell;
  const address = sparse.addresses.get(cell.id);
  const width = 8 * cell.size;
  if (address === undefined) {
    // A cell from before the object became sparse, a moment ago: this iteration is not the last one.
    invariant(execution.knowledge.structureChanged, 'a cell of a sparse object has an address once it is used');
    return graph.constant(width, 0n);
  }
  if (object.kind === 'static' || object.kind === 'thread') return initialised(execution, cell, address);
  if (object.isZeroed) return graph.constant(width, 0n);
  const constant = graph.constantOf(address);
  const where =
    constant !== null
      ? { offset: Number(constant - object.base) }
      : { offset: 0, place: { address, base: object.base } };
  const place = { thread: reach.owners.get(object.id) ?? 0, key: object.creator, ...where };
  const unknown = execution.unknowns.input(place, topSet(width), `uninitialised ${object.name}`);
  execution.options.recorder?.declareMemory(unknown);
  return unknown;
}

/** What the places of a summary hold before anybody has written to them: an unknown with all the values. */
export function initialOfSummary(execution: Execution, cell: Cell): Term {
  const { graph } = execution;
  const { object, size } = cell;
  const width = 8 * size;
  const zero = constantSet(width, 0n);
  if (object.kind === 'static' || object.kind === 'thread')
    return graph.variable(initialValues(execution, cell), 'initial');
  if (object.isZeroed) return graph.variable(zero, 'initial');
  const unknown = graph.variable(topSet(width), `uninitialised ${object.name}`);
  execution.unknowns.unconstrained.add(unknown);
  execution.options.recorder?.declareMemory(unknown);
  return unknown;
}

/** Of a static object: what its initializers give. */
function initialValues(execution: Execution, cell: Cell): ValueSet {
  const { object, size } = cell;
  const initial = object.declared?.initial ?? [];
  if (initial.length > MOST_SLOTS) return topSet(8 * size);
  const { low, last, step } = placesOf(cell);
  const base = object.base;
  const grid = { first: base + BigInt(low), last: base + BigInt(last), step: BigInt(step), size };
  const offsets = new Set<number>();
  for (const item of initial) for (const at of placesAt(object, grid, item.offset, item.type.bits / 8)) offsets.add(at);
  let values = constantSet(8 * size, 0n);
  for (const at of offsets) {
    if (at < low || at > last) continue;
    values = joinSets(values, constantSet(8 * size, execution.initial.staticBytes(object, at, size)));
  }
  return values;
}

/** Of a static object: a choice between the values that its initializers give, mostly just zero. */
function initialised(execution: Execution, cell: Cell, address: Term): Term {
  const { graph } = execution;
  const { object, size } = cell;
  const bytesAt = (offset: number) => graph.constant(8 * size, execution.initial.staticBytes(object, offset, size));
  const constant = graph.constantOf(address);
  if (constant !== null) return bytesAt(Number(constant - object.base));
  const initial = object.declared?.initial ?? [];
  if (initial.length > MOST_SLOTS) {
    const loc = object.declared?.variable?.loc ?? (0 as Loc);
    throw new UnsupportedError(
      loc,
      `more than ${MOST_SLOTS} initial values for ${object.declared ? nameOfObject(object.declared) : object.name}, whose index is not constant`,
    );
  }
  const grid = gridOf(graph.setOf(address), size);
  const offsets = new Set<number>();
  for (const item of initial) for (const at of placesAt(object, grid, item.offset, item.type.bits / 8)) offsets.add(at);
  let value = graph.constant(8 * size, 0n);
  for (const offset of offsets) {
    const isThere = graph.eq(address, graph.constant(graph.widthOf(address), object.base + BigInt(offset)));
    value = graph.ite(isThere, bytesAt(offset), value);
  }
  return value;
}

/** The offsets of places of the grid that bytes of an object touch. */
function placesAt(object: MemoryObject, { first, step, size }: Grid, offset: number, length: number): number[] {
  const found: number[] = [];
  for (let at = offset - size + 1; at < offset + length; at++) {
    const distance = object.base + BigInt(at) - first;
    if (at >= 0 && (step === 0n ? distance === 0n : distance % step === 0n)) found.push(at);
  }
  return found;
}

function accessesOf({ sparse }: Execution, object: MemoryObject): SparseAccesses {
  let accesses = sparse.accesses.get(object.id);
  if (!accesses) {
    accesses = { slots: [], byAddress: new Map(), symbolic: [] };
    sparse.accesses.set(object.id, accesses);
  }
  return accesses;
}

/**
 * Of a constant address only the same constant, those that overlap, and symbolic ones matter; in the order in which
 * they came.
 */
function candidatesOf({ slots, byAddress, symbolic }: SparseAccesses, { first, size }: Grid): readonly Slot[] {
  const near: Slot[] = [];
  for (let at = first - 15n; at < first + BigInt(size); at++) {
    const slot = byAddress.get(at);
    if (slot) near.push(slot);
  }
  if (symbolic.length === slots.length) return slots;
  return [...symbolic, ...near].sort((a, b) => a.order - b.order);
}

function addSlot(
  execution: Execution,
  object: MemoryObject,
  accesses: SparseAccesses,
  key: string,
  address: Term,
  grid: Grid,
  summary: Cell,
): Slot {
  const cell = execution.knowledge.slotCell(object, key, summary);
  invariant(!execution.sparse.addresses.has(cell.id), 'an instance of an instruction is executed once');
  const slot: Slot = { order: accesses.slots.length, cell, address, grid };
  accesses.slots.push(slot);
  execution.sparse.addresses.set(cell.id, address);
  if (execution.graph.constantOf(address) === null) accesses.symbolic.push(slot);
  else accesses.byAddress.set(grid.first, slot);
  return slot;
}

/** Addresses of an access: `first` plus multiples of `step`, up to `last`; a step of 0 for a single one. */
interface Grid {
  readonly first: bigint;
  readonly last: bigint;
  readonly step: bigint;
  readonly size: number;
}

function gridOf({ parts }: ValueSet, size: number): Grid {
  const first = parts[0]?.low ?? 0n;
  let [step, last] = [0n, first];
  for (const part of parts) {
    step = gcd(step, part.low - first);
    if (part.low !== part.high) step = gcd(step, part.step);
    if (part.high > last) last = part.high;
  }
  return { first, last, step, size };
}

/**
 * Can no place of the one be a place of the other? Places that overlap in part are excluded already: see `findSummary`.
 */
function areApart(a: Grid, b: Grid): boolean {
  if (a.last < b.first || b.last < a.first) return true;
  const step = gcd(a.step, b.step);
  const distance = b.first - a.first;
  return step === 0n ? distance !== 0n : distance % step !== 0n;
}
