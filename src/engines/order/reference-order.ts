/**
 * The second road of a proof by free order: the same question put to a fresh solver as a formula that is built without
 * any of the reductions, as plainly as possible. A literal for each pair of steps of two threads, monotone along both
 * and transitive over three; every step may be the last of its thread; a read selects any write. Nothing is decided
 * beforehand. A delayed store commits in a thread of its own, which has this one step; the rules of TSO and PSO are
 * clauses about pairs of commits that are made (plain-commits.ts).
 *
 * That the order is transitive takes as many clauses as there are triples of steps. Where these are very many, they are
 * added as answers need them: a formula without some of them has more models, so that one without any model is a proof;
 * a model is looked at, and where it breaks them, these are added and the question is put again.
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
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { bitShape } from '../../values/bit-shape.ts';
import { countSelections } from './count-selections.ts';
import { type EventOrder, type PlainCommit, requireCommits } from './plain-commits.ts';

/** `too-large`: not asked; `unknown`: the solver gave up. */
export type ReferenceAnswer = 'safe' | 'not-safe' | 'too-large' | 'unknown';

/** Clauses about the order of two threads and of three accesses. */
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
  if (countClauses(program) > MOST_CLAUSES) return 'too-large';
  const circuit = new Circuit();
  const encoder = new TermEncoder(program.graph, circuit);
  const order = new PlainOrder(program, encoder, mostTriples);
  const finalOf = encodePlainReads(program, encoder, order);
  const everPassed = (thread: number, step: number) => order.passed(thread, step);
  const { violations, cuts } = encodeConditions(program, encoder, everPassed);
  const against = [...violations, ...cuts].map(({ literal }) => literal);
  const final = { everPassed, valueOf: finalOf, cuts: cuts.map(({ literal }) => literal) };
  const race = encodeRace(program, encoder, final);
  circuit.addClause([...against, encodeDeadlock(program, encoder, final)?.seeks ?? FALSE, race?.seeks ?? FALSE]);
  const formula = new Formula(circuit, createSolver);
  try {
    for (;;) {
      const answer = await formula.ask([]);
      if (answer.kind === 'unknown') return 'unknown';
      if (answer.kind === 'none') return 'safe';
      if (order.requireTransitivity(answer.model) === 0) return 'not-safe';
      if (mustStop?.()) return 'unknown';
    }
  } finally {
    formula.dispose();
  }
}

function countClauses(program: SteppedProgram): number {
  const sizes = [...program.threads.map(({ steps }) => steps.length), ...findStores(program).map(() => 1)];
  return 2 * countChoices(sizes).two + countSelections(program);
}

/** In how many ways one step each of two and of three different threads can be chosen. */
function countChoices(sizes: readonly number[]): { readonly two: number; readonly three: number } {
  let [one, two, three] = [0, 0, 0];
  for (const size of sizes) {
    three += two * size;
    two += one * size;
    one += size;
  }
  return { two, three };
}

function findStores({ threads }: SteppedProgram): PlainCommit[] {
  return threads.flatMap(({ index, steps }) =>
    steps.flatMap(({ accesses }, step) => {
      const writes = accesses.filter((access) => access.kind === 'write' && access.isDelayed);
      return writes.length > 0 ? [{ thread: index, step, writes }] : [];
    }),
  );
}

class PlainOrder implements EventOrder {
  readonly #circuit: Circuit;
  readonly #passed: Literal[][];
  /** By the two threads, the smaller first, then by their steps. */
  readonly #matrices: Literal[][][][] = [];
  readonly #commits = new Map<string, number>();
  /** How many steps there are, by thread; those of commits come last. */
  readonly #sizes: readonly number[];

  constructor(program: SteppedProgram, encoder: TermEncoder, mostTriples: number) {
    const { threads } = program;
    const circuit = encoder.circuit;
    this.#circuit = circuit;
    const stores = findStores(program);
    for (const [i, { thread, step }] of stores.entries()) this.#commits.set(`${thread} ${step}`, threads.length + i);
    const sizes = [...threads.map(({ steps }) => steps.length), ...stores.map(() => 1)];
    this.#sizes = sizes;
    this.#passed = threads.map(({ steps }) => steps.map(() => circuit.fresh()));
    for (const { index, steps, spawn } of threads) {
      for (let l = 1; l < steps.length; l++) {
        circuit.addClause([not(this.passed(index, l)), this.passed(index, l - 1)]);
      }
      if (!spawn || steps.length === 0) continue;
      circuit.addClause([not(this.passed(index, 0)), encoder.literalOf(spawn.guard)]);
      circuit.addClause([not(this.passed(index, 0)), this.passed(spawn.thread, spawn.step)]);
    }
    for (const [a, m] of sizes.entries()) {
      for (const [b, n] of sizes.entries()) if (a < b) this.#orderTwo(a, m, b, n);
    }
    if (2 * countChoices(sizes).three <= mostTriples) this.#forTriples((a, b, c) => this.#orderThree(a, b, c));
    for (const { index, spawn, steps } of threads) {
      if (spawn && steps.length > 0) circuit.addClause([this.before(spawn.thread, spawn.step, index, 0)]);
    }
    if (stores.length > 0) requireCommits(program, encoder, this, stores);
  }

  committing(thread: number, step: number): number {
    return this.#commits.get(`${thread} ${step}`) as number;
  }

  passed(thread: number, step: number): Literal {
    return this.#passed[thread]?.[step] as Literal;
  }

  before(threadA: number, a: number, threadB: number, b: number): Literal {
    if (threadA === threadB) return a < b ? TRUE : FALSE;
    if (threadA > threadB) return not(this.before(threadB, b, threadA, a));
    return this.#matrices[threadA]?.[threadB]?.[a]?.[b] as Literal;
  }

  #orderTwo(a: number, m: number, b: number, n: number): void {
    const circuit = this.#circuit;
    const matrix = Array.from({ length: m }, () => Array.from({ length: n }, () => circuit.fresh()));
    const of = this.#matrices[a] ?? [];
    this.#matrices[a] = of;
    of[b] = matrix;
    for (const [i, row] of matrix.entries()) {
      for (const [j, literal] of row.entries()) {
        if (i > 0) circuit.addClause([not(literal), matrix[i - 1]?.[j] as Literal]);
        if (j + 1 < n) circuit.addClause([not(literal), row[j + 1] as Literal]);
      }
    }
  }

  #forTriples(action: (a: number, b: number, c: number) => void): void {
    for (const c of this.#sizes.keys()) {
      for (let b = 1; b < c; b++) for (let a = 0; a < b; a++) action(a, b, c);
    }
  }

  #orderThree(a: number, b: number, c: number): void {
    const [m, n, p] = [a, b, c].map((thread) => this.#sizes[thread] as number) as [number, number, number];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        const ab = this.before(a, i, b, j);
        for (let k = 0; k < p; k++) {
          const [bc, ac] = [this.before(b, j, c, k), this.before(a, i, c, k)];
          this.#circuit.addClause([not(ab), not(bc), ac]);
          this.#circuit.addClause([ab, bc, not(ac)]);
        }
      }
    }
  }

  /** Adds clauses that the model breaks, for every three threads; how many there are. */
  requireTransitivity(model: Evaluation): number {
    let count = 0;
    this.#forTriples((a, b, c) => {
      count += this.#orderThrough(a, b, c, model);
    });
    return count;
  }

  /**
   * Of what `#orderThree` says, what the model breaks. Its orders are monotone: of the steps of `b` that come after one
   * of `a`, the first decides.
   */
  #orderThrough(a: number, b: number, c: number, model: Evaluation): number {
    const [m, n, p] = [a, b, c].map((thread) => this.#sizes[thread] as number) as [number, number, number];
    const isBefore = (x: number, i: number, y: number, j: number) => model.value(this.before(x, i, y, j));
    let count = 0;
    for (let i = 0; i < m; i++) {
      let after = 0;
      while (after < n && !isBefore(a, i, b, after)) after++;
      for (let k = 0; k < p; k++) {
        const isFirst = isBefore(a, i, c, k);
        const through = isFirst ? after - 1 : after;
        if (through < 0 || through === n || isBefore(b, through, c, k) === isFirst) continue;
        const [ab, bc] = [this.before(a, i, b, through), this.before(b, through, c, k)];
        const ac = this.before(a, i, c, k);
        this.#circuit.addClause(isFirst ? [ab, bc, not(ac)] : [not(ab), not(bc), ac]);
        count++;
      }
    }
    return count;
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
  const finals = new Map<CellId, BitVector>();
  for (const { id, set, width, initial } of program.cells) {
    const shape = bitShape(set);
    const list = found.get(id) ?? [];
    const first = fitShape(encoder.bitsOf(initial), shape, width);
    const writes = list.filter(({ kind }) => kind === 'write');
    const fitted = writes.map((write) => ({ ...write, bits: fitShape(write.bits, shape, width) }));
    for (const read of list) if (read.kind === 'read') selectWrite(circuit, order, read, fitted, first);
    const last = {
      thread: END,
      owner: END,
      step: 0,
      index: 0,
      kind: 'read',
      when: TRUE,
      bits: vectors.fresh(circuit, width),
    } as const;
    selectWrite(circuit, order, last, fitted, first);
    finals.set(id, last.bits);
  }
  return (cell) => finals.get(cell) as BitVector;
}

/** As the thread of a read: after everything. */
const END = -1;

function selectWrite(
  circuit: Circuit,
  order: PlainOrder,
  read: PlainAccess,
  writes: readonly PlainAccess[],
  initial: BitVector,
): void {
  const before = (a: PlainAccess, b: PlainAccess) => {
    if (b.thread === END) return TRUE;
    // What the thread has stored itself it sees, committed or not.
    if (a.owner === b.owner) return a.index < b.index ? TRUE : FALSE;
    return order.before(a.thread, a.step, b.thread, b.step);
  };
  const selections = [null, ...writes].map((write) => {
    const selected = circuit.fresh();
    if (write) {
      circuit.addClause([not(selected), write.when]);
      circuit.addClause([not(selected), before(write, read)]);
    }
    const value = write ? write.bits : initial;
    for (const [i, bit] of read.bits.entries()) {
      circuit.addClause([not(selected), not(read.when), circuit.iff(bit, value[i] as Literal)]);
    }
    for (const other of writes) {
      if (other === write) continue;
      circuit.addClause([
        not(selected),
        not(other.when),
        not(before(other, read)),
        write ? before(other, write) : FALSE,
      ]);
    }
    return selected;
  });
  circuit.addClause([not(read.when), ...selections]);
}
