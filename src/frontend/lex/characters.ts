/**
 * Which characters make identifiers and numbers. ASCII goes through a table; beyond it the ranges of C11's Annex D.1
 * (characters allowed) count. The finer rule of D.2 (not as first character) is left out, as combining marks at the
 * start of a name harm nobody.
 */

const IDENTIFIER_START = 1;
const DIGIT = 2;

/** For each ASCII code: whether it starts an identifier, is a digit, or neither. `$` is a letter, as in gcc. */
const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(character)) CLASSES[code] = IDENTIFIER_START;
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT;
}

/** Whether an ASCII code starts an identifier. */
export function isIdentifierStart(code: number): boolean {
  return CLASSES[code] === IDENTIFIER_START;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether an ASCII code goes on an identifier: a letter, `_`, `$` or a digit. */
export function isIdentifierPart(code: number): boolean {
  return code < 128 && (CLASSES[code] as number) !== 0;
}

const WIDE_RANGES: readonly (readonly [number, number])[] = [
  [0xa8, 0xa8],
  [0xaa, 0xaa],
  [0xad, 0xad],
  [0xaf, 0xaf],
  [0xb2, 0xb5],
  [0xb7, 0xba],
  [0xbc, 0xbe],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x167f],
  [0x1681, 0x180d],
  [0x180f, 0x1fff],
  [0x200b, 0x200d],
  [0x202a, 0x202e],
  [0x203f, 0x2040],
  [0x2054, 0x2054],
  [0x2060, 0x218f],
  [0x2460, 0x24ff],
  [0x2776, 0x2793],
  [0x2c00, 0x2dff],
  [0x2e80, 0x2fff],
  [0x3004, 0x3007],
  [0x3021, 0x302f],
  [0x3031, 0xd7ff],
  [0xf900, 0xfd3d],
  [0xfd40, 0xfdcf],
  [0xfdf0, 0xfe44],
  [0xfe47, 0xfefe],
  [0xff00, 0xfff8],
];

/** Whether a code point past ASCII may stand in an identifier. */
export function isWideIdentifierPart(code: number): boolean {
  if (code >= 0x10000) return (code & 0xffff) < 0xfffe && code < 0xf0000;
  return WIDE_RANGES.some(([low, high]) => code >= low && code <= high);
}
