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
 *
 * The holder of what a thread waits for is read from the objects of the models, by the names of their inner routines.
 */

import type { Loc } from '../../support/source.ts';
import type { Machine } from './machine.ts';
import { isLookedAt, isSpinning, SpinWatch } from './spin.ts';
import type { Frame, Thread } from './state.ts';

/** Where a waiting thread stands in the user's code, and what it waits for. */
export interface Wait {
  readonly thread: number;
  /** The thread routine that the user called. */
  readonly routine: string;
  readonly loc: Loc;
  /** The address of the object that it waits for; null when it waits for a thread or for something else. */
  readonly object: number | null;
  /** The thread that holds it or that is waited for; null when nobody in particular. */
  readonly holder: number | null;
  /** It waits in a loop, of the routine, and not in a thread routine. */
  readonly spins?: boolean;
}

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
  const { frame, routine, loc } = userCall(thread.frame);
  for (let at: Frame | null = thread.frame; at && at !== frame; at = at.parent) {
    const find = HOLDERS[at.function.source.name];
    if (find) return { thread: thread.id, routine, loc, ...find(machine, Number(at.registers[0])) };
  }
  return { thread: thread.id, routine, loc, object: null, holder: null };
}

/** The innermost frame of the user's, the routine that it called and where. */
function userCall(innermost: Frame): { readonly frame: Frame | null; readonly routine: string; readonly loc: Loc } {
  const { source } = innermost.function;
  const here = source.instructions[innermost.pc]?.loc as Loc;
  // The routine was called in an atomic section of the user's, which waits as a whole.
  if (!source.isModel) return { frame: innermost, routine: source.name, loc: here };
  let at = innermost;
  while (at.parent?.function.source.isModel) at = at.parent;
  const call = at.parent?.function.source.instructions[at.callPc];
  return { frame: at.parent, routine: at.function.source.name, loc: call?.loc ?? here };
}

/** Whether a write to the address, made in the frame, takes a mutex. */
export function takesMutex({ function: { source }, registers }: Frame, address: number): boolean {
  return source.name === '__lazuli_mutex_lock' && Number(registers[0]) === address;
}

type Holder = Pick<Wait, 'object' | 'holder'>;

/** By the model's inner routine that waits: what its first argument tells. */
const HOLDERS: Readonly<Record<string, (machine: Machine, argument: number) => Holder>> = {
  __lazuli_mutex_lock: ownerOf,
  pthread_spin_lock: ownerOf,
  // A pthread_t is the thread's number plus one.
  __lazuli_join: (machine, joined) => ({ object: null, holder: machine.threads[joined - 1] ? joined - 1 : null }),
};

/** Word 0 of a mutex, or a spin lock, is its owner's number plus one. */
function ownerOf(machine: Machine, lock: number): Holder {
  const owner = Number(machine.memory.read(lock, OWNER_WORD));
  return { object: lock, holder: machine.threads[owner - 1] ? owner - 1 : null };
}

const OWNER_WORD = { kind: 'integer', bits: 32, signed: true, pointer: false } as const;
