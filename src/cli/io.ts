// What a command may write to, as values: a command gets an `Io` and touches no global stream, so that a test can hand
// in its own. Colours are decided here, once per stream: NO_COLOR and FORCE_COLOR win over what the stream is.
//
// A reader that goes away (`lazuli … | head`) is no fault of ours: what is written after that is dropped, and the
// command still ends with the exit code of its verdict. Output that cannot be written (a full disk) is one that the
// user must hear of.

import { fstatSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import { describeSystemError } from '../host/system-error.ts';

export interface TextOutput {
  readonly write: (text: string) => void;
  /** Whether escape sequences for colours may be written. */
  readonly colours: boolean;
  /** The width of the terminal; null when it is none. */
  readonly columns: number | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Io {
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly env: Environment;
}

/** Decides about colours as https://no-color.org and https://force-color.org ask for. */
export function wantsColours(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

export interface ProcessIo {
  readonly io: Io;
  /** What was wrong with the standard output, once it is flushed; null when nothing was. */
  readonly outputProblem: () => string | null;
}

/** The streams of this process. It owns their error handling; call it once. */
export function processIo(): ProcessIo {
  let problem: string | null = null;
  const out = outputTo('stdout', (error) => {
    if (error.code !== 'EPIPE') problem ??= describeSystemError(error);
  });
  const err = outputTo('stderr', () => {});
  return { io: { out, err, env: process.env }, outputProblem: () => problem };
}

/** Node loads a dozen modules for a stream: that comes when it is written to, or when nothing else is to be done. */
function outputTo(name: 'stdout' | 'stderr', onError: (error: NodeJS.ErrnoException) => void): TextOutput {
  let isOpen = true;
  let opened: WriteStream | null = null;
  const open = (): WriteStream => {
    if (opened !== null) return opened;
    opened = process[name];
    opened.on('error', (error: NodeJS.ErrnoException) => {
      isOpen = false;
      onError(error);
    });
    return opened;
  };
  setImmediate(open);
  const terminal = () => (isDevice(name === 'stdout' ? 1 : 2) && open().isTTY ? open() : null);
  return {
    write: (text) => {
      const stream = open();
      if (isOpen) stream.write(text);
    },
    get colours() {
      return wantsColours(process.env, terminal() !== null);
    },
    get columns() {
      // Some terminals have no size.
      const columns = terminal()?.columns ?? 0;
      return columns > 0 ? columns : null;
    },
  };
}

/** Every terminal is one. */
function isDevice(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Resolves when everything written so far has left this process, or never will. */
export async function flushProcessStreams(): Promise<void> {
  const drained = (stream: WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
}
