/**
 * Memory as symbolic execution divides it: objects, and cells of them, with what is learned about each
 * (knowledge.ts, which alone changes them).
 */

import type { CodeObject } from '../program/code.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { Stretch } from './summaries.ts';

/** An object instance: a global, one activation's local, one allocation. */
export interface MemoryObject {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  /** The instance of the instruction that makes it; for static objects their name. */
  readonly creator: string;
  readonly base: bigint;
  /** Bytes that accesses may touch; grows when a later iteration allocates more. */
  size: number;
  readonly declared: CodeObject | null;
  readonly kind: 'static' | 'thread' | 'local' | 'heap';
  /** Cells by offset. */
  readonly cells: Map<number, Cell>;
  /** Somebody frees it (or leaves its scope) while its address may live on: accesses look whether it is alive. */
  ends: boolean;
  /** Other threads reach it without its address ever having been stored in memory as it is. */
  isOpen: boolean;
  /** It starts with zeros. Kept from one iteration to the next, because others may be executed before its maker. */
  isZeroed: boolean;
  /** It has a cell for each access instead of each place (sparse-objects.ts); their offsets are just numbers. */
  isSparse: boolean;
  /**
   * Of a sparse object whose accesses overlap in part: accesses are made in pieces of this many bytes. 0: each as a
   * whole.
   */
  sparseUnit: number;
  /** It is not to be sparse: its accesses overlap in part, and it is small. */
  isDense: boolean;
  /**
   * Of a sparse object: what is learned about its places (summaries.ts), by offset for those that have constant
   * addresses.
   */
  readonly places: Map<number, Cell>;
  stretches: Stretch[];
}

export interface Cell extends CellValues {
  readonly id: number;
  readonly object: MemoryObject;
  readonly offset: number;
  readonly size: number;
  /** Threads that touched it when others could, and those of them that wrote. */
  readonly readers: Set<number>;
  readonly writers: Set<number>;
  /** It is there to learn about a sparse object: about one place, or a stretch of them (summaries.ts). */
  readonly isSummary: boolean;
  readonly isStretch: boolean;
  /** Its object was published before anybody wrote the cell (first-contents.ts). */
  isShownUnwritten: boolean;
  /** Of a cell of a sparse object: the one that what is learned about it is kept in. */
  summary: Cell | null;
}

/** What is learned about the values of a cell. */
export interface CellValues {
  set: ValueSet;
  /** What was written while nobody else could see it; values of the cell if it turns out that somebody can. */
  unseen: ValueSet;
  /** Of a cell that can hold an address: those addresses that are not unconstrained (known-addresses.ts). */
  known: ValueSet;
  knownGrowths: number;
  /** In how many iterations the set has grown. */
  growths: number;
  /** A bound of the set was not reached by joining what is written, but by widening or counting. */
  hasJumped: boolean;
  /** The set is bounded by counting: what is written to the cell may look larger. */
  isCounted: boolean;
}

/** The cell in which it is kept what is learned about a cell. */
export function sharedCell(cell: Cell): Cell {
  return cell.summary ?? cell;
}

/** What people call it. */
export function cellName(cell: Cell): string {
  if (cell.offset < 0) return `alive(${cell.object.name})`;
  if (cell.isSummary) return `${cell.object.name}[…]`;
  if (cell.object.isSparse) return `${cell.object.name}[?${cell.offset}]`;
  return cell.object.size === cell.size ? cell.object.name : `${cell.object.name}+${cell.offset}`;
}

/** The offset of the pseudo-cell that says whether an object is alive. */
export const ALIVE = -1;

export function makeCell(
  id: number,
  object: MemoryObject,
  offset: number,
  size: number,
  isSummary: boolean,
  isStretch: boolean,
): Cell {
  return {
    id,
    object,
    offset,
    size,
    readers: new Set(),
    writers: new Set(),
    ...noValues(size === 0 ? 1 : 8 * size),
    isSummary,
    isStretch,
    isShownUnwritten: false,
    summary: null,
  };
}

/** Does an access consist of the cells, without gaps? */
export function areTiles(cells: readonly Cell[], offset: number, size: number): boolean {
  let end = offset;
  for (const cell of cells) {
    if (cell.offset !== end) return false;
    end += cell.size;
  }
  return end === offset + size;
}

/** No values are known yet. */
export function noValues(width: number): CellValues {
  const none = sets.emptySet(width);
  return { set: none, unseen: none, known: none, knownGrowths: 0, growths: 0, hasJumped: false, isCounted: false };
}

export function valuesOf({ set, unseen, known, knownGrowths, growths, hasJumped, isCounted }: CellValues): CellValues {
  return { set, unseen, known, knownGrowths, growths, hasJumped, isCounted };
}
