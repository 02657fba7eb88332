/** DIMACS CNF, the text format of SAT solvers: writing formulas, reading them back, and reading a solver's answer. */

import type { SatModel } from './solver.ts';

export interface DimacsFormula {
  readonly variableCount: number;
  /** Flat, each clause ended by 0. */
  readonly clauses: Int32Array;
}

/** Prints flat clauses; assumptions become unit clauses. */
export function printDimacs(clauses: Int32Array, assumptions: readonly number[] = []): string {
  return [...printDimacsParts(clauses, assumptions)].join('');
}

/** About how many characters a part has. */
const PART_LENGTH = 1 << 16;

/** The same in parts, since a large formula does not fit one string. */
export function* printDimacsParts(clauses: Int32Array, assumptions: readonly number[] = []): Generator<string> {
  const count = clauses.reduce((sum, literal) => (literal === 0 ? sum + 1 : sum), assumptions.length);
  yield `p cnf ${largestVariable(clauses, assumptions)} ${count}\n`;
  let part = '';
  for (const literal of clauses) {
    part += literal === 0 ? '0\n' : `${literal} `;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  for (const literal of assumptions) part += `${literal} 0\n`;
  yield part;
}

export function largestVariable(clauses: Int32Array, assumptions: readonly number[] = []): number {
  let largest = 0;
  for (const literal of clauses) largest = Math.max(largest, Math.abs(literal));
  for (const literal of assumptions) largest = Math.max(largest, Math.abs(literal));
  return largest;
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

export type DimacsAnswer =
  | { readonly kind: 'satisfiable'; readonly model: SatModel }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'unknown' };

/**
 * Parses a solver's output: an `s` line with the answer and `v` lines with the model, which must be complete to count.
 */
export function parseDimacsAnswer(output: string, variableCount: number): DimacsAnswer {
  const lines = output.split('\n');
  const status = lines
    .find((line) => line.startsWith('s '))
    ?.slice(2)
    .trim();
  if (status === 'UNSATISFIABLE') return { kind: 'unsatisfiable' };
  if (status !== 'SATISFIABLE') return { kind: 'unknown' };
  const model = new Uint8Array(variableCount + 1);
  let complete = false;
  for (const line of lines) {
    if (!line.startsWith('v ')) continue;
    for (const word of line.slice(2).trim().split(/\s+/)) {
      const literal = Number(word);
      if (literal === 0) complete = true;
      else if (literal > 0 && literal <= variableCount) model[literal] = 1;
    }
  }
  return complete ? { kind: 'satisfiable', model } : { kind: 'unknown' };
}
