/**
 * A model of the formula read back: which thread passes which steps in which order up to the first violation, and the
 * values of the inputs. Threads get the numbers that the interpreter gives them, in the order of their creation.
 */

import type { EncodedDeadlock } from '../../encode/encode-deadlock.ts';
import type { EncodedRace } from '../../encode/encode-race.ts';
import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { Contender } from '../../execute/find-conflicts.ts';
import type { Step, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { invariant } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import type { Schedule, Segment } from '../../trace/replay.ts';
import type { Encoding } from './encode.ts';

/** Where the violation comes: nothing of the schedule after it matters. */
interface End {
  readonly slot: number;
  readonly thread: number;
  readonly step: number;
}

export function decodeSchedule(program: SteppedProgram, encoding: Encoding, model: Evaluation): Schedule {
  const end = findEnd(encoding, model);
  const last = end?.slot ?? encoding.schedule.slots;
  const numbers = new Map([[0, 0]]);
  const segments: Segment[] = [];
  for (let slot = 1; slot <= last; slot++) {
    for (const thread of program.threads) {
      const isEnd = slot === end?.slot && thread.index === end.thread;
      const turn = stepsInSlot(program, thread, encoding, model, slot, isEnd ? end.step : null, numbers);
      pushAll(segments, turn);
      // The last segment goes on to the violation.
      if (isEnd && (turn.length === 0 || turn.at(-1)?.commits))
        segments.push({ thread: numbers.get(thread.index) ?? thread.index, steps: [] });
      if (isEnd) return { segments, ...decodeInputs(program, encoding.encoder, model, numbers) };
    }
  }
  const race = encoding.race && decodeRace(encoding.race, model, numbers);
  if (race) return { segments: [...segments, ...race], ...decodeInputs(program, encoding.encoder, model, numbers) };
  const deadlock = decodeStuck(encoding.deadlock, model, numbers);
  return { segments, deadlock, ...decodeInputs(program, encoding.encoder, model, numbers) };
}

/** The threads of a circle, or all: those that have passed their last step have still to end. */
export function decodeStuck(
  deadlock: EncodedDeadlock | null,
  model: Evaluation,
  numbers: ReadonlyMap<number, number>,
): readonly number[] {
  const circle = deadlock?.circleIn(model) ?? null;
  return circle === null ? [...numbers.values()] : circle.map((thread) => numbers.get(thread) ?? thread);
}

/**
 * The two accesses of a race, one after the other; null when the model shows none. The thread of the second first goes
 * on to where it stands: sections on its way that nobody else looks at are no steps, but what comes after them in time
 * happens after them.
 */
export function decodeRace(
  race: EncodedRace,
  model: Evaluation,
  numbers: ReadonlyMap<number, number>,
): readonly Segment[] | null {
  const sides = model.value(race.seeks) ? race.sidesIn(model) : null;
  if (sides === null) return null;
  const segmentOf = ({ thread, access }: Contender): Segment => {
    return { thread: numbers.get(thread) ?? thread, steps: [access.key] };
  };
  const [first, second] = sides;
  const isPlain = second.access.touch === 'plain';
  const arrival = isPlain ? [{ ...segmentOf(second), steps: [], upTo: second.access.key }] : [];
  return [...arrival, segmentOf(first), segmentOf(second)];
}

/** The first of the assertions that fail in the model; null when it is a deadlock or a race that the model shows. */
function findEnd({ violations, schedule, deadlock, race }: Encoding, model: Evaluation): End | null {
  if (race && model.value(race.seeks)) return null;
  if (deadlock && model.value(deadlock.seeks)) return null;
  let first: End | null = null;
  for (const { thread, assertion, literal } of violations) {
    if (!model.value(literal)) continue;
    let slot = 1;
    while (slot < schedule.slots && !model.value(schedule.passed(slot, thread, assertion.step))) slot++;
    const place = { slot, thread, step: assertion.step };
    if (!first || comparePlaces(place, first) < 0) first = place;
  }
  invariant(first, 'a model of the formula fails an assertion');
  return first;
}

function comparePlaces(a: End, b: End): number {
  return a.slot - b.slot || a.thread - b.thread || a.step - b.step;
}

/** Delayed stores that reach memory at a moment. */
function lateArrivals(
  program: SteppedProgram,
  { arrivals, encoder }: Encoding,
  model: Evaluation,
  moment: number,
  numbers: ReadonlyMap<number, number>,
): Segment[] {
  return (arrivals?.stores.flat() ?? []).flatMap((store) => {
    const literal = arrivals?.arrivesLate(store, moment) ?? null;
    const thread = numbers.get(store.thread);
    if (literal === null || thread === undefined || !model.value(literal)) return [];
    const step = program.threads[store.thread]?.steps[store.step] as Step;
    const key = keyOf(step, (term) => model.value(encoder.literalOf(term)));
    return key === null ? [] : [{ thread, steps: [], commits: [key] }];
  });
}

/**
 * Keys of the steps, up to the last wanted one, that the thread really runs in the slot, of the stores among them that
 * arrive at once, and of those that arrive late in its turn. Notes the threads that they create.
 */
function stepsInSlot(
  program: SteppedProgram,
  thread: SteppedThread,
  encoding: Encoding,
  model: Evaluation,
  slot: number,
  last: number | null,
  numbers: Map<number, number>,
): Segment[] {
  const { schedule, encoder, arrivals } = encoding;
  const segments: Segment[] = [];
  let keys: string[] = [];
  let moment = arrivals?.moments.beginOf(slot, thread.index) ?? 0;
  const arriveBefore = (step: number) => {
    const end = arrivals?.moments.before(slot, thread.index, step) ?? -1;
    for (; moment <= end; moment++) {
      const late = lateArrivals(program, encoding, model, moment, numbers);
      if (late.length === 0) continue;
      pushAll(segments, late);
      keys = [];
    }
  };
  const number = numbers.get(thread.index) ?? thread.index;
  arriveBefore(-1);
  for (const [l, step] of thread.steps.entries()) {
    if (last !== null && l > last) break;
    arriveBefore(l);
    if (!model.value(schedule.passed(slot, thread.index, l)) || model.value(schedule.passed(slot - 1, thread.index, l)))
      continue;
    const key = keyOf(step, (term) => model.value(encoder.literalOf(term)));
    if (key === null) continue;
    if (keys.length === 0) segments.push({ thread: number, steps: keys });
    keys.push(key);
    const store = arrivals?.storeOf(thread.index, l);
    if (store && arrivals && model.value(arrivals.arrived(store, arrivals.moments.beginOf(slot, thread.index)))) {
      segments.push({ thread: number, steps: [], commits: [key] });
      keys = [];
    }
    for (const { index, spawn } of program.threads) {
      if (spawn?.thread === thread.index && spawn.step === l && model.value(encoder.literalOf(spawn.guard)))
        numbers.set(index, numbers.size);
    }
  }
  if (last === null) arriveBefore(Number.POSITIVE_INFINITY);
  return segments;
}

/**
 * The instruction instance by which the step is known on the path that the model takes; null when it does nothing
 * there.
 */
export function keyOf(step: Step, isTrue: (term: Step['guard']) => boolean): string | null {
  if (!isTrue(step.guard)) return null;
  if (step.creation && isTrue(step.creation.guard)) return step.creation.key;
  return step.accesses.find((access) => isTrue(access.guard))?.key ?? null;
}

export function decodeInputs(
  { inputs: unknowns, objects }: SteppedProgram,
  encoder: TermEncoder,
  model: Evaluation,
  numbers: ReadonlyMap<number, number>,
): Pick<Schedule, 'inputs' | 'guessesAddress'> {
  const inputs = new Map<string, bigint>();
  let guessesAddress = false;
  for (const { thread, key, offset, place, term } of unknowns) {
    const bits = encoder.encodedBitsOf(term);
    const number = numbers.get(thread);
    if (!bits || number === undefined) continue;
    const value = model.unsigned(bits);
    guessesAddress ||= value >= objects.first && value <= objects.end;
    if (offset === null) inputs.set(`${number}:${key}`, value);
    else {
      const address = place && encoder.encodedBitsOf(place.address);
      const start = address ? Number(model.unsigned(address) - place.base) : 0;
      for (let i = 0; 8 * i < bits.length; i++)
        inputs.set(`${number}:${key}+${start + offset + i}`, (value >> BigInt(8 * i)) & 0xffn);
    }
  }
  return { inputs, guessesAddress };
}
