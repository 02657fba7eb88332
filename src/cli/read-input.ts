// Texts from files, from the standard input (`-`) or from the system's preprocessor, which is loaded when somebody asks for it. What cannot
// be read is told in one line, and so is what cannot be C: directories, binary files, files beyond all reason.

import { readFileSync } from 'node:fs';
import { decode, findProblem } from '../swarm/source-files.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';

export type Input =
  | { readonly kind: 'text'; readonly fileName: string; readonly text: string }
  /** The file cannot be used. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** The preprocessor was run and did not accept the file; what it said, and a line of ours. */
  | { readonly kind: 'rejected'; readonly message: string };

/** A zero byte so early in a file means that it is no text. */
const BINARY_PROBE_BYTES = 8192;

/** The program that an operand of the command line names. */
export async function readInput(file: string, options: FrontEndOptionValues): Promise<Input> {
  if (options.cpp === undefined) return readText(file);
  const { runPreprocessor } = await import('./run-preprocessor.ts');
  return runPreprocessor(options.cpp, file, options);
}

/** A file as it is. */
export function readText(file: string): Input {
  const fileName = file === '-' ? '<stdin>' : file;
  try {
    if (file !== '-') {
      const problem = findProblem(file);
      if (problem !== null) return { kind: 'unusable', message: `cannot use '${fileName}': ${problem}` };
    }
    return toText(fileName, readFileSync(file === '-' ? 0 : file));
  } catch (error) {
    return { kind: 'unusable', message: `cannot use '${fileName}': ${describeSystemError(error)}` };
  }
}

function toText(fileName: string, bytes: Uint8Array): Input {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    return { kind: 'unusable', message: `cannot use '${fileName}': it is a binary file, not C` };
  }
  return { kind: 'text', fileName, text: decode(bytes) };
}

/** Whether every quote of a command is closed. */
export function hasClosedQuotes(command: string): boolean {
  return !/["']/.test(command.replace(/"[^"]*"|'[^']*'/g, ''));
}

/** Node's message is `ENOENT: no such file or directory, open 'x.c'`: the middle is for people. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'no such file or directory';
  return /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}
