/**
 * The macros that are defined. Those of the compiler are many, and a program uses few: of them only the names are known
 * at first, and a definition is read when somebody asks for it. Reading them all took a third of the time in which a
 * short program was preprocessed.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { SourceMap } from '../../support/source.ts';
import { Lexer } from '../lex/lexer.ts';
import type { TextTable } from '../lex/text-table.ts';
import { type Macro, parseMacro } from './macro.ts';

/** A line of the predefined macros; what follows the name is read later. */
const DEFINITION = /^#define (\w+)/gm;
const WORDS_BEFORE_NAME = '#define '.length;

/** What the expander needs. */
export type DefinedMacros = Pick<MacroTable, 'get' | 'has'>;

export class MacroTable {
  readonly #sources: SourceMap;
  readonly #texts: TextTable;
  readonly #sink: DiagnosticSink;
  readonly #macros = new Map<string, Macro>();
  /** Where the names of definitions stand that nobody has asked for. */
  readonly #unread = new Map<string, number>();
  #predefined: Lexer | null = null;

  constructor(sources: SourceMap, texts: TextTable, sink: DiagnosticSink) {
    this.#sources = sources;
    this.#texts = texts;
    this.#sink = sink;
  }

  /** Takes a text of `#define` lines, each as above, no name twice. Comes before all other definitions. */
  predefine(fileName: string, text: string): void {
    this.#predefined = new Lexer(this.#sources.addFile(fileName, text), this.#texts, this.#sink);
    for (const { 1: name = '', index } of text.matchAll(DEFINITION)) this.#unread.set(name, index + WORDS_BEFORE_NAME);
  }

  has(name: string): boolean {
    return this.#macros.has(name) || this.#unread.has(name);
  }

  get(name: string): Macro | undefined {
    return this.#macros.get(name) ?? this.#read(name);
  }

  set(name: string, macro: Macro): void {
    this.#unread.delete(name);
    this.#macros.set(name, macro);
  }

  delete(name: string): void {
    this.#unread.delete(name);
    this.#macros.delete(name);
  }

  #read(name: string): Macro | undefined {
    const offset = this.#unread.get(name);
    const lexer = this.#predefined;
    if (offset === undefined || lexer === null) return undefined;
    lexer.moveTo(offset);
    const [first, ...line] = lexer.restOfLine();
    const macro = first && parseMacro(first, line, this.#sources.addMacroName(name), this.#sink);
    if (macro) this.set(name, macro);
    return macro ?? undefined;
  }
}
