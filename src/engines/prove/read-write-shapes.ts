/**
 * The shapes that read-write locks have (read-write-locks.ts): what their cells hold in the three states that there
 * are.
 *
 * Two cells: one counts readers, one a writer sets, to a constant or to its number. Or one word: 0 while nobody holds
 * the lock, a constant that a writer stores (-1, or a bit), and some multiple of what each reader adds; how many may
 * read is limited so that no such multiple is 0 again or what the writer stores. Which of the two constants that are
 * stored into a free word is that of the writer, is not asked here: each is tried.
 */

import type { Term } from '../../values/terms.ts';
import { hasValue, isEmpty, rangeSet, withoutValue } from '../../values/value-set.ts';
import type { Body, Model, Variable } from './graph.ts';
import { addedTo, firstNumber } from './own-marks.ts';

/** What the cells of a lock hold, by their terms; where the guard holds. */
export interface LockState {
  readonly values: ReadonlyMap<Term, Term>;
  readonly guard: Term;
}

type Values = ReadonlyMap<Term, Term>;

export interface LockShape {
  /** The cell that the lock goes by. */
  readonly lock: number;
  /** Nobody holds it. */
  readonly free: LockState;
  /** Somebody reads: how many is unknown. */
  readonly read: LockState;
  /** So many may read. */
  readonly mostReaders: bigint;
  /** A thread of the body writes; null where that is not known. */
  ownState(body: Body): LockState | null;
  /** Somebody else writes; null where nobody does. */
  takenState(body: Body): LockState | null;
  isFree(values: Values): boolean;
  /** So many readers more than in the state. */
  isMore(values: Values, state: LockState, by: bigint): boolean;
  isWritten(values: Values): boolean;
}

/** There are no more threads at a time. */
export const MOST_READERS = 1n << 22n;

/** `fromFree`: per body, what the cells hold after each section that goes on from a free lock and may change it. */
export function shapeOfTwo(
  model: Model,
  readers: Variable,
  writer: Variable,
  fromFree: readonly (readonly Values[])[],
): LockShape {
  const { graph } = model;
  const most = atMost((1n << BigInt(readers.width - 1)) - 2n);
  const [none, zero] = [graph.constant(readers.width, 0n), graph.constant(writer.width, 0n)];
  const stateOf = (counted: Term, stored: Term, guard = graph.true): LockState => ({
    values: new Map([
      [readers.term, counted],
      [writer.term, stored],
    ]),
    guard,
  });
  const held = (values: Values, { term }: Variable) => values.get(term) as Term;
  const isZero = (term: Term) => graph.constantOf(term) === 0n;
  const own = new WriterValues(model, writer, fromFree);
  return {
    lock: writer.id,
    free: stateOf(none, zero),
    read: stateOf(graph.variable(rangeSet(readers.width, 1n, most), 'readers'), zero),
    mostReaders: most,
    ownState: (body) => {
      const value = own.of(body);
      return value && stateOf(none, value);
    },
    takenState: (body) => {
      const value = own.isNumber ? own.of(body) : null;
      const constant = value === null ? null : graph.constantOf(value);
      const values = withoutValue(writer.set, 0n);
      const others = constant === null ? values : withoutValue(values, constant);
      if (isEmpty(others)) return null;
      const stored = graph.variable(others, 'the writer');
      const isOther = value === null || constant !== null ? graph.true : graph.not(graph.eq(stored, value));
      return stateOf(none, stored, isOther);
    },
    isFree: (values) => isZero(held(values, readers)) && isZero(held(values, writer)),
    isMore: (values, state, by) =>
      isZero(held(values, writer)) && isSum(model, held(values, readers), held(state.values, readers), by),
    isWritten: (values) => isZero(held(values, readers)) && !hasValue(graph.setOf(held(values, writer)), 0n),
  };
}

/** Null where readers and writers could not be told apart. */
export function shapeOfOne(model: Model, word: Variable, added: bigint, stored: bigint): LockShape | null {
  const { graph } = model;
  const { term, width, id } = word;
  const most = atMost(mostBelow(width, added, stored));
  if (most < 1n) return null;
  const stateOf = (value: Term): LockState => ({ values: new Map([[term, value]]), guard: graph.true });
  const read = stateOf(graph.variable(rangeSet(width, added, most * added, added), 'readers'));
  const writes = stateOf(graph.constant(width, stored));
  const isConstant = (values: Values, constant: bigint) => graph.constantOf(values.get(term) as Term) === constant;
  return {
    lock: id,
    free: stateOf(graph.constant(width, 0n)),
    read,
    mostReaders: most,
    ownState: () => writes,
    takenState: () => writes,
    isFree: (values) => isConstant(values, 0n),
    isMore: (values, state, by) => isSum(model, values.get(term) as Term, state.values.get(term) as Term, by * added),
    isWritten: (values) => isConstant(values, stored),
  };
}

/** How many times what is added is still a number that is not negative, nor what the writer stores. */
function mostBelow(width: number, added: bigint, stored: bigint): bigint {
  const half = 1n << BigInt(width - 1);
  if (added <= 0n || added >= half || added === stored) return 0n;
  const most = (half - 1n) / added;
  return stored < half && stored % added === 0n && stored / added <= most ? stored / added - 1n : most;
}

function atMost(most: bigint): bigint {
  return most < MOST_READERS ? most : MOST_READERS;
}

function isSum({ graph }: Model, term: Term, than: Term, by: bigint): boolean {
  return graph.unrefined(term) === graph.unrefined(graph.add(than, graph.constant(graph.widthOf(than), by)));
}

/** What a cell holds while a thread of a body writes. */
class WriterValues {
  readonly #model: Model;
  readonly #writer: Variable;
  readonly #fromFree: readonly (readonly Values[])[];
  /** What is added to a thread's number where it writes; null where something else is stored. */
  readonly #added: bigint | null;

  constructor(model: Model, writer: Variable, fromFree: readonly (readonly Values[])[]) {
    this.#model = model;
    this.#writer = writer;
    this.#fromFree = fromFree;
    this.#added = this.#findAdded();
  }

  get isNumber(): boolean {
    return this.#added !== null;
  }

  of(body: Body): Term | null {
    const { graph } = this.#model;
    const { width } = this.#writer;
    if (this.#added !== null) {
      const self = this.#selfOf(body);
      const constant = graph.constant(width, this.#firstNumber(body) + this.#added);
      if (self === null) return body.isReplicated ? null : constant;
      return graph.widthOf(self) === width ? graph.add(self, constant) : null;
    }
    const stored = new Set(this.#storedBy(body).filter((value) => graph.constantOf(value) !== 0n));
    const [only, ...others] = stored;
    return only !== undefined && others.length === 0 && graph.constantOf(only) !== null ? only : null;
  }

  #storedBy({ id }: Body): Term[] {
    return (this.#fromFree[id] ?? []).map((values) => values.get(this.#writer.term) as Term);
  }

  /** All who write store their number, and the same constant added. */
  #findAdded(): bigint | null {
    const { graph, bodies } = this.#model;
    const added = new Set<bigint | null>();
    for (const body of bodies) {
      for (const value of this.#storedBy(body)) {
        if (!hasValue(graph.setOf(value), 0n)) added.add(this.#addedToNumber(body, value));
      }
    }
    const [only, ...others] = added;
    return others.length === 0 ? (only ?? null) : null;
  }

  #addedToNumber(body: Body, value: Term): bigint | null {
    const { graph } = this.#model;
    const self = this.#selfOf(body);
    const constant = self === null ? graph.constantOf(value) : addedTo(self, graph.unrefined(value), graph);
    if (constant === null) return null;
    return BigInt.asUintN(this.#writer.width, constant - this.#firstNumber(body));
  }

  /** A thread's number is this and what it has in `self`, of a replicated body. */
  #firstNumber(body: Body): bigint {
    return body.isReplicated ? firstNumber(this.#model, body) : BigInt(body.number);
  }

  #selfOf({ isReplicated, self }: Body): Term | null {
    return isReplicated && self !== null ? (this.#model.variables[self] as Variable).term : null;
  }
}
