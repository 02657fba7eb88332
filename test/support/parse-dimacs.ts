/** Reads back what is printed of formulas (src/solver/dimacs.ts). */

export interface DimacsFormula {
  readonly variableCount: number;
  /** Flat, each clause ended by 0. */
  readonly clauses: Int32Array;
}

export type DimacsResult =
  | { readonly kind: 'formula'; readonly formula: DimacsFormula }
  | { readonly kind: 'error'; readonly line: number; readonly message: string };

/** Parses a formula; a fault in the text is a result, not an exception. */
export function parseDimacs(text: string): DimacsResult {
  const literals: number[] = [];
  let declared: number | undefined;
  let line = 0;
  for (const content of text.split('\n')) {
    line++;
    const words = content.trim().split(/\s+/);
    if (words[0] === '' || words[0] === 'c') continue;
    if (words[0] === 'p') {
      declared = Number(words[2]);
      if (words[1] !== 'cnf' || !Number.isInteger(declared))
        return { kind: 'error', line, message: 'malformed header' };
      continue;
    }
    if (words[0] === '%') break;
    for (const word of words) {
      const literal = Number(word);
      if (!Number.isInteger(literal)) return { kind: 'error', line, message: `not a literal: ${word}` };
      if (declared === undefined) return { kind: 'error', line, message: 'a clause before the header' };
      if (Math.abs(literal) > declared)
        return { kind: 'error', line, message: `variable ${Math.abs(literal)} not declared` };
      literals.push(literal);
    }
  }
  if (declared === undefined) return { kind: 'error', line, message: 'no header' };
  if (literals.length > 0 && literals.at(-1) !== 0) return { kind: 'error', line, message: 'unfinished clause' };
  return { kind: 'formula', formula: { variableCount: declared, clauses: Int32Array.from(literals) } };
}
