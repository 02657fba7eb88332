// Writes a file. Errors of opening name the path by themselves, errors of writing (a full disk) do not: here all do, so that `reportThrown`
// can tell the user. No command writes over the program that it reads.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

export function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}

/** Why these files must not be written, as they are among those that are read; null when there is no reason. */
export function findOverwritten(written: readonly (string | undefined)[], read: readonly string[]): string | null {
  const programs = new Set(read.filter((file) => file !== '-').map((file) => resolve(file)));
  const overwritten = written.find((file) => file !== undefined && programs.has(resolve(file)));
  return overwritten === undefined ? null : `'${overwritten}' is the program itself, which would be overwritten`;
}
