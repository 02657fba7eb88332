import { describe, expect, it } from 'vitest';
import { hasRawBytes, rawByteOf, showRawBytes, textOfRawBytes } from './raw-bytes.ts';

describe('bytes that are not UTF-8', () => {
  it('are characters that stand for the bytes', () => {
    const bytes = Array.from({ length: 256 }, (_, i) => i);
    const text = textOfRawBytes(Uint8Array.from(bytes));
    expect(Array.from(text, (character) => rawByteOf(character.charCodeAt(0)) ?? character.charCodeAt(0))).toEqual(
      bytes,
    );
    expect(showRawBytes(text)).toBe(String.fromCharCode(...bytes));
  });

  it('are told from characters of other texts', () => {
    expect(hasRawBytes('é 😀')).toBe(false);
    expect(showRawBytes('é 😀')).toBe('é 😀');
    expect(hasRawBytes(textOfRawBytes(Uint8Array.of(0xe9)))).toBe(true);
  });
});
