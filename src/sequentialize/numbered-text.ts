/**
 * A text that is written many times with other numbers in it: those of labels, which go on from copy to copy of a loop.
 * It is made of a text with holes, each of which says how far its number lies from the first one.
 */

/** No text of C has it. */
const MARK = '\0';

/** Stands in a text for a number. */
export function hole(offset: number): string {
  return `${MARK}${offset}${MARK}`;
}

export class NumberedText {
  /** Texts and numbers by turns. The numbers are those of the last time. */
  readonly #parts: (string | number)[];
  readonly #offsets: readonly number[];

  constructor(textWithHoles: string) {
    this.#parts = textWithHoles.split(MARK);
    this.#offsets = this.#parts.filter((_, at) => at % 2 === 1).map(Number);
  }

  /** The text with its numbers counted from `first`. */
  from(first: number): string {
    const parts = this.#parts;
    const offsets = this.#offsets;
    for (let at = 0; at < offsets.length; at++) parts[2 * at + 1] = first + (offsets[at] as number);
    return parts.join('');
  }
}
