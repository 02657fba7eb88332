/**
 * Translation phases 1 and 2: trigraphs (when asked for) and line splices (a backslash at the end of a line joins it to
 * the next; blanks between the two are forgiven, as in gcc). Doing this on the whole text beforehand leaves the lexer
 * free of splices inside tokens; a table of cuts leads from the joined text back to the places of the original. Most
 * texts have no splices and come back as they are.
 */

export interface SplicedText {
  readonly text: string;
  /** Pairs (offset in `text`, characters left out before it), ascending; null when nothing was cut. */
  readonly cuts: Int32Array | null;
}

const SPLICE = /\\[ \t\f\v]*\r?\n/g;
const SPLICE_OR_TRIGRAPH = /(?:\\|\?\?\/)[ \t\f\v]*\r?\n|\?\?[=/'()!<>-]/g;

const TRIGRAPHS: Readonly<Record<string, string>> = {
  '??=': '#',
  '??/': '\\',
  "??'": '^',
  '??(': '[',
  '??)': ']',
  '??!': '|',
  '??<': '{',
  '??>': '}',
  '??-': '~',
};

export function spliceLines(text: string, trigraphs: boolean): SplicedText {
  if (!text.includes('\\') && !(trigraphs && text.includes('??'))) return { text, cuts: null };
  const pieces: string[] = [];
  const cuts: number[] = [];
  let copied = 0;
  let removed = 0;
  for (const match of text.matchAll(trigraphs ? SPLICE_OR_TRIGRAPH : SPLICE)) {
    const replacement = TRIGRAPHS[match[0]] ?? '';
    pieces.push(text.slice(copied, match.index), replacement);
    copied = match.index + match[0].length;
    removed += match[0].length - replacement.length;
    cuts.push(copied - removed, removed);
  }
  if (cuts.length === 0) return { text, cuts: null };
  pieces.push(text.slice(copied));
  return { text: pieces.join(''), cuts: Int32Array.from(cuts) };
}
