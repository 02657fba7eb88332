/**
 * The values that the program does not determine, in one iteration: inputs, and what memory holds that nobody wrote.
 * Also what is known besides of terms that could be anything (known-addresses.ts, whole-words.ts).
 */

import type { Term, TermGraph } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import type { Input } from './steps.ts';

export class Unknowns {
  readonly #graph: TermGraph;
  readonly inputs: Input[] = [];
  /** Unknowns that no address of an object went into. */
  readonly unconstrained = new Set<Term>();
  /** What terms with huge sets have besides. */
  readonly known = new Map<Term, ValueSet>();

  constructor(graph: TermGraph) {
    this.#graph = graph;
  }

  /** A value that the program does not determine: one of a set. */
  input(place: Omit<Input, 'term'>, set: ValueSet, name: string): Term {
    const term = this.#graph.variable(set, name);
    this.unconstrained.add(term);
    this.inputs.push({ ...place, term });
    return term;
  }
}
