/**
 * Whether all threads are stuck in a state: each one that exists has ended or waits in a thread routine, and at least
 * one waits. A thread waits where a step begins if on some way through that step the condition of a routine does not
 * hold. As for every deadlock, a waiter that could wake up without a signal counts as stuck: inputs are whatever keeps
 * it waiting. Each thread has inputs of its own.
 *
 * Of replicated threads only those in slots are seen: a state that is stuck looks so in every choice of them.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import type { ProgramSteps } from './find-steps.ts';
import type { Body } from './graph.ts';
import { type StepScope, walkStep } from './walk-step.ts';

/** A fixed thread, or a slot, which runs one of several bodies. */
export interface StuckThread {
  readonly bodies: readonly Body[];
  /** By `body:node`, `idle` and `ended`. */
  readonly counters: ReadonlyMap<string, Term>;
  readonly scope: StepScope;
}

export function areStuck(threads: readonly StuckThread[], steps: ProgramSteps, graph: TermGraph): Term {
  const found = threads.map((thread) => stuckAt(thread, steps, graph));
  return graph.and(
    graph.andAll(found.map(({ waits, isOver }) => graph.or(waits, isOver))),
    graph.orAll(found.map(({ waits }) => waits)),
  );
}

function stuckAt(
  { bodies, counters, scope }: StuckThread,
  steps: ProgramSteps,
  graph: TermGraph,
): { readonly waits: Term; readonly isOver: Term } {
  const waits: Term[] = [];
  const isOver = [counters.get('idle') as Term, counters.get('ended') as Term];
  for (const body of bodies) {
    const own = steps.bodies[body.id] as ProgramSteps['bodies'][number];
    for (const start of own.starts) {
      const here = counters.get(`${body.id}:${start}`) as Term;
      for (const { guard, end } of walkStep(body, own, start, scope)) {
        if (end.kind === 'waits') waits.push(graph.and(here, guard));
        if (end.kind === 'stopped') isOver.push(graph.and(here, guard));
      }
    }
  }
  return { waits: graph.orAll(waits), isOver: graph.orAll(isOver) };
}
