/**
 * Preprocessed tokens as text, like `gcc -E`: a linemarker wherever file or line do not follow from the line before,
 * tokens on their lines, a space wherever there was one or where two tokens would otherwise read as one. Preprocessing
 * the text again gives the same tokens.
 */

import type { Place, SourceMap } from '../../support/source.ts';
import type { Token } from '../lex/token.ts';
import { quote } from './builtin-macros.ts';

/** Up to so many empty lines are printed rather than a linemarker. */
const EMPTY_LINES = 8;

export function printPreprocessed(tokens: readonly Token[], sources: SourceMap): string {
  const lines: string[] = [];
  let current = '';
  let [file, line, system] = ['', 0, false];
  let previous: Token | null = null;

  const moveTo = (place: Place) => {
    if (previous) lines.push(current);
    current = '';
    const gap = place.line - line;
    if (place.file === file && place.inSystemHeader === system && gap > 0 && gap <= EMPTY_LINES && previous) {
      for (let empty = 1; empty < gap; empty++) lines.push('');
    } else {
      lines.push(`# ${place.line} ${quote(place.file)}${place.inSystemHeader ? ' 3' : ''}`);
    }
    [file, line, system] = [place.file, place.line, place.inSystemHeader];
  };

  for (const token of tokens) {
    if (token.kind === 'end') break;
    const place = sources.place(token.loc);
    const pragma = token.kind === 'pragma' || previous?.kind === 'pragma';
    const moved = place !== null && (place.file !== file || place.line !== line);
    // A `#` made by a macro must not come to stand first in its line, where it would be a directive.
    if (place && (pragma || (moved && (token.text !== '#' || !previous)))) moveTo(place);
    else if (previous && (token.spaceBefore || wouldJoin(previous, token))) current += ' ';
    current += token.text;
    previous = token;
  }
  lines.push(current, '');
  return lines.join('\n');
}

const WORD_END = /[\w$.\u0080-\uffff]$/;
const WORD_START = /^[\w$.\\"'\u0080-\uffff]/;
const OPERATOR_END = /[-+<>=&|#%:/*!^.]$/;
const OPERATOR_START = /^[-+<>=&|#%:/*.]/;

/** Whether two tokens written without a space might be read as something else. Errs towards a space. */
function wouldJoin(left: Token, right: Token): boolean {
  if (WORD_END.test(left.text) && WORD_START.test(right.text)) return true;
  if (left.kind === 'number' && /^[-+]/.test(right.text)) return true;
  if (left.kind === 'punctuator' && /^\./.test(left.text) && right.kind === 'number') return true;
  return OPERATOR_END.test(left.text) && OPERATOR_START.test(right.text);
}
