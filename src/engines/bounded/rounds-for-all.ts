/**
 * How many rounds every interleaving fits into. In a round threads go on in a fixed order, so that a new round is only
 * needed where an earlier thread goes on after a later one: that is a step of a thread that is not the last, after a
 * step of one that is not the first. So there are no more than steps of all threads but the last, or but the first.
 */

import type { Step, SteppedProgram } from '../../execute/steps.ts';
import type { ScheduleOptions } from './symbolic-schedule.ts';

/** `steps`: of each thread, in the order in which they go on in a round. */
export function roundsForAll(steps: readonly number[]): number {
  const all = steps.reduce((sum, count) => sum + count, 0);
  return 1 + all - Math.max(steps[0] ?? 0, steps.at(-1) ?? 0);
}

/** Each step may need a context of its own, and each store that arrives late a round. */
export function slotsForAll(program: SteppedProgram, kind: ScheduleOptions['kind']): number {
  const delayed = countDelayed(program);
  const steps = program.threads.map((thread) => thread.steps.length);
  const isInContexts = delayed > 0 || kind === 'contexts';
  return isInContexts ? steps.reduce((sum, count) => sum + count, delayed) : roundsForAll(steps);
}

function countDelayed({ threads }: SteppedProgram): number {
  const isDelayed = ({ accesses }: Step) => accesses.some((access) => access.kind === 'write' && access.isDelayed);
  return threads.reduce((sum, { steps }) => sum + steps.filter(isDelayed).length, 0);
}
