/**
 * Threads that spin for ever. A thread that runs alone and comes back to where it was, with everything as it was, goes
 * round for as long as nobody else changes memory: it waits in a loop, if the loop looks at memory that others write
 * (program/spin-loops.ts), and otherwise does nothing more.
 *
 * It is looked at where loops close. Registers, calls and the whole of memory must be the same, and nothing that others
 * can see may have been different in between, but for locks that were taken and given back (polled-locks.ts). Whoever
 * draws an input might do
 * something else the next time; but that a weak compare-and-exchange fails without reason is left out meanwhile.
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
  /** The function that has the loop, and where it is. */
  readonly function: CompiledFunction;
  readonly loc: Loc;
}

/** Whether the thread goes round a loop for ever if memory stays as it is. */
export function isSpinning(machine: Machine, { spin, status }: Thread): boolean {
  return spin !== null && status === 'ready' && spin.memory === fingerprintMemory(machine);
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

/** Lets a thread run alone. */
export class SpinWatch {
  readonly #machine: Machine;
  readonly #thread: Thread;
  readonly #visits = new Map<string, Visit>();
  readonly #closed: Closed[] = [];
  /** The regions that stores have changed. */
  readonly #changes: (Region | null)[] = [];
  /** The words of locks that were taken or given back. */
  readonly #locks: number[] = [];
  #turns = 0;
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
    else this.#changes.push(memory.find(address));
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
    if (before && before.memory === memory && before.inputs === thread.inputs && this.#isUnseen(before)) {
      thread.spin = this.#spin(memory as string, this.#closed.slice(before.closed));
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

  #spin(memory: string, closed: readonly Closed[]): Spin {
    const { code } = this.#machine.program;
    const spins = spinLoopsOf(code);
    const looks = closed.some(({ function: { source }, loop }) =>
      [...spins.of(source).values()].some((spin) => spin.loop === loop && spin.looks),
    );
    const { function: where, loop } = closed[closed.length - 1] as Closed;
    return { memory, looks, function: where, loc: code.loops[loop]?.loc as Loc };
  }

  /** What has changed meanwhile nobody else can look at, or it was a lock that is free again. */
  #isUnseen({ changes, locks }: Visit): boolean {
    const { memory } = this.#machine;
    if (![...new Set(this.#locks.slice(locks))].every((word) => isFreeLock(memory, word))) return false;
    return [...new Set(this.#changes.slice(changes))].every((region) => region && this.#isOwn(region));
  }

  #isOwn(region: Region): boolean {
    const { memory, threads } = this.#machine;
    const { id } = this.#thread;
    const isOf = (each: Region) => each.thread === id && each.kind !== 'static' && each.kind !== 'heap';
    if (!isOf(region)) return false;
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
