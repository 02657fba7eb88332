/**
 * The values of shared cells, after each iteration: what is written joins what was known. Where that would go on for ever (a counter
 * that every thread increments), two things end it. A cell whose writes only add constants to its own former value
 * is bounded by counting: every write runs at most once, and the chain of values that leads to the present one goes through different
 * writes, so the sum of all steps up, and of all steps down, bounds it. Everything else is widened.
 */

import type { Term, TermGraph } from '../terms.ts';
import type { ValueSet } from '../value-set.ts';
import * as sets from '../value-set.ts';
import type { Execution } from './execution.ts';
import type { Cell } from './knowledge.ts';

const GROWTHS_BEFORE_COUNTING = 4;
const GROWTHS_BEFORE_WIDENING = 14;

/** Brings the value sets of the shared cells up to date with what this iteration wrote. */
export function updateCellValues(execution: Execution): void {
  const byCell = new Map<Cell, Term[]>();
  for (const { cell, value } of execution.written) {
    const list = byCell.get(cell);
    if (list) list.push(value);
    else byCell.set(cell, [value]);
  }
  for (const [cell, values] of byCell) updateCell(execution, cell, values);
}

function updateCell(execution: Execution, cell: Cell, values: readonly Term[]): void {
  const { graph, knowledge } = execution;
  let all = cell.set;
  for (const value of values) all = sets.joinSets(all, graph.setOf(value));
  if (sets.isSubset(all, cell.set)) return;
  if (cell.growths < GROWTHS_BEFORE_COUNTING) {
    knowledge.recordValues(cell, all);
    return;
  }
  const counted = countingBound(execution, cell, values);
  if (counted && cell.growths < GROWTHS_BEFORE_WIDENING) {
    if (!sets.isSubset(counted, cell.set)) knowledge.widenTo(cell, counted);
  } else if (cell.growths < GROWTHS_BEFORE_WIDENING) knowledge.recordValues(cell, all);
  else knowledge.widenTo(cell, sets.widenSets(cell.set, all));
}

/** What one written value is made of: other values, and the cell's own former value plus constants. */
interface Composition {
  readonly bases: ValueSet[];
  readonly deltas: bigint[];
}

function countingBound(execution: Execution, cell: Cell, values: readonly Term[]): ValueSet | null {
  const { graph } = execution;
  const initial = graph.setOf(execution.initialOf(cell));
  const width = initial.width;
  const isOwned = execution.owners.has(cell.object.id);
  let low: bigint | null = isOwned ? null : sets.minSigned(initial);
  let high: bigint | null = isOwned ? null : sets.maxSigned(initial);
  let down = 0n;
  let up = 0n;
  for (const value of values) {
    const composition = decompose(execution, cell, value);
    if (!composition) return null;
    for (const base of composition.bases) {
      const [least, most] = [sets.minSigned(base), sets.maxSigned(base)];
      low = low === null || least < low ? least : low;
      high = high === null || most > high ? most : high;
    }
    down += composition.deltas.reduce((a, b) => (b < a ? b : a), 0n);
    up += composition.deltas.reduce((a, b) => (b > a ? b : a), 0n);
  }
  if (low === null || high === null) return null;
  const [least, most] = [low + down, high + up];
  const limit = 1n << BigInt(width - 1);
  return least >= -limit && most < limit ? sets.signedRangeSet(width, least, most) : null;
}

function decompose(execution: Execution, cell: Cell, value: Term): Composition | null {
  const { graph } = execution;
  const composition: Composition = { bases: [], deltas: [] };
  const stack: { term: Term; delta: bigint }[] = [{ term: value, delta: 0n }];
  const seen = new Set<string>();
  while (stack.length > 0) {
    const { term, delta } = stack.pop() as { term: Term; delta: bigint };
    const key = `${term} ${delta}`;
    if (seen.has(key)) continue;
    if (seen.add(key).size > 200) return null;
    const sources = execution.readCells.get(term);
    if (sources?.includes(cell)) {
      if (sources.length > 1) return null;
      composition.deltas.push(delta);
      continue;
    }
    const next = decomposeOnce(graph, term);
    if (next) for (const part of next) stack.push({ term: part.term, delta: delta + part.delta });
    else if (dependsOn(execution, cell, term)) return null;
    else composition.bases.push(shifted(graph.setOf(term), delta));
  }
  return composition;
}

function shifted(set: ValueSet, delta: bigint): ValueSet {
  return delta === 0n ? set : sets.addSets(set, sets.constantSet(set.width, delta));
}

function decomposeOnce(graph: TermGraph, term: Term): { term: Term; delta: bigint }[] | null {
  const [a, b, c] = graph.operandsOf(term) as [Term, Term, Term];
  switch (graph.operationOf(term)) {
    case 'refine':
      return [{ term: a, delta: 0n }];
    case 'ite':
      return [
        { term: b, delta: 0n },
        { term: c, delta: 0n },
      ];
    case 'add': {
      const added = graph.constantOf(b);
      return added === null ? null : [{ term: a, delta: BigInt.asIntN(graph.widthOf(term), added) }];
    }
    default:
      return null;
  }
}

/** Is the cell's own former value somewhere in the term? */
function dependsOn(execution: Execution, cell: Cell, term: Term): boolean {
  const { graph } = execution;
  const seen = new Set<Term>();
  const stack = [term];
  while (stack.length > 0) {
    const top = stack.pop() as Term;
    if (seen.has(top)) continue;
    seen.add(top);
    if (execution.readCells.get(top)?.includes(cell)) return true;
    stack.push(...graph.operandsOf(top));
  }
  return false;
}
