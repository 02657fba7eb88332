/** Source files from the disk, for the front end: what is no text or beyond all reason counts as not there. */

import { readFileSync, statSync } from 'node:fs';
import type { SourceReader } from '../frontend/preprocess/options.ts';
import { textOfRawBytes } from '../support/raw-bytes.ts';
import { findDefinitions } from './find-definitions.ts';

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
    findDefinitions,
  };
}

/** Reads from texts by their names, and nothing else. */
export function createTextReader(texts: ReadonlyMap<string, string>): SourceReader {
  return { read: (path) => texts.get(path) ?? null };
}

/** Keeps what is read. */
export function keepTexts(reader: SourceReader, texts: Map<string, string>): SourceReader {
  return {
    ...reader,
    read: (path) => {
      const text = reader.read(path);
      if (text !== null) texts.set(path, text);
      return text;
    },
  };
}

/** Why a file cannot be a source, or null. Throws what the file system throws. */
export function findProblem(file: string): string | null {
  const info = statSync(file);
  if (info.isDirectory()) return 'it is a directory';
  if (!info.isFile() && !isOpenAlready(file)) return 'it is no regular file; - stands for the standard input';
  if (info.size > SIZE_LIMIT_BYTES) return `it is larger than ${SIZE_LIMIT_BYTES / 1024 / 1024} MB`;
  return null;
}

/** Reading a named pipe waits for a writer, and a device may never end. What a shell has opened for us has an end. */
function isOpenAlready(file: string): boolean {
  return /^\/(dev\/(stdin$|null$|fd\/)|proc\/)/.test(file);
}

/** UTF-8, or else the bytes as they are. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return textOfRawBytes(bytes);
  }
}
