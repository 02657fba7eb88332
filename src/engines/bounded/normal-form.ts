/**
 * One schedule for many: two schedules that differ only in the order of steps that do not touch the same memory are the
 * same execution. Among them the solver need look only at the one in which every step comes as early as it can: a
 * thread starts its part of a round with a step only if that step conflicts with something that other threads did since
 * the thread's part of the round before; otherwise it would have belonged there. Moving a step to an earlier round
 * never needs more rounds, so nothing is lost.
 *
 * It pays where there are many rounds, and so many schedules for one execution; with few, its clauses cost more than
 * they save (a deep bug at 4 rounds: median 19 s with and 21 s without over 5 seeds, but with a far longer tail; at 11
 * rounds: half the time).
 *
 * Holds for schedules by rounds. (Partial-order reduction; Kahlon, Wang, Gupta, "Monotonic partial order reduction",
 * CAV 2009, in the form that order-encoded rounds allow.)
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { CellId, Step, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import { type Literal, not } from '../../logic/literal.ts';
import type { SymbolicSchedule } from './symbolic-schedule.ts';

/** With fewer rounds than this the normal form is not worth its clauses. */
export const FEWEST_ROUNDS = 6;

/** Per cell, what a thread does with it in a slot. */
interface Touched {
  readonly reads: Map<CellId, Literal>;
  readonly writes: Map<CellId, Literal>;
}

export function encodeNormalForm(program: SteppedProgram, encoder: TermEncoder, schedule: SymbolicSchedule): void {
  const touched = program.threads.map((thread) =>
    Array.from({ length: schedule.slots + 1 }, (_, slot) =>
      slot === 0 ? noTouches() : touchedIn(thread, slot, encoder, schedule),
    ),
  );
  const { circuit } = encoder;
  for (let slot = 2; slot <= schedule.slots; slot++) {
    for (const thread of program.threads) {
      for (const [l, step] of thread.steps.entries()) {
        const starts = l === 0 ? [] : [schedule.passedIn(slot, thread.index, l - 1)];
        const conflicts = conflictsBefore(program, touched, thread, step, slot);
        const created = l === 0 && thread.spawn ? [creationIn(thread, slot, schedule)] : [];
        circuit.addClause([
          not(schedule.passedIn(slot, thread.index, l)),
          not(encoder.literalOf(step.guard)),
          ...starts,
          ...conflicts,
          ...created,
        ]);
      }
    }
  }
}

function noTouches(): Touched {
  return { reads: new Map(), writes: new Map() };
}

function touchedIn(thread: SteppedThread, slot: number, encoder: TermEncoder, schedule: SymbolicSchedule): Touched {
  const { circuit } = encoder;
  const lists = { reads: new Map<CellId, Literal[]>(), writes: new Map<CellId, Literal[]>() };
  for (const [l, step] of thread.steps.entries()) {
    if (step.accesses.length === 0) continue;
    const runs = circuit.and(schedule.passedIn(slot, thread.index, l), encoder.literalOf(step.guard));
    for (const access of step.accesses) {
      const list = access.kind === 'read' ? lists.reads : lists.writes;
      for (const { cell } of access.targets) list.set(cell, [...(list.get(cell) ?? []), runs]);
    }
  }
  const any = (list: Map<CellId, Literal[]>) =>
    new Map([...list].map(([cell, literals]) => [cell, circuit.orMany(literals)]));
  return { reads: any(lists.reads), writes: any(lists.writes) };
}

/** What other threads did to the step's cells since the thread had its turn in the slot before. */
function conflictsBefore(
  program: SteppedProgram,
  touched: readonly (readonly Touched[])[],
  thread: SteppedThread,
  step: Step,
  slot: number,
): Literal[] {
  const literals = new Set<Literal>();
  for (const access of step.accesses) {
    for (const { cell } of access.targets) {
      for (const other of program.threads) {
        if (other.index === thread.index) continue;
        const window = touched[other.index]?.[other.index < thread.index ? slot : slot - 1];
        const write = window?.writes.get(cell);
        const read = access.kind === 'write' ? window?.reads.get(cell) : undefined;
        if (write !== undefined) literals.add(write);
        if (read !== undefined) literals.add(read);
      }
    }
  }
  return [...literals];
}

/** The thread was created since its turn in the slot before would have been. */
function creationIn(thread: SteppedThread, slot: number, schedule: SymbolicSchedule): Literal {
  const { thread: parent, step } = thread.spawn as NonNullable<SteppedThread['spawn']>;
  return schedule.passedIn(parent < thread.index ? slot : slot - 1, parent, step);
}
