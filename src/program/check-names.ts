/**
 * What can be violated, by name: the names of `--check`, in the order of the help. A new check is a row here and where
 * it is found.
 */

import type { Sought } from './bounds.ts';
import { isWeak, type MemoryModel } from './memory-model.ts';

export const checkNames = [
  { name: 'assertion', isDefault: true, summary: 'assert, calls of error functions, labels named ERROR' },
  { name: 'bounds', isDefault: true, summary: 'an index outside of its array' },
  { name: 'pointer', isDefault: true, summary: 'an invalid, freed or uninitialised pointer is used' },
  { name: 'free', isDefault: true, summary: 'free of something that is not a live allocation' },
  { name: 'leak', isDefault: false, summary: 'an allocation that is not freed when the program ends' },
  { name: 'lost', isDefault: false, summary: 'an allocation that no pointer reaches when the program ends' },
  { name: 'division', isDefault: true, summary: 'division by zero' },
  { name: 'overflow', isDefault: false, summary: 'signed arithmetic overflows' },
  { name: 'shift', isDefault: false, summary: 'a shift by a negative or too large amount' },
  { name: 'mutex', isDefault: true, summary: 'misuse of mutexes and other synchronisation objects' },
  { name: 'thread', isDefault: true, summary: 'misuse of threads: joined twice, …' },
  { name: 'race', isDefault: false, summary: 'two threads access the same memory, and nothing orders them' },
  { name: 'deadlock', isDefault: true, summary: 'threads wait for one another, or for what never comes' },
  { name: 'unreachable', isDefault: true, summary: '__builtin_unreachable is reached, a noreturn function returns' },
] as const;

/**
 * `unsupported`: reaches what the models leave out; then the verdict is unknown, not unsafe. `unwinding`: a backend
 * found that a loop or recursion goes on beyond its bound.
 */
export type CheckName = (typeof checkNames)[number]['name'] | 'unsupported' | 'unwinding';

export function isCheckName(name: string): name is CheckName {
  return name === 'unsupported' || name === 'unwinding' || isAskedFor(name);
}

/** Whether `--check` decides: the others are always looked for. */
export function isAskedFor(name: string): boolean {
  return checkNames.some((check) => check.name === name);
}

/** What the models have to be told of the checks, as macros: `NAME=VALUE`. */
export function modelDefines(checks: Iterable<CheckName>, memoryModel: MemoryModel = 'sc'): string[] {
  const asked = new Set(checks);
  const defines = isWeak(memoryModel) ? ['__LAZULI_WEAK_MEMORY=1'] : [];
  if (asked.has('leak') || asked.has('lost')) defines.push('__LAZULI_LEAKS=1');
  if (asked.has('deadlock')) defines.push('__LAZULI_DEADLOCKS=1');
  return defines;
}

/** The checks that are done where nothing else is said. */
export function defaultChecks(): CheckName[] {
  return checkNames.filter(({ isDefault }) => isDefault).map(({ name }) => name);
}

/** What a sequentialized program is asked about the state in which its schedule ends, if somebody names it. */
export function soughtChecks(): readonly Sought[] {
  return ['deadlock', 'race'];
}

/** What a sequentialized program asserts, if it is asked for: misuse of memory, for instance, does not end its runs. */
export function emittedChecks(): readonly CheckName[] {
  return ['assertion', 'mutex', 'thread', 'unreachable'];
}
