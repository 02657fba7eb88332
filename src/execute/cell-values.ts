/**
 * The values of shared cells, after each iteration: what is written joins what was known. Where that would go on for
 * ever (a counter that every thread increments), two things end it. A cell whose writes only add constants to its own
 * former value is bounded by counting, because every write runs at most once and the chain of values that leads to the
 * present one goes through different writes. If every write reads the former value in its own step, the chain goes
 * through all writes in order, and the net sums along the threads' paths bound it; otherwise updates can be lost, and
 * only the sums of all steps up, and of all steps down, do. Everything else is widened.
 */

import { pushAll } from '../support/push-all.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { addSets } from '../values/value-set-arithmetic.ts';
import { gcd, stepOf } from '../values/value-set-parts.ts';
import { widenSets } from '../values/widen-sets.ts';
import type { Cell } from './cells.ts';
import type { Execution, VisibleRead } from './execution.ts';
import type { State } from './state.ts';
import type { StepBuilder } from './step-builder.ts';
import { addToSums, coverSums, NO_SUMS, type Sums } from './sums.ts';

const GROWTHS_BEFORE_COUNTING = 3;

/** How the writes of one iteration move a cell. */
interface Movement {
  /** The values written that do not come from the cell itself. */
  bases: ValueSet;
  /** It may come to counting, and no write depends on the cell in another way than by adding constants. */
  isCounter: boolean;
  /** Every write reads what it adds to in its own step. */
  isAtomic: boolean;
  /** Divides everything that is added to the former value. */
  stride: bigint;
  /** Per thread, over all moments of all its paths. */
  readonly threads: Map<number, Sums>;
  /** All values written. */
  written: ValueSet;
}

/** The visible writes of one iteration. */
export interface WriteRecord {
  readonly movements: Map<Cell, Movement>;
  /** The cells that the thread that is executed has written. */
  readonly ofThread: Set<Cell>;
}

/** Records a visible write: what it writes and how far it moves the cell. `select`: when it is this cell. */
export function recordCount(
  execution: Execution,
  state: State,
  thread: number,
  cell: Cell,
  select: Term,
  value: Term,
  step: StepBuilder,
): void {
  const set = execution.graph.setOf(value);
  let movement = execution.writes.movements.get(cell);
  if (!movement) {
    const none = sets.emptySet(set.width);
    // A cell grows once in an iteration: one that will not have grown often enough by its end need not be counted.
    const isCounter = cell.growths >= GROWTHS_BEFORE_COUNTING - 1;
    movement = { bases: none, isCounter, isAtomic: true, stride: 0n, threads: new Map(), written: none };
    execution.writes.movements.set(cell, movement);
  }
  movement.written = sets.joinSets(movement.written, set);
  execution.writes.ofThread.add(cell);
  if (!movement.isCounter) return;
  const composition = decompose(execution, cell, select, value, step);
  if (!composition) {
    movement.isCounter = false;
    return;
  }
  for (const base of composition.bases) movement.bases = sets.joinSets(movement.bases, base);
  if (composition.deltas.length === 0) return;
  movement.isAtomic &&= composition.isAtomic && !hasWrittenBefore(execution, state, cell, step);
  for (const delta of composition.deltas) movement.stride = gcd(movement.stride, delta < 0n ? -delta : delta);
  const [least, most] = extremes(composition, execution.graph.isTrue(select));
  const sums = addToSums(state.sums.get(cell.id) ?? NO_SUMS, least, most);
  state.sums = new Map(state.sums).set(cell.id, sums);
  movement.threads.set(thread, coverSums(sums, movement.threads.get(thread) ?? NO_SUMS));
}

/**
 * Does the step write the cell twice on a path? What the second write adds is then not added to what the first one
 * wrote.
 */
function hasWrittenBefore({ graph }: Execution, state: State, cell: Cell, step: StepBuilder): boolean {
  return step.accesses.some(
    ({ kind, guard, targets }) =>
      kind === 'write' &&
      targets.some((target) => target.cell === cell.id) &&
      !graph.isFalse(graph.and(guard, state.guard)),
  );
}

function extremes({ deltas, bases }: Composition, isCertain: boolean): [bigint, bigint] {
  const all = bases.length > 0 || !isCertain ? [0n, ...deltas] : deltas;
  return [all.reduce((a, b) => (b < a ? b : a)), all.reduce((a, b) => (b > a ? b : a))];
}

/** What a thread wrote, for those that are executed after it in the same iteration. */
export function showWrites({ knowledge, writes }: Execution): void {
  const { movements, ofThread } = writes;
  for (const cell of ofThread) {
    const movement = movements.get(cell) as Movement;
    if (cell.growths < GROWTHS_BEFORE_COUNTING) knowledge.recordValues(cell, movement.written);
  }
  ofThread.clear();
}

/**
 * Brings the value sets of the shared cells up to date with what this iteration wrote. `patience`: how often a cell may
 * grow before it is widened.
 */
export function updateCellValues(execution: Execution, patience: number): void {
  const { knowledge } = execution;
  for (const [cell, movement] of execution.writes.movements) {
    const all = sets.joinSets(cell.set, movement.written);
    if (sets.isSubset(all, cell.set)) continue;
    if (cell.growths < GROWTHS_BEFORE_COUNTING) {
      knowledge.recordValues(cell, all);
      continue;
    }
    const counted = countingBound(execution, cell, movement);
    if (counted && cell.growths < patience) {
      if (!cell.isCounted && !cell.isSummary) knowledge.widenTo(cell, counted, true);
      else if (!sets.isSubset(counted, cell.set)) knowledge.widenTo(cell, sets.joinSets(counted, cell.set), true);
    } else if (cell.growths < patience) knowledge.recordValues(cell, all);
    else knowledge.widenTo(cell, widenSets(cell.set, all), false);
  }
}

/** What one written value is made of: other values, and the cell's own former value plus constants. */
interface Composition {
  readonly bases: ValueSet[];
  readonly deltas: bigint[];
  isAtomic: boolean;
}

function countingBound(execution: Execution, cell: Cell, movement: Movement): ValueSet | null {
  if (!movement.isCounter) return null;
  const { graph } = execution;
  const bases = execution.reach.isPublishedLater(cell)
    ? movement.bases
    : sets.joinSets(movement.bases, graph.setOf(execution.initial.of(cell)));
  if (sets.isEmpty(bases)) return null;
  let [least, most] = [0n, 0n];
  // A write of something else in between starts the chain anew, in the middle of a path: then only the one-sided sums
  // hold.
  const isNet = movement.isAtomic && sets.isEmpty(movement.bases);
  for (const sums of movement.threads.values()) {
    least += isNet ? sums.least : sums.down;
    most += isNet ? sums.most : sums.up;
  }
  const { width } = bases;
  const limit = 1n << BigInt(width - 1);
  if (sets.minSigned(bases) + least < -limit || sets.maxSigned(bases) + most >= limit) return null;
  // From each base by itself: one range over all of them would make of NULL and an address all addresses between.
  let bound = sets.emptySet(width);
  for (const base of sets.signedParts(bases)) {
    const step = gcd(movement.stride, stepOf(base)) || 1n;
    bound = sets.joinSets(bound, sets.signedRangeSet(width, base.low + least, base.high + most, step));
  }
  return bound;
}

function decompose(execution: Execution, cell: Cell, select: Term, value: Term, step: StepBuilder): Composition | null {
  const { graph } = execution;
  const composition: Composition = { bases: [], deltas: [], isAtomic: true };
  const stack: { term: Term; delta: bigint }[] = [{ term: value, delta: 0n }];
  const seen = new Set<string>();
  while (stack.length > 0) {
    const { term, delta } = stack.pop() as { term: Term; delta: bigint };
    const key = `${term} ${delta}`;
    if (seen.has(key)) continue;
    if (seen.add(key).size > 200) return null;
    const read = execution.reads.get(term);
    if (read?.cells.includes(cell)) {
      // Of a summary it may have been another place: then the chain of values goes from place to place, through
      // different writes all the same.
      if (!cell.isSummary && !readsSameCell(read, cell, select)) return null;
      if (cell.isSummary || read.step !== step) composition.isAtomic = false;
      composition.deltas.push(delta);
      continue;
    }
    const next = decomposeOnce(graph, term);
    if (next) for (const part of next) stack.push({ term: part.term, delta: delta + part.delta });
    else if (dependsOn(execution, cell, term)) return null;
    else composition.bases.push(shifted(graph.setOf(term), delta));
  }
  return composition;
}

/**
 * Where the write goes to the cell, was it this cell that was read? So it is when both go to the same address, as in
 * `a[i]++`.
 */
function readsSameCell({ cells, selects }: VisibleRead, cell: Cell, select: Term): boolean {
  return cells.length === 1 || selects[cells.indexOf(cell)] === select;
}

function shifted(set: ValueSet, delta: bigint): ValueSet {
  return delta === 0n ? set : addSets(set, sets.constantSet(set.width, delta));
}

function decomposeOnce(graph: TermGraph, term: Term): { term: Term; delta: bigint }[] | null {
  const [a, b, c] = graph.operandsOf(term) as [Term, Term, Term];
  switch (graph.operationOf(term)) {
    case 'refine':
      return [{ term: a, delta: 0n }];
    case 'ite':
      return [
        { term: b, delta: 0n },
        { term: c, delta: 0n },
      ];
    case 'add': {
      const added = graph.constantOf(b);
      return added === null ? null : [{ term: a, delta: BigInt.asIntN(graph.widthOf(term), added) }];
    }
    default:
      return null;
  }
}

/** Is the cell's own former value somewhere in the term? */
function dependsOn(execution: Execution, cell: Cell, term: Term): boolean {
  const { graph } = execution;
  const seen = new Set<Term>();
  const stack = [term];
  while (stack.length > 0) {
    const top = stack.pop() as Term;
    if (seen.has(top)) continue;
    seen.add(top);
    if (execution.reads.get(top)?.cells.includes(cell)) return true;
    pushAll(stack, graph.operandsOf(top));
  }
  return false;
}
