// Texts from files, from the standard input (`-`) or from the system's preprocessor. What cannot be read is told in one
// line, and so is what cannot be C: directories, binary files, files beyond all reason.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { decode, findProblem, SIZE_LIMIT_BYTES } from '../swarm/source-files.ts';
import type { FrontEndOptionValues } from './front-end-options.ts';

export type Input =
  | { readonly kind: 'text'; readonly fileName: string; readonly text: string }
  /** The file cannot be used. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** The preprocessor was run and did not accept the file; what it said, and a line of ours. */
  | { readonly kind: 'rejected'; readonly message: string };

/** A zero byte so early in a file means that it is no text. */
const BINARY_PROBE_BYTES = 8192;

/** The text of an operand of the command line. */
export function readInput(file: string, options: FrontEndOptionValues): Input {
  if (options.cpp !== undefined) return runPreprocessor(options.cpp, file, options);
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

function runPreprocessor(command: string, file: string, options: FrontEndOptionValues): Input {
  const [program, ...args] = splitCommand(command);
  if (program === undefined) return { kind: 'unusable', message: '--cpp names no command' };
  const given = [
    ...args,
    `-m${options.dataModel}`,
    ...options.include.map((directory) => `-I${directory}`),
    ...options.define.map((macro) => `-D${macro}`),
    ...options.undefine.map((macro) => `-U${macro}`),
    // A name that begins with a dash would be taken for an option, and gcc knows no `--`.
    ...(file === '-' ? ['-x', 'c', '-'] : [file.startsWith('-') ? `./${file}` : file]),
  ];
  const input = file === '-' ? readFileSync(0) : '';
  const result = spawnSync(program, given, { input, maxBuffer: SIZE_LIMIT_BYTES });
  if (result.error !== undefined) {
    return { kind: 'unusable', message: `cannot run '${program}': ${describeSystemError(result.error)}` };
  }
  if (result.status !== 0) {
    const said = result.stderr.toString().trimEnd();
    return { kind: 'rejected', message: `${said}${said === '' ? '' : '\n'}lazuli: '${command}' failed on '${file}'` };
  }
  return { kind: 'text', fileName: file === '-' ? '<stdin>' : file, text: decode(result.stdout) };
}

/** Splits at spaces; quotes keep them. No shell is involved. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  for (const match of command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    words.push(match[0].replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
  }
  return words;
}

/** Node's message is `ENOENT: no such file or directory, open 'x.c'`: the middle is for people. */
function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'no such file or directory';
  return /^[A-Z0-9_]+: ([^,]+)/.exec(error.message)?.[1] ?? error.message;
}
