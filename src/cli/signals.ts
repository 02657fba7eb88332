// The signals that ask a process to end: Ctrl-C, the end of the terminal, `kill`. Whoever waits for others (a worker, a
// backend) listens, ends them, writes the reports that were asked for, and gives the exit code that a shell expects.
// Everywhere else the default ends the process at once.

import { type ExitCode, exitCodes } from './exit-codes.ts';

/** The words for messages, and the exit codes. */
const SIGNALS = {
  SIGINT: { words: 'interrupted', code: exitCodes.interrupted },
  SIGTERM: { words: 'terminated', code: exitCodes.terminated },
  SIGHUP: { words: 'the terminal is gone', code: exitCodes.hungUp },
} as const;

export interface Interruption {
  readonly words: string;
  readonly code: ExitCode;
}

/** Where something was aborted and no signal came. */
export const NOT_BY_SIGNAL: Interruption = { words: 'interrupted', code: exitCodes.interrupted };

export interface SignalWatch {
  readonly signal: AbortSignal;
  /** What came; null as long as nothing did. */
  readonly interruption: () => Interruption | null;
  /** Back to the default. */
  readonly end: () => void;
}

/** Until it is ended, a signal aborts; a second one ends the process. */
export function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let came: Interruption | null = null;
  const listeners = Object.entries(SIGNALS).map(([name, interruption]) => {
    const listener = () => {
      if (came !== null) process.exit(interruption.code);
      came = interruption;
      controller.abort();
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    interruption: () => came,
    end: () => {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}
