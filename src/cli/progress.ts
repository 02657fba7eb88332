// How far a long run is, on the standard error: one line of a terminal that is overwritten by the next and gone at the
// end. Where there is no terminal nothing is written, unless somebody asks for it (`--progress`): then it is a line of
// its own every few seconds, for logs.

import type { Io } from './io.ts';
import type { OptionTable } from './options.ts';

export interface Progress {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

export const progressOptions = {
  progress: {
    kind: 'flag',
    help: 'tell on the standard error how far it is, also where that is no terminal; --no-progress: never',
  },
} as const satisfies OptionTable;

/** `null`: nobody has said anything. */
export type ProgressWish = boolean | null;

const ERASE_LINE = '\r\x1b[K';
const LOG_INTERVAL_MS = 5_000;

export function createProgress(
  { err }: Pick<Io, 'err'>,
  wish: ProgressWish = null,
  logIntervalMs = LOG_INTERVAL_MS,
): Progress {
  if (wish === false || (wish === null && err.columns === null)) return { show: () => {}, clear: () => {} };
  return err.columns === null ? createLog(err, logIntervalMs) : createLine(err, err.columns);
}

function createLine(err: Io['err'], columns: number): Progress {
  let isShown = false;
  return {
    show: (text) => {
      err.write(`${ERASE_LINE}${oneLine(text).slice(0, Math.max(0, columns - 1))}`);
      isShown = true;
    },
    clear: () => {
      if (isShown) err.write(ERASE_LINE);
      isShown = false;
    },
  };
}

function createLog(err: Io['err'], intervalMs: number): Progress {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    show: (text) => {
      if (performance.now() - lastMs < intervalMs) return;
      lastMs = performance.now();
      err.write(`lazuli: ${oneLine(text)}\n`);
    },
    clear: () => {},
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
