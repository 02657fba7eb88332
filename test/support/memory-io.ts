// An `Io` that keeps what is written, for tests of the command line.

import type { Environment, Io } from '../../src/cli/io.ts';

export interface MemoryIo extends Io {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export function memoryIo(env: Environment = {}, columns: number | null = null): MemoryIo {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const outputTo = (texts: string[]) => ({
    write: (text: string) => {
      texts.push(text);
    },
    colours: false,
    columns,
  });
  return {
    out: outputTo(stdout),
    err: outputTo(stderr),
    env,
    stdout: () => stdout.join(''),
    stderr: () => stderr.join(''),
  };
}
