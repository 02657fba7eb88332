/** Opening and closing the files that are being read. */

import { type Loc, NOWHERE } from '../../support/source.ts';
import { Lexer } from '../lex/lexer.ts';
import type { FoundHeader } from './include.ts';
import { currentFile, type Session } from './session.ts';

/** Makes a text the innermost open file. */
export function openFile(session: Session, found: FoundHeader, includedFrom: Loc = NOWHERE): void {
  const file = session.sources.addFile(found.path, found.text, includedFrom);
  if (found.system) session.sources.addLineDirective(file, -1, 1, found.path, true);
  const lexer = new Lexer(file, session.texts, session.sink, { trigraphs: session.options.trigraphs ?? false });
  const { path, directory, searchIndex, bundled } = found;
  session.files.push({
    file,
    path,
    directory,
    searchIndex,
    bundled,
    lexer,
    conditionals: [],
    guard: { kind: 'start' },
  });
}

/** Ends the innermost file: reports conditionals left open, remembers its guard. */
export function closeFile(session: Session): void {
  const open = currentFile(session);
  for (const conditional of open.conditionals) {
    session.sink.error(conditional.loc, 'conditional', `unterminated #${conditional.directive}`);
  }
  if (open.guard.kind === 'after') session.guards.set(open.path, open.guard.macro);
  session.files.pop();
}
