/**
 * Shared memory under TSO and PSO, cell by cell, in the same two ways as encode-memory.ts. Other threads see a delayed
 * store when it arrives (store-arrivals.ts); its own thread sees its newest store that has not arrived, else memory.
 */

import { assertSame } from '../../encode/assert-same.ts';
import { fitShape, type TermEncoder } from '../../encode/encode-terms.ts';
import type { CellId, SharedCell, SteppedProgram } from '../../execute/steps.ts';
import type { BitVector } from '../../logic/bit-vector.ts';
import * as vectors from '../../logic/bit-vector.ts';
import type { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import { type BitShape, bitShape } from '../../values/bit-shape.ts';
import {
  type CellAccess,
  chooseEncoding,
  collectAccesses,
  type EncodedMemory,
  finalIn,
  type MemoryEncoding,
} from './encode-memory.ts';
import type { EndedBefore } from './ended-before.ts';
import type { ArrivingStore, StoreArrivals } from './store-arrivals.ts';
import type { SymbolicSchedule } from './symbolic-schedule.ts';

interface WeakMemory {
  readonly circuit: Circuit;
  readonly schedule: SymbolicSchedule;
  readonly arrivals: StoreArrivals;
  readonly threadCount: number;
}

/** A cell with its accesses, and how its values are encoded. */
interface CellOf {
  readonly cell: SharedCell;
  readonly shape: BitShape;
  readonly initial: BitVector;
  readonly accesses: readonly CellAccess[];
}

/** What a cell holds in the end is what it holds when all that is pending has arrived. */
export function encodeWeakMemory(
  program: SteppedProgram,
  encoder: TermEncoder,
  schedule: SymbolicSchedule,
  arrivals: StoreArrivals,
  ended: EndedBefore | null,
): EncodedMemory {
  const accesses = collectAccesses(program, encoder, ended);
  const memory: WeakMemory = { circuit: encoder.circuit, schedule, arrivals, threadCount: program.threads.length };
  const encodings = new Map<CellId, MemoryEncoding>();
  const finals = new Map<CellId, () => BitVector>();
  for (const cell of program.cells) {
    const list = accesses.get(cell.id) ?? [];
    const shape = bitShape(cell.set);
    const initial = fitShape(encoder.bitsOf(cell.initial), shape, cell.width);
    const one: CellOf = { cell, shape, initial, accesses: list };
    const encoding = chooseEncoding(list);
    encodings.set(cell.id, encoding);
    finals.set(cell.id, encoding === 'selection' ? encodeSelection(memory, one) : encodeChain(memory, one));
  }
  schedule.relateOrders();
  return { encodings, finalOf: finalIn(finals) };
}

/** A write with its delayed store, or null where it acts at once. */
interface OwnAccess extends CellAccess {
  readonly store: ArrivingStore | null;
}

function withStores({ arrivals }: WeakMemory, accesses: readonly CellAccess[]): OwnAccess[] {
  return accesses.map((access) => ({
    ...access,
    store: access.isDelayed ? arrivals.storeOf(access.thread, access.step) : null,
  }));
}

function encodeChain(memory: WeakMemory, one: CellOf): () => BitVector {
  const { circuit, schedule, arrivals, threadCount } = memory;
  const list = withStores(memory, one.accesses);
  const byThread = Array.from({ length: threadCount }, (_, t) => list.filter((access) => access.thread === t));
  const delayed = list.filter((access) => access.store !== null);
  const inShape = (bits: BitVector) => fitShape(bits, one.shape, one.cell.width);
  let current = one.initial;
  for (let slot = 1; slot <= schedule.slots; slot++) {
    for (const [thread, own] of byThread.entries()) {
      const arrive = (moment: number, before: BitVector) => {
        let after = before;
        for (const { store, when, bits } of delayed) {
          const late = arrivals.arrivesLate(store as ArrivingStore, moment);
          if (late !== null) after = vectors.ite(circuit, circuit.and(late, when), inShape(bits), after);
        }
        return after;
      };
      current = encodeTurn(memory, own, inShape, slot, thread, current, arrive);
    }
  }
  const last = arrivals.moments.count;
  return () =>
    delayed.reduce((before, { store, thread, step, when, bits }) => {
      const isLeft = circuit.and(
        schedule.everPassed(thread, step),
        not(arrivals.arrived(store as ArrivingStore, last)),
      );
      return vectors.ite(circuit, circuit.and(isLeft, when), inShape(bits), before);
    }, current);
}

/**
 * What a thread does with the cell in its turn, and what arrives meanwhile (`arrive`); gives what memory holds
 * afterwards.
 */
function encodeTurn(
  { circuit, schedule, arrivals }: WeakMemory,
  own: readonly OwnAccess[],
  inShape: (bits: BitVector) => BitVector,
  slot: number,
  thread: number,
  before: BitVector,
  arrive: (moment: number, before: BitVector) => BitVector,
): BitVector {
  const { moments } = arrivals;
  const [begin, end] = [moments.beginOf(slot, thread), moments.endOf(slot, thread)];
  let moment = begin;
  let current = arrive(moment, before);
  let isPending: Literal = FALSE;
  let pending = before;
  const arriveUpTo = (step: number) => {
    while (moment < end && (moments.at(moment + 1).step ?? 0) <= step) current = arrive(++moment, current);
  };
  for (const { step, kind, when, bits, store } of own) {
    arriveUpTo(step);
    const happens = circuit.and(schedule.passedIn(slot, thread, step), when);
    if (kind === 'read') {
      assertSame(circuit, circuit.and(happens, not(isPending)), bits, current);
      if (isPending !== FALSE) assertSame(circuit, circuit.and(happens, isPending), bits, pending);
    } else if (store === null) current = vectors.ite(circuit, happens, inShape(bits), current);
    else {
      const arrived = arrivals.arrived(store, begin);
      current = vectors.ite(circuit, circuit.and(happens, arrived), inShape(bits), current);
      const waits = circuit.and(when, not(arrived));
      pending = vectors.ite(circuit, waits, inShape(bits), pending);
      isPending = circuit.or(isPending, waits);
    }
  }
  arriveUpTo(Number.POSITIVE_INFINITY);
  return current;
}

/** Written by one thread, which does not read it: its stores to one cell arrive in program order. */
function encodeSelection(memory: WeakMemory, { cell, shape, initial, accesses }: CellOf): () => BitVector {
  const { circuit, schedule } = memory;
  const list = withStores(memory, accesses);
  const values: { readonly write: OwnAccess; readonly when: Literal; readonly bits: BitVector }[] = [];
  let current = initial;
  for (const write of list) {
    if (write.kind !== 'write') continue;
    current = vectors.ite(circuit, write.when, fitShape(write.bits, shape, cell.width), current);
    const isSame = values.at(-1)?.write.step === write.step;
    const earlier = isSame ? values.pop()?.when : undefined;
    values.push({ write, when: circuit.or(write.when, earlier ?? FALSE), bits: current });
  }
  for (const read of list) {
    if (read.kind !== 'read') continue;
    const guard = circuit.and(schedule.everPassed(read.thread, read.step), read.when);
    const isBefore = values.map(({ write, when }) => circuit.and(isSeen(memory, write, read), when));
    let isAnyAfter: Literal = FALSE;
    // The last one that is made and seen counts: those before it have arrived, too.
    for (let k = values.length - 1; k >= -1; k--) {
      const happened = k < 0 ? TRUE : (isBefore[k] as Literal);
      const selected = circuit.and(happened, not(isAnyAfter));
      assertSame(circuit, circuit.and(guard, selected), read.bits, k < 0 ? initial : (values[k]?.bits as BitVector));
      isAnyAfter = circuit.or(isAnyAfter, happened);
    }
  }
  return () =>
    values.reduce(
      (before, { write, bits }) => vectors.ite(circuit, schedule.everPassed(write.thread, write.step), bits, before),
      initial,
    );
}

/** The write has reached memory when the other thread's read is made. */
function isSeen({ circuit, schedule, arrivals }: WeakMemory, write: OwnAccess, read: OwnAccess): Literal {
  const { store } = write;
  if (store === null) return schedule.before(write.thread, write.step, read.thread, read.step);
  const literal = circuit.fresh();
  for (let slot = 1; slot <= schedule.slots; slot++) {
    const arrived = arrivals.arrived(store, arrivals.moments.before(slot, read.thread, read.step));
    circuit.addClause([not(literal), not(schedule.passed(slot, read.thread, read.step)), arrived]);
    circuit.addClause([literal, not(arrived), schedule.passed(slot - 1, read.thread, read.step)]);
  }
  return literal;
}
