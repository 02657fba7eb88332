// Writes a file. Errors of opening name the path by themselves, errors of writing (a full disk) do not: here all do, so that `reportThrown`
// can tell the user.

import { writeFileSync } from 'node:fs';

export function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}
