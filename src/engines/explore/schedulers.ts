/**
 * Cheap schedulers for concrete runs. Each picks, before every visible step, the thread that goes on.
 *
 * - `roundRobin(quantum)`: each thread in turn for so many steps; with 1, strict alternation at every access.
 * - `sequential(order)`: a thread runs until it waits or ends.
 * - `priorities(depth)`: random priorities, and `depth` random moments at which the running thread falls behind all
 *   others. After "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (PCT, ASPLOS 2010).
 * - `randomWalk(stay)`: any thread, staying with the current one in `stay` of 100 cases.
 *
 * `mainFirst` lets main create its threads before they run, which regular schedules need to be in step. `afterCreation`
 * does so, too, and then treats main like all others.
 *
 * A thread that reads for long without writing is taken to spin and is passed over once.
 */

import type { Random } from '../../support/random.ts';
import type { Machine } from '../../trace/interpreter/machine.ts';
import type { Thread } from '../../trace/interpreter/state.ts';

/** `candidates` is not empty; `current` is the thread of the last step, perhaps not a candidate. */
export type Scheduler = (candidates: readonly Thread[], current: Thread | null, machine: Machine) => Thread;

/** Steps without a write after which a thread counts as spinning. */
const SPIN_STEPS = 40;

export function roundRobin(quantum: number): Scheduler {
  let used = 0;
  return (candidates, current) => {
    if (current && used < quantum && candidates.includes(current)) {
      used++;
      return current;
    }
    used = 1;
    return nextAfter(candidates, current);
  };
}

function nextAfter(candidates: readonly Thread[], current: Thread | null): Thread {
  return candidates.find((thread) => current !== null && thread.id > current.id) ?? (candidates[0] as Thread);
}

/** A thread runs until it waits, spins or ends; then the next in ascending or descending order. */
export function sequential(descending: boolean): Scheduler {
  const spins = new SpinWatch();
  return (candidates, current, machine) => {
    if (current && candidates.includes(current) && !spins.isSpinning(machine)) return current;
    spins.reset(machine);
    const others = candidates.filter((thread) => thread !== current);
    if (others.length === 0) return current as Thread;
    return descending ? (others[others.length - 1] as Thread) : nextAfter(others, current);
  };
}

export function priorities(random: Random, depth: number, expectedSteps: number): Scheduler {
  const byThread = new Map<number, number>();
  const moments = new Set<number>();
  for (let i = 0; i < depth; i++) moments.add(random.below(Math.max(expectedSteps, 1)));
  const spins = new SpinWatch();
  let steps = 0;
  let lowest = 0;
  const priorityOf = (thread: Thread) => {
    const known = byThread.get(thread.id);
    if (known !== undefined) return known;
    const fresh = 1 + random.below(1_000_000);
    byThread.set(thread.id, fresh);
    return fresh;
  };
  return (candidates, current, machine) => {
    const isSpinning = current !== null && spins.isSpinning(machine);
    if (current && (moments.has(steps) || isSpinning)) byThread.set(current.id, --lowest);
    if (isSpinning) spins.reset(machine);
    steps++;
    return candidates.reduce((best, thread) => (priorityOf(thread) > priorityOf(best) ? thread : best));
  };
}

export function randomWalk(random: Random, stay: number): Scheduler {
  return (candidates, current) => {
    if (current && candidates.includes(current) && random.chance(stay, 100)) return current;
    return random.pick(candidates);
  };
}

/**
 * Main creates all threads before any of them runs: it goes first until there are as many as earlier runs had, or until
 * it waits. Afterwards it goes last.
 */
export function mainFirst(scheduler: Scheduler, expectedThreads: number): Scheduler {
  let isDone = false;
  return (candidates, current, machine) => {
    const main = machine.threads[0];
    if (main?.status !== 'ready' || (expectedThreads > 1 && machine.threads.length >= expectedThreads)) isDone = true;
    if (!isDone && main && candidates.includes(main)) return main;
    const others = candidates.filter((thread) => thread.id !== 0);
    return others.length > 0 ? scheduler(others, current, machine) : (candidates[0] as Thread);
  };
}

/** Main goes alone until there are so many threads, or until it waits. */
export function afterCreation(scheduler: Scheduler, threads: number): Scheduler {
  let isDone = false;
  return (candidates, current, machine) => {
    const main = machine.threads[0];
    if (machine.threads.length >= threads || !main || !candidates.includes(main)) isDone = true;
    return isDone || !main ? scheduler(candidates, current, machine) : main;
  };
}

/** Counts the steps of a thread since memory last changed. */
class SpinWatch {
  #writes = -1;
  #steps = 0;

  isSpinning(machine: Machine): boolean {
    if (machine.writes !== this.#writes) {
      this.#writes = machine.writes;
      this.#steps = 0;
    }
    return ++this.#steps > SPIN_STEPS;
  }

  reset(machine: Machine): void {
    this.#writes = machine.writes;
    this.#steps = 0;
  }
}
