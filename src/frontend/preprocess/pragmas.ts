/**
 * Pragmas. Most are hints to a compiler and say nothing about meaning: they are dropped. With care: `pack` changes
 * layouts and `weak` what is linked, so they go to the parser, each as one token of kind 'pragma'; `once`,
 * `push_macro`, `pop_macro`, `GCC warning` and `GCC error` are carried out here; `scalar_storage_order` would change
 * the meaning of memory and is refused.
 */

import type { PreprocessingToken } from '../lex/token.ts';
import { restOfLine, spellLine } from './directive-line.ts';
import { unquote } from './line-directives.ts';
import { currentFile, type Session } from './session.ts';

export function runPragma(session: Session, directive: PreprocessingToken): void {
  pragma(session, restOfLine(session), directive);
}

/** Carries out a pragma given by its tokens; `at` is where it stands. */
export function pragma(session: Session, tokens: readonly PreprocessingToken[], at: PreprocessingToken): void {
  const [first, second] = tokens;
  switch (first?.text) {
    case 'once':
      session.readOnce.add(currentFile(session).path);
      return;
    case 'weak':
    case 'pack': {
      const text = `#pragma ${spellLine(session.expander.expandAll(tokens))}`;
      session.output.push({ kind: 'pragma', text, loc: at.loc, spaceBefore: true, lineStart: true, noExpand: true });
      return;
    }
    case 'push_macro':
    case 'pop_macro':
      saveMacro(session, tokens, at);
      return;
    case 'scalar_storage_order':
      session.sink.error(at.loc, 'unsupported', '#pragma scalar_storage_order is not supported');
      return;
    case 'GCC':
      if (second?.text === 'warning') session.sink.warning(at.loc, 'pragma', message(tokens));
      if (second?.text === 'error') session.sink.error(at.loc, 'pragma', message(tokens));
      return;
  }
}

function message(tokens: readonly PreprocessingToken[]): string {
  return tokens
    .slice(2)
    .map((token) => unquote(token.text))
    .join('');
}

/** `push_macro("X")` saves the definition of X, `pop_macro("X")` brings it back. */
function saveMacro(session: Session, tokens: readonly PreprocessingToken[], at: PreprocessingToken): void {
  const name = tokens[0]?.text ?? '';
  const literal = tokens[2];
  if (tokens[1]?.text !== '(' || literal?.kind !== 'string' || tokens[3]?.text !== ')') {
    session.sink.warning(at.loc, 'pragma', `#pragma ${name} needs a macro name as a string in parentheses`);
    return;
  }
  const macroName = unquote(literal.text);
  const saved = session.savedMacros.get(macroName) ?? [];
  session.savedMacros.set(macroName, saved);
  if (name === 'push_macro') {
    saved.push(session.macros.get(macroName) ?? null);
    return;
  }
  const macro = saved.pop();
  if (macro) session.macros.set(macroName, macro);
  else if (macro === null) session.macros.delete(macroName);
}
