/**
 * Whether somebody has the address of an object, of those who are seen: whoever else has it may be taken to be in a
 * slot, for an error is a clause about no thread at all, and the thread that moves takes at most one of two slots.
 * Registers count where they are still needed. So do cells, of allocations only while these are alive and if they were
 * stored to.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import type { ProgramSteps } from './find-steps.ts';
import { POINTER_MARGIN } from './follow-pointers.ts';
import { type Body, type GraphObject, type Model, SHARED, type Variable } from './graph.ts';

type Counters = ReadonlyMap<string, Term>;

export interface HeldContext {
  readonly graph: TermGraph;
  readonly model: Model;
  readonly steps: ProgramSteps;
  /** What a variable holds, of a slot where it is one's own; undefined where it is no state. */
  stateOf(id: number, slot: number | null): Term | undefined;
  /** Of fixed bodies. */
  readonly counters: readonly (Counters | undefined)[];
  readonly slotCounters: readonly Counters[];
}

/** The thread that asks: where it is, and what it has assigned in its step. */
export interface Asking {
  readonly body: Body;
  readonly node: number;
  readonly slot: number | null;
  readonly values: ReadonlyMap<number, Term>;
}

export function isHeld(context: HeldContext, object: number, asking: Asking): Term {
  const { graph, model } = context;
  const finder = new HolderFinder(context, model.objects[object] as GraphObject, asking);
  return graph.orAll([...(model.heap?.pointers ?? [])].flatMap((id) => finder.holders(id)));
}

class HolderFinder {
  readonly #context: HeldContext;
  readonly #object: GraphObject;
  readonly #asking: Asking;

  constructor(context: HeldContext, object: GraphObject, asking: Asking) {
    this.#context = context;
    this.#object = object;
    this.#asking = asking;
  }

  /** When the variable, whosever it is, has the address. */
  holders(id: number): Term[] {
    const { model, steps, graph, counters, slotCounters } = this.#context;
    const { body, node, slot } = this.#asking;
    const { owner } = model.variables[id] as Variable;
    const isMine = owner === body.id;
    if (isMine && steps.users.isPrivate(id))
      return steps.bodies[body.id]?.live[node]?.has(id) ? this.#hold(id, slot, graph.true, true) : [];
    // Each thread has its own such objects; nobody else has their addresses (fix-addresses.ts).
    if (this.#object.owner !== SHARED) return isMine ? this.#hold(id, slot, graph.true, true) : [];
    if (owner === SHARED) return this.#hold(id, slot, graph.true, true);
    if (model.bodies[owner]?.isReplicated !== true)
      return this.#hold(id, null, this.#isThere(id, counters[owner]), isMine);
    return slotCounters.flatMap((each, at) =>
      isMine && at === slot ? this.#hold(id, at, graph.true, true) : this.#hold(id, at, this.#isThere(id, each), false),
    );
  }

  #hold(id: number, slot: number | null, when: Term, isMine: boolean): Term[] {
    const { graph } = this.#context;
    const value = this.#valueOf(id, slot, isMine);
    if (value === undefined) return [];
    const { base, size } = this.#object;
    const constant = (each: bigint) => graph.constant(graph.widthOf(value), each);
    const offset = graph.sub(value, constant(base - POINTER_MARGIN));
    const isIn = graph.less('ult', offset, constant(BigInt(size) + 2n * POINTER_MARGIN));
    return [graph.andAll([when, this.#counts(id, slot, isMine), isIn])];
  }

  #valueOf(id: number, slot: number | null, isMine: boolean): Term | undefined {
    const { values } = this.#asking;
    const { model, graph } = this.#context;
    const { term, width } = model.variables[id] as Variable;
    const constant = model.graph.constantOf(term);
    if (constant !== null) return graph.constant(width, constant);
    return (isMine ? values.get(id) : undefined) ?? this.#context.stateOf(id, slot);
  }

  #counts(id: number, slot: number | null, isMine: boolean): Term {
    const { graph, model } = this.#context;
    const cell = model.heap?.cells.get(id);
    if (cell === undefined) return graph.true;
    const flag = (each: number) => this.#valueOf(each, slot, isMine) ?? graph.true;
    return graph.and(flag(cell.alive), flag(cell.isSet));
  }

  /** Where the owner stands at places where the value matters. */
  #isThere(id: number, counters: Counters | undefined): Term {
    const { graph } = this.#context;
    return graph.orAll([...(counters ?? [])].flatMap(([key, term]) => (this.#isNeeded(id, key) ? [term] : [])));
  }

  #isNeeded(id: number, counter: string): boolean {
    const { model, steps } = this.#context;
    if (counter === 'idle') return false;
    const { kind } = model.variables[id] as Variable;
    if (kind === 'argument' || !steps.users.isPrivate(id)) return true;
    const [body, node] = counter.split(':').map(Number) as [number, number];
    return steps.bodies[body]?.live[node]?.has(id) ?? false;
  }
}
