/**
 * Which accesses need no label because a lock keeps the others away: nobody can notice when they happen, as long as the
 * lock is held meanwhile, so that they may as well follow the thread's step before at once (Lipton's reduction). A
 * critical section in which nothing else happens has one label, where it takes the lock.
 *
 * A part is a *lock* if every write to it is one of these:
 * - in an atomic section, where the part has one of its free values (by an assumption or a branch): to write another,
 *   which is no free value, is to take the lock;
 * - by a thread that holds it, having taken it and not written it since, on every way to the write: it lets it go;
 * - while all other threads that touch it have ended.
 *
 * Then at most one thread holds it: as long as somebody does, its value is not free, so that nobody else can take it,
 * and nobody else writes it, for the others do not hold it. How the lock was made does not count: the mutexes of the
 * models are such parts, and so is `l` where a user assumes `l == 0` and writes `l = 1` in one atomic section.
 *
 * A thread's touches of an object are *protected* if there is a lock that it holds at each of them, and every other
 * thread that touches the object holds it there, or has waited for the end of this one.
 *
 * To let go of a lock is protected if the lock is *quiet*: nobody looks at it who does not hold it, but by waiting for
 * it in an atomic section, in which nothing can fail or be decided before the assumption.
 *
 * Why no bug is lost: let a thread be interrupted before a protected access, and go on later, or never. What others do
 * meanwhile touches neither the object, for which they need a lock that the thread holds, nor a quiet lock, of which
 * they would have to wait until it is free. So the thread might have gone on at once, with the same values, up to its
 * next label, and the rest of the execution is as it was, in the same rounds. Nothing can keep the thread on the way:
 * assumptions have labels of their own, as has everything by which it takes a lock, so that the locks which it holds on
 * the way are among those that it held at the start. And no execution is new, since labels are only left out.
 *
 * Under a weak memory model a lock's own words are written late, but what it protects may be written at once
 * (find-delayed.ts). Under PSO a store that lets go of the lock could arrive before what was stored under it: only
 * parts that are written in atomic sections, which wait for the stores before them, are locks then.
 *
 * None of this relies on the models' assertions, which may be left out: a part that somebody unlocks without holding it
 * is no lock.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import type { MemoryModel } from '../../program/memory-model.ts';
import type { ObjectAccess, SharedMemory } from '../alias/find-shared-memory.ts';
import type { AbstractObject } from '../alias/points-to.ts';
import { rootOf } from '../alias/sharing.ts';
import { areApart } from '../propagate/variable-parts.ts';
import { FactSets, type Facts } from './facts.ts';
import { type IntegerPart, IntegerParts } from './integer-parts.ts';
import { findThreadTables, JOINABLE, JOINED, threadOf } from './thread-tables.ts';
import { type Surroundings, type TableWrite, type ThreadAccess, ThreadWalk } from './walk-thread.ts';

/** Whether nobody can tell when exactly a thread touches something. */
export type IsProtected = (thread: number, touch: ObjectAccess) => boolean;

export function findProtected(program: BoundedProgram, sharing: SharedMemory): IsProtected {
  const protection = protect(program, sharing);
  return (thread, touch) => protection?.isProtected(thread, touch) ?? false;
}

/** Whether a lock that is no part of it keeps everybody else from what a thread touches. */
export function findHidden(program: BoundedProgram, sharing: SharedMemory): IsProtected {
  const protection = protect(program, sharing);
  return (thread, touch) => protection?.isHidden(thread, touch) ?? false;
}

/** Null where nothing is protected. */
function protect(program: BoundedProgram, sharing: SharedMemory): Protection | null {
  const model = program.dataModel;
  const around: Surroundings = {
    sharing,
    parts: new IntegerParts(model),
    sets: new FactSets(),
    tables: findThreadTables(program),
    model,
  };
  const walks: ThreadWalk[] = [];
  for (const thread of program.threads) {
    const walk = new ThreadWalk(thread.number, around);
    walk.run(thread.function);
    if (walk.isLost) return null;
    walks.push(walk);
  }
  if (walks.every(({ taken }) => taken.size === 0)) return null;
  return new Protection(walks, around, program.options.memoryModel);
}

class Protection {
  readonly #parts: IntegerParts;
  readonly #memoryModel: MemoryModel;
  readonly #byObject = new Map<AbstractObject, ThreadAccess[]>();
  /** Threads that do nothing any more once somebody has waited for their end. */
  readonly #reliable: ReadonlySet<number>;
  readonly #locks = new Set<IntegerPart>();
  /** Locks of which only those who wait for them take notice. */
  readonly #quiet = new Set<IntegerPart>();
  /** By object: whether it is protected where these threads touch it. */
  readonly #known = new Map<AbstractObject, Map<number, boolean>>();

  constructor(walks: readonly ThreadWalk[], { parts, tables }: Surroundings, memoryModel: MemoryModel) {
    this.#parts = parts;
    this.#memoryModel = memoryModel;
    for (const { accesses } of walks) {
      for (const access of accesses) {
        const others = this.#byObject.get(access.object);
        if (others) others.push(access);
        else this.#byObject.set(access.object, [access]);
      }
    }
    const unreliable = findUnreliable(walks, parts, tables);
    this.#reliable = new Set([...walks.keys()].filter((thread) => !unreliable.has(thread)));
    for (const part of new Set(walks.flatMap((walk) => [...walk.taken]))) {
      const held = this.#heldValues(part);
      if (held === null) continue;
      this.#locks.add(part);
      if (this.#isQuiet(part, held)) this.#quiet.add(part);
    }
  }

  isProtected(thread: number, touch: ObjectAccess): boolean {
    const part = this.#lockOf(touch);
    return part === null ? this.isHidden(thread, touch) : this.#quiet.has(part);
  }

  isHidden(thread: number, touch: ObjectAccess): boolean {
    if (this.#lockOf(touch) !== null) return false;
    const { object } = touch;
    const ofObject = this.#known.get(object) ?? new Map<number, boolean>();
    this.#known.set(object, ofObject);
    const known = ofObject.get(thread);
    if (known !== undefined) return known;
    const found = this.#isKeptFromOthers(thread, object);
    ofObject.set(thread, found);
    return found;
  }

  #isKeptFromOthers(thread: number, object: AbstractObject): boolean {
    const accesses = (this.#byObject.get(object) ?? []).filter((access) => this.#lockOf(access) === null);
    for (const lock of this.#locks) {
      const isSafe = (access: ThreadAccess) =>
        access.facts.has(`holds ${lock.id}`) || (access.thread !== thread && this.#isAfter(access.facts, thread));
      if (accesses.every(isSafe)) return true;
    }
    return false;
  }

  /** Whether a thread has ended where these facts hold. */
  #isAfter(facts: Facts, thread: number): boolean {
    return this.#reliable.has(thread) && facts.has(`joined ${thread}`);
  }

  /** The lock that is read or written itself. */
  #lockOf({ lvalue }: ObjectAccess): IntegerPart | null {
    const part = lvalue && this.#parts.of(lvalue);
    return part && this.#locks.has(part) ? part : null;
  }

  #accessesTo(part: IntegerPart): readonly ThreadAccess[] {
    return (this.#byObject.get(part.symbol) ?? []).filter((access) => this.#mayTouch(access, part));
  }

  /** The values that a part has while it is held; null if it is no lock. */
  #heldValues(part: IntegerPart): ReadonlySet<bigint> | null {
    const accesses = this.#accessesTo(part);
    const free = new Set<bigint>();
    const held = new Set<bigint>();
    for (const access of accesses) {
      if (access.kind === 'read' || this.#isAlone(access, accesses)) continue;
      if (this.#memoryModel === 'pso' && !access.isInSection) return null;
      const isExact = access.lvalue !== null && this.#parts.of(access.lvalue) === part;
      if (isExact && access.before !== null) {
        for (const value of access.before) free.add(value);
        if (access.value !== null && !access.before.has(access.value)) held.add(access.value);
      } else if (!isExact || !access.facts.has(`holds ${part.id}`)) return null;
    }
    return areDisjoint(held, free) ? held : null;
  }

  /** Nobody can tell whether a lock is held, but by waiting until it is not. */
  #isQuiet(lock: IntegerPart, held: ReadonlySet<bigint>): boolean {
    const accesses = this.#accessesTo(lock);
    return accesses.every(
      (access) =>
        (access.waitsFor !== null && areDisjoint(access.waitsFor, held)) ||
        access.before !== null ||
        access.facts.has(`holds ${lock.id}`) ||
        this.#isAlone(access, accesses),
    );
  }

  /** Whether all others that touch a part have ended. */
  #isAlone({ thread, facts }: ThreadAccess, accesses: readonly ThreadAccess[]): boolean {
    return accesses.every((other) => other.thread === thread || this.#isAfter(facts, other.thread));
  }

  #mayTouch({ lvalue }: ThreadAccess, part: IntegerPart): boolean {
    if (lvalue === null || rootOf(lvalue) !== part.symbol) return true;
    const range = this.#parts.extentOf(lvalue);
    return range === null || !areApart(range, part);
  }
}

function areDisjoint(one: ReadonlySet<bigint>, other: ReadonlySet<bigint>): boolean {
  for (const value of one) if (other.has(value)) return false;
  return true;
}

/** Threads whose end is not known where somebody has waited for it as pthread_join does. */
function findUnreliable(
  walks: readonly ThreadWalk[],
  parts: IntegerParts,
  { finished }: Surroundings['tables'],
): ReadonlySet<number> {
  const unreliable = new Set<number>();
  const all = [...walks.keys()];
  walks.forEach(({ accesses }, thread) => {
    if (accesses.some(({ facts }) => facts.has('finished'))) unreliable.add(thread);
  });
  for (const write of walks.flatMap(({ tableWrites }) => tableWrites)) {
    const part = parts.of(write.target);
    const threads = part ? [threadOf(part)] : all;
    const isUsual = (of: number) => (part?.symbol === finished ? write.thread === of : isUsualStatus(write, of));
    for (const thread of threads) if (!isUsual(thread)) unreliable.add(thread);
  }
  return unreliable;
}

/** Whether a thread's status becomes joinable, or joined where its end has been waited for. */
function isUsualStatus({ value, facts }: TableWrite, thread: number): boolean {
  return value === JOINABLE || (value === JOINED && facts.has(`joined ${thread}`));
}
