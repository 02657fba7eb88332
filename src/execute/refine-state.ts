/**
 * What a condition that was passed tells about terms. It speaks of the terms that it compares; from there it is brought
 * backwards to what they were computed from, as far as each step can be undone (`c < 10` compares a char as an int, and
 * tells about the char), and forwards, when a term is looked at, from what it is computed from (`p = a + i` made before
 * `i < n` was passed). Of a choice that was made on a condition which is decided now, only one side is left: what a
 * loop has stored in `a[i]` for all `i < n` is what the next loop finds there.
 */

import { ForkMap } from '../support/fork-map.ts';
import type { Term, TermGraph, TermOperation } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { addSets, multiplySets } from '../values/value-set-arithmetic.ts';
import { extractSet, signExtendSet, zeroExtendSet } from '../values/value-set-bits.ts';
import { type Comparison, compareSets, refineLeft, refineRight } from '../values/value-set-comparisons.ts';
import type { State } from './state.ts';

/** Terms that are known better, and what to use instead of them. */
type Refinements = ForkMap<Term, Term>;

/** Operations that are followed forwards, and how many of them in a row. */
const FOLLOWED: ReadonlySet<TermOperation> = new Set(['zext', 'sext', 'extract', 'add', 'mul'] as const);
const DEPTH = 4;

/** Records in the state that the condition has the given truth; false when that is impossible. */
export function refineState(graph: TermGraph, state: State, condition: Term, truth: boolean): boolean {
  if (graph.isTrue(condition)) return truth;
  if (graph.isFalse(condition)) return !truth;
  if (graph.isFalse(state.guard)) return false;
  return refine(graph, state.refinements, condition, truth);
}

/** The term in the light of what the state knows. */
export function refinedTerm(graph: TermGraph, { refinements }: State, term: Term): Term {
  return lookUp(graph, refinements, term);
}

/** A term where a condition has the given truth, as in a conditional expression. */
export function refineTerm(graph: TermGraph, term: Term, condition: Term, truth: boolean): Term {
  const refinements: Refinements = new ForkMap();
  refine(graph, refinements, condition, truth);
  return lookUp(graph, refinements, term);
}

/** Conditions share parts: each is looked at once. */
function refine(graph: TermGraph, refinements: Refinements, condition: Term, truth: boolean): boolean {
  const stack = [{ part: condition, isTrue: truth }];
  const seen = new Set<number>();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { part, isTrue } = next;
    const key = 2 * part + (isTrue ? 1 : 0);
    if (seen.has(key)) continue;
    seen.add(key);
    if (graph.isTrue(part) || graph.isFalse(part)) {
      if (graph.isTrue(part) !== isTrue) return false;
      continue;
    }
    if (graph.operationOf(part) !== 'not') refinements.set(part, isTrue ? graph.true : graph.false);
    const pushed = graph.pushedEquality(part);
    if (pushed) {
      const { left, right } = pushed;
      if (!refineComparison(graph, refinements, 'eq', isTrue === pushed.truth, left, right)) return false;
    }
    const operands = graph.operandsOf(part);
    const operation = graph.operationOf(part);
    switch (operation) {
      case 'not':
        stack.push({ part: operands[0] as Term, isTrue: !isTrue });
        break;
      case 'and':
      case 'or':
        // In the order in which they stand.
        if (isTrue === (operation === 'and'))
          for (let i = operands.length - 1; i >= 0; i--) stack.push({ part: operands[i] as Term, isTrue });
        break;
      case 'eq':
      case 'ult':
      case 'slt':
        if (!refineComparison(graph, refinements, operation, isTrue, operands[0] as Term, operands[1] as Term))
          return false;
        break;
      default:
    }
  }
  return true;
}

function refineComparison(
  graph: TermGraph,
  refinements: Refinements,
  comparison: Comparison,
  truth: boolean,
  a: Term,
  b: Term,
): boolean {
  const known = (term: Term) => graph.setOf(lookUp(graph, refinements, term));
  const [left, right] = [known(a), known(b)];
  const newLeft = refineLeft(comparison, truth, left, right);
  const newRight = refineRight(comparison, truth, left, right);
  if (sets.isEmpty(newLeft) || sets.isEmpty(newRight)) return sets.isEmpty(left) || sets.isEmpty(right);
  learn(graph, refinements, a, newLeft);
  learn(graph, refinements, b, newRight);
  return true;
}

// ---------------------------------------------------------------- backwards

/** The term lies in the set. */
function learn(graph: TermGraph, refinements: Refinements, term: Term, set: ValueSet): void {
  let next: { readonly term: Term; readonly set: ValueSet } | null = { term, set };
  while (next !== null) {
    const base = graph.unrefined(next.term);
    const before = refinements.get(base) ?? next.term;
    const after = graph.refine(before, next.set);
    if (after === before) return;
    refinements.set(base, after);
    next = undo(graph, base, graph.setOf(after));
  }
}

/** The operand of a term that lies in the set, and what the operand lies in then. */
function undo(graph: TermGraph, term: Term, set: ValueSet): { readonly term: Term; readonly set: ValueSet } | null {
  const [a, b] = graph.operandsOf(term) as [Term, Term];
  switch (graph.operationOf(term)) {
    case 'zext':
    case 'sext':
      return { term: a, set: extractSet(set, 0, graph.widthOf(a)) };
    case 'add': {
      const added = graph.constantOf(b);
      return added === null ? null : { term: a, set: addSets(set, sets.constantSet(set.width, -added)) };
    }
    case 'extract':
      return graph.extractLow(term) === 0 ? undoCut(a, graph.setOf(a), set) : null;
    default:
      return null;
  }
}

/** A value of which only the lowest bits are known to lie in the set: it lies there, too, if it fits these bits. */
function undoCut(term: Term, whole: ValueSet, low: ValueSet): { readonly term: Term; readonly set: ValueSet } | null {
  const limit = 1n << BigInt(low.width - 1);
  if (sets.isEmpty(whole)) return null;
  if (sets.maxUnsigned(whole) < 2n * limit) return { term, set: zeroExtendSet(low, whole.width) };
  const fits = sets.minSigned(whole) >= -limit && sets.maxSigned(whole) < limit;
  return fits ? { term, set: signExtendSet(low, whole.width) } : null;
}

// ---------------------------------------------------------------- forwards

function lookUp(graph: TermGraph, refinements: Refinements, term: Term): Term {
  const known = refinements.get(graph.unrefined(term));
  if (known !== undefined) return known;
  const chosen = takeDecided(graph, refinements, term);
  if (chosen !== term) return graph.refine(lookUp(graph, refinements, chosen), graph.setOf(term));
  const set = derive(graph, refinements, term, DEPTH);
  return set === null ? term : graph.refine(term, set);
}

/** The side that is left of a choice, and of the choice that it is in turn, as long as each is decided. */
function takeDecided(graph: TermGraph, refinements: Refinements, term: Term): Term {
  let taken = term;
  for (;;) {
    const base = graph.unrefined(taken);
    if (graph.operationOf(base) !== 'ite') return taken;
    const truth = decide(graph, refinements, graph.operand(base, 0), DEPTH);
    if (truth === null) return taken;
    taken = graph.operand(base, truth ? 1 : 2);
  }
}

/** The truth of a condition, as far as it follows from what is known. */
function decide(graph: TermGraph, refinements: Refinements, condition: Term, depth: number): boolean | null {
  const known = refinements.get(condition) ?? condition;
  if (graph.isTrue(known)) return true;
  if (graph.isFalse(known)) return false;
  if (depth === 0) return null;
  const operation = graph.operationOf(condition);
  const [a, b] = [graph.operand(condition, 0), graph.operand(condition, 1)];
  switch (operation) {
    case 'not': {
      const truth = decide(graph, refinements, a, depth);
      return truth === null ? null : !truth;
    }
    case 'and':
    case 'or': {
      // One side is enough if it is false, of a disjunction if it is true.
      const enough = operation === 'or';
      const left = decide(graph, refinements, a, depth - 1);
      if (left === enough) return enough;
      const right = decide(graph, refinements, b, depth - 1);
      if (right === enough) return enough;
      return left === null || right === null ? null : !enough;
    }
    case 'eq':
    case 'ult':
    case 'slt': {
      const left = derive(graph, refinements, a, depth - 1);
      const right = derive(graph, refinements, b, depth - 1);
      if (left === null && right === null) return null;
      return compareSets(operation, left ?? graph.setOf(a), right ?? graph.setOf(b));
    }
    default:
      return null;
  }
}

/** What follows for a term from what is known about its operands; null if nothing does. */
function derive(graph: TermGraph, refinements: Refinements, term: Term, depth: number): ValueSet | null {
  const base = graph.unrefined(term);
  const known = refinements.get(base);
  if (known !== undefined) return graph.setOf(known);
  const operation = graph.operationOf(base);
  if (depth === 0 || !FOLLOWED.has(operation)) return null;
  const isBinary = operation === 'add' || operation === 'mul';
  const [a, b] = [graph.operand(base, 0), graph.operand(base, isBinary ? 1 : 0)];
  const left = derive(graph, refinements, a, depth - 1);
  const right = isBinary ? derive(graph, refinements, b, depth - 1) : null;
  if (left === null && right === null) return null;
  const [first, second] = [left ?? graph.setOf(a), right ?? graph.setOf(b)];
  const width = graph.widthOf(base);
  switch (operation) {
    case 'zext':
      return zeroExtendSet(first, width);
    case 'sext':
      return signExtendSet(first, width);
    case 'extract':
      return extractSet(first, graph.extractLow(base), width);
    case 'add':
      return addSets(first, second);
    default:
      return multiplySets(first, second);
  }
}
