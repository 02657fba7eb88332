/**
 * The bounds that a check goes through when the user gives none: small first, because most bugs are shallow, then both
 * bounds grow together. A bound that the user gives stays as it is.
 */

import type { Stage } from '../outcome/progress.ts';

const GROWING: readonly Stage[] = [
  { unwind: 1, rounds: 1 },
  { unwind: 1, rounds: 2 },
  { unwind: 1, rounds: 3 },
  { unwind: 2, rounds: 3 },
  { unwind: 3, rounds: 4 },
  { unwind: 4, rounds: 4 },
  { unwind: 6, rounds: 5 },
  { unwind: 8, rounds: 6 },
  { unwind: 12, rounds: 8 },
  { unwind: 16, rounds: 11 },
  { unwind: 24, rounds: 11 },
  { unwind: 32, rounds: 12 },
  { unwind: 64, rounds: 12 },
  { unwind: 128, rounds: 16 },
  { unwind: 256, rounds: 16 },
  { unwind: 512, rounds: 20 },
  { unwind: 1024, rounds: 24 },
];

/**
 * The stages in order, each with at least one bound larger than in the one before. There is no last one, unless both
 * bounds are given.
 */
export function* chooseStages(unwind: number | null, rounds: number | null): Iterable<Stage> {
  let last: Stage | null = null;
  for (const stage of growingBounds()) {
    const next: Stage = { unwind: unwind ?? stage.unwind, rounds: rounds ?? stage.rounds };
    if (!last || next.unwind > last.unwind || next.rounds > last.rounds) yield next;
    if (unwind !== null && rounds !== null) return;
    last = next;
  }
}

const LAST = GROWING[GROWING.length - 1] as Stage;

/** The stage comes after those that find bugs. */
export function isBeyondList({ unwind, rounds }: Stage): boolean {
  return unwind > LAST.unwind || rounds > LAST.rounds;
}

function* growingBounds(): Iterable<Stage> {
  yield* GROWING;
  const { unwind, rounds } = LAST;
  for (let factor = 2; ; factor *= 2) yield { unwind: factor * unwind, rounds: factor * rounds };
}

/** The user fixed all bounds: there is one stage only. */
export function hasFixedBounds(fixed: {
  readonly unwind: number | null;
  readonly rounds: number | null;
  readonly contextSwitches: number | null;
}): boolean {
  return fixed.unwind !== null && (fixed.rounds !== null || fixed.contextSwitches !== null);
}
