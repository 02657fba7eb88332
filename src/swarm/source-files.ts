/** Source files from the disk, for the front end: what is no text or beyond all reason counts as not there. */

import { readFileSync, statSync } from 'node:fs';
import type { SourceReader } from '../frontend/preprocess/options.ts';

export const SIZE_LIMIT_BYTES = 256 * 1024 * 1024;

/** Reads headers; one that cannot be read counts as not there. */
export function createFileReader(): SourceReader {
  return {
    read: (path) => {
      try {
        if (findProblem(path) !== null) return null;
        return decode(readFileSync(path));
      } catch {
        return null;
      }
    },
  };
}

/** Why a file cannot be a source, or null. Throws what the file system throws. */
export function findProblem(file: string): string | null {
  const info = statSync(file);
  if (info.isDirectory()) return 'it is a directory';
  if (info.size > SIZE_LIMIT_BYTES) return `it is larger than ${SIZE_LIMIT_BYTES / 1024 / 1024} MB`;
  return null;
}

/** UTF-8, or else one character a byte. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
