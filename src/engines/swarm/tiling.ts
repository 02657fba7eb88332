/**
 * Tilings: the visible statements of each thread, cut into windows. A thread's statements are numbered from 0; these
 * numbers are its labels. A tile is a run of labels; the first tile of a thread that is shifted and the last one may be
 * shorter than the others.
 *
 * Left out: tiles that are no runs. Whoever wants those writes a configuration by hand (configuration.ts).
 */

import type { Random } from '../../support/random.ts';

/** The first and the last label of a tile. */
export type Window = readonly [first: number, last: number];

/** How long windows are: a number of statements, or a share of their thread in percent. */
export type WindowSize =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** The labels of a thread that tiles are made of: those before `first` are of no use. */
export interface TiledThread {
  readonly name: string;
  readonly first: number;
  /** One past the last label. */
  readonly end: number;
}

export interface TilingOptions {
  readonly size: WindowSize;
  /** Moves the windows of each thread, up or down, by at most half a window; null: they start at the start. */
  readonly shift: Random | null;
}

/** The tiles of each thread, in order; none for a thread without statements. */
export function tileThreads(threads: readonly TiledThread[], options: TilingOptions): readonly (readonly Window[])[] {
  return threads.map((thread) => tileThread(thread, options));
}

function tileThread({ first, end }: TiledThread, { size, shift }: TilingOptions): readonly Window[] {
  const length = windowLength(size, end - first);
  const half = Math.floor(length / 2);
  const offset = shift === null ? 0 : shift.below(2 * half + 1) - half;
  const windows: Window[] = [];
  for (let start = first + offset - (offset > 0 ? length : 0); start < end; start += length) {
    const window: Window = [Math.max(start, first), Math.min(start + length, end) - 1];
    if (window[0] <= window[1]) windows.push(window);
  }
  return windows;
}

/** A share of a short thread may be less than a statement: a window has at least one. */
function windowLength(size: WindowSize, statements: number): number {
  const length = size.kind === 'length' ? size.length : Math.ceil((size.percent * statements) / 100);
  return Math.max(1, length);
}
