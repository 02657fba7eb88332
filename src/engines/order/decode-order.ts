/**
 * A model of the formula read back: the steps in a row that its order allows, up to the first violation, to a race or
 * to where all threads are stuck, and the values of the inputs.
 */

import type { SteppedProgram } from '../../execute/steps.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { invariant } from '../../support/invariant.ts';
import type { Schedule, Segment } from '../../trace/replay.ts';
import { decodeInputs, decodeRace, decodeStuck, keyOf } from '../bounded/decode.ts';
import type { OrderEncoding } from './encode-order.ts';
import type { StepRef } from './must-order.ts';

export function decodeOrder(
  program: SteppedProgram,
  encoding: OrderEncoding,
  model: Evaluation,
  row: readonly StepRef[],
): Schedule {
  const { encoder } = encoding;
  const isTrue = (term: Parameters<typeof encoder.literalOf>[0]) => model.value(encoder.literalOf(term));
  const fails = new Set(
    encoding.violations
      .filter(({ literal }) => model.value(literal))
      .map(({ thread, assertion }) => `${thread} ${assertion.step}`),
  );
  const numbers = new Map([[0, 0]]);
  const segments: { thread: number; steps: string[]; commits?: string[] }[] = [];
  const keyAt = ({ thread, step }: StepRef) =>
    keyOf(program.threads[thread]?.steps[step] as Parameters<typeof keyOf>[0], isTrue);
  for (const event of row) {
    const { thread, step } = event;
    const store = encoding.commits.storeOf(event);
    if (store) {
      const key = keyAt(store);
      if (key !== null) segments.push({ thread: numbers.get(store.thread) ?? store.thread, steps: [], commits: [key] });
      continue;
    }
    const number = numbers.get(thread) ?? thread;
    const isEnd = fails.has(`${thread} ${step}`);
    const key = keyAt(event);
    let last = segments[segments.length - 1];
    if ((last?.thread !== number || last.commits) && (key !== null || isEnd)) {
      last = { thread: number, steps: [] };
      segments.push(last);
    }
    if (key !== null) last?.steps.push(key);
    if (key !== null) noteCreated(program, { thread, step }, isTrue, numbers);
    if (isEnd) return { segments: segments as Segment[], ...decodeInputs(program, encoder, model, numbers) };
  }
  const race = encoding.race && decodeRace(encoding.race, model, numbers);
  if (race) return { segments: [...segments, ...race], ...decodeInputs(program, encoder, model, numbers) };
  invariant(encoding.deadlock !== null, 'a model of the formula fails an assertion, races or is stuck');
  const deadlock = decodeStuck(encoding.deadlock, model, numbers);
  return { segments: segments as Segment[], deadlock, ...decodeInputs(program, encoder, model, numbers) };
}

/** Threads get the numbers that the interpreter gives them, in the order of their creation. */
function noteCreated(
  { threads }: SteppedProgram,
  at: StepRef,
  isTrue: (term: NonNullable<SteppedProgram['threads'][number]['spawn']>['guard']) => boolean,
  numbers: Map<number, number>,
): void {
  for (const { index, spawn } of threads) {
    if (spawn?.thread === at.thread && spawn.step === at.step && isTrue(spawn.guard)) numbers.set(index, numbers.size);
  }
}
