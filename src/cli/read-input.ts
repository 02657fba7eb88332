// Texts from files, from the standard input (`-`) or from the system's preprocessor, which is loaded when somebody asks
// for it. What cannot be read is told in one line, and so is what cannot be C: directories, binary files, files beyond
// all reason.

import { readFileSync } from 'node:fs';
import { decode, findProblem } from '../host/source-files.ts';
import { describeSystemError } from '../host/system-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { SingleFileOptionValues } from './front-end-options.ts';
import type { Io } from './io.ts';

export interface InputText {
  readonly kind: 'text';
  readonly fileName: string;
  readonly text: string;
}

export type InputFile =
  | InputText
  /** The file cannot be used. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** The preprocessor was run and did not accept the file; what it said, and a line of ours. */
  | { readonly kind: 'rejected'; readonly message: string };

/** A zero byte so early in a file means that it is no text. */
const BINARY_PROBE_BYTES = 8192;

/** What was wrong has been told; this is how the command ends. */
export interface InputFailure {
  readonly kind: 'failed';
  readonly code: ExitCode;
}

/** The program that an operand of the command line names. */
export async function readInput(
  file: string,
  options: SingleFileOptionValues,
  io: Pick<Io, 'err'>,
): Promise<InputText | InputFailure> {
  const input = options.cpp === undefined ? readText(file) : await preprocess(options.cpp, file, options);
  switch (input.kind) {
    case 'text':
      return input;
    case 'unusable':
      io.err.write(`lazuli: ${input.message}\n`);
      return { kind: 'failed', code: exitCodes.file };
    case 'rejected':
      io.err.write(`${input.message}\n`);
      return { kind: 'failed', code: exitCodes.program };
  }
}

async function preprocess(command: string, file: string, options: SingleFileOptionValues): Promise<InputFile> {
  const { runPreprocessor } = await import('./run-preprocessor.ts');
  return runPreprocessor(command, file, options);
}

/** A file as it is. */
export function readText(file: string): InputFile {
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

function toText(fileName: string, bytes: Uint8Array): InputFile {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    return { kind: 'unusable', message: `cannot use '${fileName}': it is a binary file, not C` };
  }
  return { kind: 'text', fileName, text: decode(bytes) };
}

/** Whether every quote of a command is closed. */
export function hasClosedQuotes(command: string): boolean {
  return !/["']/.test(command.replace(/"[^"]*"|'[^']*'/g, ''));
}
