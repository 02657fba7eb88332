// What a measurement prints with. scripts/bench.js implements it.

export interface Report {
  readonly note: (text: string) => void;
  /** The first column is text, the others are aligned to the right. */
  readonly table: (columns: readonly string[], rows: readonly (readonly string[])[]) => void;
}
