// Tells the user of a fault of ours, in one line; with LAZULI_DEBUG=1 the stack follows.

import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';

export function reportInternal(io: Io, message: string, stack: string | undefined): ExitCode {
  const oneLine = message.replace(/\s*\n\s*/g, ' ');
  io.err.write(
    `lazuli: internal error: ${oneLine}; please report it with the input (LAZULI_DEBUG=1 shows the stack)\n`,
  );
  if (io.env.LAZULI_DEBUG === '1' && stack !== undefined) io.err.write(`${stack}\n`);
  return exitCodes.internal;
}
