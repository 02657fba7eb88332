/**
 * Which locks a thread holds in a concrete run, and since where: mutexes, read-write locks and spin locks. The inner
 * routines of the models tell, by their names and their first argument, when what they write takes or gives one.
 */

import type { Loc } from '../../support/source.ts';
import type { Frame, MachineEvent } from './state.ts';
import { userPlace } from './user-place.ts';

export interface HeldLock {
  readonly address: number;
  /** Where the user's code took it. */
  readonly loc: Loc;
}

const TAKES: ReadonlySet<string> = new Set([
  '__lazuli_mutex_lock',
  '__lazuli_mutex_inherit',
  '__lazuli_rwlock_read',
  '__lazuli_rwlock_write',
  'pthread_spin_lock',
  'pthread_spin_trylock',
]);
const GIVES: ReadonlySet<string> = new Set(['__lazuli_mutex_release', '__lazuli_rwlock_unlock', 'pthread_spin_unlock']);
const NONE: readonly HeldLock[] = [];

/** Is told of a lock that a thread takes while it holds others. */
type TakeListener = (thread: number, taken: HeldLock, held: readonly HeldLock[]) => void;

export class HeldLocks {
  readonly #onTake: TakeListener | null;
  /** Lists are replaced, never changed. */
  readonly #held = new Map<number, readonly HeldLock[]>();

  constructor(onTake: TakeListener | null) {
    this.#onTake = onTake;
  }

  of(thread: number): readonly HeldLock[] {
    return this.#held.get(thread) ?? NONE;
  }

  /** A write that counts: its section was completed. */
  note({ event, frame }: { readonly event: MachineEvent; readonly frame: Frame }): void {
    if (event.kind !== 'write') return;
    const { name } = frame.function.source;
    const lock = Number(frame.registers[0]);
    // A recursive mutex counts in another word.
    if (event.address !== lock) return;
    const thread = frame.thread.id;
    const held = this.of(thread);
    if (TAKES.has(name)) {
      const taken = { address: lock, loc: userPlace(frame, frame.pc - 1) };
      if (held.length > 0) this.#onTake?.(thread, taken, held);
      if (!held.some(({ address }) => address === lock)) this.#held.set(thread, [...held, taken]);
    } else if (GIVES.has(name)) {
      this.#held.set(
        thread,
        held.filter(({ address }) => address !== lock),
      );
    }
  }
}
