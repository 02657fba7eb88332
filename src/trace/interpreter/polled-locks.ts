/**
 * Locks that a thread takes and gives back while it polls: `lock; look; unlock`, again and again. Others may see such a
 * lock taken, but are not helped by it: whoever only ever waits until it is free goes on as if it had been free all the
 * time. So such a turn changes nothing if the lock is free before it and after it, and if nobody looks at locks in
 * other ways (a trylock that fails does).
 */

import type { Code } from '../../program/code.ts';
import type { Memory } from './memory.ts';
import type { Frame } from './state.ts';

/** What takes locks by waiting until they are free (0), and what gives them back. */
const ROUTINES: ReadonlySet<string> = new Set([
  '__lazuli_mutex_lock',
  '__lazuli_mutex_release',
  'pthread_spin_lock',
  'pthread_spin_unlock',
  '__lazuli_rwlock_read',
  '__lazuli_rwlock_write',
  '__lazuli_rwlock_unlock',
]);

/** Routines that tell whether a lock is taken, or end a wait for it. */
const LOOKS = /(^|_)(try|timed|clock)[a-z]*(lock|rdlock|wrlock)$|^pthread_cancel$/;

const cache = new WeakMap<Code, boolean>();

/** Whether all that threads do with locks is to wait for them. */
export function onlyWaitsForLocks(code: Code): boolean {
  const known = cache.get(code) ?? !code.functions.some(({ name, isModel }) => isModel && LOOKS.test(name));
  cache.set(code, known);
  return known;
}

/** Whether the frame is in a routine that takes a lock or gives it back. */
export function isOfLock({ function: { source } }: Frame): boolean {
  return source.isModel && ROUTINES.has(source.name);
}

/** Whether the word of a lock says that it is free. */
export function isFreeLock(memory: Memory, word: number): boolean {
  return Number(memory.read(word, WORD)) === 0;
}

const WORD = { kind: 'integer', bits: 32, signed: true, pointer: false } as const;
