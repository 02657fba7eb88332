/**
 * Explicit enumeration of all interleavings (and of all inputs of a small domain) of a tiny program, with the states
 * seen so far remembered. It is the oracle for tests of the other engines: slow, simple and exhaustive, with every
 * access to memory that is not provably private a place to preempt. Within bounds, if there are any: threads are then
 * cut by rules of its own (step-within.ts).
 */

import type { Bounds } from '../../program/bounds.ts';
import type { CheckName } from '../../program/code.ts';
import type { MemoryModel } from '../../program/memory-model.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import type { CompiledProgram } from '../../trace/interpreter/compile-instructions.ts';
import { findDeadlock, isWaiting } from '../../trace/interpreter/deadlock.ts';
import { Machine } from '../../trace/interpreter/machine.ts';
import { bytesOf } from '../../trace/interpreter/memory.ts';
import { isFreeLock, isOfLock, onlyWaitsForLocks } from '../../trace/interpreter/polled-locks.ts';
import { fingerprint, restoreSnapshot, type Snapshot, takeSnapshot } from '../../trace/interpreter/snapshot.ts';
import type { InputRequest, InputSource, Scalar, Thread } from '../../trace/interpreter/state.ts';
import { stepWithin } from './step-within.ts';

export interface EnumerateOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly stateLimit: number;
  /** Only whether there is a violation is asked for, not which ones there are. */
  readonly stopAtFirst?: boolean;
  /** Instructions between two visible steps; more is taken as an endless private loop. */
  readonly stepLimit?: number;
  /** The values that an input may take; 0 alone without it. */
  readonly domain?: (request: InputRequest) => readonly Scalar[];
  /** Where threads are cut; nowhere without them. */
  readonly bounds?: Bounds;
  /** Under a weak one, pending stores arrive at any time. */
  readonly memoryModel?: MemoryModel;
  /** What every byte holds that nobody initialised; 0 without it. */
  readonly indeterminate?: number;
}

export interface EnumerateResult {
  /** Every violation that some interleaving reaches, once for each check and place. */
  readonly violations: readonly { readonly check: CheckName; readonly loc: Loc }[];
  /** Some interleaving leaves threads that wait for ever; a violation, too, where that is asked for. */
  readonly hasDeadlock: boolean;
  /** The loops and functions at which some interleaving was cut. */
  readonly cuts: ReadonlySet<string>;
  readonly states: number;
  /** Some interleaving reads what nobody initialised: other values of it may matter. */
  readonly readsIndeterminate: boolean;
  /** False when a limit was met or the interpreter gave up: then nothing can be said of what was not found. */
  readonly isComplete: boolean;
}

const DEFAULT_STEP_LIMIT = 100_000;

/** Of the inputs of one step: a loop that draws one in each turn, while nobody else is there, has no end of them. */
const MOST_COMBINATIONS = 2_000;

/** Inputs along one step, tried in all combinations like the digits of an odometer. */
class InputChoices implements InputSource {
  readonly #domain: NonNullable<EnumerateOptions['domain']>;
  #digits: { index: number; readonly size: number }[] = [];
  #used = 0;
  #tried = 0;
  readonly #byte: number;
  hasDrawnByte = false;
  /** Some step had more combinations than were tried. */
  hasLeftOut = false;

  constructor({ domain, indeterminate }: EnumerateOptions) {
    this.#domain = domain ?? (() => [0]);
    this.#byte = indeterminate ?? 0;
  }

  start(): void {
    this.#digits = [];
    this.#used = 0;
    this.#tried = 0;
  }

  /** Moves on to the next combination; false when all were tried, or many. */
  next(): boolean {
    if (++this.#tried > MOST_COMBINATIONS) this.hasLeftOut = true;
    if (this.hasLeftOut) return false;
    this.#digits.length = this.#used;
    this.#used = 0;
    for (let digit = this.#digits.pop(); digit; digit = this.#digits.pop()) {
      if (digit.index + 1 >= digit.size) continue;
      this.#digits.push({ index: digit.index + 1, size: digit.size });
      return true;
    }
    return false;
  }

  nondet(request: InputRequest): Scalar {
    const values = this.#domain(request);
    const digit = this.#digits[this.#used] ?? { index: 0, size: values.length };
    this.#digits[this.#used++] = digit;
    return values[digit.index] ?? 0;
  }

  byte(): number {
    this.hasDrawnByte = true;
    return this.#byte;
  }
}

export function enumerate(program: CompiledProgram, options: EnumerateOptions): EnumerateResult {
  const inputs = new InputChoices(options);
  const machine = new Machine(program, { checks: options.checks, inputs, memoryModel: options.memoryModel });
  const violations = new Map<string, { check: CheckName; loc: Loc }>();
  const cuts = new Set<string>();
  const isBounded = options.bounds !== undefined;
  const seen = new Set<string>([fingerprint(machine, isBounded)]);
  const work: Snapshot[] = [takeSnapshot(machine)];
  let isComplete = machine.status === 'running';
  let hasDeadlock = false;
  const visit = () => {
    if (machine.violation) {
      const { check, loc } = machine.violation;
      violations.set(`${check} ${loc}`, { check, loc });
    } else if (machine.status === 'gave-up') isComplete = false;
    else if (machine.status === 'running') {
      const print = fingerprint(machine, isBounded);
      if (seen.has(print)) return;
      seen.add(print);
      work.push(takeSnapshot(machine));
    }
  };
  for (let snapshot = work.pop(); snapshot && isComplete && !inputs.hasLeftOut; snapshot = work.pop()) {
    if (options.stopAtFirst && violations.size > 0) isComplete = false;
    else if (seen.size > options.stateLimit) isComplete = false;
    else if (expand(machine, snapshot, inputs, options, visit, cuts)) {
      hasDeadlock = true;
      if (options.checks.has('deadlock')) violations.set('deadlock', { check: 'deadlock', loc: NOWHERE });
    }
  }
  if (inputs.hasLeftOut) isComplete = false;
  const { hasDrawnByte: readsIndeterminate } = inputs;
  const found = [...violations.values()];
  return { violations: found, hasDeadlock, cuts, states: seen.size, readsIndeterminate, isComplete };
}

/**
 * Lets every thread take its next step from a state, with all inputs. True when the state is a deadlock: every thread
 * that is left can be made to wait by its inputs (a waiter on a condition variable that may also wake up without a
 * signal is one) or spins for ever whatever they are, or some of them wait for one another in a circle
 * or for the lock of a thread that has ended.
 */
function expand(
  machine: Machine,
  snapshot: Snapshot,
  inputs: InputChoices,
  options: EnumerateOptions,
  visit: () => void,
  cuts: Set<string>,
): boolean {
  const waiting: number[] = [];
  const [idle, spinning]: [number[], number[]] = [[], []];
  for (const { id, status } of snapshot.threads) {
    if (status === 'finished' || status === 'stuck') continue;
    let waits = false;
    inputs.start();
    do {
      restoreSnapshot(machine, snapshot);
      const cut = stepThread(machine, id, options);
      const thread = machine.threads[id];
      // The others go on as if a thread that is cut had not tried. One that does nothing for ever has come there: it
      // may have left scopes on its way.
      if (cut === IDLE) idle.push(id);
      else if (cut === SPINS) spinning.push(id);
      else if (cut !== null) cuts.add(cut);
      if (cut === null && thread?.status === 'blocked') waits ||= isWaiting(thread);
      else if (cut === null || cut === IDLE || cut === SPINS) visit();
    } while (inputs.next());
    if (waits) waiting.push(id);
  }
  if (commitAll(machine, snapshot, visit)) return false;
  const left = snapshot.threads.filter(({ id, status }) => status !== 'finished' && !idle.includes(id));
  const others = left.filter(({ id }) => !waiting.includes(id) && !spinning.includes(id));
  const spins = ({ id, status }: Thread) => status !== 'stuck' && goesRound(machine, snapshot, id, inputs, options);
  if (left.length > 0 && others.every(spins)) return true;
  return waiting.length > 0 && isCircle(machine, snapshot, inputs, waiting);
}

/** A thread that runs alone comes to no more states than this in a loop that it only waits in. */
const MOST_SOLO_STATES = 200;

/**
 * Whether the thread, if it runs alone, never ends, waits or changes what others look at, whatever its inputs: then it
 * is in few states again and again.
 */
function goesRound(
  machine: Machine,
  snapshot: Snapshot,
  id: number,
  inputs: InputChoices,
  options: EnumerateOptions,
): boolean {
  restoreSnapshot(machine, snapshot);
  const locks = freeLocks(machine, snapshot, id, options);
  const isReady = () => machine.status === 'running' && machine.thread(id).status === 'ready';
  const keeps = (looked: ReadonlySet<number> | null) => {
    restoreSnapshot(machine, snapshot);
    const before = printOthers(machine, id, locks, looked);
    const isSame = (cut: string | null) =>
      cut === null && isReady() && printOthers(machine, id, locks, looked) === before;
    return forEachSoloState(machine, snapshot, id, inputs, options, isSame);
  };
  if (keeps(null)) return true;
  // What others look at takes long to find out, and few threads go round at all.
  if (!options.checks.has('deadlock')) return false;
  const goesOn = (cut: string | null) => cut === null && isReady();
  if (!forEachSoloState(machine, snapshot, id, inputs, options, goesOn)) return false;
  const looked = lookedAtByOthers(machine, snapshot, id, inputs, options);
  return looked !== null && keeps(looked);
}

/**
 * The bytes that the other threads look at when each runs alone, until it waits or comes back to where it was; null for
 * all bytes, where one of them goes on and on.
 */
function lookedAtByOthers(
  machine: Machine,
  snapshot: Snapshot,
  id: number,
  inputs: InputChoices,
  options: EnumerateOptions,
): ReadonlySet<number> | null {
  const bytes = new Set<number>();
  machine.recorder = (event) => {
    if (event.kind !== 'read') return;
    for (let i = 0; i < bytesOf(event.type); i++) bytes.add(event.address + i);
  };
  const isKnown = snapshot.threads
    .filter((thread) => thread.id !== id && thread.status !== 'finished' && thread.status !== 'stuck')
    .every((thread) => forEachSoloState(machine, snapshot, thread.id, inputs, options, () => true));
  machine.recorder = null;
  return isKnown ? bytes : null;
}

/**
 * Lets a thread run alone, with all inputs, and asks after every step whether to go on; false where the answer was no,
 * or where it comes to many states.
 */
function forEachSoloState(
  machine: Machine,
  snapshot: Snapshot,
  id: number,
  inputs: InputChoices,
  options: EnumerateOptions,
  goesOn: (cut: string | null) => boolean,
): boolean {
  const seen = new Set<string>();
  const work = [snapshot];
  for (let state = work.pop(); state; state = work.pop()) {
    inputs.start();
    do {
      restoreSnapshot(machine, state);
      const cut = stepThread(machine, id, options);
      if (!goesOn(cut)) return false;
      const print = fingerprint(machine);
      const isReady = cut === null && machine.status === 'running' && machine.thread(id).status === 'ready';
      if (isReady && !seen.has(print)) work.push(takeSnapshot(machine));
      seen.add(print);
      if (seen.size > MOST_SOLO_STATES) return false;
    } while (inputs.next());
  }
  return true;
}

/**
 * The words of locks that are free and that the thread takes if it runs alone: see trace/interpreter/polled-locks.ts.
 */
function freeLocks(machine: Machine, snapshot: Snapshot, id: number, options: EnumerateOptions): ReadonlySet<number> {
  const words = new Set<number>();
  const { code } = machine.program;
  if (!onlyWaitsForLocks(code)) return words;
  machine.recorder = (event, frame) => {
    if (event.kind === 'write' && isOfLock(frame)) words.add(event.address);
  };
  for (let i = 0; i < MOST_SOLO_STATES && machine.status === 'running'; i++) {
    if (stepThread(machine, id, options) !== null || machine.thread(id).status !== 'ready') break;
  }
  machine.recorder = null;
  restoreSnapshot(machine, snapshot);
  return new Set([...words].filter((word) => isFreeLock(machine.memory, word)));
}

/** A hash of all memory but the variables of one thread, of what is looked at, and but for these words. */
function printOthers(
  { memory, threads }: Machine,
  id: number,
  without: ReadonlySet<number>,
  looked: ReadonlySet<number> | null,
): number {
  let hash = threads.length;
  for (const region of memory.regions) {
    if (!region.alive || (region.thread === id && region.kind !== 'heap')) continue;
    for (const { start, bytes } of memory.stretches(region)) {
      const end = Math.min(bytes.length, region.base + region.size - start);
      for (let at = Math.max(0, region.base - start); at < end; at++)
        if (!without.has((start + at) & ~3) && (looked?.has(start + at) ?? true))
          hash = (Math.imul(hash, 0x01000193) ^ (bytes[at] as number)) >>> 0;
    }
  }
  return hash;
}

/** Lets each pending store that can arrive next do so; says whether there was one. */
function commitAll(machine: Machine, snapshot: Snapshot, visit: () => void): boolean {
  const { buffers } = machine;
  let isAny = false;
  for (const thread of snapshot.threads) {
    for (const place of buffers?.next(thread) ?? []) {
      restoreSnapshot(machine, snapshot);
      buffers?.commit(machine.thread(thread.id), place);
      isAny = true;
      visit();
    }
  }
  return isAny;
}

function isCircle(machine: Machine, snapshot: Snapshot, inputs: InputChoices, waiting: readonly number[]): boolean {
  restoreSnapshot(machine, snapshot);
  inputs.start();
  for (const id of waiting) {
    machine.step(machine.thread(id), DEFAULT_STEP_LIMIT);
    if (machine.thread(id).status !== 'blocked') return false;
  }
  return findDeadlock(machine) !== null;
}

/** Instead of the place where a thread was cut: it goes round a loop in which nothing happens. */
const IDLE = 'idle';
/** The same, but it looks at memory. That is no step of its own while there are no other threads. */
const SPINS = 'spins';
const LONGEST_IDLE_TURN = 500;

/** Whether the thread, in the middle of a step that does not end, comes back to where it is by itself; and how. */
function goesRoundAlone(machine: Machine, thread: Thread): typeof IDLE | typeof SPINS | null {
  const { inputs } = thread;
  let looks = false;
  const before = fingerprint(machine);
  for (let i = 0; i < LONGEST_IDLE_TURN && machine.atomicDepth === 0; i++) {
    const { function: each, pc } = thread.frame;
    looks ||= each.visible[pc] === 1 && each.source.instructions[pc]?.kind === 'load';
    machine.stepInstruction(thread);
    if (machine.status !== 'running' || thread.status !== 'ready' || thread.inputs !== inputs) return null;
    if (fingerprint(machine) === before) return looks ? SPINS : IDLE;
  }
  return null;
}

/** One step of the thread; tells where it was cut instead, if it was. */
function stepThread(machine: Machine, id: number, options: EnumerateOptions): string | null {
  const limit = options.stepLimit ?? DEFAULT_STEP_LIMIT;
  const thread = machine.thread(id);
  if (!options.bounds) {
    if (machine.step(thread, limit)) return null;
    const round = machine.status === 'running' ? goesRoundAlone(machine, thread) : null;
    if (round === null) machine.giveUp('a step without end');
    return round;
  }
  const result = stepWithin(machine, thread, limit, options.bounds);
  if (result.kind === 'endless') machine.giveUp('a step without end');
  return result.kind === 'cut' ? result.where : null;
}
