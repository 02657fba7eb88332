/** How large a formula becomes in which reads select writes: for each read, every pair of writes to its cell. */

import type { CellId, SteppedProgram } from '../../execute/steps.ts';

export function countSelections({ threads }: SteppedProgram): number {
  const cells = new Map<CellId, { reads: number; writes: number }>();
  for (const { accesses } of threads.flatMap(({ steps }) => steps)) {
    for (const { kind, targets } of accesses) {
      for (const { cell } of targets) {
        const count = cells.get(cell) ?? { reads: 0, writes: 0 };
        cells.set(cell, count);
        count[kind === 'read' ? 'reads' : 'writes']++;
      }
    }
  }
  let selections = 0;
  for (const { reads, writes } of cells.values()) selections += reads * writes * writes;
  return selections;
}
