/**
 * `#line` and the linemarkers of preprocessed files (`# 12 "file.c" 1 3 4`): they change the file and line that the
 * text counts as. Of a linemarker's flags only 3 (a system header) matters here.
 */

import type { PreprocessingToken } from '../lex/token.ts';
import { restOfLine } from './directive-line.ts';
import { currentFile, type Session } from './session.ts';

const SYSTEM_HEADER_FLAG = '3';
const LARGEST_LINE = 2_147_483_647;

/** `#line 12` or `#line 12 "file"`, after macro expansion. */
export function runLine(session: Session, directive: PreprocessingToken): void {
  const tokens = session.expander.expandAll(restOfLine(session));
  const [number, name, extra] = tokens;
  const line = readLine(number);
  if (line === null || (name && name.kind !== 'string')) {
    const message = line === null ? '#line needs a line number' : '#line needs a file name as a plain string';
    session.sink.error((name ?? number ?? directive).loc, 'line-directive', message);
    return;
  }
  if (extra) session.sink.warning(extra.loc, 'extra-tokens', 'extra tokens at the end of #line');
  addDirective(session, line, name, name ?? number ?? directive, null);
}

/** `# 12 "file" flags`; `number` is the line, already read. */
export function runLineMarker(session: Session, number: PreprocessingToken): void {
  const [name, ...flags] = restOfLine(session);
  const line = readLine(number);
  if (line === null || (name && name.kind !== 'string')) {
    session.sink.error(number.loc, 'line-directive', 'malformed linemarker');
    return;
  }
  const system = flags.some((flag) => flag.text === SYSTEM_HEADER_FLAG);
  addDirective(session, line, name, name ?? number, system);
}

function readLine(token: PreprocessingToken | undefined): number | null {
  if (!token || !/^[0-9]{1,10}$/.test(token.text)) return null;
  const line = Number.parseInt(token.text, 10);
  return line <= LARGEST_LINE ? line : null;
}

/** `last` is some token of the directive's last line; `system` null means "as before". */
function addDirective(
  session: Session,
  line: number,
  name: PreprocessingToken | undefined,
  last: PreprocessingToken,
  system: boolean | null,
): void {
  const { file } = currentFile(session);
  const before = session.sources.place(last.loc);
  const fileName = name ? unquote(name.text) : (before?.file ?? file.name);
  const offset = session.sources.offsetOf(last.loc);
  session.sources.addLineDirective(file, offset, line, fileName, system ?? before?.inSystemHeader ?? false);
}

/** The characters of a plain string literal: `\\` and `\"` are the escapes that file names have. */
export function unquote(literal: string): string {
  return literal
    .replace(/^(?:L|u8?|U)?"/, '')
    .replace(/"$/, '')
    .replace(/\\([\\"])/g, '$1');
}
