/**
 * Narrowing: the decreasing iterations after widening. When nothing grows any more, a cell whose bounds had jumped may
 * hold less than its set says: in `if (c < 5) c++` the bound of a widened `c` is 255, but nothing above 5 was written.
 * The next iteration is then executed with what was written, and if it writes nothing else, that is the better answer.
 *
 * Why it is sound: the smaller sets are not believed but tried. They count only if executing with them writes nothing
 * outside of them, which is what makes any sets right; otherwise the former ones are put back. (Where the analysis is
 * monotone they always hold. It is not quite, because long lists of values are merged.)
 *
 * Left out: cells bounded by counting that are written beyond their bound, and cells of sparse objects.
 */

import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import type { Cell } from './cells.ts';
import type { Execution } from './execution.ts';

/** Sets as they were before they were narrowed, by cell. */
export type FormerSets = ReadonlyMap<Cell, ValueSet>;

/** Makes the sets of cells that had jumped as small as this iteration's writes allow; null if they are so already. */
export function narrowCells(execution: Execution): FormerSets | null {
  const former = new Map<Cell, ValueSet>();
  for (const [cell, { written }] of execution.writes.movements) {
    if (!cell.hasJumped || cell.object.isSparse || !sets.isSubset(written, cell.set)) continue;
    const held = execution.reach.isPublishedLater(cell)
      ? written
      : sets.joinSets(written, execution.graph.setOf(execution.initial.of(cell)));
    if (sets.isSubset(cell.set, held)) continue;
    former.set(cell, cell.set);
    cell.set = sets.meetSets(held, cell.set);
  }
  return former.size > 0 ? former : null;
}

/** Puts back what was there before. */
export function restoreCells(former: FormerSets): void {
  for (const [cell, set] of former) cell.set = set;
}
