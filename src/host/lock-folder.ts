/**
 * One process at a time writes to a folder: a file in it names the process that does. What a dead one left behind does
 * not count, nor does a number that another program has got since.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  constructor(folder: string, holder: number, file: string) {
    super(`process ${holder} writes to '${folder}': the same swarm runs already (if it does not, remove '${file}')`);
  }
}

/** Makes the folder. Throws FolderInUse; the result gives the folder free. */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'lock');
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder !== null && isRunning(holder)) throw new FolderInUse(folder, holder, file);
    rmSync(file, { force: true });
  }
}

function readHolder(file: string): number | null {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(holder) && holder > 0 ? holder : null;
  } catch {
    // Given free meanwhile.
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('swarm');
  } catch {
    // There is no /proc: who knows.
    return true;
  }
}
