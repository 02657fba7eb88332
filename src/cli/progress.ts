// One line on a terminal that tells how far a long run is; it is overwritten by the next and gone at the end. Where the
// standard error is no terminal, nothing is written.

import type { Io } from './io.ts';

export interface Progress {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

const ERASE_LINE = '\r\x1b[K';

export function createProgress({ err }: Pick<Io, 'err'>): Progress {
  const { columns } = err;
  if (columns === null) return { show: () => {}, clear: () => {} };
  let isShown = false;
  return {
    show: (text) => {
      err.write(`${ERASE_LINE}${text.replace(/\s+/g, ' ').slice(0, Math.max(0, columns - 1))}`);
      isShown = true;
    },
    clear: () => {
      if (isShown) err.write(ERASE_LINE);
      isShown = false;
    },
  };
}
