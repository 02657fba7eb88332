/**
 * Whether truths assigned to Boolean terms contradict one another, by their Boolean skeleton alone: comparisons and the
 * like are opaque. Units are propagated, then a few cases are tried. It answers true only if there is a contradiction;
 * false may mean that it did not look far enough.
 */

import type { Term, TermGraph } from './terms.ts';

export interface Assumed {
  readonly term: Term;
  readonly truth: boolean;
}

/** Nested case distinctions. */
const MOST_SPLITS = 5;

export function contradict(graph: TermGraph, assumed: readonly Assumed[]): boolean {
  return new Skeleton(graph, new Map(), new Set()).refutes(assumed, MOST_SPLITS);
}

class Skeleton {
  readonly #graph: TermGraph;
  readonly #values: Map<Term, boolean>;
  /** Conjunctions known to be false and disjunctions known to be true. */
  readonly #open: Set<Term>;

  constructor(graph: TermGraph, values: Map<Term, boolean>, open: Set<Term>) {
    this.#graph = graph;
    this.#values = values;
    this.#open = open;
  }

  refutes(assumed: readonly Assumed[], splits: number): boolean {
    if (!assumed.every(({ term, truth }) => this.#assume(term, truth)) || !this.#propagate()) return true;
    if (splits === 0) return false;
    for (const term of this.#open) {
      const part = this.#partsOf(term).find((operand) => this.#valueOf(operand) === null);
      if (part === undefined) continue;
      return [true, false].every((truth) => this.#copy().refutes([{ term: part, truth }], splits - 1));
    }
    return false;
  }

  #copy(): Skeleton {
    return new Skeleton(this.#graph, new Map(this.#values), new Set(this.#open));
  }

  #partsOf(term: Term): readonly [Term, Term] {
    return [this.#graph.operand(term, 0), this.#graph.operand(term, 1)];
  }

  /** Notes a truth and what follows from it at once; false when that is a contradiction. */
  #assume(first: Term, firstTruth: boolean): boolean {
    const graph = this.#graph;
    const work: [Term, boolean][] = [[first, firstTruth]];
    for (let next = work.pop(); next; next = work.pop()) {
      const [term, truth] = next;
      if (graph.isTrue(term) || graph.isFalse(term)) {
        if (graph.isTrue(term) !== truth) return false;
        continue;
      }
      const operation = graph.operationOf(term);
      if (operation === 'not') {
        work.push([graph.operand(term, 0), !truth]);
        continue;
      }
      const known = this.#values.get(term);
      if (known !== undefined) {
        if (known !== truth) return false;
        continue;
      }
      this.#values.set(term, truth);
      if (operation !== 'and' && operation !== 'or') continue;
      if (truth === (operation === 'and')) for (const part of this.#partsOf(term)) work.push([part, truth]);
      else this.#open.add(term);
    }
    return true;
  }

  /** What follows where all but one part is known; false when that is a contradiction. */
  #propagate(): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      for (const term of this.#open) {
        // Of a false conjunction one part is false; of a true disjunction one is true.
        const wanted = this.#graph.operationOf(term) === 'or';
        const [a, b] = this.#partsOf(term);
        const [x, y] = [this.#valueOf(a), this.#valueOf(b)];
        if (x === null && y === null) continue;
        this.#open.delete(term);
        if (x === wanted || y === wanted) continue;
        if (x !== null && y !== null) return false;
        if (!this.#assume(x === null ? a : b, wanted)) return false;
        changed = true;
      }
    }
    return true;
  }

  #valueOf(term: Term): boolean | null {
    const graph = this.#graph;
    if (graph.isTrue(term)) return true;
    if (graph.isFalse(term)) return false;
    if (graph.operationOf(term) !== 'not') return this.#values.get(term) ?? null;
    const value = this.#valueOf(graph.operand(term, 0));
    return value === null ? null : !value;
  }
}
