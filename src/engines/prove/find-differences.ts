/**
 * Shared variables whose difference the program compares with constants: `tail - head < SIZE`. Comparing each with
 * constants, or both with each other, says nothing of how far they are apart; predicates about the difference do
 * (observables.ts). What is compared are mostly values that were just read: a register that only ever holds what was
 * read from one cell stands for that cell.
 *
 * Left out: differences of a shared variable and one of a thread's own, and sums of more than two.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { type Model, SHARED, type Variable } from './graph.ts';
import { termsOf, VariableFinder } from './node-terms.ts';

export interface Difference {
  /** Cells: what is compared is `left - right`. */
  readonly left: number;
  readonly right: number;
  readonly isSigned: boolean;
  /** What it is compared with, and what lies beside that. */
  readonly constants: readonly bigint[];
}

/** A sum of variables and a constant, some of them subtracted. */
interface Linear {
  readonly plus: readonly number[];
  readonly minus: readonly number[];
  readonly constant: bigint;
}

/** Larger sums are no differences. */
const MOST_SUMMANDS = 2;

export function findDifferences(model: Model): Difference[] {
  return new DifferenceFinder(model).run();
}

class DifferenceFinder {
  readonly #model: Model;
  readonly #graph: TermGraph;
  readonly #finder: VariableFinder;
  /** By register, the cell that it is read from; null where there are several, or something else. */
  readonly #cellOf = new Map<number, number | null>();
  readonly #found = new Map<string, { left: number; right: number; isSigned: boolean; constants: Set<bigint> }>();

  constructor(model: Model) {
    this.#model = model;
    this.#graph = model.graph;
    this.#finder = new VariableFinder(model);
  }

  run(): Difference[] {
    const nodes = this.#model.bodies.flatMap((body) => body.nodes);
    for (const node of nodes) {
      if (node.kind === 'set') for (const { variable, value } of node.assignments) this.#noteRead(variable, value);
      if (node.kind === 'havoc') for (const variable of node.variables) this.#cellOf.set(variable, null);
    }
    const seen = new Set<Term>();
    for (const node of nodes) for (const term of termsOf(node)) this.#walk(term, seen);
    // Whether two are equal, other predicates tell.
    const isMore = ({ constants }: { readonly constants: ReadonlySet<bigint> }) =>
      [...constants].some((value) => value !== 0n);
    return [...this.#found.values()].filter(isMore).map(({ left, right, isSigned, constants }) => {
      const { width } = this.#model.variables[left] as Variable;
      const near = [0n, ...constants].flatMap((value) => [value, value + 1n, value - 1n]);
      return { left, right, isSigned, constants: [...new Set(near.map((value) => BigInt.asIntN(width, value)))] };
    });
  }

  #noteRead(variable: number, value: Term): void {
    const read = this.#finder.idOf(value) ?? null;
    const known = this.#cellOf.get(variable);
    this.#cellOf.set(variable, known === undefined || known === read ? read : null);
  }

  #walk(root: Term, seen: Set<Term>): void {
    const stack = [root];
    for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
      if (seen.has(term)) continue;
      seen.add(term);
      const operands = this.#graph.operandsOf(term);
      for (const operand of operands) stack.push(operand);
      const operation = this.#graph.operationOf(term);
      if (operation === 'eq' || operation === 'ult' || operation === 'slt')
        this.#noteComparison(operands[0] as Term, operands[1] as Term, operation === 'slt');
    }
  }

  #noteComparison(a: Term, b: Term, isSigned: boolean): void {
    const [left, right] = [this.#linear(a), this.#linear(b)];
    const sum = left && right && add(left, negate(right));
    if (sum?.plus.length !== 1 || sum.minus.length !== 1) return;
    const [plus, minus] = [this.#sharedCell(sum.plus[0] as number), this.#sharedCell(sum.minus[0] as number)];
    if (plus === null || minus === null || plus === minus) return;
    // One name for a difference and its negative.
    const isTurned = plus < minus;
    const [high, low] = isTurned ? [minus, plus] : [plus, minus];
    const key = `${high} ${low}`;
    const known = this.#found.get(key) ?? { left: high, right: low, isSigned: false, constants: new Set<bigint>() };
    this.#found.set(key, known);
    known.isSigned ||= isSigned;
    known.constants.add(isTurned ? sum.constant : -sum.constant);
  }

  #sharedCell(id: number): number | null {
    const { variables } = this.#model;
    const cell = (variables[id] as Variable).kind === 'register' ? (this.#cellOf.get(id) ?? null) : id;
    if (cell === null) return null;
    const { kind, owner } = variables[cell] as Variable;
    return kind === 'cell' && owner === SHARED ? cell : null;
  }

  #linear(term: Term): Linear | null {
    const graph = this.#graph;
    const constant = graph.constantOf(term);
    if (constant !== null) return { plus: [], minus: [], constant: BigInt.asIntN(graph.widthOf(term), constant) };
    const id = this.#finder.idOf(term);
    if (id !== undefined) return { plus: [id], minus: [], constant: 0n };
    const [a, b] = graph.operandsOf(term) as [Term, Term];
    switch (graph.operationOf(term)) {
      case 'add': {
        const [left, right] = [this.#linear(a), this.#linear(b)];
        return left && right && add(left, right);
      }
      case 'not': {
        // In two's complement it is -a - 1.
        const negated = this.#linear(a);
        return negated && add(negate(negated), { plus: [], minus: [], constant: -1n });
      }
      case 'refine':
        return this.#linear(a);
      default:
        return null;
    }
  }
}

function negate({ plus, minus, constant }: Linear): Linear {
  return { plus: minus, minus: plus, constant: -constant };
}

function add(a: Linear, b: Linear): Linear | null {
  const [plus, minus] = [
    [...a.plus, ...b.plus],
    [...a.minus, ...b.minus],
  ];
  if (plus.length + minus.length > MOST_SUMMANDS) return null;
  return { plus, minus, constant: a.constant + b.constant };
}
