/**
 * Where the lines of a long text came from, in pieces: a place for a line, or a list for several lines. Copies of a
 * loop share their lists. `places.flat()` has one place for each line.
 */

import type { Loc } from './source.ts';

export type LinePlaces = readonly (Loc | readonly Loc[])[];

export function countLines(places: LinePlaces): number {
  return places.reduce((sum: number, piece) => sum + (typeof piece === 'number' ? 1 : piece.length), 0);
}
