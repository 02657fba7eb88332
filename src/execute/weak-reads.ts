/**
 * Reads of atomics that need not happen after the write whose value they see: relaxed ones, those of a relaxed write,
 * and those that see a write made under another protection (an atomic section of the program's, seen from outside).
 * Who looks for data races by asking which accesses come together (encode/encode-race.ts) may only drop what does not
 * happen before; such a read would then see something else. To exclude all races these reads are set free: they give
 * any of the values that they can ever give. What comes together then need not be a race; but if nothing does, there is
 * none. Otherwise watch-order.ts decides.
 */

import { alwaysAcquires, releases } from '../program/memory-order.ts';
import { areDisjoint, rangeSet } from '../values/value-set.ts';
import { findConflicts } from './find-conflicts.ts';
import type { Access, CellId, SteppedProgram } from './steps.ts';

/** `free`: the program with such reads set free. `unknown`: that would tell nothing, for they give addresses. */
export type FreedProgram =
  | { readonly kind: 'none' }
  | { readonly kind: 'free'; readonly program: SteppedProgram }
  | { readonly kind: 'unknown' };

export function freeWeakReads(program: SteppedProgram): FreedProgram {
  if (findConflicts(program).size === 0) return { kind: 'none' };
  const weak = findWeakReads(program);
  if (weak.size === 0) return { kind: 'none' };
  const { graph, objects } = program;
  for (const access of weak) {
    if (access.kind !== 'read') continue;
    const set = graph.setOf(access.result);
    const addresses = set.width < 32 ? null : rangeSet(set.width, objects.first, objects.end);
    if (addresses && !areDisjoint(set, addresses)) return { kind: 'unknown' };
  }
  const freed = (access: Access): Access =>
    access.kind === 'read' && weak.has(access) ? { ...access, isFree: true } : access;
  const threads = program.threads.map((thread) => ({
    ...thread,
    steps: thread.steps.map((step) => ({ ...step, accesses: step.accesses.map(freed) })),
  }));
  return { kind: 'free', program: { ...program, threads } };
}

export function findWeakReads(program: SteppedProgram): ReadonlySet<Access> {
  const writes = collectWrites(program);
  const weak = new Set<Access>();
  for (const { index, steps } of program.threads) {
    for (const access of steps.flatMap(({ accesses }) => accesses)) {
      if (access.kind !== 'read' || access.touch !== 'atomic') continue;
      const isSure = access.targets.every(({ cell }) =>
        (writes.get(cell) ?? []).every((write) => write.thread === index || isOrdered(write.access, access)),
      );
      if (!isSure) weak.add(access);
    }
  }
  return weak;
}

interface Write {
  readonly thread: number;
  readonly access: Access;
}

function collectWrites({ threads }: SteppedProgram): Map<CellId, Write[]> {
  const writes = new Map<CellId, Write[]>();
  for (const { index: thread, steps } of threads) {
    for (const access of steps.flatMap(({ accesses }) => accesses)) {
      if (access.kind !== 'write') continue;
      for (const { cell } of access.targets) {
        const list = writes.get(cell) ?? [];
        writes.set(cell, list);
        list.push({ thread, access });
      }
    }
  }
  return writes;
}

/** Who sees the write by the read comes after it, or else the two race. */
function isOrdered(write: Access, read: Access): boolean {
  if (write.touch !== 'atomic') return true;
  if (write.mode.kind === 'plain' || read.mode.kind === 'plain')
    return write.mode.kind === 'plain' && read.mode.kind === 'plain';
  return releases(write.mode.order) && alwaysAcquires(read.mode);
}
