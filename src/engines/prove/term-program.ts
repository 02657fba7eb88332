/**
 * Terms as a list of operations on numbers, for those who ask for their values very often. The common operations are
 * computed here; what the others give is what the term graph makes of constants.
 */

import type { Term, TermGraph, TermOperation } from '../../values/terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

interface Instruction {
  readonly operation: TermOperation;
  readonly term: Term;
  readonly width: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export class TermProgram {
  readonly #graph: TermGraph;
  readonly #folder: Folder;
  readonly #instructions: readonly Instruction[];
  readonly #roots: readonly number[];
  readonly #values: bigint[] = [];

  constructor(graph: TermGraph, roots: readonly Term[]) {
    this.#graph = graph;
    this.#folder = new Folder(graph);
    const terms = termsBelow(graph, roots);
    const indexOf = new Map(terms.map((term, i) => [term, i]));
    this.#instructions = terms.map((term) => {
      const [a, b, c] = graph.operandsOf(term).map((each) => indexOf.get(each) as number);
      const [operation, width] = [graph.operationOf(term), graph.widthOf(term)];
      return { operation, term, width, a: a ?? 0, b: b ?? 0, c: c ?? 0 };
    });
    this.#roots = roots.map((root) => indexOf.get(root) as number);
  }

  /** The values of the roots, unsigned; null where one is not told by the values of the variables. */
  run(read: (variable: Term) => bigint): bigint[] | null {
    const values = this.#values;
    for (let i = 0; i < this.#instructions.length; i++) {
      const value = this.#compute(this.#instructions[i] as Instruction, read);
      if (value === null) return null;
      values[i] = value;
    }
    return this.#roots.map((root) => values[root] as bigint);
  }

  /** Whether the only root, a condition, may hold where some variables can have any value, which are read as null. */
  mayHold(read: (variable: Term) => bigint | null): boolean {
    const values: (bigint | null)[] = [];
    for (const [i, instruction] of this.#instructions.entries()) values[i] = this.#guess(instruction, values, read);
    return values[this.#roots[0] as number] !== 0n;
  }

  /** Null where it may be several values; operands are taken to be independent. */
  #guess(
    instruction: Instruction,
    values: readonly (bigint | null)[],
    read: (variable: Term) => bigint | null,
  ): bigint | null {
    const { operation, term, width, a, b, c } = instruction;
    if (operation === 'variable') return read(term);
    const known = this.#graph.operandsOf(term).map((_, i) => values[[a, b, c][i] as number] as bigint | null);
    const [first, second, third] = known;
    const all = BigInt.asUintN(width, -1n);
    if (operation === 'and' && (first === 0n || second === 0n)) return 0n;
    if (operation === 'or' && (first === all || second === all)) return all;
    if (operation === 'ite' && first !== null) return (first === 1n ? second : third) as bigint | null;
    if (operation === 'ite' && second === third) return second as bigint | null;
    if (known.includes(null)) return null;
    for (const [i, value] of known.entries()) this.#values[[a, b, c][i] as number] = value as bigint;
    return this.#compute(instruction, () => 0n);
  }

  #compute({ operation, term, width, ...at }: Instruction, read: (variable: Term) => bigint): bigint | null {
    const values = this.#values;
    const [a, b] = [values[at.a] as bigint, values[at.b] as bigint];
    switch (operation) {
      case 'constant':
        return this.#graph.constantOf(term);
      case 'variable':
        return read(term);
      case 'refine':
      case 'zext':
        return a;
      case 'not':
        return BigInt.asUintN(width, ~a);
      case 'and':
        return a & b;
      case 'or':
        return a | b;
      case 'xor':
        return a ^ b;
      case 'add':
        return BigInt.asUintN(width, a + b);
      case 'eq':
        return a === b ? 1n : 0n;
      case 'ult':
        return a < b ? 1n : 0n;
      case 'ite':
        return a === 1n ? b : (values[at.c] as bigint);
      default:
        return this.#folder.fold(
          term,
          this.#graph.operandsOf(term).map((_, i) => values[[at.a, at.b, at.c][i] as number] as bigint),
        );
    }
  }
}

/** What a term is where its operands are constants. */
class Folder extends TermRebuilder {
  readonly #graph: TermGraph;

  constructor(graph: TermGraph) {
    super(graph, graph, (variable) => variable);
    this.#graph = graph;
  }

  fold(term: Term, operands: readonly bigint[]): bigint | null {
    const graph = this.#graph;
    const constants = graph
      .operandsOf(term)
      .map((each, i) => graph.constant(graph.widthOf(each), operands[i] as bigint));
    return graph.constantOf(this.make(term, constants));
  }
}

/** All terms that the roots are made of, operands first. */
export function termsBelow(graph: TermGraph, roots: readonly Term[]): Term[] {
  const seen = new Set<Term>();
  const stack = [...roots];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (seen.has(top)) continue;
    seen.add(top);
    for (const operand of graph.operandsOf(top)) stack.push(operand);
  }
  return [...seen].sort((a, b) => a - b);
}
