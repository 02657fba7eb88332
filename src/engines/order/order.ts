/**
 * A free order of the steps of all threads, instead of rounds. `before(a, b)` is a literal for a pair of steps of two
 * threads, made when it is asked for, that is for steps that conflict. What program order, creations and joins decide
 * (must-order.ts) needs none; all steps of two sections of one lock share theirs (section-order.ts).
 *
 * Between two threads all circles are excluded by clauses from the start; circles through three threads and more only
 * when a model shows one (`excludeCircles`).
 *
 * The literal of a pair of single steps describes a total order of all steps, whether they are passed or not: those
 * that are never passed come last, in some order that `MustOrder` allows. So clauses about them hold without condition.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { LockSection, LockSections } from '../../execute/lock-sections.ts';
import type { SteppedProgram } from '../../execute/steps.ts';
import type { Circuit } from '../../logic/circuit.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import type { Commits, ConditionalEdge } from './commits.ts';
import type { MustOrder, StepRef } from './must-order.ts';
import { type OrderEdge, OrderGraph } from './order-graph.ts';
import type { Passing } from './passing.ts';
import { SectionOrder } from './section-order.ts';

/** No more circles than this are excluded at once. */
const MOST_CIRCLES = 400;

/** A step or a commit, and the sections in which it lies. */
export interface Point extends StepRef {
  readonly sections: readonly LockSection[];
}

/** A literal of two threads, the one with the smaller number first: its step `a` is before `b` of the other. */
interface OrderedPair {
  readonly a: number;
  readonly b: number;
  readonly literal: Literal;
}

export class Order {
  readonly must: MustOrder;
  readonly #program: SteppedProgram;
  readonly #commits: Commits;
  readonly #circuit: Circuit;
  readonly #encoder: TermEncoder;
  readonly #passing: Passing;
  readonly sections: SectionOrder;
  /** By the two threads, then by `a * steps of the second + b`. */
  readonly #pairs = new Map<number, Map<number, OrderedPair>>();

  constructor(
    program: SteppedProgram,
    encoder: TermEncoder,
    commits: Commits,
    passing: Passing,
    locks: LockSections,
    must: MustOrder,
  ) {
    this.#program = program;
    this.#commits = commits;
    this.#encoder = encoder;
    this.#circuit = encoder.circuit;
    this.#passing = passing;
    this.must = must;
    this.sections = new SectionOrder(encoder, passing, this.must);
    this.sections.orderClosed(locks);
    for (const edge of commits.conditional) this.#require(edge);
  }

  get pairCount(): number {
    let count = 0;
    for (const pairs of this.#pairs.values()) count += pairs.size;
    for (const _ of this.sections.edges()) count++;
    return count;
  }

  /**
   * Implies that a comes before b, of another thread. If both are passed and do something, either this holds or the
   * reverse does.
   */
  before(a: Point, b: Point): Literal {
    if (this.must.isBefore(a, b)) return TRUE;
    if (this.must.isBefore(b, a)) return FALSE;
    for (const section of a.sections) {
      const other = b.sections.find(({ lock }) => lock === section.lock);
      if (other) return this.sections.before(section, other);
    }
    return a.thread < b.thread ? this.#pairOf(a, b).literal : not(this.#pairOf(b, a).literal);
  }

  #require({ from, to, conditions }: ConditionalEdge): void {
    const isBefore = this.before({ ...from, sections: [] }, { ...to, sections: [] });
    const holds = conditions.map((condition) => not(this.#encoder.literalOf(condition)));
    this.#circuit.addClause([...holds, not(this.#passing.everPassed(to.thread, to.step)), isBefore]);
  }

  /** Excludes circles of two threads among the literals made so far. To be called once, when all are made. */
  relate(): void {
    const count = this.#commits.sizes.length;
    const byThreads = new Map<number, TwoThreads>();
    const of = (a: number, b: number) => {
      const key = Math.min(a, b) * count + Math.max(a, b);
      let found = byThreads.get(key);
      if (!found) {
        found = { forth: [], back: [] };
        byThreads.set(key, found);
      }
      return found;
    };
    for (const [key, pairs] of this.#pairs) {
      const { forth, back } = of(Math.floor(key / count), key % count);
      for (const { a, b, literal } of pairs.values()) {
        forth.push({ a, b, literal, isPair: true });
        back.push({ a, b, literal: not(literal), isPair: true });
      }
    }
    for (const { from, to, literals } of this.sections.edges()) {
      const { forth, back } = of(from.thread, to.thread);
      const literal = literals[0] as Literal;
      if (from.thread < to.thread) forth.push({ a: from.step, b: to.step, literal, isPair: false });
      else back.push({ a: to.step, b: from.step, literal, isPair: false });
    }
    for (const two of byThreads.values()) excludeCircles(this.#circuit, two);
  }

  /** The order that the model shows among the steps that are passed, with edges between those that do something. */
  graph(model: Evaluation): OrderGraph {
    const isPassed = (thread: number, step: number) => model.value(this.#passing.everPassed(thread, step));
    const edges = [...this.#pairEdges(model, isPassed), ...this.sections.edgesIn(model)];
    return new OrderGraph(this.#commits.sizes, this.must, isPassed, edges);
  }

  /** Adds clauses against circles; how many. */
  excludeCircles(graph: OrderGraph): number {
    const circles = graph.findCircles(MOST_CIRCLES);
    for (const circle of circles) this.#circuit.addClause(circle.map(not));
    return circles.length;
  }

  #pairEdges(model: Evaluation, isPassed: (thread: number, step: number) => boolean): OrderEdge[] {
    const { threads } = this.#program;
    const { sizes } = this.#commits;
    const isMade = (thread: number, step: number) => {
      const guard = threads[thread]?.steps[step]?.guard;
      return guard === undefined || model.value(this.#encoder.literalOf(guard));
    };
    const takesPart = sizes.map((size, thread) =>
      Array.from({ length: size }, (_, l) => isPassed(thread, l) && isMade(thread, l)),
    );
    const edges: OrderEdge[] = [];
    for (const [key, pairs] of this.#pairs) {
      const [first, second] = [Math.floor(key / sizes.length), key % sizes.length];
      for (const { a, b, literal } of pairs.values()) {
        if (!takesPart[first]?.[a] || !takesPart[second]?.[b]) continue;
        const [x, y] = [
          { thread: first, step: a },
          { thread: second, step: b },
        ];
        edges.push(
          model.value(literal) ? { from: x, to: y, literals: [literal] } : { from: y, to: x, literals: [not(literal)] },
        );
      }
    }
    return edges;
  }

  #pairOf(a: StepRef, b: StepRef): OrderedPair {
    const { sizes } = this.#commits;
    const byThreads = a.thread * sizes.length + b.thread;
    const pairs = this.#pairs.get(byThreads) ?? new Map<number, OrderedPair>();
    this.#pairs.set(byThreads, pairs);
    const key = a.step * (sizes[b.thread] as number) + b.step;
    let pair = pairs.get(key);
    if (!pair) {
      pair = { a: a.step, b: b.step, literal: this.#circuit.fresh() };
      pairs.set(key, pair);
    }
    return pair;
  }
}

/** An edge between step a of one thread and step b of another. */
interface TwoThreadEdge {
  readonly a: number;
  readonly b: number;
  readonly literal: Literal;
  /** The edge the other way has the opposite literal. */
  readonly isPair: boolean;
}

interface TwoThreads {
  readonly forth: TwoThreadEdge[];
  readonly back: TwoThreadEdge[];
}

/**
 * An edge forth from a to b and one back, from at or after b to at or before a, exclude each other. Said for the
 * nearest only: what lies beyond a pair of steps follows from that pair's own clauses.
 */
function excludeCircles(circuit: Circuit, { forth, back }: TwoThreads): void {
  back.sort((x, y) => y.a - x.a || x.b - y.b);
  for (const { a, b, literal, isPair } of forth) {
    let nearest = Infinity;
    for (const other of back) {
      if (other.a > a || other.b < b || other.b >= nearest) continue;
      const isSelf = isPair && other.isPair && other.a === a && other.b === b;
      if (isSelf) continue;
      circuit.addClause([not(literal), not(other.literal)]);
      if (other.isPair) nearest = other.b;
    }
  }
}
