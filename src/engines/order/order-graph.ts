/**
 * The order that a model shows, as a graph over the steps that are passed and the commits: program order, what must be,
 * and the chosen edges. `findCircles` looks for short circles in it; `linearise` puts the events in a row, staying with
 * a thread for as long as it can.
 */

import type { Literal } from '../../logic/literal.ts';
import { invariant } from '../../support/invariant.ts';
import type { Edge, MustOrder, StepRef } from './must-order.ts';

/** A chosen edge: together the literals say that `from` is before `to`. */
export interface OrderEdge extends Edge {
  readonly literals: readonly Literal[];
}

interface Arc {
  readonly to: number;
  /** Null where the program decides. */
  readonly literals: readonly Literal[] | null;
}

export class OrderGraph {
  readonly #steps: StepRef[] = [];
  /** The number of each thread's first step, and how many of its steps are passed. */
  readonly #first: number[] = [];
  readonly #count: number[] = [];
  readonly #arcs: Arc[][] = [];

  constructor(
    sizes: readonly number[],
    must: MustOrder,
    isPassed: (thread: number, step: number) => boolean,
    chosen: readonly OrderEdge[],
  ) {
    for (const [index, size] of sizes.entries()) {
      this.#first.push(this.#steps.length);
      let count = 0;
      while (count < size && isPassed(index, count)) {
        this.#steps.push({ thread: index, step: count++ });
        this.#arcs.push([]);
        if (count > 1) this.#arcs[this.#steps.length - 2]?.push({ to: this.#steps.length - 1, literals: null });
      }
      this.#count.push(count);
    }
    for (const edge of must.edges) this.#add(edge, null);
    for (const edge of chosen) this.#add(edge, edge.literals);
  }

  #number({ thread, step }: StepRef): number {
    return step < (this.#count[thread] as number) ? (this.#first[thread] as number) + step : -1;
  }

  #add({ from, to }: Edge, literals: Arc['literals']): void {
    const [a, b] = [this.#number(from), this.#number(to)];
    if (b < 0) return;
    invariant(a >= 0, 'what comes before a passed step is passed');
    this.#arcs[a]?.push({ to: b, literals });
  }

  /** The steps in a row; null when there is a circle. */
  linearise(): StepRef[] | null {
    const waiting = this.#countIncoming();
    const next = this.#first.slice();
    const row: StepRef[] = [];
    const isReady = (thread: number) => {
      const number = next[thread] as number;
      return number < (this.#first[thread] as number) + (this.#count[thread] as number) && waiting[number] === 0;
    };
    let thread = 0;
    while (row.length < this.#steps.length) {
      if (!isReady(thread)) {
        thread = next.findIndex((_, t) => isReady(t));
        if (thread < 0) return null;
      }
      const number = next[thread] as number;
      next[thread] = number + 1;
      for (const { to } of this.#arcs[number] as Arc[]) (waiting[to] as number)--;
      row.push(this.#steps[number] as StepRef);
    }
    return row;
  }

  /** Short circles, by the literals on them; different ones, and no more than asked for. */
  findCircles(most: number): Literal[][] {
    const inCircle = this.#withoutEnds();
    const circles: Literal[][] = [];
    const covered = new Set<Literal>();
    for (const [from, arcs] of this.#arcs.entries()) {
      if (!inCircle[from]) continue;
      for (const { to, literals } of arcs) {
        if (literals === null || !inCircle[to] || literals.every((literal) => covered.has(literal))) continue;
        const way = this.#shortestWay(to, from, inCircle);
        if (!way) continue;
        const circle = [...literals, ...way];
        for (const one of circle) covered.add(one);
        circles.push(circle);
        if (circles.length >= most) return circles;
      }
    }
    return circles;
  }

  #countIncoming(): Int32Array {
    const incoming = new Int32Array(this.#steps.length);
    for (const arcs of this.#arcs) for (const { to } of arcs) (incoming[to] as number)++;
    return incoming;
  }

  /** Per step, whether it may be on a circle: those that nothing is before drop out, one after the other. */
  #withoutEnds(): boolean[] {
    const incoming = this.#countIncoming();
    const left = this.#steps.map(() => true);
    const ends = [...incoming.keys()].filter((number) => incoming[number] === 0);
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      left[end] = false;
      for (const { to } of this.#arcs[end] as Arc[]) if (--(incoming[to] as number) === 0) ends.push(to);
    }
    return left;
  }

  /** The literals on a way with as few of them as possible; null when there is none. */
  #shortestWay(start: number, goal: number, allowed: readonly boolean[]): Literal[] | null {
    const cameBy = new Map<number, CameBy>();
    const done = new Set<number>();
    let level = [start];
    while (level.length > 0) {
      const following: number[] = [];
      for (let at = level.pop(); at !== undefined; at = level.pop()) {
        if (done.has(at)) continue;
        done.add(at);
        if (at === goal) return literalsTo(goal, start, cameBy);
        for (const { to, literals } of this.#arcs[at] as Arc[]) {
          if (!allowed[to] || done.has(to)) continue;
          if (literals === null) {
            cameBy.set(to, { from: at, literals });
            level.push(to);
          } else if (!cameBy.has(to)) {
            cameBy.set(to, { from: at, literals });
            following.push(to);
          }
        }
      }
      level = following;
    }
    return null;
  }
}

/** How a step on a way was come to. */
interface CameBy {
  readonly from: number;
  readonly literals: Arc['literals'];
}

function literalsTo(goal: number, start: number, cameBy: ReadonlyMap<number, CameBy>): Literal[] {
  const literals: Literal[] = [];
  for (let at = goal; at !== start; ) {
    const way = cameBy.get(at);
    invariant(way, 'the way leads back to its start');
    for (const literal of way.literals ?? []) literals.push(literal);
    at = way.from;
  }
  return literals;
}
