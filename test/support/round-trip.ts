// Reading and printing for tests: a text through the front end and back, and the same twice, which must change nothing.

import { readProgram } from '../../src/frontend/front-end.ts';
import { printProgram } from '../../src/frontend/print/print-program.ts';
import { createFileReader } from '../../src/host/source-files.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { printDiagnostics } from '../../src/support/print-diagnostics.ts';

export type RoundTrip =
  | { readonly kind: 'printed'; readonly text: string; readonly again: string }
  | { readonly kind: 'failed'; readonly message: string };

/** What the front end prints for a text, and what it prints for that. */
export function roundTrip(fileName: string, text: string, dataModel: DataModel): RoundTrip {
  const first = printText(fileName, text, dataModel);
  if (first.kind === 'failed') return first;
  const second = printText('printed.c', first.text, dataModel);
  if (second.kind === 'failed') return { kind: 'failed', message: `what was printed is refused:\n${second.message}` };
  return { kind: 'printed', text: first.text, again: second.text };
}

export type PrintedText =
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string };

export function printText(fileName: string, text: string, dataModel: DataModel): PrintedText {
  const { program, diagnostics, sources } = readProgram({ fileName, text, dataModel, reader: createFileReader() });
  if (program === null) return { kind: 'failed', message: printDiagnostics(diagnostics, sources, { colour: false }) };
  return { kind: 'printed', text: printProgram(program) };
}

/** The first line in which two texts differ, for messages; null if they are equal. */
export function firstDifference(expected: string, actual: string): string | null {
  if (expected === actual) return null;
  const [before, after] = [expected.split('\n'), actual.split('\n')];
  const at = before.findIndex((line, index) => line !== after[index]);
  const line = at < 0 ? before.length : at;
  return `line ${line + 1}:\n- ${before[line] ?? '(end)'}\n+ ${after[line] ?? '(end)'}`;
}
