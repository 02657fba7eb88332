/** What a condition that was passed tells about the terms in it. */

import type { Term, TermGraph } from '../terms.ts';
import { isEmpty } from '../value-set.ts';
import { type Comparison, refineLeft, refineRight } from '../value-set-comparisons.ts';
import type { State } from './state.ts';

/** Records in the state that the condition has the given truth; false when that is impossible. */
export function refineState(graph: TermGraph, state: State, condition: Term, truth: boolean): boolean {
  if (graph.isTrue(condition)) return truth;
  if (graph.isFalse(condition)) return !truth;
  if (graph.isFalse(state.guard)) return false;
  const operands = graph.operandsOf(condition);
  const operation = graph.operationOf(condition);
  switch (operation) {
    case 'not':
      return refineState(graph, state, operands[0] as Term, !truth);
    case 'and':
      return !truth || operands.every((operand) => refineState(graph, state, operand, true));
    case 'or':
      return truth || operands.every((operand) => refineState(graph, state, operand, false));
    case 'eq':
    case 'ult':
    case 'slt':
      return refineComparison(graph, state, operation, truth, operands[0] as Term, operands[1] as Term);
    default:
      return true;
  }
}

function refineComparison(
  graph: TermGraph,
  state: State,
  comparison: Comparison,
  truth: boolean,
  a: Term,
  b: Term,
): boolean {
  const known = (term: Term) => state.refinements.get(graph.unrefined(term)) ?? term;
  const [left, right] = [graph.setOf(known(a)), graph.setOf(known(b))];
  const newLeft = refineLeft(comparison, truth, left, right);
  const newRight = refineRight(comparison, truth, left, right);
  if (isEmpty(newLeft) || isEmpty(newRight)) return isEmpty(left) || isEmpty(right);
  for (const [term, set] of [
    [a, newLeft],
    [b, newRight],
  ] as const) {
    const before = known(term);
    const after = graph.refine(before, set);
    if (after !== before) state.refinements.set(graph.unrefined(term), after);
  }
  return true;
}

/** A term where a condition has the given truth, as in a conditional expression: known to lie in a smaller set if it is compared there. */
export function refineTerm(graph: TermGraph, term: Term, condition: Term, truth: boolean): Term {
  const [a, b] = graph.operandsOf(condition) as [Term, Term];
  const operation = graph.operationOf(condition);
  switch (operation) {
    case 'not':
      return graph.widthOf(condition) === 1 ? refineTerm(graph, term, a, !truth) : term;
    case 'eq':
    case 'ult':
    case 'slt': {
      const [left, right] = [graph.setOf(a), graph.setOf(b)];
      if (graph.unrefined(term) === graph.unrefined(a))
        return graph.refine(term, refineLeft(operation, truth, left, right));
      if (graph.unrefined(term) === graph.unrefined(b))
        return graph.refine(term, refineRight(operation, truth, left, right));
      return term;
    }
    default:
      return term;
  }
}
