/**
 * Who can find in memory what nobody wrote there. A local or an allocation holds anything at first, and whoever reads
 * an address or an index out of that can go anywhere. Mostly nobody does: main fills in the arguments of a thread, then
 * creates it, while other threads run already.
 *
 * So it is kept along the paths of a thread which cells it has certainly written for all to see (`State.written`), and
 * a thread begins with what its creator had written when it was created. Whoever reads such a cell finds what somebody
 * wrote, never what was there at first: the write comes before the creation in the order of the creator's steps, and
 * that before all that the new thread does. Where paths meet, only what was written on both of them counts; a write to
 * one of several places counts for none of them; under a weak memory model a creation hands on what was written only
 * if all stores have reached memory by then.
 *
 * What a cell holds at first is therefore not among the values of the cell, but joins those that a read can give,
 * where it is not known to come after a write. Cells of sparse objects are left as they are (sparse-objects.ts).
 */

import { isWeak } from '../program/memory-model.ts';
import type { ForkMap } from '../support/fork-map.ts';
import type { Cell } from './cells.ts';
import type { Execution } from './execution.ts';
import type { State } from './state.ts';
import type { StepBuilder } from './step-builder.ts';

/** The cells that were certainly written, by id. */
export type WrittenCells = ForkMap<number, true>;

/** Anything may be in the cell until somebody writes there, for others to see, too. */
export function startsUnknown({ reach, unknowns, initial }: Execution, cell: Cell): boolean {
  if (!canStartUnknown(cell)) return false;
  if (reach.isPublishedLater(cell)) return cell.isShownUnwritten;
  return unknowns.unconstrained.has(initial.of(cell));
}

/** A local or an allocation whose contents are not given. */
export function canStartUnknown({ object, offset, summary, isSummary }: Cell): boolean {
  const isDynamic = object.kind === 'local' || object.kind === 'heap';
  return isDynamic && !object.isZeroed && !object.isSparse && offset >= 0 && summary === null && !isSummary;
}

/** The thread has written the cell on the paths to here. */
export function noteWritten(state: State, cell: Cell): void {
  if (canStartUnknown(cell)) state.written.set(cell.id, true);
}

/** Does a read of the cell, made here, find what somebody wrote? */
export function comesAfterWrite(state: State, cell: Cell): boolean {
  return state.written.get(cell.id) === true;
}

/** What a thread that is created in the step begins with. */
export function writtenBefore({ options }: Execution, state: State, step: StepBuilder): WrittenCells | null {
  return step.drains || !isWeak(options.memoryModel ?? 'sc') ? state.written.fork() : null;
}

/** Where two paths meet. */
export function mergeWritten(a: WrittenCells, b: WrittenCells): WrittenCells {
  const both = a.fork();
  for (const cell of a.differingKeys(b)) if (!b.get(cell)) both.delete(cell);
  return both;
}
