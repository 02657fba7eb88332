/** Preprocessing for tests: a text (and headers by name) in, texts of tokens and messages out. */

import { Lexer } from '../../src/frontend/lex/lexer.ts';
import { TextTable } from '../../src/frontend/lex/text-table.ts';
import type { Token } from '../../src/frontend/lex/token.ts';
import type { PreprocessOptions } from '../../src/frontend/preprocess/options.ts';
import { preprocess } from '../../src/frontend/preprocess/preprocess.ts';
import { DiagnosticSink, TooManyErrors } from '../../src/support/diagnostics.ts';
import { SourceMap } from '../../src/support/source.ts';

export interface Preprocessed {
  readonly tokens: readonly Token[];
  /** Token texts, with one space between them. */
  readonly text: string;
  /** `line: severity: message`, in order. */
  readonly messages: readonly string[];
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
}

export interface PreprocessTextOptions extends Partial<PreprocessOptions> {
  /** Files that the reader finds, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export function preprocessText(text: string, options: PreprocessTextOptions = {}): Preprocessed {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  const reader = { read: (path: string) => options.files?.[path] ?? null };
  let tokens: readonly Token[] = [];
  try {
    tokens = preprocess({ fileName: 'main.c', dataModel: 'LP64', reader, ...options, text, sources, sink });
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  const messages = sink.all.map(
    ({ loc, severity, message }) => `${sources.place(loc)?.line ?? 0}: ${severity}: ${message}`,
  );
  const texts = tokens.filter(({ kind }) => kind !== 'end').map((token) => token.text);
  return { tokens, text: texts.join(' '), messages, sources, sink };
}

/** All tokens of a text, without preprocessing and without the 'end' token. */
export function lexText(text: string, options: { trigraphs?: boolean } = {}) {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  const lexer = new Lexer(sources.addFile('main.c', text), new TextTable(), sink, options);
  const tokens: Token[] = [];
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) tokens.push(token);
  return { tokens, sources, sink };
}
