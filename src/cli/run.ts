// The tool behind its process: arguments in, text on the given streams, exit code out. It picks the command and is the
// last net for whatever a command throws: a file that cannot be read is told in one line, everything else is an
// internal error, also in one line (with LAZULI_DEBUG=1 the stack follows). No user ever needs to read a stack.

import { version } from '../../package.json';
import { describeSystemError } from '../host/system-error.ts';
import { TimeIsUp } from '../host/time-limit.ts';
import { suggest } from '../support/suggest.ts';
import type { CommandRow } from './commands.ts';
import { reportUnusable } from './define-command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { printToolHelp } from './help.ts';
import type { Io } from './io.ts';
import { reportInternal } from './report-internal.ts';

export async function run(args: readonly string[], io: Io, commands: readonly CommandRow[]): Promise<ExitCode> {
  const [first, ...rest] = args;
  switch (first) {
    case '-V':
    case '--version':
      io.out.write(`lazuli ${version}\n`);
      return exitCodes.ok;
    case '-h':
    case '--help':
      io.out.write(printToolHelp(commands, io.out.columns));
      return exitCodes.ok;
    case 'help':
      return run(rest.length === 0 ? ['--help'] : [...rest, '--help'], io, commands);
    case undefined:
      io.err.write(printToolHelp(commands, io.err.columns));
      return exitCodes.usage;
  }
  const row = commands.find(({ name }) => name === first);
  if (row === undefined) {
    io.err.write(`lazuli: ${describeUnknown(first, commands)} (see 'lazuli --help')\n`);
    return exitCodes.usage;
  }
  try {
    const command = await row.load();
    return await command.run(rest, io);
  } catch (error) {
    return reportThrown(error, io);
  }
}

function describeUnknown(word: string, commands: readonly CommandRow[]): string {
  if (word.startsWith('-')) return `unknown option ${word} before the command`;
  const near = suggest(
    word,
    commands.map(({ name }) => name),
  );
  if (near !== null) return `unknown command '${word}' (did you mean '${near}'?)`;
  if (/\.[chi]$/.test(word)) return `a command is missing before '${word}'`;
  return `unknown command '${word}'`;
}

/** Tells the user of something that was thrown, in one line. */
export function reportThrown(error: unknown, io: Io): ExitCode {
  if (error instanceof TimeIsUp) {
    io.err.write(`lazuli: no answer: ${error.message}\n`);
    return exitCodes.unknown;
  }
  const showsStack = io.env.LAZULI_DEBUG === '1';
  if (isFileError(error) && !showsStack) {
    return reportUnusable(io, `cannot use '${error.path}': ${describeSystemError(error)}`);
  }
  return error instanceof Error
    ? reportInternal(io, `${error.name}: ${error.message}`, error.stack)
    : reportInternal(io, String(error), undefined);
}

interface FileError extends Error {
  readonly path: string;
}

/** Whether it comes from the file system and concerns a path that somebody named. */
function isFileError(error: unknown): error is FileError {
  return error instanceof Error && 'code' in error && 'syscall' in error && 'path' in error && !('spawnargs' in error);
}
