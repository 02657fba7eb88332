/**
 * Which values can tell somebody the address of an object. A thread's object is its own until others can know its
 * address; so it has to be published before a value that carries the address gets to where others read, in whatever
 * disguise: with a tag, in pieces, xored with another address.
 *
 * As long as a thread is alone with an object, all it knows of the address comes from one constant, which stands in the
 * term of every value that was computed from it. An operation that folds the constant into another, or cuts it into
 * pieces, loses that trace. Then the address counts as disguised from there on, and the next write that others can see
 * publishes the object, whatever it writes.
 *
 * What a thread learns from the address by comparing it is left out. An object that others reach although it was never
 * published is open to all from its beginning (`ObjectReach.openHiddenObjects`).
 */

import { pushAll } from '../support/push-all.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { Knowledge } from './knowledge.ts';

const NONE: readonly number[] = [];

export class CarriedAddresses {
  readonly #graph: TermGraph;
  readonly #knowledge: Knowledge;
  /** What was found for a term. Objects are made before terms with their addresses, so that it stays right. */
  readonly #found = new Map<Term, readonly number[]>();

  constructor(graph: TermGraph, knowledge: Knowledge) {
    this.#graph = graph;
    this.#knowledge = knowledge;
  }

  /** The objects, by id, whose address stands in the term. */
  objectsIn(term: Term): readonly number[] {
    const known = this.#lookUp(term);
    if (known) return known;
    const stack = [term];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const operands = this.#sources(top);
      const missing = operands.filter((operand) => this.#lookUp(operand) === null);
      if (missing.length > 0) {
        pushAll(stack, missing);
        continue;
      }
      stack.pop();
      this.#found.set(top, unite(operands.map((operand) => this.#lookUp(operand) as readonly number[])));
    }
    return this.#found.get(term) as readonly number[];
  }

  /** Those whose address stands in an operand but no longer in the result. */
  lostBy(operands: readonly Term[], result: Term): readonly number[] {
    const carried = unite(operands.map((operand) => this.objectsIn(operand)));
    if (carried.length === 0) return NONE;
    const left = this.objectsIn(result);
    return carried.filter((id) => !left.includes(id));
  }

  #lookUp(term: Term): readonly number[] | null {
    const value = this.#graph.constantOf(term);
    if (value !== null) return this.#objectsAt(value);
    return this.#found.get(term) ?? null;
  }

  #objectsAt(value: bigint): readonly number[] {
    const objects = this.#knowledge.objectsAt(value);
    return objects.length === 0 ? NONE : objects.map(({ id }) => id);
  }

  /** The operands that a value is made from; what it depends on by a choice or a comparison is left out. */
  #sources(term: Term): readonly Term[] {
    if (this.#graph.widthOf(term) === 1) return [];
    const operands = this.#graph.operandsOf(term);
    return this.#graph.operationOf(term) === 'ite' ? operands.slice(1) : operands;
  }
}

function unite(lists: readonly (readonly number[])[]): readonly number[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? NONE;
  return [...new Set(filled.flat())];
}
