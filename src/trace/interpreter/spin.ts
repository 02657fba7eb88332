/**
 * Threads that spin for ever. A thread that runs alone and comes back to where it was, with everything as it was, goes
 * round for as long as nobody else changes memory: it waits in a loop, if the loop looks at memory that others write
 * (program/spin-loops.ts), and otherwise does nothing more.
 *
 * It is looked at where loops close. Registers, calls and the whole of memory must be the same. What was different in
 * between, but for locks that were taken and given back (polled-locks.ts), must not be what others look at while they
 * wait: `isLookedAt` tells, once all of them wait. Whoever draws an input might do something else the next time; but
 * that a weak compare-and-exchange fails without reason is left out meanwhile.
 */

import type { LoopId, ScalarType } from '../../program/code.ts';
import { spinLoopsOf } from '../../program/spin-loops.ts';
import type { Loc } from '../../support/source.ts';
import { addressesIn } from './lost-memory.ts';
import type { Machine } from './machine.ts';
import type { Region } from './memory.ts';
import { isFreeLock, isOfLock, onlyWaitsForLocks } from './polled-locks.ts';
import { fingerprintMemory, fingerprintThread } from './snapshot.ts';
import type { CompiledFunction, Frame, Scalar, Thread } from './state.ts';

export interface Spin {
  /** What memory holds meanwhile. */
  readonly memory: string;
  /** The loop looks at memory that others write: the thread waits for something. */
  readonly looks: boolean;
  /** What others can see and was different in between. */
  readonly changed: readonly Stretch[];
  /** The function that has the loop, and where it is. */
  readonly function: CompiledFunction;
  readonly loc: Loc;
}

interface Stretch {
  readonly address: number;
  readonly size: number;
}

/** Whether the thread goes round a loop for ever if memory stays as it is. */
export function isSpinning(machine: Machine, { spin, status }: Thread): boolean {
  return spin !== null && status === 'ready' && spin.memory === fingerprintMemory(machine);
}

/**
 * Whether a thread that waits or spins looks, in vain, at what another one changes for a moment while it spins. All
 * that are left wait or spin, and do the same again.
 */
export function isLookedAt(machine: Machine, thread: Thread, changed: readonly Stretch[]): boolean {
  const watch = new SpinWatch(machine, thread);
  const { spin, status } = thread;
  const isRepeated = machine.unrecorded(() => watch.repeat());
  thread.spin = spin;
  thread.status = status;
  return !isRepeated || changed.some((each) => watch.hasRead(each));
}

/** A loop that was closed. */
interface Closed {
  readonly function: CompiledFunction;
  readonly loop: LoopId;
}

interface Visit {
  readonly steps: number;
  readonly inputs: number;
  /** Null the first time, when nobody knows that the thread will come back. */
  readonly memory: string | null;
  /** How many loops had been closed, and how many stores had changed something. */
  readonly closed: number;
  readonly changes: number;
  readonly locks: number;
}

/** Loops that go on and on with other contents of memory are given up after so many turns. */
const MOST_TURNS = 24;

/** A turn of more instructions, or visible steps, is not repeated. */
const LONGEST_TURN = 10_000;

/** Lets a thread run alone. */
export class SpinWatch {
  readonly #machine: Machine;
  readonly #thread: Thread;
  readonly #visits = new Map<string, Visit>();
  readonly #closed: Closed[] = [];
  /** What stores have changed. */
  readonly #changes: Stretch[] = [];
  readonly #reads: Stretch[] = [];
  /** The words of locks that were taken or given back. */
  readonly #locks: number[] = [];
  #turns = 0;
  #isRepeating = false;
  /** Visible steps made, but for those of the turns that are taken again and again. */
  steps = 0;

  constructor(machine: Machine, thread: Thread) {
    this.#machine = machine;
    this.#thread = thread;
  }

  /**
   * Up to and including its next visible event, as Machine.step; or until it is seen to spin, which its `spin` then
   * tells. False when `limit` instructions were not enough.
   */
  step(limit: number): boolean {
    const machine = this.#machine;
    const thread = this.#thread;
    const last = machine.instructions + limit;
    machine.spinWatch = this;
    try {
      while (machine.status === 'running') {
        const { frame } = thread;
        const { pc } = frame;
        const isVisible = frame.function.visible[pc] === 1 || machine.atomicDepth > 0;
        machine.stepInstruction(thread);
        if (thread.status !== 'ready' || machine.status !== 'running') break;
        if (thread.frame === frame && frame.pc <= pc && machine.atomicDepth === 0 && this.#comesBack(frame, pc))
          return true;
        if (isVisible && machine.atomicDepth === 0 && machine.threads.length > 1) break;
        if (machine.instructions >= last) return false;
      }
    } finally {
      machine.spinWatch = null;
    }
    if (thread.status !== 'blocked') this.steps++;
    return true;
  }

  noteStore(address: number, size: number, type: ScalarType, value: Scalar, frame: Frame): void {
    const { memory, program } = this.#machine;
    const isSame = memory.isInitialised(address, size) && Object.is(memory.read(address, type), value);
    if (isSame) return;
    if (isOfLock(frame) && onlyWaitsForLocks(program.code)) this.#locks.push(address);
    else this.#changes.push({ address, size });
  }

  noteLoad(address: number, size: number): void {
    if (this.#isRepeating) this.#reads.push({ address, size });
  }

  /** Lets a thread that waits or spins do so once more; false when it does something else. */
  repeat(): boolean {
    const thread = this.#thread;
    this.#isRepeating = true;
    thread.spin = null;
    for (let steps = 0; steps < LONGEST_TURN && thread.spin === null; steps++) {
      if (!this.step(LONGEST_TURN) || this.#machine.status !== 'running') return false;
      if (thread.status !== 'ready') return thread.status === 'blocked';
    }
    return thread.spin !== null;
  }

  hasRead({ address, size }: Stretch): boolean {
    return this.#reads.some((read) => read.address < address + size && address < read.address + read.size);
  }

  #comesBack(frame: Frame, pc: number): boolean {
    const range = frame.function.loops.find(({ closing }) => closing === pc);
    if (range) this.#closed.push({ function: frame.function, loop: range.loop });
    const machine = this.#machine;
    const thread = this.#thread;
    const print = fingerprintThread(thread);
    const before = this.#visits.get(print);
    if (before && ++this.#turns > MOST_TURNS) return false;
    const memory = before ? fingerprintMemory(machine) : null;
    if (before && before.memory === memory && before.inputs === thread.inputs && this.#isFree(before)) {
      thread.spin = this.#spin(memory as string, before);
      this.steps = before.steps;
      return true;
    }
    this.#visits.set(print, {
      steps: before?.steps ?? this.steps,
      inputs: thread.inputs,
      memory,
      closed: this.#closed.length,
      changes: this.#changes.length,
      locks: this.#locks.length,
    });
    return false;
  }

  #spin(memory: string, before: Visit): Spin {
    const { code } = this.#machine.program;
    const spins = spinLoopsOf(code);
    const closed = this.#closed.slice(before.closed);
    const looks = closed.some(({ function: { source }, loop }) =>
      [...spins.of(source).values()].some((spin) => spin.loop === loop && spin.looks),
    );
    const { function: where, loop } = closed[closed.length - 1] as Closed;
    const changed = this.#changes.slice(before.changes).filter(({ address }) => !this.#isOwn(address));
    return { memory, looks, changed, function: where, loc: code.loops[loop]?.loc as Loc };
  }

  /** The locks that were taken meanwhile are free again. */
  #isFree({ locks }: Visit): boolean {
    const { memory } = this.#machine;
    return [...new Set(this.#locks.slice(locks))].every((word) => isFreeLock(memory, word));
  }

  /** Whether the address is in a variable of the thread's that nobody else can get at. */
  #isOwn(at: number): boolean {
    const { memory, threads } = this.#machine;
    const { id } = this.#thread;
    const isOf = (each: Region) => each.thread === id && each.kind !== 'static' && each.kind !== 'heap';
    const region = memory.find(at);
    if (!region || !isOf(region)) return false;
    const leadsThere = (address: number) => address >= region.base && address < region.base + region.size;
    for (const thread of threads) {
      for (let at: Frame | null = thread.id === id ? null : thread.frame; at; at = at.parent)
        if (at.registers.some((value) => leadsThere(Number(value)))) return false;
    }
    for (const each of memory.regions) {
      if (!each.alive || isOf(each)) continue;
      for (const address of addressesIn(memory, each)) if (leadsThere(address)) return false;
    }
    return true;
  }
}
