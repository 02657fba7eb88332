/**
 * Reads a program while the worker that is to check it starts: of a short check that start is a quarter. It is only
 * tried. What is long is left to the worker, which can be ended at any time, and so is a program with faults: then the
 * worker reads it as if nobody had before, and tells them.
 */

import { runInThisContext } from 'node:vm';
import type { SourceReader } from '../frontend/preprocess/options.ts';
import type { Diagnostic } from '../support/diagnostics.ts';
import { type PortableProgram, packProgram } from '../verify/portable-code.ts';
import { readCode } from '../verify/read-code.ts';
import type { CheckJob } from './check-messages.ts';
import { createFileReader } from './source-files.ts';

/** Of all files together, headers among them. */
const MOST_CHARACTERS = 200_000;
/** Few characters can stand for much work, by macros or initializers; and nothing else runs here meanwhile. */
const LONGEST_MS = 2_000;
const SHARE_OF_TIME = 0.25;

const NAME = 'lazuli.read-ahead';
const SYMBOL = Symbol.for(NAME);

/** Null when the worker should read the program itself. */
export function readAhead(job: CheckJob): PortableProgram | null {
  try {
    return withinTime(Math.ceil(Math.min(LONGEST_MS, SHARE_OF_TIME * job.timeLimitMs)), () => readIfShort(job));
  } catch {
    // Whatever it was, time among it, the worker comes to it as well, and tells it.
    return null;
  }
}

function readIfShort(job: CheckJob): PortableProgram | null {
  let characters = 0;
  const count = (text: string) => {
    characters += text.length;
    if (characters > MOST_CHARACTERS) throw new Error('the program is long');
  };
  for (const { text } of job.files) count(text);
  const files = createFileReader();
  const reader: SourceReader = {
    ...files,
    read: (path) => {
      const text = files.read(path);
      if (text !== null) count(text);
      return text;
    },
  };
  const told: (readonly Diagnostic[])[] = [];
  const read = readCode(job, job, { reader, onDiagnostics: (diagnostics) => told.push(diagnostics) });
  return read.kind === 'code' ? packProgram(read, told) : null;
}

/** Throws when it takes too long. */
function withinTime<T>(timeout: number, action: () => T): T {
  const holder = globalThis as { [SYMBOL]?: () => T };
  holder[SYMBOL] = action;
  try {
    // Only a script can be given so long and no longer.
    return runInThisContext(`globalThis[Symbol.for('${NAME}')]()`, { timeout }) as T;
  } finally {
    delete holder[SYMBOL];
  }
}
