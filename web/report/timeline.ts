/** Which threads live and which locks they hold at each step: what the lanes show beside the statements. */

import type { Step } from './decode.ts';

export interface Moment {
  /** Lanes that have begun and not ended. */
  readonly alive: ReadonlySet<number>;
  /** Per thread, the locks that it holds during the step, in the order in which they were taken. */
  readonly held: ReadonlyMap<number, readonly string[]>;
}

/** Steps between changes share their moment. */
export function buildTimeline(steps: readonly Step[]): Moment[] {
  let alive: ReadonlySet<number> = new Set([0]);
  let held: ReadonlyMap<number, readonly string[]> = new Map();
  return steps.map(({ template: { thread, marks } }) => {
    if (!alive.has(thread)) alive = new Set([...alive, thread]);
    for (const mark of marks) {
      if (mark.kind === 'create') alive = new Set([...alive, mark.thread]);
      if (mark.kind === 'lock') held = new Map([...held, [thread, [...(held.get(thread) ?? []), mark.lock]]]);
    }
    const moment = { alive, held };
    for (const mark of marks) {
      if (mark.kind === 'exit') alive = new Set([...alive].filter((lane) => lane !== thread));
      if (mark.kind === 'unlock') held = without(held, mark.lock);
    }
    return moment;
  });
}

/** Semaphores aside, whoever gives a lock back ends it for its holder. */
function without(held: ReadonlyMap<number, readonly string[]>, lock: string): Map<number, readonly string[]> {
  return new Map([...held].map(([thread, locks]) => [thread, locks.filter((name) => name !== lock)]));
}
