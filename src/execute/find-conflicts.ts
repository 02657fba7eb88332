/**
 * The accesses that may take part in a data race, by what cells they touch and how: of different threads, to one cell,
 * at least one of them a write and at least one plain. Whether two of them ever come together is asked of a solver
 * (encode/encode-race.ts). A cell that is told apart from others is touched as a whole by whoever touches it, so that
 * accesses overlap if and only if they have a cell in common.
 */

import type { Access, CellId, Step, SteppedProgram } from './steps.ts';

export interface Contender {
  readonly thread: number;
  /** Its index in the thread. */
  readonly at: number;
  readonly step: Step;
  readonly access: Access;
}

/** Only cells on which some pair may race, each with the accesses that have a partner. */
export function findConflicts({ threads, graph }: SteppedProgram): ReadonlyMap<CellId, readonly Contender[]> {
  const byCell = new Map<CellId, Contender[]>();
  for (const { index: thread, steps } of threads) {
    for (const [at, step] of steps.entries()) {
      for (const access of step.accesses) {
        if (access.touch === null || graph.isFalse(access.guard)) continue;
        for (const { cell, select } of access.targets) {
          if (graph.isFalse(select)) continue;
          const list = byCell.get(cell) ?? [];
          byCell.set(cell, list);
          list.push({ thread, at, step, access });
        }
      }
    }
  }
  const found = new Map<CellId, readonly Contender[]>();
  for (const [cell, list] of byCell) {
    const kinds = new Kinds(list);
    const rivals = list.filter((contender) => kinds.hasRival(contender));
    if (rivals.length > 0) found.set(cell, rivals);
  }
  return found;
}

/** Two accesses of different threads to one place race, unless both read or both are atomic. */
export function isConflict(a: Contender, b: Contender): boolean {
  if (a.thread === b.thread || (a.access.kind === 'read' && b.access.kind === 'read')) return false;
  return a.access.touch === 'plain' || b.access.touch === 'plain';
}

/** By kind of access, one of each thread: enough to tell whether an access has a rival. */
class Kinds {
  readonly #samples: readonly Contender[];

  constructor(list: readonly Contender[]) {
    const samples = new Map<string, Contender>();
    for (const one of list) samples.set(`${one.thread} ${one.access.kind} ${one.access.touch}`, one);
    this.#samples = [...samples.values()];
  }

  hasRival(contender: Contender): boolean {
    return this.#samples.some((other) => isConflict(contender, other));
  }
}
