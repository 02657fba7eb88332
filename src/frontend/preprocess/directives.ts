/**
 * Directives: what follows a `#` that starts a line. Each has its function in a table; those for conditionals,
 * inclusion and pragmas live in files of their own. `#ident`, `#sccs`, `#assert` and `#unassert` are accepted and
 * ignored: nothing that Lazuli reads depends on them.
 */

import type { PreprocessingToken } from '../lex/token.ts';
import { CONDITIONAL_DIRECTIVES, isSkipping } from './conditionals.ts';
import { type Directive, expectLineEnd, macroName, restOfLine, spellLine } from './directive-line.ts';
import { runInclude } from './include.ts';
import { runLine, runLineMarker } from './line-directives.ts';
import { parseMacro, sameMacro } from './macro.ts';
import { runPragma } from './pragmas.ts';
import { currentFile, type Session } from './session.ts';

const DIRECTIVES: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  ['define', runDefine],
  ['undef', runUndef],
  ['include', runInclude],
  ['include_next', runInclude],
  ['import', runInclude],
  ['line', runLine],
  ['pragma', runPragma],
  ['error', runMessage],
  ['warning', runMessage],
  ['ident', skipLine],
  ['sccs', skipLine],
  ['assert', skipLine],
  ['unassert', skipLine],
]);

/** Runs the directive whose `#` was just read, and leaves the lexer at the end of its line. */
export function runDirective(session: Session): void {
  const { lexer } = currentFile(session);
  const name = lexer.nextInLine();
  if (!name) return;
  session.inDirective = true;
  const conditional = name.kind === 'identifier' ? CONDITIONAL_DIRECTIVES.get(name.text) : undefined;
  const open = currentFile(session);
  if (open.guard.kind === 'after' || (open.guard.kind === 'start' && !conditional)) open.guard = { kind: 'none' };
  if (conditional) conditional(session, name);
  else if (!isSkipping(session)) runUnconditional(session, name);
  session.inDirective = false;
  // Directives are only met where no expansion is open, so all that are open now are the directive's own.
  session.expander.dropExpansions();
  lexer.skipLine();
}

function runUnconditional(session: Session, name: PreprocessingToken): void {
  const directive = name.kind === 'number' ? runLineMarker : DIRECTIVES.get(name.text);
  if (directive) directive(session, name);
  else session.sink.error(name.loc, 'unknown-directive', `invalid preprocessing directive '#${name.text}'`);
}

/** Names that no `#define` and no `#undef` may touch. */
const RESERVED: ReadonlySet<string> = new Set([
  'defined',
  '__VA_ARGS__',
  '__VA_OPT__',
  '__has_include',
  '__has_include_next',
]);

function runDefine(session: Session, directive: PreprocessingToken): void {
  const name = macroName(session, directive);
  if (!name || refuseReserved(session, name)) return;
  const macro = parseMacro(name, restOfLine(session), session.sources.addMacroName(name.text), session.sink);
  if (!macro) return;
  const previous = session.macros.get(name.text);
  if (previous && !sameMacro(previous, macro) && !session.sources.place(name.loc)?.inSystemHeader) {
    const notes =
      previous.loc > 0 ? [{ loc: previous.loc, message: 'this is the place of the previous definition' }] : [];
    session.sink.warning(name.loc, 'macro-redefined', `'${name.text}' redefined`, notes);
  }
  session.macros.set(name.text, macro);
}

function runUndef(session: Session, directive: PreprocessingToken): void {
  const name = macroName(session, directive);
  if (!name || refuseReserved(session, name)) return;
  if (session.macros.get(name.text)?.kind === 'builtin') {
    session.sink.warning(name.loc, 'builtin-macro', `undefining '${name.text}'`);
  }
  session.macros.delete(name.text);
  expectLineEnd(session, directive);
}

function refuseReserved(session: Session, name: PreprocessingToken): boolean {
  if (!RESERVED.has(name.text)) return false;
  session.sink.error(name.loc, 'macro-name', `'${name.text}' cannot be used as a macro name`);
  return true;
}

function runMessage(session: Session, directive: PreprocessingToken): void {
  const text = spellLine(restOfLine(session));
  const message = text === '' ? `#${directive.text}` : `#${directive.text} ${text}`;
  if (directive.text === 'error') session.sink.error(directive.loc, 'error-directive', message);
  else session.sink.warning(directive.loc, 'warning-directive', message);
}

function skipLine(session: Session): void {
  currentFile(session).lexer.skipLine();
}
