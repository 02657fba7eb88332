/**
 * From where on nothing that a thread does matters any more: one of its assertions has failed, or it has come to a cut.
 * Values from there on need not make sense: what follows a failure was executed as if there had been none. A thread
 * that cannot stop before every step must not be bound by what comes then.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import { FALSE, type Literal, not, TRUE } from '../../logic/literal.ts';
import type { SymbolicSchedule } from './symbolic-schedule.ts';

/** Before the step, something has ended what matters of the thread. */
export type EndedBefore = (thread: number, step: number) => Literal;

export function endedBefore(program: SteppedProgram, encoder: TermEncoder, schedule: SymbolicSchedule): EndedBefore {
  const ended = program.threads.map((thread) => endedInThread(thread, encoder, schedule));
  return (thread, step) => ended[thread]?.[step] as Literal;
}

function endedInThread(
  { index, steps, assertions, cuts }: SteppedThread,
  encoder: TermEncoder,
  schedule: SymbolicSchedule,
): readonly Literal[] {
  const { circuit } = encoder;
  const ends = steps.map((): Literal[] => []);
  const add = (step: number, guard: Literal, isEnd: Literal) =>
    ends[step]?.push(circuit.andMany([schedule.everPassed(index, step), guard, isEnd]));
  for (const { step, guard, condition } of assertions)
    add(step, encoder.literalOf(guard), not(encoder.literalOf(condition)));
  for (const { step, guard } of cuts) add(step, encoder.literalOf(guard), TRUE);
  let ended: Literal = FALSE;
  return ends.map((list) => {
    const before = ended;
    ended = circuit.orMany([ended, ...list]);
    return before;
  });
}
