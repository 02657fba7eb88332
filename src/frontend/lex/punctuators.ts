/**
 * The punctuators of C and their digraphs, ordered for scanning: by first character, the longest spelling first. A
 * digraph becomes the token that it stands for.
 */

export interface Punctuator {
  readonly spelling: string;
  readonly text: string;
}

const SPELLINGS =
  '[ ] ( ) { } . -> ++ -- & * + - ~ ! / % << >> < > <= >= == != ^ | && || ? : ; ... = *= /= %= += -= <<= >>= &= ^= |= , # ##';

const DIGRAPHS: Readonly<Record<string, string>> = {
  '<:': '[',
  ':>': ']',
  '<%': '{',
  '%>': '}',
  '%:': '#',
  '%:%:': '##',
};

const ALL: readonly Punctuator[] = [
  ...SPELLINGS.split(' ').map((spelling) => ({ spelling, text: spelling })),
  ...Object.entries(DIGRAPHS).map(([spelling, text]) => ({ spelling, text })),
].sort((a, b) => b.spelling.length - a.spelling.length);

/** Indexed by the code of the first character: its punctuators, the longest first; empty when there is none. */
export const PUNCTUATORS_BY_START: readonly (readonly Punctuator[])[] = Array.from({ length: 128 }, (_, code) =>
  ALL.filter(({ spelling }) => spelling.charCodeAt(0) === code),
);

/** Indexed by code: the punctuator's text where no longer one starts with it, else the empty string. */
export const SINGLE_PUNCTUATORS: readonly string[] = PUNCTUATORS_BY_START.map((all) =>
  all.length === 1 && all[0]?.spelling.length === 1 ? all[0].text : '',
);
