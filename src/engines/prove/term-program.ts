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
  /** Which call of `guess` has looked at an instruction, and what it found: whether it may be several values. */
  readonly #guessedIn: Int32Array;
  readonly #areOpen: Uint8Array;
  #guesses = 0;

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
    this.#guessedIn = new Int32Array(terms.length);
    this.#areOpen = new Uint8Array(terms.length);
  }

  /**
   * What the only root, a condition, is where some variables can have any value, which are read as null: its value,
   * or a variable on which it may depend, null where the values of variables do not tell; operands are taken to be
   * independent. Only what decides it is looked at.
   */
  guess(read: (variable: Term) => bigint | null): { readonly value: bigint } | { readonly dependsOn: Term | null } {
    const [value] = this.guessAll(read);
    if (value !== null && value !== undefined) return { value };
    return { dependsOn: this.#openVariable(this.#roots[0] as number) };
  }

  /** The values of all roots, unsigned; null for one that may have several. */
  guessAll(read: (variable: Term) => bigint | null): (bigint | null)[] {
    this.#guesses++;
    for (const root of this.#roots) {
      const work = [root];
      for (let at = work.at(-1); at !== undefined; at = work.at(-1)) {
        const next = this.#isGuessed(at) ? null : this.#guess(at, read);
        if (next === null) work.pop();
        else work.push(next);
      }
    }
    return this.#roots.map((root) => (this.#isOpen(root) ? null : (this.#values[root] as bigint)));
  }

  #openVariable(root: number): Term | null {
    for (let at: number | undefined = root; at !== undefined; ) {
      const instruction: Instruction = this.#instructions[at] as Instruction;
      if (instruction.operation === 'variable') return instruction.term;
      at = this.#below(instruction).find((each) => this.#isGuessed(each) && this.#isOpen(each));
    }
    return null;
  }

  #below({ term, a, b, c }: Instruction): number[] {
    return this.#graph.operandsOf(term).map((_, i) => [a, b, c][i] as number);
  }

  #isGuessed(at: number): boolean {
    return this.#guessedIn[at] === this.#guesses;
  }

  /** It may be several values. */
  #isOpen(at: number): boolean {
    return this.#areOpen[at] === 1;
  }

  #note(at: number, value: bigint | null): null {
    this.#guessedIn[at] = this.#guesses;
    this.#areOpen[at] = value === null ? 1 : 0;
    if (value !== null) this.#values[at] = value;
    return null;
  }

  /** Notes the value of the instruction and gives null, or gives one that has to be looked at first. */
  #guess(at: number, read: (variable: Term) => bigint | null): number | null {
    const instruction = this.#instructions[at] as Instruction;
    const { operation, term, width } = instruction;
    if (operation === 'variable') return this.#note(at, read(term));
    const below = this.#below(instruction);
    const known = (i: number) => (this.#isOpen(i) ? null : (this.#values[i] as bigint));
    // Of these, one operand may decide.
    const deciding = operation === 'and' ? 0n : operation === 'or' ? BigInt.asUintN(width, -1n) : null;
    for (const [place, each] of below.entries()) {
      if (!this.#isGuessed(each)) return each;
      const value = known(each);
      if (deciding !== null && value === deciding) return this.#note(at, deciding);
      if (operation === 'ite' && place === 0 && value !== null) {
        const chosen = below[value === 1n ? 1 : 2] as number;
        return this.#isGuessed(chosen) ? this.#note(at, known(chosen)) : chosen;
      }
    }
    const [, second, third] = below;
    if (operation === 'ite') {
      const [one, other] = [known(second as number), known(third as number)];
      return this.#note(at, one === other ? one : null);
    }
    if (below.some((each) => this.#isOpen(each))) return this.#note(at, null);
    return this.#note(
      at,
      this.#compute(instruction, () => 0n),
    );
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
