/**
 * Shared memory, cell by cell. How a cell is encoded is chosen by who writes it:
 * - *chain*: written by several threads. Slot by slot, thread by thread, step by step, each write makes a new current
 *   value (a multiplexer on "the step is passed in this slot"), each read equals the current one.
 * - *selection*: written by one thread only, which does not read it. The values that the cell has one after the other
 *   are known once for all slots; a read of another thread selects the last one before it, by the order of steps.
 *
 * What a group of steps (schedule.ts) does to a cell is known once for all slots: only what the cell holds before the
 * group, and what the group leaves in it, is tied to the slots.
 */

import { assertSame } from '../../encode/assert-same.ts';
import { assertWithin } from '../../encode/assert-within.ts';
import { fitShape, type TermEncoder } from '../../encode/encode-terms.ts';
import type { Access, CellId, SharedCell, SteppedProgram } from '../../execute/steps.ts';
import type { BitVector } from '../../logic/bit-vector.ts';
import * as vectors from '../../logic/bit-vector.ts';
import type { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import { invariant } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import { type BitShape, bitShape } from '../../values/bit-shape.ts';
import type { EndedBefore } from './ended-before.ts';
import type { SymbolicSchedule } from './symbolic-schedule.ts';

/** One access to one cell, in the order in which a thread makes them. */
export interface CellAccess {
  readonly thread: number;
  readonly step: number;
  readonly kind: 'read' | 'write';
  /** The access happens to this cell, if its step is passed. */
  readonly when: Literal;
  readonly bits: BitVector;
  /** A write that may reach memory later (encode-weak-memory.ts). */
  readonly isDelayed: boolean;
}

export type MemoryEncoding = 'chain' | 'selection';

export interface EncodedMemory {
  /** How each cell was encoded, for statistics. */
  readonly encodings: ReadonlyMap<CellId, MemoryEncoding>;
  /** What the cell holds in the end. */
  readonly finalOf: (cell: CellId) => BitVector;
}

/**
 * Ties what reads return to what writes wrote, under the schedule. `ended`: from this step on the thread does nothing
 * that matters; needed where threads cannot stop before every step.
 */
export function encodeMemory(
  program: SteppedProgram,
  encoder: TermEncoder,
  schedule: SymbolicSchedule,
  ended: EndedBefore | null = null,
): EncodedMemory {
  const accesses = collectAccesses(program, encoder, ended);
  const encodings = new Map<CellId, MemoryEncoding>();
  const finals = new Map<CellId, () => BitVector>();
  for (const cell of program.cells) {
    const list = accesses.get(cell.id) ?? [];
    const encoding = chooseEncoding(list);
    encodings.set(cell.id, encoding);
    const shape = bitShape(cell.set);
    const initial = fitShape(encoder.bitsOf(cell.initial), shape, cell.width);
    const final =
      encoding === 'selection'
        ? encodeSelection(encoder.circuit, schedule, cell, shape, initial, list)
        : encodeChain(encoder.circuit, schedule, program.threads.length, cell, shape, initial, list);
    finals.set(cell.id, final);
  }
  schedule.relateOrders();
  return { encodings, finalOf: finalIn(finals) };
}

export function finalIn(finals: ReadonlyMap<CellId, () => BitVector>): EncodedMemory['finalOf'] {
  return (cell) => {
    const final = finals.get(cell);
    invariant(final, 'a cell that is read is encoded');
    return final();
  };
}

export function chooseEncoding(accesses: readonly CellAccess[]): MemoryEncoding {
  const writers = new Set(accesses.filter(({ kind }) => kind === 'write').map(({ thread }) => thread));
  const isReadByWriter = accesses.some(({ kind, thread }) => kind === 'read' && writers.has(thread));
  return writers.size <= 1 && !isReadByWriter ? 'selection' : 'chain';
}

export function collectAccesses(
  program: SteppedProgram,
  encoder: TermEncoder,
  ended: EndedBefore | null,
): Map<CellId, CellAccess[]> {
  const found = new Map<CellId, CellAccess[]>();
  for (const { index, steps } of program.threads) {
    for (const [step, { accesses, guard }] of steps.entries()) {
      const goesOn = ended ? not(ended(index, step)) : TRUE;
      const runs = encoder.circuit.and(encoder.literalOf(guard), goesOn);
      for (const access of accesses) addAccess(found, encoder, index, step, runs, access);
    }
  }
  return found;
}

function addAccess(
  found: Map<CellId, CellAccess[]>,
  encoder: TermEncoder,
  thread: number,
  step: number,
  runs: Literal,
  access: Access,
): void {
  if (access.kind === 'read' && access.isFree) return;
  const { circuit } = encoder;
  const guard = circuit.and(runs, encoder.literalOf(access.guard));
  const bits = encoder.bitsOf(access.kind === 'read' ? access.result : access.value);
  for (const { cell, select } of access.targets) {
    const when = circuit.and(guard, encoder.literalOf(select));
    const list = found.get(cell);
    const isDelayed = access.kind === 'write' && access.isDelayed;
    const item: CellAccess = { thread, step, kind: access.kind, when, bits, isDelayed };
    if (list) list.push(item);
    else found.set(cell, [item]);
  }
}

/** Gives what the cell holds in the end, for those who ask. */
function encodeChain(
  circuit: Circuit,
  schedule: SymbolicSchedule,
  threadCount: number,
  cell: SharedCell,
  shape: BitShape,
  initial: BitVector,
  accesses: readonly CellAccess[],
): () => BitVector {
  const byThread = Array.from({ length: threadCount }, (_, t) =>
    mergeGroups(
      circuit,
      schedule,
      cell,
      shape,
      accesses.filter((access) => access.thread === t),
    ),
  );
  let current = initial;
  for (let slot = 1; slot <= schedule.slots; slot++) {
    for (const list of byThread) {
      for (const { thread, step, kind, when, bits } of list) {
        const happens = circuit.and(schedule.passedIn(slot, thread, step), when);
        if (kind === 'read') assertSame(circuit, happens, bits, current);
        else current = vectors.ite(circuit, happens, fitShape(bits, shape, cell.width), current);
      }
    }
  }
  return () => current;
}

/**
 * A thread's accesses to a cell, those of several steps in one group made to two: a read of what the cell holds before
 * the group, and a write of what it holds afterwards.
 */
function mergeGroups(
  circuit: Circuit,
  schedule: SymbolicSchedule,
  cell: SharedCell,
  shape: BitShape,
  accesses: readonly CellAccess[],
): readonly CellAccess[] {
  const merged: CellAccess[] = [];
  for (let at = 0; at < accesses.length; ) {
    const { thread, step } = accesses[at] as CellAccess;
    const group = schedule.groupOf(thread, step);
    let end = at + 1;
    while (end < accesses.length && schedule.groupOf(thread, accesses[end]?.step as number) === group) end++;
    const isOneStep = accesses[end - 1]?.step === step;
    const list = accesses.slice(at, end);
    pushAll(merged, isOneStep ? list : mergeGroup(circuit, schedule, cell, shape, list));
    at = end;
  }
  return merged;
}

function mergeGroup(
  circuit: Circuit,
  schedule: SymbolicSchedule,
  cell: SharedCell,
  shape: BitShape,
  accesses: readonly CellAccess[],
): readonly CellAccess[] {
  const { thread, step } = accesses[0] as CellAccess;
  const isPassed = schedule.everPassed(thread, step);
  const entry = fitShape(vectors.fresh(circuit, cell.width), shape, cell.width);
  assertWithin(circuit, entry, cell.set);
  let isWritten: Literal = FALSE;
  let needsEntry: Literal = FALSE;
  let current = entry;
  for (const { kind, when, bits } of accesses) {
    if (kind === 'write') {
      isWritten = circuit.or(isWritten, when);
      current = vectors.ite(circuit, when, fitShape(bits, shape, cell.width), current);
    } else {
      needsEntry = circuit.or(needsEntry, circuit.and(when, not(isWritten)));
      assertSame(circuit, circuit.and(isPassed, when), bits, current);
    }
  }
  const common = { thread, step, isDelayed: false };
  const read: CellAccess = { ...common, kind: 'read', when: needsEntry, bits: entry };
  const write: CellAccess = { ...common, kind: 'write', when: isWritten, bits: current };
  return isWritten === FALSE ? [read] : needsEntry === FALSE ? [write] : [read, write];
}

function encodeSelection(
  circuit: Circuit,
  schedule: SymbolicSchedule,
  cell: SharedCell,
  shape: BitShape,
  initial: BitVector,
  accesses: readonly CellAccess[],
): () => BitVector {
  const writes = accesses.filter((access) => access.kind === 'write');
  // The values after each write, and of several writes in one group only the last: nobody can look in between.
  const values: { step: number; bits: BitVector }[] = [];
  let current = initial;
  for (const write of writes) {
    current = vectors.ite(circuit, write.when, fitShape(write.bits, shape, cell.width), current);
    const last = values[values.length - 1];
    const step = schedule.groupOf(write.thread, write.step);
    if (last && last.step === step) last.bits = current;
    else values.push({ step, bits: current });
  }
  const writer = writes[0]?.thread ?? -1;
  for (const read of accesses) {
    if (read.kind !== 'read') continue;
    const guard = circuit.and(schedule.everPassed(read.thread, read.step), read.when);
    const isBefore = values.map((value) => schedule.before(writer, value.step, read.thread, read.step));
    for (let k = 0; k + 1 < isBefore.length; k++)
      circuit.addClause([not(isBefore[k + 1] as Literal), isBefore[k] as Literal]);
    for (let k = -1; k < values.length; k++) {
      const happened = k < 0 ? TRUE : (isBefore[k] as Literal);
      const next = isBefore[k + 1];
      const selected = next === undefined ? happened : circuit.and(happened, not(next));
      assertSame(circuit, circuit.and(guard, selected), read.bits, k < 0 ? initial : (values[k]?.bits as BitVector));
    }
  }
  return () =>
    values.reduce(
      (before, { step, bits }) => vectors.ite(circuit, schedule.everPassed(writer, step), bits, before),
      initial,
    );
}
