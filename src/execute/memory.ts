/**
 * Memory as one thread sees it during its symbolic execution. An address is a term; the cells it can denote are those
 * of its value set. Accesses that no other thread can notice (visibility.ts) are done at once on the thread's own
 * state; the others become accesses of a step. What was written to an object until its address is published is written
 * again, for all to see, in the very step that publishes it.
 */

import { pushAll } from '../support/push-all.ts';
import type { Term } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { recordCount } from './cell-values.ts';
import { ALIVE, type Cell, cellName, type MemoryObject, sharedCell } from './cells.ts';
import { isSequential, mayDelay } from './delayed-stores.ts';
import type { Execution } from './execution.ts';
import { canStartUnknown, comesAfterWrite, noteWritten, startsUnknown } from './first-contents.ts';
import { followedAddresses, isHuge, knownValues } from './known-addresses.ts';
import { sliceTerm, splitPackedWords } from './packed-words.ts';
import { refinedTerm } from './refine-state.ts';
import { refuseConstants } from './refuse-constants.ts';
import { endOfAccess, findSummary, isInside, piecesOf, sparseTargets } from './sparse-objects.ts';
import type { State } from './state.ts';
import type { AccessTarget, CellId, Touch } from './steps.ts';
import type { Position, ThreadSteps } from './thread-steps.ts';
import { TooManyPlacesError } from './unsupported.ts';
import { Visibility } from './visibility.ts';
import { noteWholeWord, recordWholeWord } from './whole-words.ts';

export interface Target {
  readonly object: MemoryObject;
  /** Lowest first. */
  readonly cells: readonly Cell[];
  readonly select: Term;
}

const MOST_TARGETS = 4096;
/** An object becomes sparse when one access can touch more places of it. */
const MOST_PLACES = 64;

export class ThreadMemory {
  readonly #execution: Execution;
  readonly #steps: ThreadSteps;
  readonly #thread: number;
  readonly visibility: Visibility;
  /** The store that is made may reach memory later. */
  #isDelaying = false;

  constructor(execution: Execution, thread: number, steps: ThreadSteps) {
    this.#execution = execution;
    this.#steps = steps;
    this.#thread = thread;
    this.visibility = new Visibility(execution, thread);
  }

  // -------------------------------------------------------------- addresses

  /** The places that an access of `size` bytes can touch, and the condition under which it is valid. */
  resolve(
    state: State,
    address: Term,
    size: number,
    position: Position,
    piece = 0,
  ): { targets: Target[]; valid: Term } {
    const { graph, knowledge } = this.#execution;
    if (splitPackedWords(this.#execution, address)) return { targets: [], valid: graph.true };
    const values = followedAddresses(this.#execution, this.#steps, state, address, position);
    // It may come from contents that were lost. The iteration that comes will know better.
    if (knowledge.cellsChanged && isHuge(values)) return { targets: [], valid: graph.true };
    const found: { object: MemoryObject; offset: number; value: bigint }[] = [];
    const sparse = new Set<MemoryObject>();
    for (const part of values.parts) {
      for (const object of knowledge.objectsIn(part.low, part.high)) {
        if (this.visibility.isYetToCome(state, object)) continue;
        const last = object.base + BigInt(object.size - size);
        const skip = object.base > part.low ? (object.base - part.low + part.step - 1n) / part.step : 0n;
        if (this.#isSparse(object, part.low + skip * part.step, last < part.high ? last : part.high, part.step)) {
          sparse.add(object);
          continue;
        }
        for (let value = part.low + skip * part.step; value <= part.high && value <= last; value += part.step) {
          found.push({ object, offset: Number(value - object.base), value });
          if (found.length > MOST_TARGETS) {
            // The iteration that comes may know better.
            if (knowledge.cellsChanged) return { targets: [], valid: graph.true };
            throw new TooManyPlacesError(
              position.loc,
              `this access can touch more than ${MOST_TARGETS} places in memory`,
            );
          }
        }
      }
    }
    const all = BigInt(found.length) === sets.countValues(graph.setOf(address));
    const width = graph.widthOf(address);
    let valid = graph.boolean(all);
    const targets: Target[] = [];
    for (const { object, offset, value } of found) {
      const select = graph.eq(address, graph.constant(width, value));
      targets.push({ object, cells: knowledge.cellsAt(object, offset, size), select });
      if (!all) valid = graph.or(valid, select);
    }
    for (const object of sparse) {
      pushAll(targets, this.#sparseTargets(state, object, address, size, position, piece));
      valid = graph.or(valid, isInside(this.#execution, object, address, size));
    }
    return { targets, valid: this.#withLife(state, targets, valid, address, size, position) };
  }

  /** The places of a sparse object: its summary where others can see it, until its places are to be told apart. */
  #sparseTargets(
    state: State,
    object: MemoryObject,
    address: Term,
    size: number,
    position: Position,
    piece: number,
  ): Target[] {
    const { graph, sparse } = this.#execution;
    const values = graph.setOf(address);
    const summary = findSummary(this.#execution, object, values, size);
    if (!summary) return [];
    if (!sparse.detailed.has(object) && this.visibility.isExposed(state, object) && this.visibility.isSeen(summary)) {
      const somewhere = graph.eq(address, graph.variable(values, 'somewhere'));
      return [{ object, cells: [summary], select: somewhere }];
    }
    const found = sparseTargets(this.#execution, object, this.#thread, address, summary, position, piece);
    return found.map(({ cell, select }) => ({ object, cells: [cell], select }));
  }

  /** An object of which one access can touch too many places gets cells by accesses instead. */
  #isSparse(object: MemoryObject, low: bigint, high: bigint, step: bigint): boolean {
    if (low > high) return false;
    if ((high - low) / step >= BigInt(MOST_PLACES)) this.#execution.knowledge.recordSparse(object);
    return object.isSparse;
  }

  /** Conjoins what must hold besides the address being right: alive, and within an allocation of variable size. */
  #withLife(
    state: State,
    targets: readonly Target[],
    valid: Term,
    address: Term,
    size: number,
    position: Position,
  ): Term {
    const { graph, sizes } = this.#execution;
    let all = valid;
    const seen = new Set<number>();
    for (const { object, cells, select } of targets) {
      const length = sizes.get(object.id);
      if (length !== undefined) {
        const end = object.isSparse
          ? endOfAccess(this.#execution, object, address, size)
          : graph.constant(graph.widthOf(length), BigInt((cells[0] as Cell).offset + size));
        all = graph.and(all, graph.or(graph.not(select), graph.not(graph.less('ult', length, end))));
      }
      if (!object.ends || seen.has(object.id)) continue;
      seen.add(object.id);
      const isAlive = this.isAlive(state, object, position);
      if (graph.isTrue(isAlive)) continue;
      const chosen = graph.orAll(targets.filter((t) => t.object === object).map((t) => t.select));
      all = graph.and(all, graph.or(graph.not(chosen), isAlive));
    }
    return all;
  }

  isAlive(state: State, object: MemoryObject, position: Position): Term {
    if (!object.ends) return this.#execution.graph.true;
    const cell = this.#execution.knowledge.aliveCell(object);
    return this.#readTargets(state, [{ object, cells: [cell], select: this.#execution.graph.true }], position);
  }

  // -------------------------------------------------------------- reading

  read(state: State, address: Term, size: number, position: Position): Term {
    const { graph } = this.#execution;
    return this.#steps.asSection(state, () => {
      let value: Term | null = null;
      for (const { at, piece, bytes } of piecesOf(this.#execution, address, size)) {
        const { targets, valid } = this.resolve(state, at, bytes, position, piece);
        this.#steps.require(state, valid, 'pointer', 'invalid pointer read', position);
        const isNowhere = targets.length === 0;
        const part = isNowhere ? graph.constant(8 * bytes, 0n) : this.#readTargets(state, targets, position);
        value = value === null ? part : graph.concat(part, value);
      }
      return value as unknown as Term;
    });
  }

  #readTargets(state: State, targets: readonly Target[], position: Position): Term {
    const { graph } = this.#execution;
    const together: { cell: Cell; select: Term }[] = [];
    let value: Term | null = null;
    const combine = (select: Term, part: Term) => {
      value = value === null ? part : graph.ite(select, part, value);
    };
    for (const { object, cells, select } of targets) {
      const [only] = cells;
      if (only && cells.length === 1 && this.#isVisibleRead(state, object, only)) {
        const cached = state.atomicDepth > 0 ? state.sectionMemory.get(only.id) : undefined;
        if (cached !== undefined) combine(select, cached);
        else together.push({ cell: only, select });
        continue;
      }
      let bits: Term | null = null;
      for (const cell of cells) {
        const piece = this.#readCell(state, object, cell, select, position);
        bits = bits === null ? piece : graph.concat(piece, bits);
      }
      if (cells.length > 1) noteWholeWord(this.#execution, cells, bits as Term);
      combine(select, bits as Term);
    }
    if (together.length > 0) {
      const shared = this.#visibleRead(state, together, position);
      combine(graph.orAll(together.map((t) => t.select)), shared);
    }
    return value as unknown as Term;
  }

  #isVisibleRead(state: State, object: MemoryObject, cell: Cell): boolean {
    if (!this.visibility.isExposed(state, object)) return false;
    if (!this.visibility.isDetailed(cell)) this.#execution.knowledge.recordRead(cell, this.#thread);
    // What another thread's object holds is what that thread published, even where it is not known yet what that is.
    return !this.visibility.knowsForSure(cell);
  }

  #readCell(state: State, object: MemoryObject, cell: Cell, select: Term, position: Position): Term {
    if (!this.#isVisibleRead(state, object, cell)) {
      const own = this.#knownValue(state, object, cell);
      this.#execution.options.recorder?.readOwn(cell, own);
      return own;
    }
    const cached = state.atomicDepth > 0 ? state.sectionMemory.get(cell.id) : undefined;
    return cached ?? this.#visibleRead(state, [{ cell, select }], position);
  }

  #ownValue(state: State, cell: Cell): Term {
    return this.refined(state, state.memory.get(cell.id) ?? this.#execution.initial.of(cell));
  }

  /**
   * The thread's own last write, in the light of what counting tells about the cell: otherwise its set tells no more
   * than the write.
   */
  #knownValue(state: State, object: MemoryObject, cell: Cell): Term {
    const own = this.#ownValue(state, cell);
    const isTracked = cell.isCounted && this.visibility.isExposed(state, object) && this.visibility.isSeen(cell);
    return isTracked ? this.#execution.graph.refine(own, cell.set) : own;
  }

  refined(state: State, term: Term): Term {
    return refinedTerm(this.#execution.graph, state, term);
  }

  #visibleRead(state: State, places: readonly { cell: Cell; select: Term }[], position: Position): Term {
    const { graph } = this.#execution;
    let set = sets.emptySet(places[0]?.cell.size === 0 ? 1 : 8 * (places[0]?.cell.size ?? 1));
    for (const { cell } of places) {
      this.#recordInitial(cell);
      set = sets.joinSets(set, this.#valuesOf(state, cell));
    }
    const result = graph.variable(set, places.length === 1 ? cellName(places[0]?.cell as Cell) : 'memory');
    const step = this.#steps.openStep(state, position);
    const cells = places.map(({ cell }) => sharedCell(cell));
    this.#execution.reads.set(result, { cells, selects: places.map((p) => p.select), step });
    const targets = places.map(({ cell, select }): AccessTarget => ({ cell: cell.id as CellId, select }));
    const { key, mode } = position;
    const touch = this.#steps.touch(state, position, places[0]?.cell as Cell);
    step.accesses.push({ kind: 'read', guard: state.guard, targets, key, mode, touch, result });
    const [first] = places;
    if (first && places.length === 1 && graph.isTrue(first.select)) state.sectionMemory.set(first.cell.id, result);
    return result;
  }

  #recordKnown(cell: Cell, value: Term): void {
    const { graph, knowledge, wordBits } = this.#execution;
    if (graph.widthOf(value) === wordBits) knowledge.recordKnown(cell, knownValues(this.#execution, value));
  }

  /** What a visible read of the cell can give. */
  #valuesOf(state: State, cell: Cell): sets.ValueSet {
    const { knowledge, graph, unwritten, options } = this.#execution;
    const { set } = knowledge.sightOf(cell);
    if (startsUnknown(this.#execution, cell)) {
      if (comesAfterWrite(state, cell)) return set;
      unwritten.add(cell);
      options.recorder?.readShared(cell);
      return sets.topSet(set.width);
    }
    options.recorder?.readShared(cell);
    const hasOwn = cell.summary === null && !cell.isStretch;
    return hasOwn ? set : sets.joinSets(set, graph.setOf(this.#execution.initial.of(cell)));
  }

  /**
   * Objects that a thread made later have no initial value that anybody could see: they are published with their
   * contents. What a stretch holds at first is no value of the places in it. An unknown that others may find is looked
   * at by those who read it (first-contents.ts).
   */
  #recordInitial(cell: Cell): void {
    if (this.#execution.reach.isPublishedLater(cell) || cell.summary || startsUnknown(this.#execution, cell)) return;
    const { graph, knowledge, unknowns } = this.#execution;
    const initial = this.#execution.initial.of(cell);
    const set = graph.setOf(initial);
    if (!cell.isStretch || (isHuge(set) && !unknowns.unconstrained.has(initial))) knowledge.recordValues(cell, set);
    this.#recordKnown(cell, initial);
  }

  // -------------------------------------------------------------- writing

  /** A store of the program. */
  write(state: State, address: Term, value: Term, size: number, position: Position): void {
    this.#isDelaying = mayDelay(this.#execution.options, state, position);
    const store = () => {
      for (const { at, piece, bytes } of piecesOf(this.#execution, address, size)) {
        const { targets, valid } = this.resolve(state, at, bytes, position, piece);
        this.#steps.require(state, valid, 'pointer', 'invalid pointer write', position);
        refuseConstants(this.#execution, this.#steps, state, targets, position);
        if (bytes === size) this.#writeTargets(state, targets, value, position);
        else {
          this.visibility.noteDisguise(state, this.#execution.carried.objectsIn(value));
          const { graph } = this.#execution;
          this.#writeTargets(state, targets, sliceTerm(graph, value, 8 * piece * bytes, 8 * bytes), position);
        }
      }
    };
    if (isSequential(position)) this.#steps.asFence(state, position.loc, store);
    else this.#steps.asSection(state, store);
    this.#isDelaying = false;
  }

  #writeTargets(state: State, targets: readonly Target[], value: Term, position: Position): void {
    const { graph } = this.#execution;
    const width = graph.widthOf(value);
    for (const { object, cells, select } of targets) {
      this.#recordWrite(state, object, cells, value);
      if (cells.length > 1) {
        this.visibility.noteDisguise(state, this.#execution.carried.objectsIn(value));
        recordWholeWord(this.#execution, cells, value);
      }
      let at = 0;
      for (const cell of cells) {
        const cellWidth = cell.size === 0 ? 1 : 8 * cell.size;
        const piece = cellWidth === width ? value : sliceTerm(graph, value, at, cellWidth);
        this.#writeCell(state, cell, select, piece, position, this.#steps.touch(state, position, cell));
        at += cellWidth;
      }
    }
  }

  /** What others can see of a cell lies in its set, which may be smaller than what the written term tells by itself. */
  #recordWrite(state: State, object: MemoryObject, cells: readonly Cell[], value: Term): void {
    const { recorder } = this.#execution.options;
    const [cell] = cells;
    if (!recorder || !cell) return;
    const isShared = cells.length === 1 && this.visibility.isExposed(state, object) && this.visibility.isSeen(cell);
    recorder.write(cell, value, isShared ? this.#execution.knowledge.sightOf(cell).set : null);
  }

  #writeCell(state: State, cell: Cell, select: Term, value: Term, position: Position, touch: Touch | null): void {
    const { graph, knowledge } = this.#execution;
    if (this.visibility.isExposed(state, cell.object)) {
      if (!graph.isFalse(state.guard) && !this.visibility.isDetailed(cell)) knowledge.recordWrite(cell, this.#thread);
      if (this.visibility.isSeen(cell)) {
        this.publishAddressesIn(state, value, position);
        this.#visibleWrite(state, cell, select, value, position, touch);
      } else {
        if (graph.isTrue(select)) noteWritten(state, cell);
        this.#recordUnseen(cell, value);
        if (graph.setOf(value).width === this.#execution.wordBits) this.publishAddressesIn(state, value, position);
      }
      if (cell.isSummary || this.visibility.seesOthers(cell)) return;
    }
    const old = graph.isTrue(select) ? value : this.#ownValue(state, cell);
    state.memory.set(cell.id, graph.ite(select, value, old));
  }

  #recordUnseen(cell: Cell, value: Term): void {
    const { graph, knowledge } = this.#execution;
    if (cell.summary) return;
    knowledge.recordUnseen(cell, graph.setOf(value));
    this.#recordKnown(cell, value);
  }

  /** `isUnwritten`: what is written is what nobody wrote there before the object was published. */
  #visibleWrite(
    state: State,
    cell: Cell,
    select: Term,
    value: Term,
    position: Position,
    touch: Touch | null,
    isUnwritten = false,
  ): void {
    const { graph } = this.#execution;
    this.#recordInitial(cell);
    if (isUnwritten) this.#execution.knowledge.recordShownUnwritten(cell);
    else if (graph.isTrue(select)) noteWritten(state, cell);
    const step = this.#steps.openStep(state, position);
    step.effect = true;
    // Of places that are told apart all is known by then.
    if (!cell.summary && !isUnwritten) {
      recordCount(this.#execution, state, this.#thread, cell, select, value, step);
      this.#recordKnown(cell, value);
    }
    const targets = [{ cell: cell.id as CellId, select }];
    const { key, mode } = position;
    const isDelayed = this.#isDelaying && cell.offset !== ALIVE;
    step.accesses.push({ kind: 'write', guard: state.guard, targets, key, mode, touch, value, isDelayed });
    if (state.atomicDepth === 0) return;
    const before = state.sectionMemory.get(cell.id);
    if (graph.isTrue(select)) state.sectionMemory.set(cell.id, value);
    else if (before !== undefined) state.sectionMemory.set(cell.id, graph.ite(select, value, before));
  }

  /** A cell that no address of the program reaches. */
  writeHidden(state: State, cell: Cell, select: Term, value: Term, at: Position, touch: Touch | null = null): void {
    this.#steps.asSection(state, () => this.#writeCell(state, cell, select, value, at, touch));
  }

  readHidden(state: State, cell: Cell, position: Position): Term {
    const { true: always } = this.#execution.graph;
    return this.#readTargets(state, [{ object: cell.object, cells: [cell], select: always }], position);
  }

  // -------------------------------------------------------------- publishing

  /**
   * If the value tells the address of objects that only this thread knows, they become known to all in the present
   * step.
   */
  publishAddressesIn(state: State, value: Term, position: Position): void {
    const { own } = this.visibility;
    if (own.length === 0) return;
    const carried = this.#execution.carried.objectsIn(value);
    if (carried.length === 0 && state.disguised.size === 0) return;
    for (const object of own) {
      const isTold = carried.includes(object.id) || state.disguised.has(object.id);
      if (isTold && this.visibility.isHidden(state, object)) this.#publish(state, object, position);
    }
  }

  #publish(state: State, object: MemoryObject, position: Position): void {
    // Under PSO the address may reach memory before the contents: these have to be stores of their own.
    if (this.#isDelaying && this.#execution.options.memoryModel === 'pso') this.#execution.knowledge.recordOpen(object);
    this.#execution.reach.published.add(object.id);
    state.published = new Set([...state.published, object.id]);
    for (const cell of object.cells.values()) {
      if (object.isSparse && cell.offset >= 0 && !this.#execution.sparse.addresses.has(cell.id)) continue;
      const value = this.#ownValue(state, cell);
      this.publishAddressesIn(state, value, position);
      if (cell.offset >= 0 || object.ends) this.#flushCell(state, cell, value, position);
    }
  }

  #flushCell(state: State, cell: Cell, value: Term, position: Position): void {
    const { graph, knowledge, options } = this.#execution;
    options.recorder?.publish(cell, value);
    if (!this.visibility.isDetailed(cell)) knowledge.recordWrite(cell, this.#thread);
    if (!this.visibility.isSeen(cell)) return;
    if (cell.summary === null || this.visibility.isDetailed(cell)) {
      const isUnwritten = canStartUnknown(cell) && value === this.#execution.initial.of(cell);
      this.#visibleWrite(state, cell, graph.true, value, position, null, isUnwritten);
    } else this.#visibleWrite(state, cell.summary, graph.variable(sets.topSet(1), 'somewhere'), value, position, null);
  }

  /**
   * The state becomes one in which threads exist: what main wrote to memory before is what they will find. Where main
   * is alone for sure this is the snapshot; on a path that others do not share, the differences are written for all to
   * see.
   */
  exposeEarly(state: State, position: Position): void {
    const { graph, knowledge } = this.#execution;
    if (state.spawned) return;
    state.spawned = true;
    const written = state.memory.toMap();
    const exposed = [...written].filter(([id]) => (knowledge.cells[id] as Cell).object.kind !== 'thread');
    for (const [, value] of exposed) this.publishAddressesIn(state, value, position);
    if (this.#execution.initial.snapshot === null && graph.isTrue(state.guard)) {
      // What main has assumed so far holds whenever another thread runs.
      const snapshot = new Map([...written].map(([id, value]) => [id, this.refined(state, value)]));
      this.#execution.initial.snapshot = snapshot;
      for (const [id, value] of snapshot) {
        const { summary } = knowledge.cells[id] as Cell;
        if (!summary) continue;
        knowledge.recordValues(summary, graph.setOf(value));
        this.#recordKnown(summary, value);
      }
      return;
    }
    this.#execution.initial.snapshot ??= new Map();
    for (const [id, value] of exposed) {
      const cell = knowledge.cells[id] as Cell;
      if (value !== this.#execution.initial.of(cell)) this.#flushCell(state, cell, value, position);
    }
  }

  /** Makes two states that meet agree on what is exposed. */
  align(a: State, b: State, position: Position): void {
    if (a.spawned !== b.spawned) this.exposeEarly(a.spawned ? b : a, position);
    if (a.published === b.published) return;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const id of from.published) {
        const object = this.#execution.knowledge.objects[id];
        if (!object || to.published.has(id)) continue;
        if (this.visibility.isMade(to, object)) this.#publish(to, object, position);
        else to.published = new Set([...to.published, id]); // there is nothing of it on that path
      }
    }
  }
}
