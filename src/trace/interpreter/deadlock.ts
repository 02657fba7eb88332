/**
 * Deadlocks of a concrete state. A thread *waits* when it stands before a step of a thread routine (a model) that
 * cannot be taken now; a failed assumption of the user's own ends the execution instead, and no deadlock is seen in it.
 *
 * A thread also waits in a loop that it goes round for ever as long as nobody changes memory (spin.ts). One that goes
 * round a loop without looking at anything does not wait, but it helps nobody either.
 *
 * Global: no thread can go on, and at least one waits. Partial: threads that wait for one another in a circle (the
 * owner of a lock, the thread that is to be joined), or for a lock whose owner has ended: whatever the others do, these
 * never go on.
 */

import type { Machine } from './machine.ts';
import { isLookedAt, isSpinning, SpinWatch } from './spin.ts';
import type { Thread } from './state.ts';
import { type Wait, waitAt } from './waits.ts';

/** The threads that can never go on, in a state that is a deadlock; null in all others. */
export function findDeadlock(machine: Machine): Wait[] | null {
  return findGlobalDeadlock(machine) ?? findCircle(machine);
}

/** The machine has tried every thread since the last change: all wait or have ended. */
function findGlobalDeadlock(machine: Machine): Wait[] | null {
  // What has not arrived may be what they wait for.
  if (machine.buffers?.isEmpty === false) return null;
  const left = machine.threads.filter((thread) => thread.status !== 'finished');
  const isStuck = (thread: Thread) => (isWaiting(thread) && !machine.canRun(thread)) || isSpinning(machine, thread);
  if (machine.status !== 'running' || !left.every(isStuck)) return null;
  if (left.some((thread) => isSeen(machine, thread, left))) return null;
  const isIdle = ({ status, spin }: Thread) => status === 'ready' && spin?.looks === false;
  const waits = left.filter((thread) => !isIdle(thread)).map((thread) => waitOf(machine, thread));
  return waits.length > 0 ? waits : null;
}

/** Whether others, waiting, look at what the thread changes for a moment in each of its turns. */
function isSeen(machine: Machine, thread: Thread, left: readonly Thread[]): boolean {
  const changed = isSpinning(machine, thread) ? (thread.spin?.changed ?? []) : [];
  return changed.length > 0 && left.some((other) => other !== thread && isLookedAt(machine, other, changed));
}

function findCircle(machine: Machine): Wait[] | null {
  if (machine.status !== 'running') return null;
  for (const start of machine.threads) {
    const circle: Wait[] = [];
    for (let thread: Thread | undefined = start; thread && isWaiting(thread); ) {
      const wait = waitOf(machine, thread);
      circle.push(wait);
      const holder: Thread | undefined = machine.threads[wait.holder ?? -1];
      // Who waits for the end of a thread that has ended goes on.
      const isLeft = wait.object !== null && holder?.status === 'finished';
      if (wait.holder === start.id || isLeft) return circle;
      if (circle.length > machine.threads.length) break;
      thread = holder;
    }
  }
  return null;
}

export function isWaiting(thread: Thread): boolean {
  return thread.status === 'blocked' && thread.waitsInModel;
}

/** A violation of the check `deadlock` if the machine is in one; says whether it is. */
export function declareDeadlock(machine: Machine): boolean {
  const waits = findDeadlock(machine);
  const [first] = waits ?? [];
  if (!waits || !first) return false;
  // A trace ends with the thread that the violation is told of: it tries once more, in vain.
  if (machine.recorder) machine.stepInstruction(machine.thread(first.thread));
  while (machine.section) machine.stepInstruction(machine.thread(first.thread));
  machine.status = 'violation';
  const message = `${describeWaits(waits)} for ever`;
  machine.violation = { check: 'deadlock', message, loc: first.loc, thread: first.thread, waits };
  return true;
}

function describeWaits(waits: readonly Wait[]): string {
  const spinning = waits.filter(({ spins }) => spins).length;
  if (waits.length === 1) return `a thread ${spinning === 1 ? 'spins' : 'waits'}`;
  const what = spinning === 0 ? 'wait' : spinning === waits.length ? 'spin' : 'wait or spin';
  return `${waits.length} threads ${what}`;
}

/** Threads that spin may disturb one another. */
const MOST_PASSES = 1_000;

/**
 * Lets the given threads go on until each of them waits, spins or ends, one after the other, and declares the deadlock.
 * False when they do not end in one.
 */
export function runIntoDeadlock(machine: Machine, threads: readonly number[], limit: number): boolean {
  const last = machine.instructions + limit;
  for (let moved = true, passes = 0; moved && machine.status === 'running'; passes++) {
    if (passes > MOST_PASSES) return false;
    moved = false;
    const { writes } = machine;
    for (const id of threads) {
      const thread = machine.threads[id];
      if (!thread) continue;
      if (isSpinning(machine, thread)) continue;
      thread.spin = null;
      const watch = new SpinWatch(machine, thread);
      while (machine.canRun(thread) && thread.spin === null) {
        if (!watch.step(limit) || machine.instructions > last) return false;
        if (thread.status === 'blocked') break;
      }
      moved ||= watch.steps > 0;
    }
    for (const thread of machine.threads) machine.buffers?.drain(thread);
    // Also a step that waits empties its thread's buffer, and others have to look again.
    if (machine.writes !== writes) moved = true;
  }
  return declareDeadlock(machine);
}

function waitOf(machine: Machine, thread: Thread): Wait {
  if (thread.spin && thread.status === 'ready') {
    const { function: where, loc } = thread.spin;
    return { thread: thread.id, routine: where.source.name, loc, object: null, holder: null, spins: true };
  }
  const { waitsFor } = thread;
  if (waitsFor === null) return waitAt(machine, thread.frame);
  // Of a section that has not been tried since, it is not known who holds what.
  return thread.blockedAt === machine.writes ? waitsFor : { ...waitsFor, object: null, holder: null };
}
