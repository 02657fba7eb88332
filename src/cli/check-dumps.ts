// The options with which a check shows its inside, and where the dumped texts go: to numbered files of --dump-dir, or
// to the standard output.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CHECK_DUMPS } from '../host/check-messages.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { printInvariant } from '../report/print-invariant.ts';
import type { TextOutput } from './io.ts';
import type { OptionTable } from './options.ts';
import { appendFile, writeFile } from './write-file.ts';

const group = 'Debugging';

export const inspectOptions = {
  dump: { kind: 'list', choices: CHECK_DUMPS, help: 'show these stages of the check', group },
  dumpDir: { kind: 'text', value: 'DIR', help: 'write the stages to numbered files in DIR', group },
  showLoops: { kind: 'flag', help: 'print the names, kinds and places of the loops, nothing else', group },
  validate: { kind: 'flag', help: 'check the intermediate forms for faults of Lazuli itself', group },
} as const satisfies OptionTable;

/** Takes dumped texts; several of one name follow one another. Files are numbered in the order in which they begin. */
export type DumpSink = (name: string, text: string) => void;

export function createDumpSink(directory: string | undefined, source: string, output: TextOutput): DumpSink {
  if (directory === undefined) return (_, text) => output.write(text);
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, string>();
  return (name, text) => {
    const known = files.get(name);
    if (known !== undefined) return appendFile(known, text);
    const number = String(files.size + 1).padStart(2, '0');
    const file = path.join(directory, `${path.basename(source)}.${number}-${name}`);
    files.set(name, file);
    writeFile(file, text);
  };
}

/** The whole of it, where a proof has one. */
export function dumpInvariant(outcome: Outcome, dump: DumpSink): void {
  const invariant = outcome.kind === 'safe' ? outcome.proof.invariant : null;
  if (invariant !== null) dump('invariant.txt', `${printInvariant(invariant).join('\n')}\n`);
}
