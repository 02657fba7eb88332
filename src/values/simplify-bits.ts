/**
 * What `and`, `or` and `xor` of two terms of the same width come to without a new term: constants, neutral elements,
 * complements, masks that leave everything as it is; for Booleans the laws of guards (simplify-guards.ts). Null where
 * a term has to be made.
 */

import { bitShape } from './bit-shape.ts';
import { absorbConjunct, factorDisjunction, underZeroExtension } from './simplify-guards.ts';
import type { Term, TermGraph } from './terms.ts';
import { maxOf } from './value-set-parts.ts';

export function simplifyAnd(graph: TermGraph, a: Term, b: Term): Term | null {
  if (a === b) return a;
  const width = graph.widthOf(a);
  const [x, y] = [graph.constantOf(a), graph.constantOf(b)];
  if (x !== null && y !== null) return graph.constant(width, x & y);
  if (x === 0n || y === maxOf(width)) return a;
  if (y === 0n || x === maxOf(width)) return b;
  if (graph.isComplement(a, b)) return graph.constant(width, 0n);
  if (y !== null && hasOnlyBits(graph, a, y)) return a;
  if (x !== null && hasOnlyBits(graph, b, x)) return b;
  if (width === 1) {
    const absorbed = absorbConjunct(graph, a, b) ?? absorbConjunct(graph, b, a);
    if (absorbed !== null) return absorbed;
  }
  const inner = underZeroExtension(graph, a, b);
  return inner === null ? null : graph.extend(graph.and(...inner), width, false);
}

/** True when the mask leaves all values of the term as they are. */
function hasOnlyBits(graph: TermGraph, term: Term, mask: bigint): boolean {
  const { known, value } = bitShape(graph.setOf(term));
  return ((value | ~known) & ~mask & maxOf(graph.widthOf(term))) === 0n;
}

export function simplifyOr(graph: TermGraph, a: Term, b: Term): Term | null {
  if (a === b) return a;
  const width = graph.widthOf(a);
  const [x, y] = [graph.constantOf(a), graph.constantOf(b)];
  if (x !== null && y !== null) return graph.constant(width, x | y);
  if (x === 0n || y === maxOf(width)) return b;
  if (y === 0n || x === maxOf(width)) return a;
  if (graph.isComplement(a, b)) return graph.constant(width, maxOf(width));
  if (width === 1) {
    const factored = factorDisjunction(graph, a, b);
    if (factored !== null) return factored;
  }
  const inner = underZeroExtension(graph, a, b);
  return inner === null ? null : graph.extend(graph.or(...inner), width, false);
}

export function simplifyXor(graph: TermGraph, a: Term, b: Term): Term | null {
  const width = graph.widthOf(a);
  if (a === b) return graph.constant(width, 0n);
  const [x, y] = [graph.constantOf(a), graph.constantOf(b)];
  if (x !== null && y !== null) return graph.constant(width, x ^ y);
  if (x === 0n) return b;
  if (y === 0n) return a;
  if (x === maxOf(width)) return graph.not(b);
  return y === maxOf(width) ? graph.not(a) : null;
}
