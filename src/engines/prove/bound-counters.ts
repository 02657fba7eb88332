/**
 * Between which numbers a shared counter stays: one that is only set to constants, and has constants added to a value
 * that it had before, at places that the program comes to once: not in loops, and not in threads of any number, of
 * which so many may run one after the other that any counter wraps.
 *
 * Why: let the largest value so far be M. An assignment of a constant makes it the largest of M and that constant; one
 * of a former value and c makes it at most M + c. So no value exceeds the largest constant and the sum of all positive
 * c that were added; whether reading and writing are one step does not matter, nor who else writes in between. Likewise
 * downwards. While these bounds are numbers of the counter's width, nothing wraps.
 */

import type { Term } from '../../values/terms.ts';
import { signedRangeSet, type ValueSet } from '../../values/value-set.ts';
import { type AnyNode, type Body, findCyclic, type Model, SHARED, type Variable } from './graph.ts';
import { type VariableFinder, writtenBy } from './node-terms.ts';

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** What a value is: a number in `fixed`, or a former value of the counter and a number in `added`. */
interface Origin {
  readonly fixed: Range | null;
  readonly added: Range | null;
}

/** By variable; those of which nothing is known are left out. */
export function boundCounters(model: Model, finder: VariableFinder): Map<number, ValueSet> {
  const found = new Map<number, ValueSet>();
  const cyclic = model.bodies.map(({ nodes }) => findCyclic(nodes));
  for (const variable of model.variables) {
    const { id, owner, kind } = variable;
    if (
      kind !== 'cell' ||
      owner !== SHARED ||
      model.peers.some(({ cells }) => cells.has(id)) ||
      model.heap?.pointers.has(id)
    )
      continue;
    const set = new CounterBound(model, finder, variable).of(cyclic);
    if (set !== null) found.set(id, set);
  }
  return found;
}

class CounterBound {
  readonly #model: Model;
  readonly #finder: VariableFinder;
  readonly #counter: Variable;
  /** Null: not known, or being looked at. */
  readonly #registers = new Map<number, Origin | null>();

  constructor(model: Model, finder: VariableFinder, counter: Variable) {
    this.#model = model;
    this.#finder = finder;
    this.#counter = counter;
  }

  of(cyclic: readonly ReadonlySet<number>[]): ValueSet | null {
    const { id, width, initial } = this.#counter;
    const first = BigInt.asIntN(width, initial);
    let [low, high, less, more] = [first, first, 0n, 0n];
    for (const body of this.#model.bodies) {
      for (const [at, node] of body.nodes.entries()) {
        if (!writtenBy(node).includes(id)) continue;
        const origin = this.#assigned(node, id, body);
        if (origin === null) return null;
        const { fixed, added } = origin;
        if (fixed && fixed.low < low) low = fixed.low;
        if (fixed && fixed.high > high) high = fixed.high;
        if (!added || (added.low === 0n && added.high === 0n)) continue;
        if (body.isReplicated || cyclic[body.id]?.has(at)) return null;
        if (added.low < 0n) less -= added.low;
        if (added.high > 0n) more += added.high;
      }
    }
    const half = 1n << BigInt(width - 1);
    const isKnown = low - less >= -half && high + more < half;
    return isKnown ? signedRangeSet(width, low - less, high + more) : null;
  }

  #assigned(node: AnyNode, variable: number, body: Body): Origin | null {
    if (node.kind !== 'set') return null;
    const values = node.assignments.filter((each) => each.variable === variable);
    return joinAll(values.map(({ value }) => this.#originOf(value, body)));
  }

  #originOf(term: Term, body: Body): Origin | null {
    const { graph } = this.#model;
    if (graph.widthOf(term) !== this.#counter.width) return null;
    const constant = graph.constantOf(term);
    if (constant !== null) {
      const value = BigInt.asIntN(this.#counter.width, constant);
      return { fixed: { low: value, high: value }, added: null };
    }
    const id = this.#finder.idOf(term);
    if (id === this.#counter.id) return { fixed: null, added: { low: 0n, high: 0n } };
    if (id !== undefined) return this.#registerOf(id, body);
    const [a, b, c] = graph.operandsOf(term) as [Term, Term, Term];
    switch (graph.operationOf(term)) {
      case 'refine':
        return this.#originOf(a, body);
      case 'ite':
        return joinAll([this.#originOf(b, body), this.#originOf(c, body)]);
      case 'add': {
        const added = graph.constantOf(b);
        const origin = added === null ? null : this.#originOf(a, body);
        return added === null || origin === null ? null : shift(origin, BigInt.asIntN(this.#counter.width, added));
      }
      default:
        return null;
    }
  }

  /** Whatever a register of the thread's own may hold: what it starts with, and all that it is given. */
  #registerOf(id: number, body: Body): Origin | null {
    const { kind, owner, initial, width } = this.#model.variables[id] as Variable;
    if (kind !== 'register' || owner !== body.id) return null;
    const known = this.#registers.get(id);
    if (known !== undefined) return known;
    // One that it is computed from itself is not known.
    this.#registers.set(id, null);
    const first = BigInt.asIntN(width, initial);
    const given = body.nodes.filter((node) => writtenBy(node).includes(id));
    const origin = joinAll([
      { fixed: { low: first, high: first }, added: null },
      ...given.map((node) => this.#assigned(node, id, body)),
    ]);
    this.#registers.set(id, origin);
    return origin;
  }
}

function shift({ fixed, added }: Origin, by: bigint): Origin {
  const moved = (range: Range | null) => range && { low: range.low + by, high: range.high + by };
  return { fixed: moved(fixed), added: moved(added) };
}

function joinAll(origins: readonly (Origin | null)[]): Origin | null {
  let joined: Origin = { fixed: null, added: null };
  for (const origin of origins) {
    if (origin === null) return null;
    joined = { fixed: joinRanges(joined.fixed, origin.fixed), added: joinRanges(joined.added, origin.added) };
  }
  return joined;
}

function joinRanges(a: Range | null, b: Range | null): Range | null {
  if (a === null || b === null) return a ?? b;
  return { low: a.low < b.low ? a.low : b.low, high: a.high > b.high ? a.high : b.high };
}
