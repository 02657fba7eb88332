/**
 * The places of a program as the embedded road sees them: a label is a step of the bounded program. Where an assumption
 * or a cut hangs on a step, its thread may fail to go on there: it blocks.
 */

import type { Step, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import type { Code, CodeFunction } from '../../program/code.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import { nameThreads, type PreemptionPlace, type ThreadPlaces } from './places.ts';

export function findPlaces({ threads }: SteppedProgram, code: Code): readonly ThreadPlaces[] {
  const functions = new Map(code.functions.map((each) => [each.name, each]));
  const names = nameThreads(threads.map(({ name }) => name));
  return threads.map((thread, t) => ({
    name: names[t] as string,
    routine: thread.name,
    first: firstLabel(thread, threads),
    places: placesOf(thread, code, functions),
  }));
}

/** Before its first step a thread has not been preempted but has not started; main is alone until it creates one. */
function firstLabel({ index, steps }: SteppedThread, threads: readonly SteppedThread[]): number {
  const least = Math.min(1, steps.length);
  if (index > 0) return least;
  const afterCreation = threads.flatMap(({ spawn }) => (spawn?.thread === 0 ? [spawn.step + 1] : []));
  return Math.max(
    least,
    afterCreation.reduce((first, label) => Math.min(first, label), steps.length),
  );
}

function placesOf(
  { steps, assumptions, cuts, assertions }: SteppedThread,
  { sources }: Code,
  functions: ReadonlyMap<string, CodeFunction>,
): readonly PreemptionPlace[] {
  const blocking = new Set([...assumptions, ...cuts].map(({ step }) => step));
  const keys = new Map(assertions.map(({ step, key }) => [step, key]));
  return steps.map((step, label) => {
    const frames = framesIn(keyOf(step) ?? keys.get(label) ?? '');
    const place = sources.place(frames.length === 0 ? step.loc : (callOf(frames, functions) ?? NOWHERE));
    const names = [...new Set(frames.map(({ name }) => name))];
    return { file: place?.file ?? null, line: place?.line ?? 0, functions: names, blocks: blocking.has(label) };
  });
}

/** What a model does is shown at the user's call; the end of a thread has none. */
function callOf(frames: readonly KeyedFrame[], functions: ReadonlyMap<string, CodeFunction>): Loc | null {
  const own = frames.findLast(({ name }) => functions.get(name)?.isModel === false);
  const instruction = own && functions.get(own.name)?.instructions[own.pc];
  return instruction?.loc ?? null;
}

function keyOf({ accesses, creation }: Step): string | undefined {
  return creation?.key ?? accesses[0]?.key;
}

interface KeyedFrame {
  readonly name: string;
  readonly pc: number;
}

/** A key has the path of calls (program/instance-key.ts). */
function framesIn(key: string): readonly KeyedFrame[] {
  return [...key.matchAll(/(?:^|\/)([^@/]+)@(\d+)/g)].map(([, name = '', pc]) => ({ name, pc: Number(pc) }));
}
