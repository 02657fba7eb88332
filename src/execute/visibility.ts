/**
 * What of memory other threads can notice, as one thread knows during its symbolic execution.
 *
 * A cell is the thread's own as long as nobody else writes it (then reads are its own last write) or touches it (then
 * writes are invisible). Objects made by a thread are invisible until their address may have been stored where others
 * can read it, as it is or in disguise (carried-addresses.ts). An object that others touch although it was never
 * published is open to all from its beginning.
 */

import type { Term } from '../values/terms.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import type { State } from './state.ts';

export class Visibility {
  readonly #execution: Execution;
  readonly #thread: number;
  /** Objects that this thread made, not counting those of main before the first thread. */
  readonly own: MemoryObject[] = [];

  constructor(execution: Execution, thread: number) {
    this.#execution = execution;
    this.#thread = thread;
  }

  /** A new object of this thread: a local or an allocation. */
  addObject(state: State, object: MemoryObject): void {
    if (!state.spawned && this.#thread === 0) {
      this.#execution.reach.early.add(object.id);
      this.#execution.reach.owners.delete(object.id);
      return;
    }
    this.#execution.reach.owners.set(object.id, this.#thread);
    this.own.push(object);
    state.made = new Set([...state.made, object.id]);
  }

  /** A thread-local variable of this thread: others know it once its address is published. */
  adoptThreadLocal(object: MemoryObject): void {
    if (this.own.includes(object)) return;
    this.#execution.reach.owners.set(object.id, this.#thread);
    this.own.push(object);
  }

  /** The thread-local variables that this thread has used. */
  get threadLocals(): MemoryObject[] {
    return this.own.filter(({ kind }) => kind === 'thread');
  }

  /** Does the object exist on the paths to here? */
  isMade(state: State, object: MemoryObject): boolean {
    return object.kind === 'thread' || state.made.has(object.id);
  }

  /** Does this thread make the object later? What others know of it belongs to other times then. */
  isYetToCome(state: State, object: MemoryObject): boolean {
    return this.#execution.reach.owners.get(object.id) === this.#thread && !this.isMade(state, object);
  }

  /** Can other threads reach the object? */
  isExposed(state: State, object: MemoryObject): boolean {
    if (object.kind === 'static' || this.#execution.reach.early.has(object.id)) return state.spawned;
    if (this.#execution.reach.owners.get(object.id) === this.#thread)
      return object.isOpen || state.published.has(object.id);
    this.#execution.reach.foreign.add(object);
    return true;
  }

  /** Does this thread's read of the cell see writes of others? */
  seesOthers(cell: Cell): boolean {
    return this.#execution.knowledge.readIsVisible(cell, this.#thread);
  }

  /** What this thread wrote there last, or what was there at first, is what the cell holds: nobody else writes it. */
  knowsForSure(cell: Cell): boolean {
    return !cell.isSummary && this.#ownerOf(cell.object) === this.#thread && !this.seesOthers(cell);
  }

  #ownerOf(object: MemoryObject): number {
    return this.#execution.reach.owners.get(object.id) ?? this.#thread;
  }

  /** Can others see this thread's write to the cell? */
  isSeen(cell: Cell): boolean {
    return this.#execution.knowledge.writeIsVisible(cell, this.#thread);
  }

  /** A place of a sparse object that is told apart from others, because all is known already about the object. */
  isDetailed(cell: Cell): boolean {
    return cell.summary !== null && this.#execution.sparse.detailed.has(cell.object);
  }

  /** An object that only this thread knows so far. */
  isHidden(state: State, object: MemoryObject): boolean {
    return !object.isOpen && this.isMade(state, object) && !state.published.has(object.id);
  }

  /** An object that on no path so far anybody else can know. */
  isSecret(state: State, object: MemoryObject): boolean {
    const { reach, initial } = this.#execution;
    if (reach.early.has(object.id)) return initial.snapshot === null;
    return this.own.includes(object) && this.isHidden(state, object) && !reach.published.has(object.id);
  }

  /**
   * What an operation gives: addresses that can no longer be seen in it are disguised. A distance within an object
   * tells nothing.
   */
  noteOperation(state: State, operation: string, operands: readonly Term[], result: Term): void {
    if (this.own.length === 0) return;
    const { carried } = this.#execution;
    const lost = carried.lostBy(operands, result);
    if (lost.length === 0) return;
    const isDistance = operation === 'sub' && operands.every((operand) => carried.objectsIn(operand).length === 1);
    if (!isDistance || lost.length > 1) this.noteDisguise(state, lost);
  }

  /** The addresses of the objects can now be told from values that do not show them. */
  noteDisguise(state: State, objects: readonly number[]): void {
    const { knowledge } = this.#execution;
    const hidden = objects.filter((id) => {
      const object = knowledge.objects[id] as MemoryObject;
      return this.own.includes(object) && this.isHidden(state, object) && !state.disguised.has(id);
    });
    if (hidden.length > 0) state.disguised = new Set([...state.disguised, ...hidden]);
  }
}
