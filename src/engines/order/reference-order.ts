/**
 * The second road of a proof by free order: the same question put to a fresh solver as a formula that is built without
 * any of the reductions, as plainly as possible. A literal for each pair of steps of two threads, monotone along both
 * and transitive over three; every step may be the last of its thread; a read selects any write. Nothing is decided
 * beforehand. Steps of which nobody asks when they come have no place in the order: any order of the others can be
 * completed. A delayed store commits in a thread of its own, which has this one step; the rules of TSO and PSO are
 * clauses about pairs of commits that are made (plain-commits.ts).
 *
 * That it is an order takes as many clauses as there are triples of steps. Where these are very many, they are added as
 * answers need them (plain-order.ts): a formula without some of them has more models, so that one without any model is
 * a proof; a model is looked at, and where it is no order, that is excluded and the question is put again.
 *
 * It shares with the first road what it does not doubt: the steps, the terms as circuits, the conditions. It does not
 * share what locks, joins, sections and circles were made of. There is a size beyond which it is not asked.
 */

import { encodeConditions } from '../../encode/encode-conditions.ts';
import { encodeDeadlock } from '../../encode/encode-deadlock.ts';
import { encodeRace } from '../../encode/encode-race.ts';
import { fitShape, TermEncoder } from '../../encode/encode-terms.ts';
import { Formula } from '../../encode/formula.ts';
import type { CellId, SteppedProgram } from '../../execute/steps.ts';
import { watchOrder } from '../../execute/watch-order.ts';
import { freeWeakReads } from '../../execute/weak-reads.ts';
import type { BitVector } from '../../logic/bit-vector.ts';
import * as vectors from '../../logic/bit-vector.ts';
import { Circuit } from '../../logic/circuit.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { bitShape } from '../../values/bit-shape.ts';
import { countSelections } from './count-selections.ts';
import { PlainOrder } from './plain-order.ts';

/** `too-large`: not asked; `unknown`: the solver gave up. */
export type ReferenceAnswer = 'safe' | 'not-safe' | 'too-large' | 'unknown';

/** Clauses about the order of three accesses. */
const MOST_CLAUSES = 1_500_000;
/** More clauses about three threads are slower than a few answers. */
const MOST_TRIPLES = 200_000;

export interface ReferenceOptions {
  /** Asked between two answers of the solver: no more time. */
  readonly mustStop?: () => boolean;
  /** Clauses about the order of three threads that are there from the start. */
  readonly mostTriples?: number;
}

/** Races that atomics may hide (weak-reads.ts) are a question of their own. */
export async function askReference(
  program: SteppedProgram,
  createSolver: () => Promise<SatSolver>,
  options: ReferenceOptions = {},
): Promise<ReferenceAnswer> {
  const first = await askOnce(program, createSolver, options);
  if (first !== 'safe' || freeWeakReads(program).kind === 'none') return first;
  return askOnce(watchOrder(program), createSolver, options);
}

async function askOnce(
  program: SteppedProgram,
  createSolver: () => Promise<SatSolver>,
  { mustStop, mostTriples = MOST_TRIPLES }: ReferenceOptions,
): Promise<ReferenceAnswer> {
  if (countSelections(program) > MOST_CLAUSES) return 'too-large';
  const circuit = new Circuit();
  const encoder = new TermEncoder(program.graph, circuit);
  const order = new PlainOrder(program, encoder);
  const finalOf = encodePlainReads(program, encoder, order);
  const everPassed = (thread: number, step: number) => order.passed(thread, step);
  const { violations, cuts } = encodeConditions(program, encoder, everPassed);
  const against = [...violations, ...cuts].map(({ literal }) => literal);
  const final = { everPassed, valueOf: finalOf, cuts: cuts.map(({ literal }) => literal) };
  const race = encodeRace(program, encoder, final);
  circuit.addClause([...against, encodeDeadlock(program, encoder, final)?.seeks ?? FALSE, race?.seeks ?? FALSE]);
  order.complete(mostTriples);
  const formula = new Formula(circuit, createSolver);
  try {
    for (;;) {
      const answer = await formula.ask([]);
      if (answer.kind === 'unknown') return 'unknown';
      if (answer.kind === 'none') return 'safe';
      if (order.excludeCircles(answer.model) === 0) return 'not-safe';
      if (mustStop?.()) return 'unknown';
    }
  } finally {
    formula.dispose();
  }
}

interface PlainAccess {
  /** Where it takes effect; `owner` makes it. */
  readonly thread: number;
  readonly owner: number;
  readonly step: number;
  readonly index: number;
  readonly kind: 'read' | 'write';
  readonly when: Literal;
  readonly bits: BitVector;
}

interface CellWrites {
  readonly id: CellId;
  readonly width: number;
  readonly initial: BitVector;
  readonly writes: readonly PlainAccess[];
  /** By a write: which of the writes come before it. */
  readonly orders: readonly (readonly Literal[])[];
}

/** The result tells what a cell holds in the end: what a read would see that comes after everything. */
function encodePlainReads(
  program: SteppedProgram,
  encoder: TermEncoder,
  order: PlainOrder,
): (cell: CellId) => BitVector {
  const { circuit } = encoder;
  const found = new Map<CellId, PlainAccess[]>();
  for (const { index: thread, steps } of program.threads) {
    let index = 0;
    for (const [step, { accesses, guard }] of steps.entries()) {
      for (const access of accesses) {
        index++;
        for (const { cell, select } of access.targets) {
          const conditions = [guard, access.guard, select].map((term) => encoder.literalOf(term));
          const when = conditions.reduce((all, one) => circuit.and(all, one), order.passed(thread, step));
          const bits = encoder.bitsOf(access.kind === 'read' ? access.result : access.value);
          const list = found.get(cell) ?? [];
          found.set(cell, list);
          const isDelayed = access.kind === 'write' && access.isDelayed;
          const event = isDelayed ? { thread: order.committing(thread, step), step: 0 } : { thread, step };
          list.push({ ...event, owner: thread, index, kind: access.kind, when, bits });
        }
      }
    }
  }
  const written = program.cells.map(({ id, set, width, initial }) => {
    const shape = bitShape(set);
    const list = found.get(id) ?? [];
    const first = fitShape(encoder.bitsOf(initial), shape, width);
    const writes = list.filter(({ kind }) => kind === 'write');
    const fitted = writes.map((write) => ({ ...write, bits: fitShape(write.bits, shape, width) }));
    const orders = fitted.map((write) => fitted.map((other) => comesBefore(order, other, write)));
    const cell: CellWrites = { id, width, initial: first, writes: fitted, orders };
    for (const read of list) if (read.kind === 'read') selectWrite(circuit, order, read, cell);
    return cell;
  });
  const cells = new Map(written.map((cell) => [cell.id, cell]));
  const finals = new Map<CellId, BitVector>();
  return (id) => {
    const known = finals.get(id);
    if (known) return known;
    const cell = cells.get(id) as CellWrites;
    const bits = vectors.fresh(circuit, cell.width);
    finals.set(id, bits);
    const last = { thread: END, owner: END, step: 0, index: 0, kind: 'read', when: TRUE, bits } as const;
    selectWrite(circuit, order, last, cell);
    return bits;
  };
}

/** As the thread of a read: after everything. */
const END = -1;

function selectWrite(
  circuit: Circuit,
  order: PlainOrder,
  read: PlainAccess,
  { initial, writes, orders }: CellWrites,
): void {
  const earlier = writes.flatMap(({ when, bits }, index) => {
    const before = comesBefore(order, writes[index] as PlainAccess, read);
    return before === FALSE ? [] : [{ index, when, before, bits }];
  });
  const select = (value: BitVector) => {
    const selected = circuit.fresh();
    for (const [i, bit] of read.bits.entries()) {
      circuit.addClause([not(selected), not(read.when), circuit.iff(bit, value[i] as Literal)]);
    }
    return selected;
  };
  const untouched = select(initial);
  for (const { when, before } of earlier) circuit.addClause([not(untouched), not(when), not(before)]);
  const selections = [untouched];
  for (const write of earlier) {
    const selected = select(write.bits);
    circuit.addClause([not(selected), write.when]);
    circuit.addClause([not(selected), write.before]);
    const isBeforeWrite = orders[write.index] as readonly Literal[];
    for (const { index, when, before } of earlier) {
      if (index === write.index) continue;
      circuit.addClause([not(selected), not(when), not(before), isBeforeWrite[index] as Literal]);
    }
    selections.push(selected);
  }
  circuit.addClause([not(read.when), ...selections]);
}

function comesBefore(order: PlainOrder, a: PlainAccess, b: PlainAccess): Literal {
  if (b.thread === END) return TRUE;
  // What the thread has stored itself it sees, committed or not.
  if (a.owner === b.owner) return a.index < b.index ? TRUE : FALSE;
  return order.before(a.thread, a.step, b.thread, b.step);
}
