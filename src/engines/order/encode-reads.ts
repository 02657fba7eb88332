/**
 * Shared memory under a free order: every read takes the value of one write to its cell, or the initial one. The write
 * comes before the read, and whatever else is written before the read was written before that write.
 *
 * A delayed store is written when it commits. Its own thread sees it at once: among the writes that a read may see are
 * those of its thread that stand before it, committed or not, and what counts is the last to commit. One that has not
 * committed will be later than all that have, so that it is the thread's newest store, as it should be.
 *
 * Writes that cannot be what a read sees get no literal: those that must come after it, and those behind which another
 * write, one that always happens, must come before the read.
 */

import { assertSame } from '../../encode/assert-same.ts';
import { fitShape, type TermEncoder } from '../../encode/encode-terms.ts';
import type { HolderRead, LockSections } from '../../execute/lock-sections.ts';
import type { Access, CellId, SharedCell, Step, SteppedProgram } from '../../execute/steps.ts';
import type { BitVector } from '../../logic/bit-vector.ts';
import * as vectors from '../../logic/bit-vector.ts';
import type { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import { bitShape } from '../../values/bit-shape.ts';
import type { Commits } from './commits.ts';
import type { StepRef } from './must-order.ts';
import type { Order, Point } from './order.ts';
import type { Passing } from './passing.ts';

/** One access to one cell; that of a delayed store is its commit. */
interface CellAccess extends Point {
  /** The thread that makes it. */
  readonly owner: number;
  /** Its place among the accesses of its thread. */
  readonly index: number;
  /** The access is made to this cell: its step is passed, guards hold. */
  readonly when: Literal;
  /** It is made whenever its step is passed. */
  readonly isSure: boolean;
  readonly bits: BitVector;
}

interface CellAccesses {
  readonly reads: CellAccess[];
  readonly writes: CellAccess[];
}

export interface OrderParts {
  readonly encoder: TermEncoder;
  readonly commits: Commits;
  readonly passing: Passing;
  readonly locks: LockSections;
  readonly order: Order;
}

/**
 * Ties what reads return to what writes wrote, under the order. The result tells what a cell holds in the end, which
 * is to be asked before the order is complete.
 */
export function encodeReads(program: SteppedProgram, parts: OrderParts): (cell: CellId) => BitVector {
  const { encoder, order, locks } = parts;
  const accesses = collectAccesses(program, parts);
  const closed = new Map(locks.locks.filter(({ isClosed }) => isClosed).map((lock) => [lock.cell, lock]));
  const cells = new Map(program.cells.map((cell) => [cell.id, cell]));
  const encoderOf = (cell: SharedCell) =>
    new CellEncoder(encoder.circuit, order, cell, accesses.get(cell.id) ?? { reads: [], writes: [] }, encoder);
  for (const cell of program.cells) if (!closed.has(cell.id)) encoderOf(cell).encode();
  for (const { holderReads } of closed.values()) for (const read of holderReads) encodeHolderRead(read, parts);
  const finals = new Map<CellId, BitVector>();
  return (id) => {
    const known = finals.get(id);
    if (known) return known;
    const cell = cells.get(id) as SharedCell;
    const lock = closed.get(id);
    const value = lock
      ? order.sections.finalOf(lock.sections, encoder.bitsOf(cell.initial))
      : encoderOf(cell).encodeFinal(cell.width);
    finals.set(id, value);
    return value;
  };
}

function encodeHolderRead({ thread, step, access, value }: HolderRead, { encoder, passing }: OrderParts): void {
  if (access.kind !== 'read') return;
  const guard = encoder.circuit.and(passing.everPassed(thread, step), encoder.literalOf(access.guard));
  assertSame(encoder.circuit, guard, encoder.bitsOf(access.result), encoder.bitsOf(value));
}

function collectAccesses(program: SteppedProgram, parts: OrderParts): Map<CellId, CellAccesses> {
  const found = new Map<CellId, CellAccesses>();
  for (const thread of program.threads) {
    let index = 0;
    for (const [step, { accesses, guard }] of thread.steps.entries()) {
      for (const access of accesses) addAccess(found, parts, { thread: thread.index, step }, index++, guard, access);
    }
  }
  return found;
}

function addAccess(
  found: Map<CellId, CellAccesses>,
  { encoder, commits, passing, locks }: OrderParts,
  at: StepRef,
  index: number,
  stepGuard: Step['guard'],
  access: Access,
): void {
  if (access.kind === 'read' && access.isFree) return;
  const { circuit } = encoder;
  const guard = circuit.and(encoder.literalOf(stepGuard), encoder.literalOf(access.guard));
  const bits = encoder.bitsOf(access.kind === 'read' ? access.result : access.value);
  const sections = locks.around(at.thread, at.step, access.guard);
  for (const { cell, select } of access.targets) {
    const happens = circuit.and(guard, encoder.literalOf(select));
    const when = circuit.and(passing.everPassed(at.thread, at.step), happens);
    const event = (access.kind === 'write' && access.isDelayed && commits.commitOf(at)) || at;
    const item: CellAccess = { ...event, owner: at.thread, sections, index, when, isSure: happens === TRUE, bits };
    const known = found.get(cell) ?? { reads: [], writes: [] };
    found.set(cell, known);
    (access.kind === 'read' ? known.reads : known.writes).push(item);
  }
}

class CellEncoder {
  readonly #circuit: Circuit;
  readonly #order: Order;
  readonly #initial: BitVector;
  readonly #reads: readonly CellAccess[];
  readonly #writes: readonly CellAccess[];

  constructor(circuit: Circuit, order: Order, cell: SharedCell, found: CellAccesses, encoder: TermEncoder) {
    this.#circuit = circuit;
    this.#order = order;
    const shape = bitShape(cell.set);
    this.#initial = fitShape(encoder.bitsOf(cell.initial), shape, cell.width);
    this.#reads = found.reads;
    this.#writes = found.writes.map((write) => ({ ...write, bits: fitShape(write.bits, shape, cell.width) }));
  }

  encode(): void {
    for (const read of this.#reads) this.#encodeRead(read);
  }

  /** The value after all that happens: that of a write before which all others come. */
  encodeFinal(width: number): BitVector {
    const circuit = this.#circuit;
    const value = vectors.fresh(circuit, width);
    const untouched = circuit.fresh();
    assertSame(circuit, untouched, value, this.#initial);
    for (const write of this.#writes) circuit.addClause([not(untouched), not(write.when)]);
    const selections = [untouched];
    for (const write of this.#writes) {
      const selection = circuit.fresh();
      selections.push(selection);
      circuit.addClause([not(selection), write.when]);
      assertSame(circuit, selection, value, write.bits);
      for (const other of this.#writes) {
        if (other !== write) circuit.addClause([not(selection), not(other.when), this.#before(other, write)]);
      }
    }
    circuit.addClause(selections);
    return value;
  }

  #encodeRead(read: CellAccess): void {
    const circuit = this.#circuit;
    const before = this.#writes.filter((write) => !this.#isSurelyBefore(read, write));
    const sure = before.filter((write) => write.isSure && this.#isSurelyBefore(write, read));
    const isHidden = (write: CellAccess) => sure.some((other) => this.#isSurelyBefore(write, other));
    const candidates = before.filter((write) => !isHidden(write));
    const selections: Literal[] = [];
    if (sure.length === 0) selections.push(this.#selectInitial(read, candidates));
    for (const write of candidates) selections.push(this.#select(read, write, candidates));
    circuit.addClause([not(read.when), ...selections]);
  }

  #selectInitial(read: CellAccess, candidates: readonly CellAccess[]): Literal {
    const circuit = this.#circuit;
    const selection = circuit.fresh();
    assertSame(circuit, circuit.and(selection, read.when), read.bits, this.#initial);
    for (const other of candidates) {
      circuit.addClause([not(selection), not(other.when), this.#before(read, other)]);
    }
    return selection;
  }

  #select(read: CellAccess, write: CellAccess, candidates: readonly CellAccess[]): Literal {
    const circuit = this.#circuit;
    const selection = circuit.fresh();
    circuit.addClause([not(selection), write.when]);
    circuit.addClause([not(selection), this.#before(write, read)]);
    assertSame(circuit, circuit.and(selection, read.when), read.bits, write.bits);
    for (const other of candidates) {
      if (other === write || this.#isSurelyBefore(other, write)) continue;
      const clause = [not(selection), not(other.when), this.#before(read, other), this.#before(other, write)];
      circuit.addClause(clause);
    }
    return selection;
  }

  #before(a: CellAccess, b: CellAccess): Literal {
    if (a.owner !== b.owner) return this.#order.before(a, b);
    return a.index < b.index ? TRUE : FALSE;
  }

  #isSurelyBefore(a: CellAccess, b: CellAccess): boolean {
    return a.owner === b.owner ? a.index < b.index : this.#order.must.isBefore(a, b);
  }
}
