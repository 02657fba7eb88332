/**
 * Sources that are not UTF-8. C takes their bytes as they are: "\xe9" typed in Latin-1 is a string of one byte. So each
 * byte past ASCII becomes a character of its own that no UTF-8 text can have, U+DC80 to U+DCFF (as in Python's
 * `surrogateescape`); literals turn it back into the byte, and people see the letter that the byte is in Latin-1.
 */

const FIRST = 0xdc80;
const LAST = 0xdcff;
/** So many characters are made at once. */
const STEP = 8192;

/** A text of bytes that are not UTF-8. */
export function textOfRawBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    const codes = Array.from(bytes.subarray(at, at + STEP), (byte) => (byte < 0x80 ? byte : FIRST - 0x80 + byte));
    pieces.push(String.fromCharCode(...codes.slice(0, STEP)));
  }
  return pieces.join('');
}

/** The byte that a code point stands for, or null if it is a character. */
export function rawByteOf(codePoint: number): number | null {
  return codePoint >= FIRST && codePoint <= LAST ? codePoint - FIRST + 0x80 : null;
}

/** Whether a text has such bytes. (`u`: halves of characters beyond U+FFFF are none.) */
export function hasRawBytes(text: string): boolean {
  return /[\udc80-\udcff]/u.test(text);
}

/** A piece of a source for people to read. */
export function showRawBytes(text: string): string {
  return text.replace(/[\udc80-\udcff]/gu, (byte) => String.fromCharCode(byte.charCodeAt(0) - FIRST + 0x80));
}
