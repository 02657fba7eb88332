/**
 * Turns of a loop that take a lock, look, and give it back, as those of a thread that polls a queue under its mutex:
 * `for (;;) { lock(&m); if (count > 0) break; unlock(&m); }`. Other idle turns are left out because they only read
 * (idle-turns.ts); these write as well, but nothing that anybody could tell from their not having been: without the
 * turn the lock is free where it was taken, and that keeps nobody from anything, if the lock only tells who may enter
 * (`isClosed` of lock-sections.ts). Whether it does is seen when all threads have been executed; turns around a lock
 * that somebody tries, or looks at, stay.
 *
 * What is looked for in a turn, for each cell that it writes twice or more: a constant, *free*, that is written last.
 * Every other constant is written where the same step has read *free* (the lock is taken), and *free* only where the
 * turn has taken the lock (it is given back). A turn that gives the lock away and takes it again is another matter
 * (waiting-turns.ts): what it looks at may change meanwhile.
 */

import { contradict } from '../values/contradict.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { Arrival } from './idle-turns.ts';
import { findLockSections } from './lock-sections.ts';
import { refinedTerm } from './refine-state.ts';
import type { ThreadParts } from './start-objects.ts';
import type { State } from './state.ts';
import type { Access, CellId, SteppedProgram } from './steps.ts';
import { lastAccess, type MadeWrite, writesSince } from './turn-accesses.ts';

/** A lock that a turn took and gave back: nobody notices, if it tells nothing but who may enter. */
export interface PolledLock {
  readonly cell: CellId;
  readonly free: bigint;
}

export interface TurnPolls {
  /** What the turn writes to locks. */
  readonly writes: ReadonlySet<Access>;
  /** It finds them free, and leaves them so. */
  readonly isWhole: Term;
  readonly locks: readonly PolledLock[];
}

/** Null where the turn takes no lock. */
export function findPolls(parts: ThreadParts, before: Arrival, state: State): TurnPolls | null {
  const { graph, knowledge } = parts.execution;
  const byCell = new Map<CellId, MadeWrite[]>();
  for (const made of writesSince(parts, before, state)) {
    const { targets, value } = made.write;
    const [target, ...others] = targets;
    const isPlain = target && others.length === 0 && graph.isTrue(target.select) && graph.constantOf(value) !== null;
    if (isPlain && !knowledge.keptLocks.has(target.cell))
      byCell.set(target.cell, [...(byCell.get(target.cell) ?? []), made]);
  }
  const found: { readonly lock: PolledLock; readonly writes: readonly MadeWrite[]; readonly isWhole: Term }[] = [];
  for (const [cell, writes] of byCell) {
    const last = writes[writes.length - 1] as MadeWrite;
    const free = graph.constantOf(last.write.value) as bigint;
    const isWhole = givesBack(graph, state, writes, last.write.value);
    if (isWhole !== null) found.push({ lock: { cell, free }, writes, isWhole });
  }
  if (found.length === 0) return null;
  return {
    writes: new Set(found.flatMap(({ writes }) => writes.map(({ write }) => write))),
    isWhole: found.reduce((all, each) => graph.and(all, each.isWhole), graph.true),
    locks: found.map(({ lock }) => lock),
  };
}

/** When the writes, in their order, take what is free and leave it free; null where they never do. */
function givesBack(graph: TermGraph, state: State, writes: readonly MadeWrite[], free: Term): Term | null {
  /** The condition where the guard holds on the paths to here; most are certain there, which keeps terms small. */
  const where = (guard: Term, condition: Term): Term => {
    const truths = [state.guard, guard].map((term) => ({ term, truth: true }));
    const isCertain = contradict(graph, [...truths, { term: condition, truth: false }]);
    return isCertain ? graph.true : graph.or(graph.not(guard), condition);
  };
  let isHeld = graph.false;
  let isWhole = graph.true;
  let isTaken = false;
  for (const { step, index, write } of writes) {
    const { guard, value } = write;
    const isGiven = value === free;
    const read = isGiven ? null : lastAccess(step, index, write);
    if (!isGiven && read?.kind !== 'read') return null;
    const parts =
      read?.kind === 'read'
        ? [read.guard, graph.eq(refinedTerm(graph, state, read.result), free), graph.not(isHeld)]
        : [isHeld];
    for (const part of parts) isWhole = graph.and(isWhole, where(guard, part));
    isHeld = isGiven ? graph.and(isHeld, graph.not(guard)) : graph.or(isHeld, guard);
    isTaken ||= !isGiven;
  }
  return isTaken ? graph.and(isWhole, where(graph.true, graph.not(isHeld))) : null;
}

/** Those of the locks that tell more than who may enter. */
export function findNoticed(program: SteppedProgram, polled: readonly PolledLock[]): CellId[] {
  if (polled.length === 0) return [];
  const { locks } = findLockSections(program);
  const { graph, cells } = program;
  const isFree = ({ cell, free }: PolledLock) =>
    cells.some(({ id, initial }) => id === cell && graph.constantOf(initial) === free);
  const isClosed = ({ cell }: PolledLock) => locks.some((lock) => lock.cell === cell && lock.isClosed);
  return polled.filter((each) => !isFree(each) || !isClosed(each)).map(({ cell }) => cell);
}
