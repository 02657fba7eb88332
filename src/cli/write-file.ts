// Writes files. Errors of opening name the path by themselves, errors of writing (a full disk) do not: here all do, so
// that `reportThrown` can tell the user. No command writes over the program that it reads, or two things to one file.

import { appendFileSync, closeSync, openSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

export function writeFile(path: string, text: string): void {
  namePath(path, () => writeFileSync(path, text));
}

export function appendFile(path: string, text: string): void {
  namePath(path, () => appendFileSync(path, text));
}

/** Throws for files that cannot be written: better now than after a long check. Those that do not exist stay so. */
export function ensureWritable(files: readonly (string | undefined)[]): void {
  for (const file of files) {
    if (file === undefined || file === '-') continue;
    const info = statSync(file, { throwIfNoEntry: false });
    // Devices and pipes may block, or take everything.
    if (info !== undefined && !info.isFile() && !info.isDirectory()) continue;
    namePath(file, () => closeSync(openSync(file, info === undefined ? 'wx' : 'a')));
    if (info === undefined) unlinkSync(file);
  }
}

function namePath(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}

/**
 * Why these files must not be written: they are among those that are read, or one is written twice. Null when there is
 * no reason. Devices such as /dev/null take everything.
 */
export function findOverwritten(written: readonly (string | undefined)[], read: readonly string[]): string | null {
  const programs = new Set(read.filter((file) => file !== '-').map(identityOf));
  const results = new Set<string>();
  for (const file of written) {
    const identity = file === undefined || file === '-' ? null : identityOf(file);
    if (identity === null) continue;
    if (programs.has(identity)) return `'${file}' is the program itself, which would be overwritten`;
    if (results.has(identity)) return `'${file}' would be written twice`;
    results.add(identity);
  }
  return null;
}

/** The same for all names and links of a file; null for what is no file. */
function identityOf(path: string): string | null {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return resolve(path);
  return info.isFile() ? `${info.dev}:${info.ino}` : null;
}
