/**
 * One thread by itself, as a guess of what threads do: main runs until it creates the first thread of a body, then this
 * thread alone, to its end. Main goes the shortest way where it depends on values that are not known; the thread does
 * not go on there. Nothing rests on it: what is seen on the way is for an invariant to prove.
 */

import type { Term } from '../../values/terms.ts';
import { type AnyNode, type Body, endsThread, type Model, predecessorsOf, type Variable } from './graph.ts';
import { termsOf, writtenBy } from './node-terms.ts';
import { TermProgram } from './term-program.ts';

/** Of main and the thread together: a few times ten thousand turns of a short loop. */
const MOST_NODES = 400_000;
const NODES_BETWEEN_POLLS = 4_096;

/** A variable's value, unsigned; null where it is not known. */
export type ReadValue = (variable: number) => bigint | null;

/** `onPass` is told each node of the thread before it is passed. Null where the thread does not come to its end. */
export function runAlone(
  model: Model,
  body: Body,
  onPass: (node: number, read: ReadValue) => void,
  poll: () => void,
): ReadValue | null {
  const run = new LonelyRun(model, poll);
  const [main] = model.bodies as [Body];
  const created = run.follow(main, (node) => node.kind === 'spawn' && node.body === body.id);
  if (created?.kind !== 'spawn') return null;
  run.begin(body, created.argument);
  const last = run.follow(body, endsThread, onPass);
  return last === null ? null : (variable) => run.valueOf(variable);
}

class LonelyRun {
  readonly #model: Model;
  readonly #poll: () => void;
  /** Null for what may be anything; what is not there has its first value. */
  readonly #values = new Map<number, bigint | null>();
  readonly #idOf: ReadonlyMap<Term, number>;
  readonly #programs = new Map<AnyNode, TermProgram>();
  #passed = 0;

  constructor(model: Model, poll: () => void) {
    this.#model = model;
    this.#poll = poll;
    this.#idOf = new Map(model.variables.map(({ term, id }) => [term, id]));
  }

  valueOf(variable: number): bigint | null {
    const known = this.#values.get(variable);
    const { width, initial } = this.#model.variables[variable] as Variable;
    return known === undefined ? BigInt.asUintN(width, initial) : known;
  }

  begin({ argument }: Body, given: Term): void {
    const [value] = this.#evaluate([given]);
    if (argument !== null) this.#values.set(argument, value ?? null);
  }

  /** The first node that is wanted, before it does anything; null where the run does not come to one. */
  follow(
    { nodes, entry }: Body,
    isWanted: (node: AnyNode) => boolean,
    onPass?: (node: number, read: ReadValue) => void,
  ): AnyNode | null {
    const distance = onPass === undefined ? distancesTo(nodes, isWanted) : null;
    const closer = ([first, second]: readonly number[]) =>
      distance === null
        ? null
        : (distance[first as number] as number) <= (distance[second as number] as number)
          ? first
          : second;
    for (let at: number | null | undefined = entry; at !== null && at !== undefined; ) {
      const node = nodes[at] as AnyNode;
      if (isWanted(node)) return node;
      if (++this.#passed > MOST_NODES) return null;
      if (this.#passed % NODES_BETWEEN_POLLS === 0) this.#poll();
      onPass?.(at, (variable) => this.valueOf(variable));
      at = this.#pass(node, closer);
    }
    return null;
  }

  #pass(node: AnyNode, closer: (ways: readonly number[]) => number | null | undefined): number | null | undefined {
    const [first, second] = node.next;
    switch (node.kind) {
      case 'set': {
        const values = this.#evaluateNode(node);
        node.assignments.forEach(({ variable }, i) => {
          this.#values.set(variable, values[i] ?? null);
        });
        return first;
      }
      case 'branch': {
        const [holds = null] = this.#evaluateNode(node);
        if (holds === null) return closer(node.next);
        return holds === 0n ? second : first;
      }
      case 'assume':
        return this.#evaluateNode(node)[0] === 0n ? null : first;
      default:
        for (const variable of writtenBy(node)) this.#values.set(variable, null);
        return first;
    }
  }

  #evaluateNode(node: AnyNode): (bigint | null)[] {
    let program = this.#programs.get(node);
    if (program === undefined) {
      program = new TermProgram(this.#model.graph, termsOf(node));
      this.#programs.set(node, program);
    }
    return program.guessAll((term) => this.valueOf(this.#idOf.get(term) as number));
  }

  #evaluate(terms: readonly Term[]): (bigint | null)[] {
    return new TermProgram(this.#model.graph, terms).guessAll((term) => this.valueOf(this.#idOf.get(term) as number));
  }
}

/** By node, how many steps it is at least to one that is wanted. */
function distancesTo(nodes: readonly AnyNode[], isWanted: (node: AnyNode) => boolean): number[] {
  const before = predecessorsOf(nodes);
  const distance = nodes.map((node) => (isWanted(node) ? 0 : Number.POSITIVE_INFINITY));
  const work = nodes.flatMap((node, at) => (isWanted(node) ? [at] : []));
  for (const at of work) {
    for (const each of before[at] ?? []) {
      if (distance[each] !== Number.POSITIVE_INFINITY) continue;
      distance[each] = (distance[at] as number) + 1;
      work.push(each);
    }
  }
  return distance;
}
