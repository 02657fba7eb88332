/** In how few bits a program's constants fit: the width of words in which candidates for invariants are looked for. */

import type { Term } from '../../values/terms.ts';
import type { Model } from './graph.ts';
import { termsOf } from './node-terms.ts';

const LEAST = 5;
const MOST = 12;

/** Null where there are addresses or large constants, or floating-point operations. */
export function smallestWidth({ graph, bodies }: Model): number | null {
  let width = LEAST - 1;
  const seen = new Set<Term>();
  const stack = bodies.flatMap(({ nodes }) => nodes.flatMap((node) => [...termsOf(node)]));
  for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    for (const operand of graph.operandsOf(term)) stack.push(operand);
    if (/^f|^stof$/.test(graph.operationOf(term))) return null;
    const value = graph.constantOf(term);
    if (value === null) continue;
    const signed = BigInt.asIntN(graph.widthOf(term), value);
    while (width < MOST && BigInt.asIntN(width, signed) !== signed) width++;
    if (BigInt.asIntN(width, signed) !== signed) return null;
  }
  return width + 1;
}
