/**
 * The preprocessor (C11 6.10): from the text of the main file to the tokens that the parser reads. Tokens flow from the
 * lexer of the innermost open file, through the directives found on the way, through macro expansion, into one list;
 * nothing in between holds more than it must. Files are a stack, not recursion.
 *
 * Faults are diagnostics and the run goes on; a fatal one (a missing header, a limit) leaves no tokens, so that it is
 * not followed by errors of its own making.
 */

import { NOWHERE, type SourceMap } from '../../support/source.ts';
import { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken, Token } from '../lex/token.ts';
import { addComputedMacros, builtinToken, commandLineText, includeText, predefinedText } from './builtin-macros.ts';
import { isSkipping } from './conditionals.ts';
import { runDirective } from './directives.ts';
import { DEFAULT_EXPANSION_LIMITS, MacroExpander, type TokenInput } from './expand-macros.ts';
import { createFail, FatalFault } from './fatal.ts';
import { directoryOf } from './include.ts';
import { MacroTable } from './macro-table.ts';
import { closeFile, openFile } from './open-file.ts';
import type { PreprocessOptions } from './options.ts';
import { runPragmaOperator } from './pragma-operator.ts';
import { currentFile, type Session } from './session.ts';
import { standardText } from './standard.ts';

/** The tokens of a translation unit; the last one is of kind 'end'. Faults go to `options.sink`. */
export function preprocess(options: PreprocessOptions): Token[] {
  const session = createSession(options);
  try {
    session.macros.predefine('<built-in>', predefinedText(options));
    openText(session, '<built-in>', standardText(options));
    drain(session);
    addComputedMacros(session);
    openText(session, '<command-line>', commandLineText(options));
    drain(session);
    session.output.length = 0;
    openText(session, '<command-line>', includeText(options.forcedIncludes));
    drain(session);
    openText(session, options.fileName, options.text);
    drain(session);
    return session.output;
  } catch (error) {
    if (!(error instanceof FatalFault)) throw error;
    return [endToken(options.sources)];
  }
}

function createSession(options: PreprocessOptions): Session {
  const { sources, sink } = options;
  const texts = new TextTable();
  const macros = new MacroTable(sources, texts, sink);
  const fail = createFail(sink);
  const limits = { ...DEFAULT_EXPANSION_LIMITS, ...options.limits };
  const input: TokenInput = {
    next: (inArguments) => readToken(session, inArguments),
    nextIsOpenParenthesis: () => currentFile(session).lexer.nextIsOpenParenthesis(session.inDirective),
    builtin: (macro, use) => builtinToken(session, macro, use),
  };
  const session: Session = {
    options,
    sources,
    sink,
    fail,
    texts,
    macros,
    files: [],
    expander: new MacroExpander(input, macros, sources, texts, fail, limits),
    output: [],
    readOnce: new Set(),
    guards: new Map(),
    fileTexts: new Map(),
    savedMacros: new Map(),
    inDirective: false,
    counter: 0,
    inclusions: 0,
    includedCharacters: 0,
  };
  return session;
}

function openText(session: Session, path: string, text: string): void {
  openFile(session, { path, text, directory: directoryOf(path), searchIndex: -1, bundled: false, system: false });
}

/** Reads until all files are finished, and ends the output with the 'end' token. */
function drain(session: Session): void {
  const { expander, output } = session;
  if (output.at(-1)?.kind === 'end') output.pop();
  for (;;) {
    const token = expander.next();
    if (token.kind === 'identifier' && token.text === '_Pragma') runPragmaOperator(session, token);
    else if (token.kind === 'other') emitOther(session, token);
    else output.push(token);
    if (token.kind === 'end') return;
  }
}

/** The next token of the files, directives carried out on the way. */
function readToken(session: Session, inArguments: boolean): PreprocessingToken {
  for (;;) {
    if (session.files.length === 0) return endToken(session.sources);
    const open = currentFile(session);
    if (session.inDirective) return open.lexer.nextInLine() ?? endToken(session.sources);
    const token = isSkipping(session) ? open.lexer.skipToDirective() : open.lexer.next();
    if (token.lineStart && token.text === '#' && token.kind === 'punctuator') {
      runDirective(session);
      continue;
    }
    if (token.kind !== 'end') {
      if (open.guard.kind === 'start' || open.guard.kind === 'after') open.guard = { kind: 'none' };
      return token;
    }
    if (inArguments) return token;
    closeFile(session);
    if (session.files.length === 0) return token;
  }
}

/** A stray character is reported and dropped; an unterminated literal is reported and closed. */
function emitOther(session: Session, token: PreprocessingToken): void {
  const quote = /^(?:L|u8?|U)?(["'])/.exec(token.text)?.[1];
  if (quote === undefined) {
    session.sink.error(token.loc, 'stray-character', `stray ${describeCharacter(token.text)} in program`);
    return;
  }
  session.sink.error(token.loc, 'unterminated-literal', `missing terminating ${quote} character`);
  const text = token.text.replace(/(^|[^\\])((?:\\\\)*)\\$/, '$1$2') + quote;
  session.output.push({ ...token, kind: quote === '"' ? 'string' : 'character', text });
}

function describeCharacter(text: string): string {
  const point = text.codePointAt(0) as number;
  if (point > 32 && point < 127) return `'${text}'`;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

function endToken(sources: SourceMap): PreprocessingToken {
  const file = sources.files.at(-1);
  const loc = file ? sources.locAt(file, file.text.length) : NOWHERE;
  return { kind: 'end', text: '', loc, spaceBefore: true, lineStart: true, noExpand: false };
}
