/** Conditions of the form `variable = constant`, or its negation. */

import type { Term, TermGraph } from '../values/terms.ts';

export interface ReadTest {
  readonly variable: Term;
  readonly constant: bigint;
  readonly isEqual: boolean;
}

export function readTest(graph: TermGraph, condition: Term): ReadTest | null {
  const isNegated = graph.operationOf(condition) === 'not';
  const equality = isNegated ? graph.operand(condition, 0) : condition;
  if (graph.operationOf(equality) !== 'eq') return null;
  const [a, b] = graph.operandsOf(equality) as [Term, Term];
  for (const [variable, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const constant = graph.constantOf(other);
    if (constant !== null && graph.operationOf(variable) === 'variable')
      return { variable, constant, isEqual: !isNegated };
  }
  return null;
}
