/**
 * Single iterations of a loop in front of it, while the loops of a program still stand. A loop of a model whose test
 * the known values decide, as a format in the text decides those of `sscanf`, is run in this way: what the format does
 * not ask for is not there to be copied later, with all the loops inside it.
 */

import { labelStatement } from '../../program/build-tree.ts';
import type { FreshSymbols } from '../../program/fresh-symbols.ts';
import type { LabelSymbol, Statement } from '../../program/tree.ts';
import { itemsOf, walkPlainStatements } from '../../program/visit-tree.ts';
import { copyStatement } from '../copy-statement.ts';
import type { JumpCounts, JumpFinder } from '../find-jumps.ts';

/** What must be known of a function with loops. Who copies labels, notes the copies. */
export interface Loops {
  /** Labels that jumps lead back to: nothing is known there. */
  readonly backward: Set<LabelSymbol>;
  readonly jumps: JumpCounts;
  readonly fresh: FreshSymbols;
  /** Whether a loop can be run, as far as its place is concerned. */
  readonly mayRun: (loop: Statement) => boolean;
}

/** One iteration of the loop; `break` leads to `end`. */
export function peelIteration(
  loop: Extract<Statement, { kind: 'while' }>,
  end: LabelSymbol,
  finder: JumpFinder,
  { backward, jumps, fresh }: Loops,
): Statement[] {
  const labels = new Map<LabelSymbol, LabelSymbol>();
  walkPlainStatements(loop.body, (part) => {
    if (part.kind !== 'label') return;
    const copy = fresh.label(part.label.name, part.loc);
    labels.set(part.label, copy);
    if (backward.has(part.label)) backward.add(copy);
    jumps.set(copy, jumps.get(part.label) ?? 0);
  });
  const next = fresh.label('loop_next', loop.loc);
  const items = itemsOf(loop.body).map((item) => copyStatement(item, { jumps: finder, labels, end, next }));
  return [...items, labelStatement(next, loop.loc)];
}
