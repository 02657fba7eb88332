/** A term as text, for messages of tests. */

import type { Term, TermGraph } from '../../src/values/terms.ts';

export function printTerm(graph: TermGraph, term: Term, depth = 6): string {
  const value = graph.constantOf(term);
  if (value !== null) {
    if (graph.widthOf(term) === 1) return value === 1n ? 'true' : 'false';
    return BigInt.asIntN(graph.widthOf(term), value).toString();
  }
  const operation = graph.operationOf(term);
  if (operation === 'variable') return `${graph.nameOf(term)}#${term}`;
  if (depth === 0) return `t${term}`;
  if (operation === 'refine') return printTerm(graph, graph.unrefined(term), depth);
  const operands = graph.operandsOf(term).map((operand) => printTerm(graph, operand, depth - 1));
  const suffix = operation === 'extract' ? `@${graph.extractLow(term)}` : '';
  return `(${operation}${suffix} ${operands.join(' ')})`;
}
