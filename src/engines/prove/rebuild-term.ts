/**
 * Terms made anew with other variables: substitution, and the move into another graph. Since making a term folds and
 * computes its set of values, this is also how a change of what is known of variables reaches everything built on them.
 */

import { InvariantError } from '../../support/invariant.ts';
import { floatArithmetic, floatComparison, floatToFloat } from '../../values/float-terms.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { topSet } from '../../values/value-set.ts';

export class TermRebuilder {
  readonly #from: TermGraph;
  readonly #to: TermGraph;
  readonly #variable: (variable: Term) => Term;
  readonly #known = new Map<Term, Term>();

  /** `variable` gives the term in the graph `to` for a variable of `from`, of the same width. */
  constructor(from: TermGraph, to: TermGraph, variable: (variable: Term) => Term) {
    this.#from = from;
    this.#to = to;
    this.#variable = variable;
  }

  rebuild(term: Term): Term {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const stack = [term];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as Term;
      const missing = this.#known.has(top) ? [] : this.#from.operandsOf(top).filter((each) => !this.#known.has(each));
      if (missing.length > 0) for (const each of missing) stack.push(each);
      else {
        if (!this.#known.has(top)) this.#known.set(top, this.#makeFrom(top));
        stack.pop();
      }
    }
    return this.#known.get(term) as Term;
  }

  #makeFrom(term: Term): Term {
    return this.make(
      term,
      this.#from.operandsOf(term).map((each) => this.#known.get(each) as Term),
    );
  }

  protected make(term: Term, operands: readonly Term[]): Term {
    const [from, to] = [this.#from, this.#to];
    const [a, b, c] = operands as [Term, Term, Term];
    const width = from.widthOf(term);
    const operation = from.operationOf(term);
    switch (operation) {
      case 'constant':
        return to.constant(width, from.constantOf(term) as bigint);
      case 'variable':
        return this.#variable(term);
      case 'refine':
        return a;
      case 'not':
        return to.not(a);
      case 'and':
      case 'or':
      case 'xor':
      case 'add':
      case 'mul':
      case 'eq':
        return to[operation](a, b);
      case 'udiv':
      case 'urem':
      case 'sdiv':
      case 'srem':
        return to.divide(operation, a, b);
      case 'shl':
      case 'lshr':
      case 'ashr':
        return to.shift(operation, a, b);
      case 'ult':
      case 'slt':
        return to.less(operation, a, b);
      case 'ite':
        return to.ite(a, b, c);
      case 'zext':
      case 'sext':
        return to.extend(a, width, operation === 'sext');
      case 'extract':
        return to.extract(a, from.extractLow(term), width);
      case 'concat':
        return to.concat(a, b);
      case 'fadd':
      case 'fmul':
      case 'fdiv':
        return floatArithmetic(to, operation, a, b);
      case 'feq':
      case 'flt':
      case 'fle':
        return floatComparison(to, operation, a, b);
      case 'ftof':
        return floatToFloat(to, a, width);
      case 'stof':
      case 'ftos':
        return to.floating(operation, width, a, a, topSet(width));
      default:
        throw new InvariantError(`term operation ${operation satisfies never}`);
    }
  }
}

/** The variables that a term depends on, added to a set. */
export function collectVariables(graph: TermGraph, term: Term, into: Set<Term>): void {
  const seen = new Set<Term>();
  const stack = [term];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (seen.has(top)) continue;
    seen.add(top);
    if (graph.operationOf(top) === 'variable') into.add(top);
    for (const operand of graph.operandsOf(top)) stack.push(operand);
  }
}
