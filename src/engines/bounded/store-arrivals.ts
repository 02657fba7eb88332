/**
 * When delayed stores reach memory, under TSO and PSO. Time is counted in moments (arrival-moments.ts): the beginning
 * of each turn of a thread, and, within it, before each of its steps that touches what others delay. A store has one
 * literal for each moment, `arrived`: it has reached memory by then. One that arrives in the turn in which it is made
 * does so where it stands; all others arrive at a moment in a later turn, of whichever thread, so that nobody needs
 * another round for that: of those that arrive at the same moment first the stores of thread 0, in order, then those of
 * thread 1 and so on.
 *
 * TSO: in program order. PSO: in program order for each cell, behind release fences, and release stores after all.
 * Where the guard of a store is false it does nothing, whatever its literals say.
 *
 * Soundness of what is left out: a step that touches no cell to which the owner of the buffer delays stores cannot tell
 * whether one of them arrived before or after it, so that none arrives there.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { Access, CellId, Step, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import type { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import { invariant } from '../../support/invariant.ts';
import { ArrivalMoments } from './arrival-moments.ts';
import type { EndedBefore } from './ended-before.ts';
import type { ScheduleOptions, SymbolicSchedule } from './symbolic-schedule.ts';

export interface ArrivingStore {
  readonly thread: number;
  readonly step: number;
  /** By moment; moment 0 is before everything. */
  readonly arrived: readonly Literal[];
  readonly isActive: Literal;
  readonly isRelease: boolean;
  /** For each cell: that the store goes there. */
  readonly cells: ReadonlyMap<CellId, Literal>;
}

type Write = Extract<Access, { kind: 'write' }>;

export class StoreArrivals {
  /** By thread, in program order. */
  readonly stores: readonly (readonly ArrivingStore[])[];
  readonly moments: ArrivalMoments;
  readonly #program: SteppedProgram;
  readonly #encoder: TermEncoder;
  readonly #circuit: Circuit;
  readonly #schedule: SymbolicSchedule;
  readonly #byStep = new Map<string, ArrivingStore>();
  /** That all stores of a thread up to one have arrived; by thread, place and moment. Under PSO only. */
  readonly #allArrived = new Map<string, Literal>();

  constructor(
    program: SteppedProgram,
    encoder: TermEncoder,
    schedule: SymbolicSchedule,
    kind: ScheduleOptions['kind'],
    ended: EndedBefore | null,
  ) {
    this.#program = program;
    this.#encoder = encoder;
    this.#circuit = encoder.circuit;
    this.#schedule = schedule;
    this.moments = new ArrivalMoments(program, schedule.slots, kind);
    this.stores = program.threads.map((thread) => this.#collect(thread));
    for (const thread of program.threads) {
      this.#orderStores(thread.index);
      if (program.memoryModel === 'pso') this.#orderByFences(thread);
      this.#drain(thread, ended);
    }
  }

  /** The delayed store of a step; null when it has none. */
  storeOf(thread: number, step: number): ArrivingStore | null {
    return this.#byStep.get(`${thread} ${step}`) ?? null;
  }

  /** The store has reached memory by this moment; in a turn of its own thread, by the end of the turn. */
  arrived(store: ArrivingStore, moment: number): Literal {
    return store.arrived[moment] as Literal;
  }

  /** The store reaches memory at this moment, having been made in an earlier turn; null where it never does. */
  arrivesLate(store: ArrivingStore, moment: number): Literal | null {
    const now = this.arrived(store, moment);
    const before = this.arrived(store, moment - 1);
    if (now === before) return null;
    const literal = this.#circuit.and(now, not(before));
    const { slot, thread } = this.moments.at(moment);
    if (store.thread !== thread) return literal;
    return this.#circuit.and(literal, this.#schedule.passed(slot - 1, thread, store.step));
  }

  /** Where the literal holds, a full fence stands behind the store: no later step is taken before it has arrived. */
  fenceBehind(store: ArrivingStore, literal: Literal): void {
    const { thread, isActive } = store;
    const at = this.stores[thread]?.indexOf(store) ?? -1;
    for (const { slot, step, guard } of this.#stepsBehind(store)) {
      const isTaken = this.#circuit.and(this.#schedule.passed(slot, thread, step), guard);
      const all = this.#allBefore(thread, at, this.moments.beginOf(slot, thread));
      this.#circuit.addClause([not(literal), not(isActive), not(isTaken), all]);
    }
  }

  /** In a model: whether the store, if it is made at all, and all older ones arrive as if a fence stood behind it. */
  arrivesAtOnce(store: ArrivingStore, isTrue: (literal: Literal) => boolean): boolean {
    const { thread, isActive } = store;
    if (!isTrue(isActive)) return true;
    const made = this.stores[thread]?.filter((other) => other.step <= store.step && isTrue(other.isActive)) ?? [];
    for (const { slot, step, guard } of this.#stepsBehind(store)) {
      if (!isTrue(this.#schedule.passed(slot, thread, step)) || !isTrue(guard)) continue;
      const moment = this.moments.beginOf(slot, thread);
      if (!made.every((other) => isTrue(this.arrived(other, moment)))) return false;
    }
    return true;
  }

  /** The steps of the thread behind a store, in each slot, up to one that waits for it anyway. */
  *#stepsBehind({ thread, step: first }: ArrivingStore) {
    const { steps } = this.#program.threads[thread] as SteppedThread;
    for (let step = first + 1; step < steps.length; step++) {
      const { guard: term, drains, creation } = steps[step] as Step;
      const guard = this.#encoder.literalOf(term);
      for (let slot = 1; slot <= this.#schedule.slots; slot++) yield { slot, step, guard };
      if (guard === TRUE && (drains || creation)) return;
    }
  }

  // -------------------------------------------------------------- building

  #collect(thread: SteppedThread): ArrivingStore[] {
    const stores: ArrivingStore[] = [];
    for (const [l, { guard, accesses }] of thread.steps.entries()) {
      const writes = accesses.filter((access): access is Write => access.kind === 'write' && access.isDelayed);
      const [first] = writes;
      if (!first) continue;
      const isActive = this.#encoder.literalOf(guard);
      const store: ArrivingStore = {
        thread: thread.index,
        step: l,
        isActive,
        arrived: this.#arrivedLiterals(thread.index, l),
        isRelease: first.mode.kind === 'atomic' && first.mode.order !== 'relaxed' && first.mode.order !== 'acquire',
        cells: this.#cellsOf(writes),
      };
      stores.push(store);
      this.#byStep.set(`${thread.index} ${l}`, store);
    }
    return stores;
  }

  #cellsOf(writes: readonly Write[]): Map<CellId, Literal> {
    const cells = new Map<CellId, Literal>();
    for (const { targets } of writes) {
      for (const { cell, select } of targets) {
        const literal = this.#encoder.literalOf(select);
        cells.set(cell, this.#circuit.or(cells.get(cell) ?? FALSE, literal));
      }
    }
    return cells;
  }

  /** Fresh where the store can arrive at the moment, else those of the moment before. */
  #arrivedLiterals(thread: number, step: number): Literal[] {
    const literals: Literal[] = [FALSE];
    for (let at = 1; at <= this.moments.count; at++) {
      const before = literals.at(-1) as Literal;
      const { slot, thread: other } = this.moments.at(at);
      const passed = this.#schedule.passed(other < thread ? slot - 1 : slot, thread, step);
      if (passed === FALSE || !this.moments.isChance(at, thread)) {
        literals.push(before);
        continue;
      }
      const literal = this.#circuit.fresh();
      this.#circuit.addClause([not(before), literal]);
      this.#circuit.addClause([not(literal), passed]);
      literals.push(literal);
    }
    return literals;
  }

  #orderStores(thread: number): void {
    const stores = this.stores[thread] ?? [];
    for (const [at, store] of stores.entries()) {
      if (this.#program.memoryModel === 'tso') {
        const before = stores[at - 1];
        if (before) this.#implyEachMoment(store, [], (moment) => this.arrived(before, moment));
        continue;
      }
      for (const cell of store.cells.keys()) this.#orderInCell(stores, at, cell);
      if (store.isRelease && at > 0)
        this.#implyEachMoment(store, [store.isActive], (moment) => this.#allBefore(thread, at - 1, moment));
    }
  }

  /** PSO: after older stores to the cell, as far as a chain of them does not say so already. */
  #orderInCell(stores: readonly ArrivingStore[], at: number, cell: CellId): void {
    const store = stores[at] as ArrivingStore;
    const here = store.cells.get(cell) as Literal;
    for (let older = at - 1; older >= 0; older--) {
      const before = stores[older] as ArrivingStore;
      const there = before.cells.get(cell);
      if (there === undefined) continue;
      const conditions = [store.isActive, here, before.isActive, there];
      this.#implyEachMoment(store, conditions, (moment) => this.arrived(before, moment));
    }
  }

  /** Where the store has arrived and the conditions hold, so does the consequence, at each moment. */
  #implyEachMoment(
    store: ArrivingStore,
    conditions: readonly Literal[],
    consequence: (moment: number) => Literal,
  ): void {
    for (let moment = 1; moment <= this.moments.count; moment++) {
      const literal = this.arrived(store, moment);
      if (literal === this.arrived(store, moment - 1)) continue;
      this.#circuit.addClause([not(literal), ...conditions.map(not), consequence(moment)]);
    }
  }

  /** All stores of the thread up to the one at this place have arrived by this moment. */
  #allBefore(thread: number, at: number, moment: number): Literal {
    const store = this.stores[thread]?.[at];
    invariant(store, 'a store of the thread');
    if (this.#program.memoryModel === 'tso') return this.arrived(store, moment);
    const key = `${thread} ${at} ${moment}`;
    const known = this.#allArrived.get(key);
    if (known !== undefined) return known;
    const literal = this.#circuit.fresh();
    this.#allArrived.set(key, literal);
    this.#circuit.addClause([not(literal), not(store.isActive), this.arrived(store, moment)]);
    if (at > 0) this.#circuit.addClause([not(literal), this.#allBefore(thread, at - 1, moment)]);
    return literal;
  }

  /** PSO: what stands behind a release fence arrives after all that stands before it. */
  #orderByFences({ index, fences }: SteppedThread): void {
    const stores = this.stores[index] ?? [];
    for (const { step, guard, order } of fences) {
      const last = stores.findLastIndex((store) => store.step <= step);
      if (order === 'acquire' || order === 'relaxed' || last < 0) continue;
      const isPassed = this.#encoder.literalOf(guard);
      for (const store of stores.slice(last + 1))
        this.#implyEachMoment(store, [store.isActive, isPassed], (moment) => this.#allBefore(index, last, moment));
    }
  }

  /** Steps that wait until everything before has arrived. */
  #drain({ index, steps }: SteppedThread, ended: EndedBefore | null): void {
    const stores = this.stores[index] ?? [];
    let last = -1;
    for (const [l, { drains, creation, guard }] of steps.entries()) {
      while (last + 1 < stores.length && (stores[last + 1] as ArrivingStore).step < l) last++;
      if (last < 0 || (!drains && !creation)) continue;
      const goesOn = ended ? not(ended(index, l)) : TRUE;
      const isPassed = this.#circuit.and(this.#encoder.literalOf(guard), goesOn);
      for (let slot = 1; slot <= this.#schedule.slots; slot++) {
        const all = this.#allBefore(index, last, this.moments.beginOf(slot, index));
        this.#circuit.addClause([not(this.#schedule.passed(slot, index, l)), not(isPassed), all]);
      }
    }
  }
}
