/**
 * The order of steps in the second formula (reference-order.ts): a literal for each pair of steps of two threads that
 * somebody asks about. Others have no place in it: any order of these can be completed.
 *
 * Where triples of steps are few, the literals are made an order at once: monotone along both threads, transitive over
 * three. Where they are many, there are only clauses between literals that are asked about, along the two threads; a
 * model is then looked at as a graph, and its circles are excluded.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { SteppedProgram } from '../../execute/steps.ts';
import type { Circuit } from '../../logic/circuit.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import { type EventOrder, type PlainCommit, requireCommits } from './plain-commits.ts';

/** A model with more circles than that is wrong in many places for one reason. */
const MOST_CIRCLES = 400;

/** Where literals say that a step is before another of another thread. */
interface Arc {
  readonly to: number;
  /** Null along a thread. */
  readonly literal: Literal | null;
}

export class PlainOrder implements EventOrder {
  readonly #circuit: Circuit;
  readonly #passed: Literal[][];
  /** By the two threads, the smaller first, then by their steps; made when somebody asks. */
  readonly #matrices: Literal[][][][];
  readonly #commits = new Map<string, number>();
  /** The steps that somebody asks about, by thread, in their order; those of commits come last. */
  #steps: number[][] = [];

  constructor(program: SteppedProgram, encoder: TermEncoder) {
    const { threads } = program;
    const circuit = encoder.circuit;
    this.#circuit = circuit;
    const stores = findStores(program);
    for (const [i, { thread, step }] of stores.entries()) this.#commits.set(`${thread} ${step}`, threads.length + i);
    this.#matrices = Array.from({ length: threads.length + stores.length }, () => []);
    this.#passed = threads.map(({ steps }) => steps.map(() => circuit.fresh()));
    for (const { index, steps, spawn } of threads) {
      for (let l = 1; l < steps.length; l++) {
        circuit.addClause([not(this.passed(index, l)), this.passed(index, l - 1)]);
      }
      if (!spawn || steps.length === 0) continue;
      circuit.addClause([not(this.passed(index, 0)), encoder.literalOf(spawn.guard)]);
      circuit.addClause([not(this.passed(index, 0)), this.passed(spawn.thread, spawn.step)]);
      circuit.addClause([this.before(spawn.thread, spawn.step, index, 0)]);
    }
    if (stores.length > 0) requireCommits(program, encoder, this, stores);
  }

  committing(thread: number, step: number): number {
    return this.#commits.get(`${thread} ${step}`) as number;
  }

  passed(thread: number, step: number): Literal {
    return this.#passed[thread]?.[step] as Literal;
  }

  before(threadA: number, a: number, threadB: number, b: number): Literal {
    if (threadA === threadB) return a < b ? TRUE : FALSE;
    if (threadA > threadB) return not(this.before(threadB, b, threadA, a));
    const matrices = this.#matrices[threadA] as Literal[][][];
    matrices[threadB] ??= [];
    const matrix = matrices[threadB];
    matrix[a] ??= [];
    const row = matrix[a];
    row[b] ??= this.#circuit.fresh();
    return row[b];
  }

  /** When nobody asks about other steps any more: makes an order of them, at once if that takes no more clauses. */
  complete(mostTriples: number): void {
    const asked = this.#matrices.map(() => new Set<number>());
    this.#forAsked((a, i, b, j) => {
      asked[a]?.add(i);
      asked[b]?.add(j);
    });
    this.#steps = asked.map((steps) => [...steps].sort((x, y) => x - y));
    const isSmall = 2 * countTriples(this.#steps.map(({ length }) => length)) <= mostTriples;
    for (const b of this.#steps.keys()) {
      for (let a = 0; a < b; a++) {
        if (isSmall) this.#orderTwo(a, b);
        else this.#orderAsked(a, b);
        if (isSmall) for (let first = 0; first < a; first++) this.#orderThree(first, a, b);
      }
    }
  }

  #forAsked(action: (a: number, i: number, b: number, j: number, literal: Literal) => void): void {
    for (const [a, matrices] of this.#matrices.entries()) {
      // The lists have holes, which `forEach` leaves out.
      matrices.forEach((matrix, b) => {
        matrix.forEach((row, i) => {
          row.forEach((literal, j) => {
            action(a, i, b, j, literal);
          });
        });
      });
    }
  }

  #stepsOf(thread: number): readonly number[] {
    return this.#steps[thread] as readonly number[];
  }

  #orderTwo(a: number, b: number): void {
    const columns = this.#stepsOf(b);
    let above: Literal[] = [];
    for (const i of this.#stepsOf(a)) {
      const row = columns.map((j) => this.before(a, i, b, j));
      for (const [k, literal] of row.entries()) {
        if (above.length > 0) this.#circuit.addClause([not(literal), above[k] as Literal]);
        if (k > 0) this.#circuit.addClause([not(row[k - 1] as Literal), literal]);
      }
      above = row;
    }
  }

  #orderThree(a: number, b: number, c: number): void {
    for (const i of this.#stepsOf(a)) {
      for (const j of this.#stepsOf(b)) {
        const ab = this.before(a, i, b, j);
        for (const k of this.#stepsOf(c)) {
          const [bc, ac] = [this.before(b, j, c, k), this.before(a, i, c, k)];
          this.#circuit.addClause([not(ab), not(bc), ac]);
          this.#circuit.addClause([ab, bc, not(ac)]);
        }
      }
    }
  }

  /**
   * Who is before a step is before later ones of its thread, and so are those before him: from each literal to the
   * nearest ones that it implies, in its row and in each row above it, as far as they do not follow from one another.
   */
  #orderAsked(a: number, b: number): void {
    const matrix = this.#matrices[a]?.[b];
    if (!matrix) return;
    const rows: (readonly (readonly [step: number, literal: Literal])[])[] = [];
    matrix.forEach((row) => {
      const cells: [number, Literal][] = [];
      row.forEach((literal, j) => {
        cells.push([j, literal]);
      });
      for (const [k, [j, literal]] of cells.entries()) {
        let bound = cells[k + 1]?.[0] ?? Number.POSITIVE_INFINITY;
        if (k > 0) this.#circuit.addClause([not(cells[k - 1]?.[1] as Literal), literal]);
        for (let r = rows.length - 1; r >= 0 && bound > j; r--) {
          const nearest = rows[r]?.find(([step]) => step >= j);
          if (!nearest || nearest[0] >= bound) continue;
          this.#circuit.addClause([not(literal), nearest[1]]);
          bound = nearest[0];
        }
      }
      rows.push(cells);
    });
  }

  /** Excludes circles of a model; how many there are: none, if it is an order. */
  excludeCircles(model: Evaluation): number {
    const graph = this.#graphOf(model);
    const isLeft = withoutEnds(graph);
    const known = new Set<Literal>();
    let count = 0;
    for (const [from, arcs] of graph.entries()) {
      for (const { to, literal } of arcs) {
        if (literal === null || !isLeft[from] || !isLeft[to] || known.has(literal)) continue;
        const way = shortestWay(graph, to, from);
        if (!way) continue;
        for (const one of [literal, ...way]) known.add(one);
        this.#circuit.addClause([literal, ...way].map(not));
        if (++count >= MOST_CIRCLES) return count;
      }
    }
    return count;
  }

  /** The steps that are asked about, numbered thread by thread, and what the model says comes after each. */
  #graphOf(model: Evaluation): Arc[][] {
    const arcs: Arc[][] = [];
    const numbers = this.#steps.map((steps) => {
      const first = arcs.length;
      for (const k of steps.keys()) arcs.push(k + 1 < steps.length ? [{ to: first + k + 1, literal: null }] : []);
      return new Map(steps.map((step, k) => [step, first + k]));
    });
    this.#forAsked((a, i, b, j, literal) => {
      const [one, other] = [numbers[a]?.get(i) as number, numbers[b]?.get(j) as number];
      if (model.value(literal)) arcs[one]?.push({ to: other, literal });
      else arcs[other]?.push({ to: one, literal: not(literal) });
    });
    return arcs;
  }
}

/** In how many ways one step each of three different threads can be chosen. */
function countTriples(sizes: readonly number[]): number {
  let [one, two, three] = [0, 0, 0];
  for (const size of sizes) {
    three += two * size;
    two += one * size;
    one += size;
  }
  return three;
}

function findStores({ threads }: SteppedProgram): PlainCommit[] {
  return threads.flatMap(({ index, steps }) =>
    steps.flatMap(({ accesses }, step) => {
      const writes = accesses.filter((access) => access.kind === 'write' && access.isDelayed);
      return writes.length > 0 ? [{ thread: index, step, writes }] : [];
    }),
  );
}

/** Which are left when those that nothing is before are taken away, one after the other: without a circle, none. */
function withoutEnds(graph: readonly (readonly Arc[])[]): boolean[] {
  const isLeft = graph.map(() => true);
  const incoming = graph.map(() => 0);
  for (const { to } of graph.flat()) incoming[to] = (incoming[to] as number) + 1;
  const free = [...incoming.keys()].filter((number) => incoming[number] === 0);
  for (let number = free.pop(); number !== undefined; number = free.pop()) {
    isLeft[number] = false;
    for (const { to } of graph[number] as readonly Arc[]) {
      incoming[to] = (incoming[to] as number) - 1;
      if (incoming[to] === 0) free.push(to);
    }
  }
  return isLeft;
}

/** The literals on a way with as few of them as possible; null when there is none. */
function shortestWay(graph: readonly (readonly Arc[])[], start: number, goal: number): Literal[] | null {
  const ways: (Literal[] | undefined)[] = [];
  ways[start] = [];
  let level = [start];
  while (level.length > 0) {
    const next: number[] = [];
    // Along a thread it costs nothing: the list grows while it is gone through.
    for (const at of level) {
      const way = ways[at] as Literal[];
      if (at === goal) return way;
      for (const { to, literal } of graph[at] as readonly Arc[]) {
        if (ways[to]) continue;
        if (literal === null) level.push(to);
        else next.push(to);
        ways[to] = literal === null ? way : [...way, literal];
      }
    }
    level = next;
  }
  return null;
}
