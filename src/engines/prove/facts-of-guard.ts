/**
 * What the guard of a path says of conditions that are met later on it. A compare-and-swap branches on what it compared
 * and gives the outcome to the program, which branches on that again: where both ways were followed at the second, half
 * of the paths could not be taken, and what a step does would not be known of each.
 *
 * A condition is replaced by one that is equal to it wherever the guard holds, so that guard and condition together say
 * the same as before.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** Larger conditions are left as they are. */
const MOST_TERMS = 64;

/** What a condition is made of by `and`; a choice that fails is one of failures. */
export function factsOf(condition: Term, graph: TermGraph): Term[] {
  return graph.conjuncts(condition).flatMap((each): Term[] => {
    const denied = graph.operationOf(each) === 'not' ? graph.operand(each, 0) : null;
    if (denied === null || graph.operationOf(denied) !== 'or') return [each];
    return graph.operandsOf(denied).flatMap((operand) => factsOf(graph.not(operand), graph));
  });
}

/** The condition, or one that is the same where the guard holds. */
export function underGuard(condition: Term, guard: Term, graph: TermGraph): Term {
  if (graph.constantOf(condition) !== null || graph.isTrue(guard)) return condition;
  const below = termsBelow(condition, graph);
  if (below.size > MOST_TERMS) return condition;
  const facts = new Map<Term, Term>();
  for (const fact of factsOf(guard, graph)) {
    if (below.has(fact)) facts.set(fact, graph.true);
    const denied = graph.not(fact);
    if (below.has(denied)) facts.set(denied, graph.false);
  }
  return facts.size === 0 ? condition : new FactRebuilder(graph, facts).rebuild(condition);
}

class FactRebuilder extends TermRebuilder {
  readonly #facts: ReadonlyMap<Term, Term>;

  constructor(graph: TermGraph, facts: ReadonlyMap<Term, Term>) {
    super(graph, graph, (variable) => facts.get(variable) ?? variable);
    this.#facts = facts;
  }

  protected override make(term: Term, operands: readonly Term[]): Term {
    return this.#facts.get(term) ?? super.make(term, operands);
  }
}

function termsBelow(root: Term, graph: TermGraph): Set<Term> {
  const seen = new Set<Term>();
  const stack = [root];
  for (let top = stack.pop(); top !== undefined && seen.size <= MOST_TERMS; top = stack.pop()) {
    if (seen.has(top)) continue;
    seen.add(top);
    for (const operand of graph.operandsOf(top)) stack.push(operand);
  }
  return seen;
}
