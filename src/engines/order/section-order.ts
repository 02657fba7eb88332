/**
 * The order of sections of one lock, of different threads. A pair of sections has two literals, for "the first comes
 * before the second" and for the reverse. If both are entered, one of them holds; and what comes before has been left.
 * Nothing is said of sections that are not both entered: threads may be stuck in one, waiting for another.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { LockSection, LockSections } from '../../execute/lock-sections.ts';
import type { BitVector } from '../../logic/bit-vector.ts';
import * as vectors from '../../logic/bit-vector.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal, not } from '../../logic/literal.ts';
import type { Term } from '../../values/terms.ts';
import type { MustOrder, StepRef } from './must-order.ts';
import type { OrderEdge } from './order-graph.ts';
import type { Passing } from './passing.ts';

/** All steps of the section `from` come before all of the section `to`. */
interface SectionEdge {
  readonly from: LockSection;
  readonly to: LockSection;
  readonly literal: Literal;
}

export class SectionOrder {
  readonly #encoder: TermEncoder;
  readonly #passing: Passing;
  readonly #must: MustOrder;
  readonly #edges = new Map<LockSection, Map<LockSection, SectionEdge>>();

  constructor(encoder: TermEncoder, passing: Passing, must: MustOrder) {
    this.#encoder = encoder;
    this.#passing = passing;
    this.#must = must;
  }

  /** Orders all sections of the locks whose cells are not tied to reads and writes. */
  orderClosed({ locks }: LockSections): void {
    for (const { sections, isClosed } of locks) {
      if (!isClosed) continue;
      for (const [i, a] of sections.entries()) {
        for (const b of sections.slice(i + 1)) if (a.thread !== b.thread) this.before(a, b);
      }
    }
  }

  /** Both are entered and the first comes before the second. */
  before(from: LockSection, to: LockSection): Literal {
    const known = this.#edges.get(from)?.get(to);
    if (known) return known.literal;
    const { circuit } = this.#encoder;
    const forth = this.#addEdge(from, to);
    const back = this.#addEdge(to, from);
    circuit.addClause([not(forth), not(back)]);
    circuit.addClause([not(this.#entered(from)), not(this.#entered(to)), forth, back]);
    circuit.addClause([not(forth), this.#left(from)]);
    circuit.addClause([not(back), this.#left(to)]);
    return forth;
  }

  /** What the cell of a lock holds in the end, `free` if nobody is in a section. */
  finalOf(sections: readonly LockSection[], free: BitVector): BitVector {
    const { circuit } = this.#encoder;
    let value = free;
    for (const section of sections) {
      const isIn = circuit.and(this.#entered(section), not(this.#left(section)));
      value = vectors.ite(circuit, isIn, this.#encoder.bitsOf(section.value), value);
    }
    return value;
  }

  /** Edges between the given threads, either way, from the first place where a section may be left. */
  *edges(): Iterable<OrderEdge> {
    for (const list of this.#edges.values()) {
      for (const { from, to, literal } of list.values()) {
        const release = from.releases[0];
        if (!release || literal === FALSE) continue;
        yield {
          from: { thread: from.thread, step: release.step },
          to: { thread: to.thread, step: to.acquire },
          literals: [literal],
        };
      }
    }
  }

  /** Those of the model, from where the section was really left. */
  *edgesIn(model: Evaluation): Iterable<OrderEdge> {
    for (const list of this.#edges.values()) {
      for (const { from, to, literal } of list.values()) {
        if (!model.value(literal) || !model.value(this.#entered(from)) || !model.value(this.#entered(to))) continue;
        const release = from.releases.find(({ step, guard }) => model.value(this.#happens(from.thread, step, guard)));
        if (!release) continue;
        const isOnly = from.releases.length === 1;
        yield {
          from: { thread: from.thread, step: release.step },
          to: { thread: to.thread, step: to.acquire },
          literals: isOnly ? [literal] : [literal, this.#happens(from.thread, release.step, release.guard)],
        };
      }
    }
  }

  #addEdge(from: LockSection, to: LockSection): Literal {
    const start = (section: LockSection): StepRef => ({ thread: section.thread, step: section.acquire });
    const literal = this.#must.isBefore(start(to), start(from)) ? FALSE : this.#encoder.circuit.fresh();
    const list = this.#edges.get(from) ?? new Map<LockSection, SectionEdge>();
    this.#edges.set(from, list);
    list.set(to, { from, to, literal });
    return literal;
  }

  #entered({ thread, acquire, guard }: LockSection): Literal {
    return this.#happens(thread, acquire, guard);
  }

  #left({ thread, releases }: LockSection): Literal {
    return this.#encoder.circuit.orMany(releases.map(({ step, guard }) => this.#happens(thread, step, guard)));
  }

  #happens(thread: number, step: number, guard: Term): Literal {
    return this.#encoder.circuit.and(this.#passing.everPassed(thread, step), this.#encoder.literalOf(guard));
  }
}
