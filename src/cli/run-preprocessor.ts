// `--cpp`: lets the system's preprocessor read a file.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { decode, SIZE_LIMIT_BYTES } from '../host/source-files.ts';
import { describeSystemError } from '../host/system-error.ts';
import type { SingleFileOptionValues } from './front-end-options.ts';
import { hasClosedQuotes, type InputFile } from './read-input.ts';
import { splitCommand } from './split-command.ts';

export function runPreprocessor(command: string, file: string, options: SingleFileOptionValues): InputFile {
  if (!hasClosedQuotes(command)) return { kind: 'unusable', message: '--cpp has a quote that is not closed' };
  const [program, ...args] = splitCommand(command);
  if (program === undefined) return { kind: 'unusable', message: '--cpp names no command' };
  const given = [
    ...args,
    `-m${options.dataModel}`,
    ...options.include.map((directory) => `-I${directory}`),
    ...options.iquote.flatMap((directory) => ['-iquote', directory]),
    ...options.isystem.flatMap((directory) => ['-isystem', directory]),
    ...options.macrosFile.flatMap((header) => ['-imacros', header]),
    ...options.includeFile.flatMap((header) => ['-include', header]),
    ...(options.std === undefined ? [] : [`-std=${options.std}`]),
    ...(options.gnu89Inline ? ['-fgnu89-inline'] : []),
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
