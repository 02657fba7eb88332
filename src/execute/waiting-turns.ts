/**
 * Turns of a loop around a condition variable, `while (!predicate) pthread_cond_wait(&condition, &mutex);`: the thread
 * looks at the predicate, begins to wait and gives the mutex away (*sleeps*), *wakes up*, and takes the mutex again. It
 * wakes up by a signal, or by luck, without one (models/condition.c). Idle turns of other loops are left out because a
 * thread may look for the first time when others look again (idle-turns.ts); one that holds a mutex may not. Here,
 * whoever woke up by luck and finds the predicate false again does not go back to sleep: it sleeps on instead.
 *
 * Let two turns in a row, k and k + 1, leave the thread as it was and write nothing but mutex and condition, and let it
 * wake up by luck in turn k. Then the thread is the same asleep in both, and everything from the first waking up to the
 * second falling asleep can be left out: the thread wakes up in turn k when it did in turn k + 1. Why nobody notices:
 *
 * - The mutex is a lock that only tells who may enter (`isClosed` of lock-sections.ts): that it is free instead of
 *   taken keeps nobody from anything.
 * - After the mutex is taken again, the turn looks at nothing that others see. So whatever the thread found when it
 *   woke up, it is as it was.
 * - A signal that came between the two, when the thread was awake and did not count as waiting, may now be for it. If
 *   others waited, the signal may as well be for one of them, as it was. If nobody did, the thread now wakes up by that
 *   signal, looks at the predicate in the middle of the section that was left out, and sleeps again: a turn that is not
 *   by luck. It finds the predicate as false as before, because what it looks at is written under the same mutex only.
 *
 * The last two conditions that speak of other threads are looked at when all of them have been executed; if they do not
 * hold, the turns stay (`areUnnoticed`). Turns by signals stay in any case: they are as many as there are signals.
 */

import type { Term } from '../values/terms.ts';
import type { Arrival } from './idle-turns.ts';
import { findLockSections, type LockSections } from './lock-sections.ts';
import type { ThreadParts } from './start-objects.ts';
import type { Access, CellId, SteppedProgram } from './steps.ts';

const ROUTINE = '/__lazuli_condition_wait@';
const RELOCK = `/__lazuli_mutex_lock@`;
const RELEASE = '/__lazuli_mutex_release@';

type Write = Extract<Access, { kind: 'write' }>;

/** The one wait of a turn. */
export interface TurnWait {
  /** What it writes to the mutex and to the condition. */
  readonly writes: ReadonlySet<Access>;
  /** The turn waits, and has the mutex again as it was. */
  readonly isWhole: Term;
  /** The thread wakes up without a signal. */
  readonly isLucky: Term;
  readonly mutex: CellId;
  /** The cells that the turn looks at. */
  readonly reads: readonly CellId[];
}

/** A turn that was left out on some path: nobody notices, if others see to it. */
export interface LeftOutWait {
  readonly thread: number;
  readonly mutex: CellId;
  readonly reads: readonly CellId[];
}

/** What a wait draws is whether it is by luck, or whether its time is up. */
export function isDrawnByWait(key: string): boolean {
  return key.includes(ROUTINE);
}

/** Null where the turn has no wait, or several, or where it does not look like one as above. */
export function findWait({ execution, builder }: ThreadParts, before: Arrival): TurnWait | null {
  const { graph } = execution;
  const accesses = builder
    .stepsFrom(Math.max(0, before.steps - 1))
    .flatMap((step) => (step.index === before.steps - 1 ? step.accesses.slice(before.accesses) : step.accesses));
  const inside = accesses.filter(({ key }) => key.includes(ROUTINE));
  const [release, ...others] = inside.filter((access) => access.kind === 'write' && access.key.includes(RELEASE));
  const [relock, ...more] = inside.filter((access): access is Write => access.kind === 'write' && isRelock(access));
  if (!release || !relock || others.length > 0 || more.length > 0) return null;
  const mutex = onlyCellOf(release);
  const found = inside.find((access) => access.kind === 'read' && access.key.includes(RELEASE));
  if (mutex === null || onlyCellOf(relock) !== mutex || found?.kind !== 'read' || onlyCellOf(found) !== mutex)
    return null;
  const user = accesses.filter(({ key }) => !key.includes(ROUTINE));
  if (accesses.slice(accesses.indexOf(inside[0] as Access)).some((access) => user.includes(access))) return null;
  const luck = luckOf(inside, relock);
  if (luck === null) return null;
  return {
    writes: new Set(inside.filter(({ kind }) => kind === 'write')),
    isWhole: graph.and(relock.guard, graph.eq(found.result, relock.value)),
    isLucky: luck,
    mutex,
    reads: user.filter(({ kind }) => kind === 'read').flatMap(({ targets }) => targets.map(({ cell }) => cell)),
  };
}

function isRelock({ key }: Access): boolean {
  return key.slice(key.lastIndexOf(ROUTINE)).includes(RELOCK);
}

function onlyCellOf({ targets }: Access): CellId | null {
  return targets.length === 1 ? (targets[0]?.cell ?? null) : null;
}

/**
 * Who sleeps has a bit of the condition set, and clears it itself when it wakes up by luck. Where nobody else looks at
 * the condition, there are no signals. Null where it is not known.
 */
function luckOf(inside: readonly Access[], relock: Write): Term | null {
  const own = inside.filter(
    ({ kind, key }) => kind === 'write' && !key.slice(key.lastIndexOf(ROUTINE) + 1).includes('/'),
  );
  const [asleep, awake, ...more] = [...new Set(own.map(({ key }) => key))];
  if (asleep === undefined) return relock.guard;
  if (awake === undefined || more.length > 0) return null;
  return own.find(({ key }) => key === awake)?.guard ?? null;
}

/** Whether the mutex only tells who may enter, and guards what the turns look at. */
export function areUnnoticed(program: SteppedProgram, waits: readonly LeftOutWait[]): boolean {
  if (waits.length === 0) return true;
  const locks = findLockSections(program);
  return waits.every(({ thread, mutex, reads }) => {
    const isClosed = locks.locks.some(({ cell, isClosed }) => cell === mutex && isClosed);
    return isClosed && reads.every((cell) => isGuarded(program, locks, cell, mutex, thread));
  });
}

/** Others write the cell only while they hold the mutex. */
function isGuarded(
  { threads }: SteppedProgram,
  locks: LockSections,
  cell: CellId,
  mutex: CellId,
  reader: number,
): boolean {
  return threads.every(
    ({ index, steps }) =>
      index === reader ||
      steps.every(({ accesses }, step) =>
        accesses.every(
          (access) =>
            access.kind !== 'write' ||
            access.targets.every((target) => target.cell !== cell) ||
            locks.isHeld(index, step, access.guard, mutex),
        ),
      ),
  );
}
