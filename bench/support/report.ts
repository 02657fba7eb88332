// What a measurement prints with. scripts/bench.js implements it: what is printed is Markdown, so that it can be kept
// in a document.

export interface Report {
  readonly note: (text: string) => void;
  /** The first column is text, the others are aligned to the right. */
  readonly table: (columns: readonly string[], rows: readonly (readonly string[])[]) => void;
  /** One line on the standard error for those who wait; it is not part of the result. */
  readonly progress: (text: string) => void;
}
