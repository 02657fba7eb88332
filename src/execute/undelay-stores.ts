/**
 * Under a weak memory model: stores to cells that a lock protects, or that one thread alone touches, act at once in the
 * formula, although the machine may delay them.
 *
 * Nobody can tell. The thread itself sees its own store either way. Another thread comes to the cell only in a section
 * of the same lock (lock-sections.ts), which it enters when this one has been left, and leaving it waits for all stores
 * before. So when somebody else looks, the store has arrived. Other stores are not touched by that: one that has to
 * wait for it on the machine may arrive as soon as it has, one that it has to wait for need not come sooner.
 *
 * A store that may also go elsewhere stays delayed, and so do all others to its cells: they arrive in order.
 */

import { isWeak } from '../program/memory-model.ts';
import { findLockSections, type LockSections } from './lock-sections.ts';
import type { Access, CellId, Step, SteppedProgram } from './steps.ts';

export function undelayStores(program: SteppedProgram): SteppedProgram {
  if (!isWeak(program.memoryModel)) return program;
  const hidden = findHidden(program, findLockSections(program));
  if (hidden.size === 0) return program;
  const threads = program.threads.map((thread) => ({
    ...thread,
    steps: thread.steps.map((step) => (isHidden(step, hidden) ? withoutDelays(step) : step)),
  }));
  return { ...program, threads };
}

function withoutDelays(step: Step): Step {
  const accesses = step.accesses.map((access) => (access.kind === 'write' ? { ...access, isDelayed: false } : access));
  return { ...step, accesses };
}

function cellsOf({ targets }: Access): CellId[] {
  return targets.map(({ cell }) => cell);
}

function delayedCells({ accesses }: Step): CellId[] {
  return accesses.filter((access) => access.kind === 'write' && access.isDelayed).flatMap(cellsOf);
}

function isHidden(step: Step, hidden: ReadonlySet<CellId>): boolean {
  return delayedCells(step).every((cell) => hidden.has(cell));
}

/** The cells whose stores nobody else sees before they have arrived. */
function findHidden({ threads }: SteppedProgram, locks: LockSections): ReadonlySet<CellId> {
  const users = new Map<CellId, CellUsers>();
  for (const { index, steps } of threads) {
    for (const [at, { accesses }] of steps.entries()) {
      for (const access of accesses) {
        const around = new Set(locks.around(index, at, access.guard).map(({ lock }) => lock));
        for (const cell of cellsOf(access)) users.set(cell, withUser(users.get(cell), index, around));
      }
    }
  }
  const hidden = new Set(
    [...users].filter(([, { threads: all, locks: held }]) => all.size < 2 || held.size > 0).map(([cell]) => cell),
  );
  const steps = threads.flatMap((thread) => thread.steps);
  // What is stored together is delayed together.
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size;
    for (const step of steps) if (!isHidden(step, hidden)) for (const cell of delayedCells(step)) hidden.delete(cell);
  }
  return hidden;
}

interface CellUsers {
  readonly threads: ReadonlySet<number>;
  /** Held at every access so far. */
  readonly locks: ReadonlySet<CellId>;
}

function withUser(known: CellUsers | undefined, thread: number, held: ReadonlySet<CellId>): CellUsers {
  const locks = known ? new Set([...known.locks].filter((lock) => held.has(lock))) : held;
  return { threads: new Set([...(known?.threads ?? []), thread]), locks };
}
