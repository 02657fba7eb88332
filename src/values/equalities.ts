/**
 * Equalities of terms. One with a constant is pushed through conditionals, extensions and additions of constants, so
 * that it meets what is compared there; what became of it is remembered, for those who look for equalities.
 */

import type { Term, TermGraph } from './terms.ts';
import { TupleTable } from './tuple-table.ts';
import * as sets from './value-set.ts';
import { compareSets } from './value-set-comparisons.ts';

/** Comparisons are pushed through so many nested conditionals. */
const MAX_DEPTH = 200;

/** `left = right` has this truth. */
export interface PushedEquality {
  readonly left: Term;
  readonly right: Term;
  readonly truth: boolean;
}

export class Equalities {
  readonly #graph: TermGraph;
  readonly #make: (a: Term, b: Term) => Term;
  /** What the equality of a term and a constant was found to be. */
  readonly #found = new TupleTable();
  /** Equalities that were pushed into what they compare, by what became of them. */
  readonly #pushed = new Map<Term, PushedEquality>();

  /** `make` makes the term of an equality about which nothing more is known. */
  constructor(graph: TermGraph, make: (a: Term, b: Term) => Term) {
    this.#graph = graph;
    this.#make = make;
  }

  /** Of terms of the same width. */
  of(a: Term, b: Term): Term {
    return this.#of(a, b, 0);
  }

  /** A truth value that is the same as an equality of two terms, or as an inequality, and does not look like it. */
  pushed(term: Term): PushedEquality | undefined {
    return this.#pushed.get(term);
  }

  #of(a: Term, b: Term, depth: number): Term {
    const graph = this.#graph;
    if (a === b) return graph.true;
    if (graph.widthOf(a) === 1) return graph.not(graph.xor(a, b));
    const decided = compareSets('eq', graph.setOf(a), graph.setOf(b));
    if (decided !== null) return graph.boolean(decided);
    if (graph.constantOf(a) !== null) return this.#of(b, a, depth);
    const value = graph.constantOf(b);
    if (value !== null) {
      const found = this.#found.get(0, a, b, 0);
      if (found >= 0) return found as Term;
      const folded = depth < MAX_DEPTH ? this.#withConstant(a, value, depth + 1) : null;
      if (folded !== null) {
        this.#found.set(0, a, b, 0, folded);
        if (depth === 0 && graph.operationOf(a) === 'ite') this.#rememberPushed(folded, a, b);
        return folded;
      }
    }
    const [x, y] = [this.factor(a), this.factor(b)];
    if (x !== null && y !== null && x.by === y.by) return this.#of(x.term, y.term, depth);
    return this.#make(a, b);
  }

  /** Of a product with a constant that cannot wrap: what is multiplied. */
  factor(product: Term): { readonly term: Term; readonly by: bigint } | null {
    const graph = this.#graph;
    if (graph.operationOf(product) !== 'mul') return null;
    const [a, b] = [graph.operand(product, 0), graph.operand(product, 1)];
    const by = graph.constantOf(b) ?? graph.constantOf(a);
    const term = graph.constantOf(b) === null ? b : a;
    const isWhole = by !== null && by > 0n && sets.maxUnsigned(graph.setOf(term)) * by < 1n << BigInt(graph.widthOf(a));
    return isWhole && !sets.isEmpty(graph.setOf(term)) ? { term, by } : null;
  }

  #rememberPushed(folded: Term, left: Term, right: Term): void {
    const graph = this.#graph;
    const isNegated = graph.operationOf(folded) === 'not';
    const key = isNegated ? graph.operand(folded, 0) : folded;
    if (graph.constantOf(key) === null && !this.#pushed.has(key)) {
      this.#pushed.set(key, { left, right, truth: !isNegated });
    }
  }

  /** `a = constant` pushed through conditionals, extensions and additions of constants. */
  #withConstant(a: Term, value: bigint, depth: number): Term | null {
    const graph = this.#graph;
    const width = graph.widthOf(a);
    const first = graph.operand(a, 0);
    const operation = graph.operationOf(a);
    switch (operation) {
      case 'ite': {
        const [then, otherwise] = [graph.operand(a, 1), graph.operand(a, 2)];
        const constant = graph.constant(width, value);
        const fits = (t: Term) => graph.constantOf(t) !== null || graph.operationOf(t) === 'ite';
        if (!fits(then) && !fits(otherwise)) return null;
        return graph.ite(first, this.#of(then, constant, depth), this.#of(otherwise, constant, depth));
      }
      case 'zext':
      case 'sext': {
        const narrow = graph.constant(graph.widthOf(first), value);
        const isKept = graph.extend(narrow, width, operation === 'sext') === graph.constant(width, value);
        return isKept ? this.#of(first, narrow, depth) : graph.false;
      }
      case 'add': {
        const added = graph.constantOf(graph.operand(a, 1));
        if (added === null) return null;
        return this.#of(first, graph.constant(width, value - added), depth);
      }
      default:
        return null;
    }
  }
}
