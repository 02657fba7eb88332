/** Tokens, one a line, for `--dump=tokens`: place, kind, text. */

import type { SourceMap } from '../../support/source.ts';
import type { Token } from '../lex/token.ts';

export function printTokens(tokens: readonly Token[], sources: SourceMap): string {
  const lines = tokens.map(({ kind, text, loc }) => {
    const place = sources.place(loc);
    const where = place === null ? '-' : `${place.file}:${place.line}:${place.column}`;
    return `${where} ${kind}${text === '' ? '' : ` ${text}`}\n`;
  });
  return lines.join('');
}
