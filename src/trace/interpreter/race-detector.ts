/**
 * Data races of a concrete run, by C11's definition: two accesses of different threads to the same byte, at least one
 * of them a write and at least one not atomic, of which neither happens before the other. A run need not crash to show
 * its races. What happens before what is kept in vector clocks (Flanagan and Freund, "FastTrack", PLDI 2009); here
 * every byte keeps the last access of each thread and kind, which is simpler than epochs and quick enough for our runs.
 *
 * What orders: the creation of a thread and all that thread routines do. A model does it in atomic sections: there a
 * read takes over what was known by whoever wrote that word before, and a write hands on what is known. Atomic accesses
 * synchronise by their memory order and by fences. Sections of the program's own (`__VERIFIER_atomic_*`) act as if they
 * held one lock: they are ordered among themselves, and race with accesses outside. What models touch of their own is
 * no access of the program; what they touch of the program's outside of sections (`memcpy`) is.
 *
 * Freed memory counts as written. A release sequence goes on with updates, and with later writes of the thread that
 * began it, as C11 has it.
 */

import type { Instruction } from '../../program/code.ts';
import { type AccessMode, type AtomicMode, acquires, type MemoryOrder, releases } from '../../program/memory-order.ts';
import type { Loc } from '../../support/source.ts';
import { type HeldLock, HeldLocks } from './held-locks.ts';
import type { Machine } from './machine.ts';
import { bytesOf } from './memory.ts';
import { nameMemory, nameObject } from './name-memory.ts';
import type { RunNotes } from './run-notes.ts';
import type { Frame, MachineEvent } from './state.ts';
import { type UserCall, userCalls, userPlace } from './user-place.ts';
import { joinClock, knows, type VectorClock } from './vector-clock.ts';

/** One side of a race. */
export interface RacingAccess {
  readonly thread: number;
  readonly kind: 'read' | 'write';
  readonly loc: Loc;
  /** The user's calls that led there, innermost first. */
  readonly calls: readonly UserCall[];
  /** The names of the locks that the thread held. */
  readonly locks: readonly string[];
}

export interface Race {
  /** What both touch, and where it lies. */
  readonly object: string;
  readonly address: number;
  /** In the order of the run. */
  readonly sides: readonly [RacingAccess, RacingAccess];
}

interface KeptAccess {
  readonly thread: number;
  readonly kind: 'read' | 'write';
  readonly loc: Loc;
  /** The frame and the place in it, and the locks that were held: read when a race is told. */
  readonly frame: Frame;
  readonly pc: number;
  readonly held: readonly HeldLock[];
  readonly time: number;
  readonly isAtomic: boolean;
}

interface ThreadClocks {
  readonly clock: VectorClock;
  /** What was known at the last release fence. */
  fenced: VectorClock | null;
  /** What relaxed reads have seen: known after an acquire fence. */
  readonly seen: VectorClock;
}

interface Happening {
  readonly event: MachineEvent;
  readonly frame: Frame;
  readonly instruction: Instruction;
}

/** By thread: what is handed on by the release sequence that it began. Never changed. */
type Heads = readonly (readonly number[] | undefined)[];

/** What the detector knows at some time. */
export interface SavedClocks {
  readonly threads: readonly ThreadClocks[];
  readonly released: ReadonlyMap<number, readonly number[]>;
  readonly atomics: ReadonlyMap<number, Heads>;
  readonly kept: ReadonlyMap<number, readonly KeptAccess[]>;
  readonly ownSections: readonly number[];
}

export class RaceDetector {
  readonly #machine: Machine;
  /** Who hears of races where they are no violation. */
  readonly #notes: RunNotes | null;
  readonly #isViolation: boolean;
  readonly #hasAccepted: boolean;
  readonly #locks: HeldLocks;
  /** Per thread, how much of the others was over by creation and join alone. */
  readonly #lives: VectorClock[] = [];
  #threads: ThreadClocks[] = [];
  /** What is handed on, by address, to who reads there: what models wrote, and what atomic accesses wrote. */
  #released = new Map<number, VectorClock>();
  #atomics = new Map<number, Heads>();
  #kept = new Map<number, KeptAccess[]>();
  /** What the sections of the program's own hand on to one another. */
  #ownSections: VectorClock = [];
  /** What the open section did; nothing of it counts if it is undone. */
  #section: Happening[] | null = null;
  #isModelSection = false;

  constructor(machine: Machine, notes: RunNotes | null, isViolation: boolean) {
    this.#machine = machine;
    this.#notes = notes;
    this.#isViolation = isViolation;
    this.#hasAccepted = machine.program.code.objects.some(({ mayRace }) => mayRace);
    this.#locks = new HeldLocks(
      notes && ((thread, taken, held) => notes.noteOrder(machine, thread, taken, held, this.#lifeOf(thread))),
    );
  }

  observe(event: MachineEvent, frame: Frame, instruction: Instruction): void {
    switch (event.kind) {
      case 'atomic-begin':
        this.#section = [];
        this.#isModelSection = frame.function.source.isModel;
        break;
      case 'blocked':
        this.#section = null;
        break;
      case 'atomic-end':
        this.#closeSection(frame.thread.id);
        break;
      case 'exit':
        if (this.#section) this.#closeSection(frame.thread.id);
        break;
      case 'read':
      case 'write':
      case 'spawn':
      case 'fence':
      case 'free':
        if (this.#section) this.#section.push({ event, frame, instruction });
        else this.#happen({ event, frame, instruction }, false);
        break;
      default:
        break;
    }
  }

  /** What is known between two steps; it stays as it is when the detector goes on. */
  save(): SavedClocks {
    return {
      threads: this.#threads.map(({ clock, fenced, seen }) => ({ clock: [...clock], fenced, seen: [...seen] })),
      released: copyLists(this.#released),
      atomics: new Map(this.#atomics),
      kept: copyLists(this.#kept),
      ownSections: [...this.#ownSections],
    };
  }

  /** Goes back to what was saved. */
  load({ threads, released, atomics, kept, ownSections }: SavedClocks): void {
    this.#threads = threads.map(({ clock, fenced, seen }) => ({ clock: [...clock], fenced, seen: [...seen] }));
    this.#released = copyLists(released);
    this.#atomics = new Map(atomics);
    this.#kept = copyLists(kept);
    this.#ownSections = [...ownSections];
    this.#section = null;
  }

  #lifeOf(thread: number): VectorClock {
    const life = this.#lives[thread] ?? [];
    this.#lives[thread] = life;
    if (life[thread] === undefined) life[thread] = 1;
    return life;
  }

  /** All others have been joined, or there are none: who is alone needs no lock. */
  #isAlone(thread: number): boolean {
    const life = this.#lifeOf(thread);
    return this.#lives.every((other, id) => id === thread || (life[id] ?? 0) >= (other[id] ?? 1));
  }

  /** Whoever has joined a thread comes after all of it. */
  #noteJoin(happenings: readonly Happening[], thread: number): void {
    const join = happenings.find(
      ({ event, frame }) => event.kind === 'write' && frame.function.source.name === '__lazuli_join',
    );
    if (!join) return;
    const joined = Number(join.frame.registers[0]) - 1;
    joinClock(this.#lifeOf(thread), this.#lifeOf(joined));
    bump(this.#lifeOf(thread), thread);
  }

  /** All that the section read comes before all that it wrote. */
  #closeSection(thread: number): void {
    const happenings = this.#section ?? [];
    this.#section = null;
    if (this.#isModelSection) this.#synchronise(happenings, thread);
    else {
      const isOwn = happenings.some(
        ({ event, instruction }) => isAccess(event) && modeOf(instruction).kind === 'plain',
      );
      if (isOwn) joinClock(this.#of(thread).clock, this.#ownSections);
      for (const [i, happening] of happenings.entries()) this.#happen(happening, isOwn, happenings[i + 1]);
      if (isOwn) this.#release(thread, this.#ownSections);
    }
  }

  #synchronise(happenings: readonly Happening[], thread: number): void {
    const { clock } = this.#of(thread);
    for (const happening of happenings) this.#locks.note(happening);
    this.#noteJoin(happenings, thread);
    for (const { event } of happenings) {
      if (event.kind === 'read') joinClock(clock, this.#released.get(event.address));
    }
    for (const happening of happenings) {
      const { event } = happening;
      if (event.kind === 'write') joinClock(this.#releasedAt(event.address), clock);
      else if (event.kind === 'spawn' || event.kind === 'fence') this.#happen(happening, false);
    }
    this.#tick(thread);
  }

  /** `next`: what follows in the same section. */
  #happen({ event, frame, instruction }: Happening, isInOwnSection: boolean, next?: Happening): void {
    const thread = frame.thread.id;
    switch (event.kind) {
      case 'spawn':
        joinClock(this.#of(event.child).clock, this.#of(thread).clock);
        this.#tick(thread);
        joinClock(this.#lifeOf(event.child), this.#lifeOf(thread));
        bump(this.#lifeOf(thread), thread);
        break;
      case 'fence':
        if (instruction.kind === 'fence') this.#fence(thread, instruction.order);
        break;
      case 'free':
        this.#free(event.address, isInOwnSection, frame, instruction);
        break;
      case 'read':
      case 'write': {
        if (this.#isNobodys(event.address, frame)) return;
        const mode = modeOf(instruction);
        const isAtomic = mode.kind === 'atomic' || isInOwnSection;
        this.#access(event.address, bytesOf(event.type), { kind: event.kind, isAtomic }, frame, instruction);
        if (mode.kind === 'atomic') this.#order(thread, event, mode, next);
        break;
      }
      default:
        break;
    }
  }

  /** An atomic access synchronises by its order; a compare-and-exchange that writes nothing has failed. */
  #order(thread: number, event: MachineEvent, mode: AtomicMode, next: Happening | undefined): void {
    if (event.kind !== 'read' && event.kind !== 'write') return;
    const clocks = this.#of(thread);
    const heads = this.#atomics.get(event.address) ?? [];
    if (event.kind === 'read') {
      const order = mode.onFailure === null || isExchange(next, event.address) ? mode.order : mode.onFailure;
      for (const head of heads) joinClock(acquires(order) ? clocks.clock : clocks.seen, head);
      return;
    }
    // Others' sequences end with a store that is no update.
    const after = mode.isUpdate ? [...heads] : [];
    const own = [...(heads[thread] ?? [])];
    joinClock(own, releases(mode.order) ? clocks.clock : (clocks.fenced ?? undefined));
    after[thread] = own;
    this.#atomics.set(event.address, after);
    if (releases(mode.order)) this.#tick(thread);
  }

  #fence(thread: number, order: MemoryOrder): void {
    const clocks = this.#of(thread);
    if (acquires(order)) joinClock(clocks.clock, clocks.seen);
    if (!releases(order)) return;
    clocks.fenced = [...clocks.clock];
    this.#tick(thread);
  }

  /** A write to all of it; where nobody has been yet, nobody will come any more. */
  #free(address: number, isAtomic: boolean, frame: Frame, instruction: Instruction): void {
    const end = address + (this.#machine.memory.find(address)?.size ?? 0);
    const touched = [...this.#kept.keys()].filter((at) => at >= address && at < end);
    for (const at of touched) this.#access(at, 1, { kind: 'write', isAtomic }, frame, instruction);
  }

  #access(
    address: number,
    size: number,
    { kind, isAtomic }: Pick<KeptAccess, 'kind' | 'isAtomic'>,
    frame: Frame,
    instruction: Instruction,
  ): void {
    const thread = frame.thread.id;
    const { clock } = this.#of(thread);
    const pc = pcOf(frame, instruction);
    const loc = userPlace(frame, pc);
    const held = this.#locks.of(thread);
    const access: KeptAccess = { thread, kind, isAtomic, loc, frame, pc, held, time: clock[thread] ?? 0 };
    if (!isAtomic && this.#notes && !this.#isAlone(thread)) this.#notes.noteAccess(this.#machine, address, loc, held);
    let isTold = false;
    for (let at = address; at < address + size; at++) {
      const kept = this.#kept.get(at);
      if (!kept) {
        this.#kept.set(at, [access]);
        continue;
      }
      const other = kept.find((before) => conflict(before, access) && !knows(clock, before.thread, before.time));
      if (other && !isTold) {
        this.#report(address, size, other, access, frame, instruction);
        if (this.#isViolation) return;
        isTold = true;
      }
      const same = kept.findIndex(
        (before) => before.thread === thread && before.kind === kind && before.isAtomic === isAtomic,
      );
      if (same < 0) kept.push(access);
      else kept[same] = access;
    }
  }

  #report(
    address: number,
    size: number,
    first: KeptAccess,
    second: KeptAccess,
    frame: Frame,
    instruction: Instruction,
  ): void {
    const machine = this.#machine;
    if (machine.status !== 'running') return;
    const object = nameMemory(machine, address, size);
    const race: Race = { object, address, sides: [this.#sideOf(first), this.#sideOf(second)] };
    this.#notes?.noteRace(race);
    if (!this.#isViolation) return;
    machine.violate('race', `data race on ${object}`, frame, instruction);
    const violation = machine.violation;
    if (violation) machine.violation = { ...violation, race };
  }

  #sideOf({ thread, kind, loc, frame, pc, held }: KeptAccess): RacingAccess {
    const locks = held.map(({ address }) => nameObject(this.#machine, address));
    return { thread, kind, loc, calls: userCalls(frame, pc), locks };
  }

  /** The models' own variables, and those whose races are accepted. */
  #isNobodys(address: number, frame: Frame): boolean {
    const { isModel } = frame.function.source;
    if (!isModel && !this.#hasAccepted) return false;
    const { objects } = this.#machine.program.code;
    const object = objects[this.#machine.memory.find(address)?.object ?? -1];
    return object?.mayRace === true || (isModel && object?.isModel === true);
  }

  #of(thread: number): ThreadClocks {
    let clocks = this.#threads[thread];
    if (!clocks) {
      clocks = { clock: [], fenced: null, seen: [] };
      clocks.clock[thread] = 1;
      this.#threads[thread] = clocks;
    }
    return clocks;
  }

  #releasedAt(address: number): VectorClock {
    const known = this.#released.get(address);
    if (known) return known;
    const made: VectorClock = [];
    this.#released.set(address, made);
    return made;
  }

  #release(thread: number, into: VectorClock): void {
    joinClock(into, this.#of(thread).clock);
    this.#tick(thread);
  }

  /** What comes from now on is not known to those who took over what was handed on. */
  #tick(thread: number): void {
    const { clock } = this.#of(thread);
    clock[thread] = (clock[thread] ?? 0) + 1;
  }
}

function copyLists<T>(lists: ReadonlyMap<number, readonly T[]>): Map<number, T[]> {
  return new Map([...lists].map(([key, list]) => [key, [...list]]));
}

/** The store of a compare-and-exchange, which follows its load at once. */
function isExchange(next: Happening | undefined, address: number): boolean {
  if (next?.event.kind !== 'write' || next.event.address !== address) return false;
  const mode = modeOf(next.instruction);
  return mode.kind === 'atomic' && mode.onFailure !== null;
}

function isAccess({ kind }: MachineEvent): boolean {
  return kind === 'read' || kind === 'write';
}

function modeOf(instruction: Instruction): AccessMode {
  return instruction.kind === 'load' || instruction.kind === 'store' ? instruction.mode : { kind: 'plain' };
}

function conflict(a: KeptAccess, b: KeptAccess): boolean {
  return a.thread !== b.thread && (a.kind === 'write' || b.kind === 'write') && !(a.isAtomic && b.isAtomic);
}

/** The instruction is mostly the one before the next. */
function pcOf({ pc, function: { source } }: Frame, instruction: Instruction): number {
  return source.instructions[pc - 1] === instruction ? pc - 1 : source.instructions.indexOf(instruction);
}

function bump(clock: VectorClock, thread: number): void {
  clock[thread] = (clock[thread] ?? 0) + 1;
}
