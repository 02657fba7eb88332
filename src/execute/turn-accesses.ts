/** What a thread has done since it came to the point of a loop (idle-turns.ts, polling-turns.ts). */

import { contradict } from '../values/contradict.ts';
import type { Term } from '../values/terms.ts';
import type { Arrival } from './idle-turns.ts';
import type { ThreadParts } from './start-objects.ts';
import type { State } from './state.ts';
import type { StepBuilder } from './step-builder.ts';
import type { Access } from './steps.ts';

/** A write of the turn that may be made on the paths to here: the access of its step with the index. */
export interface MadeWrite {
  readonly step: StepBuilder;
  readonly index: number;
  readonly write: Extract<Access, { kind: 'write' }>;
}

export function writesSince({ execution, builder }: ThreadParts, before: Arrival, state: State): MadeWrite[] {
  const { graph } = execution;
  const writes: MadeWrite[] = [];
  for (const step of builder.stepsFrom(Math.max(0, before.steps - 1))) {
    const first = step.index === before.steps - 1 ? before.accesses : 0;
    for (const [index, write] of step.accesses.entries()) {
      if (index < first || write.kind !== 'write') continue;
      const isMade = graph.and(state.guard, write.guard);
      if (!graph.isFalse(isMade) && !contradict(graph, assume(state, write))) writes.push({ step, index, write });
    }
  }
  return writes;
}

export function assume(state: State, write: Access): { readonly term: Term; readonly truth: boolean }[] {
  return [state.guard, write.guard].map((term) => ({ term, truth: true }));
}

/** The access before that of the index that touches one of its cells; null unless it is one of exactly its cells. */
export function lastAccess({ accesses }: StepBuilder, index: number, { targets }: Access): Access | null {
  for (let i = index - 1; i >= 0; i--) {
    const other = accesses[i] as Access;
    if (!other.targets.some(({ cell }) => targets.some((target) => target.cell === cell))) continue;
    const isSame =
      other.targets.length === targets.length &&
      other.targets.every(({ cell, select }, k) => cell === targets[k]?.cell && select === targets[k]?.select);
    return isSame ? other : null;
  }
  return null;
}
