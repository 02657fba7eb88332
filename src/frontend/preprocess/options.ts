/** What the preprocessor is given. Files come through a reader, so that the core needs no file system. */

import type { DataModel } from '../../program/data-model.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { SourceMap } from '../../support/source.ts';
import type { ExpansionLimits } from './expand-macros.ts';

export interface SourceReader {
  /** The text of a file, or null when it cannot be read. */
  read(path: string): string | null;
  /** By name, C files that are not of the program and seem to define it. */
  findDefinitions?(wanted: WantedDefinitions): ReadonlyMap<string, readonly string[]>;
}

/** Names that a program lacks, and where to look for them. */
export interface WantedDefinitions {
  readonly names: readonly string[];
  /** Those of the program, and the headers that declare such names. */
  readonly files: readonly string[];
  readonly headers: readonly string[];
  /** Where the program starts: a file that defines this is of another program. */
  readonly start: string;
}

export interface PreprocessOptions {
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  /** The name of the main file, as shown to the user; its directory is where `"…"` headers are looked for first. */
  readonly fileName: string;
  readonly text: string;
  readonly dataModel: DataModel;
  /** Where other files come from; without it, only bundled headers can be included. */
  readonly reader?: SourceReader;
  /** Directories searched for headers, in order (`-I`). */
  readonly includePaths?: readonly string[];
  /** Directories searched before those, for `"…"` only (`-iquote`). */
  readonly quotePaths?: readonly string[];
  /** Directories searched after those, whose headers give no warnings (`-isystem`). */
  readonly systemPaths?: readonly string[];
  /** Headers that are included before the first line of the file (`-include`). */
  readonly forcedIncludes?: readonly string[];
  /** Headers of which only the macros count, before those (`-imacros`). */
  readonly macroFiles?: readonly string[];
  /** Headers that Lazuli brings along, by name (`sys/types.h`): searched last. */
  readonly bundledHeaders?: ReadonlyMap<string, string>;
  /** `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`, as for `-D`. */
  readonly defines?: readonly string[];
  /** Names whose definitions, also predefined ones, are taken back (`-U`). */
  readonly undefines?: readonly string[];
  readonly trigraphs?: boolean;
  /** As for `-std`. */
  readonly standard?: string | undefined;
  /** `inline` means what it means in GNU C before C99, whatever the standard. */
  readonly gnuInline?: boolean | undefined;
  /** Bounds on macro expansion, for tests. */
  readonly limits?: Partial<ExpansionLimits>;
}
