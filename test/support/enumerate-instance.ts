// Enumeration of the interleavings of one instance of a swarm: as engines/explore/enumerate.ts does it, but a thread is
// left only where the next of the engine's steps that it comes to is a stop, or where it waits or has ended. What the
// engine has no step for concerns nobody else: the thread runs on to the first step that it has.
//
// Written for programs whose threads are all created by main, always, so that both number them alike.

import type { IsStop } from '../../src/engines/swarm/stops.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import type { CheckName } from '../../src/program/code.ts';
import type { CompiledProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { isWaiting } from '../../src/trace/interpreter/deadlock.ts';
import { Machine } from '../../src/trace/interpreter/machine.ts';
import { fingerprint, restoreSnapshot, type Snapshot, takeSnapshot } from '../../src/trace/interpreter/snapshot.ts';
import type { Thread } from '../../src/trace/interpreter/state.ts';

const STEP_LIMIT = 20_000;

/** Whether a violation is reached; null when there are too many states, or the interpreter gave up. */
export function enumerateInstance(
  compiled: CompiledProgram,
  program: SteppedProgram,
  isStop: IsStop,
  { checks, stateLimit }: { readonly checks: ReadonlySet<CheckName>; readonly stateLimit: number },
): boolean | null {
  const machine = new Machine(compiled, { checks, inputs: { nondet: () => 0, byte: () => 0 } });
  const stepOf = program.threads.map(labelsByKey);
  const seen = new Set<string>();
  const work: { readonly snapshot: Snapshot; readonly last: number }[] = [];
  const note = (last: number): boolean | null => {
    if (machine.violation) return true;
    if (machine.status === 'gave-up') return null;
    if (machine.status !== 'running') return false;
    const print = `${fingerprint(machine, false)} ${last}`;
    if (seen.has(print)) return false;
    seen.add(print);
    work.push({ snapshot: takeSnapshot(machine), last });
    return seen.size > stateLimit ? null : false;
  };
  note(0);
  for (let state = work.pop(); state; state = work.pop()) {
    const { snapshot, last } = state;
    restoreSnapshot(machine, snapshot);
    const canLeave = mayLeave(machine, machine.thread(last), stepOf[last] ?? new Map(), isStop);
    if (canLeave === null) return null;
    for (const { id, status } of snapshot.threads) {
      if (status === 'finished' || status === 'stuck' || (id !== last && !canLeave)) continue;
      restoreSnapshot(machine, snapshot);
      if (!machine.step(machine.thread(id), STEP_LIMIT)) return null;
      if (machine.threads[id]?.status === 'blocked' && isWaiting(machine.thread(id))) continue;
      if (machine.threads[id]?.status === 'blocked') continue;
      const found = note(id);
      if (found !== false) return found;
    }
  }
  return false;
}

/** By the key of an instruction instance: the step. */
function labelsByKey({ steps }: SteppedProgram['threads'][number]): ReadonlyMap<string, number> {
  const labels = new Map<string, number>();
  for (const [label, { accesses, creation }] of steps.entries()) {
    for (const { key } of accesses) labels.set(key, label);
    if (creation) labels.set(creation.key, label);
  }
  return labels;
}

/** Runs the thread ahead to see where it stands; the machine is of no use afterwards. */
function mayLeave(
  machine: Machine,
  thread: Thread,
  labels: ReadonlyMap<string, number>,
  isStop: IsStop,
): boolean | null {
  if (thread.status !== 'ready') return true;
  for (let i = 0; i < STEP_LIMIT; i++) {
    const label = labels.get(machine.instanceKey(thread));
    if (label !== undefined) return label === 0 || isStop(thread.id, label);
    machine.stepInstruction(thread);
    if (machine.status !== 'running' || thread.status !== 'ready') return true;
  }
  return null;
}
