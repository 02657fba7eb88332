// The benchmark programs of others, which are not part of this repository: a folder beside it, or wherever
// LAZULI_BENCHMARKS points. Tests that read them pass without them, and say so.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteOnce } from './note-once.ts';

export interface BenchmarkProgram {
  /** The path in the folder; absolutePath completes it. */
  readonly file: string;
  readonly expected: 'safe' | 'unsafe';
  readonly dataModel: 'ILP32' | 'LP64';
  /** The file before preprocessing, where it is there. */
  readonly source?: string;
  /** The smallest bounds that expose the bug, and what a tool of its time needed, where a paper says so. */
  readonly paper?: Readonly<Record<string, number>>;
}

/** The benchmarks' folder, or null with a note. */
export function findBenchmarks(): string | null {
  const folder = process.env.LAZULI_BENCHMARKS ?? fileURLToPath(new URL('../../../shared/benchmarks', import.meta.url));
  if (existsSync(path.join(folder, 'manifest.json'))) return folder;
  noteOnce(`not there: the benchmark programs (${folder}); set LAZULI_BENCHMARKS to their folder to run them too`);
  return null;
}

/** Every program of the manifest; none, with a note, where the folder is missing. */
export function readBenchmarkManifest(): readonly BenchmarkProgram[] {
  const folder = findBenchmarks();
  if (folder === null) return [];
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as {
    readonly programs: readonly BenchmarkProgram[];
  };
  return manifest.programs;
}
