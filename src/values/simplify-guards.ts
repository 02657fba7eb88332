/**
 * Boolean laws for guards, the conditions under which code is reached. Where paths join, guards are disjunctions of
 * long conjunctions that share most of their parts; taking the shared parts out keeps them as short as they were before
 * the branch.
 */

import type { Term, TermGraph } from './terms.ts';

/** Longer conjunctions are taken as one part. */
const MAX_CONJUNCTS = 64;

/** `a ∧ b` by laws that look one level into b, or null. */
export function absorbConjunct(graph: TermGraph, a: Term, b: Term): Term | null {
  const operation = graph.operationOf(b);
  if (operation !== 'and' && operation !== 'or') return null;
  const [p, q] = [graph.operand(b, 0), graph.operand(b, 1)];
  if (operation === 'and') {
    if (p === a || q === a) return b;
    return graph.isComplement(p, a) || graph.isComplement(q, a) ? graph.false : null;
  }
  if (p === a || q === a) return a;
  if (graph.isComplement(p, a)) return graph.and(a, q);
  return graph.isComplement(q, a) ? graph.and(a, p) : null;
}

/** `a ∨ b` of two conjunctions with common parts: the parts once, and the rest. Null when there is nothing to gain. */
export function factorDisjunction(graph: TermGraph, a: Term, b: Term): Term | null {
  const left = listConjuncts(graph, a);
  const right = listConjuncts(graph, b);
  if (left.length + right.length < 3) return null;
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const common = left.filter((t) => inRight.has(t));
  const restLeft = left.filter((t) => !inRight.has(t));
  const restRight = right.filter((t) => !inLeft.has(t));
  if (restLeft.length === 0 || restRight.length === 0) return graph.andAll(common);
  const joined = joinOpposites(graph, restLeft, restRight) ?? joinOpposites(graph, restRight, restLeft);
  if (joined !== null) return graph.andAll([...common, joined]);
  if (common.length === 0) return null;
  return graph.andAll([...common, graph.or(graph.andAll(restLeft), graph.andAll(restRight))]);
}

/** `x ∨ (¬x ∧ rest)` is `x ∨ rest`. Null when the first is more than one part, or the second has not its opposite. */
function joinOpposites(graph: TermGraph, single: readonly Term[], parts: readonly Term[]): Term | null {
  const [x] = single;
  if (x === undefined || single.length !== 1) return null;
  const rest = parts.filter((t) => !graph.isComplement(t, x));
  return rest.length === parts.length ? null : graph.or(x, graph.andAll(rest));
}

/** The parts of a conjunction, in the order in which they were added; a term that is none is its own only part. */
export function listConjuncts(graph: TermGraph, term: Term): Term[] {
  const parts: Term[] = [];
  const stack = [term];
  while (stack.length > 0 && parts.length < MAX_CONJUNCTS) {
    const top = stack.pop() as Term;
    if (graph.operationOf(top) === 'and' && graph.widthOf(top) === 1) {
      stack.push(graph.operand(top, 1), graph.operand(top, 0));
    } else if (!graph.isTrue(top)) parts.push(top);
  }
  return stack.length > 0 ? [term] : parts;
}

/**
 * Truths and other small values as operands of a wide operation, as in `a < b && c`: what is under the extension; or
 * null.
 */
export function underZeroExtension(graph: TermGraph, a: Term, b: Term): readonly [Term, Term] | null {
  if (graph.operationOf(a) !== 'zext' || graph.operationOf(b) !== 'zext') return null;
  const [x, y] = [graph.operand(a, 0), graph.operand(b, 0)];
  return graph.widthOf(x) === graph.widthOf(y) ? [x, y] : null;
}
