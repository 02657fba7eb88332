/**
 * What one run of the preprocessor knows, shared by the files of this folder: the macros, the stack of open files with
 * their conditionals, what is remembered of files already read. `preprocess` creates it; the directives change it.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc, SourceFile, SourceMap } from '../../support/source.ts';
import type { Lexer } from '../lex/lexer.ts';
import type { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import type { MacroExpander } from './expand-macros.ts';
import type { Fail } from './fatal.ts';
import type { Macro } from './macro.ts';
import type { MacroTable } from './macro-table.ts';
import type { PreprocessOptions } from './options.ts';

/** An open `#if`, `#ifdef` or `#ifndef`. */
export interface Conditional {
  readonly loc: Loc;
  /** The name of the directive, for messages. */
  readonly directive: string;
  /** The surrounding text is skipped, so every group of this one is too. */
  readonly outerSkipped: boolean;
  /** The current group is read. */
  active: boolean;
  /** Some group was read, so later ones are skipped. */
  taken: boolean;
  /** Where the `#else` stands, once it came. */
  elseLoc: Loc | null;
  /** The macro, if this is the `#ifndef MACRO` that guards the whole file. */
  guard: string | null;
}

/** How far a file looks like one guarded by `#ifndef MACRO … #endif` against being read twice. */
export type GuardState =
  | { readonly kind: 'start' } // nothing read yet
  | { readonly kind: 'inside' }
  | { readonly kind: 'after'; readonly macro: string } // the #endif was read, and nothing after it
  | { readonly kind: 'none' };

export interface OpenFile {
  readonly file: SourceFile;
  /** The path it was read by; for `#pragma once` and guards. */
  readonly path: string;
  /** Where `"…"` headers are looked for first. */
  readonly directory: string;
  /** Its place in the list of include paths, for `#include_next`; -1 when it was not found by searching. */
  readonly searchIndex: number;
  readonly bundled: boolean;
  readonly lexer: Lexer;
  readonly conditionals: Conditional[];
  guard: GuardState;
}

export interface Session {
  readonly options: PreprocessOptions;
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  readonly fail: Fail;
  readonly texts: TextTable;
  readonly macros: MacroTable;
  readonly files: OpenFile[];
  readonly expander: MacroExpander;
  /** Finished tokens. */
  readonly output: PreprocessingToken[];
  /** Paths not to be read again: `#pragma once`, `#import`. */
  readonly readOnce: Set<string>;
  /** Paths with a guard macro: not read again while it is defined. */
  readonly guards: Map<string, string>;
  /** Texts by path; null for files that are not there. */
  readonly fileTexts: Map<string, string | null>;
  /** `#pragma push_macro`: saved definitions by name; null for "not defined". */
  readonly savedMacros: Map<string, (Macro | null)[]>;
  /** Tokens are read up to the end of the directive's line only. */
  inDirective: boolean;
  /** The next value of `__COUNTER__`. */
  counter: number;
  inclusions: number;
  includedCharacters: number;
}

/** The innermost open file. */
export function currentFile(session: Session): OpenFile {
  return session.files[session.files.length - 1] as OpenFile;
}
