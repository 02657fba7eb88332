/**
 * Code on its way to another thread: plain data all through, but for the map of its sources. What arrives is equal, and
 * nothing in it is the same object as before, so no engine may ask whether a type or symbol is one that a module holds.
 */

import type { CheckName, Code } from '../program/code.ts';
import type { Diagnostic } from '../support/diagnostics.ts';
import { SourceMap, type SourceMapData } from '../support/source.ts';
import type { ReadProgram } from './read-code.ts';

export interface PortableProgram {
  readonly code: Omit<Code, 'sources'>;
  readonly sources: SourceMapData;
  readonly checks: ReadonlySet<CheckName>;
  /** What there was to tell of it, in parts as they came. */
  readonly told: readonly (readonly Diagnostic[])[];
}

export function packProgram(read: ReadProgram, told: PortableProgram['told']): PortableProgram {
  const { sources, ...code } = read.code;
  return { code, sources: sources.data, checks: read.checks, told };
}

export function unpackProgram({ code, sources, checks }: PortableProgram): ReadProgram {
  return { kind: 'code', code: { ...code, sources: SourceMap.of(sources) }, checks };
}
