/**
 * The places of a program as the embedded road sees them: a label is a step of the bounded program. Where an assumption
 * or a cut hangs on a step, its thread may fail to go on there: it blocks.
 */

import type { Step, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import type { SourceMap } from '../../support/source.ts';
import { nameThreads, type Place, type ThreadPlaces } from './places.ts';

export function findPlaces({ threads }: SteppedProgram, sources: SourceMap): readonly ThreadPlaces[] {
  const names = nameThreads(threads.map(({ name }) => name));
  return threads.map((thread, t) => ({
    name: names[t] as string,
    routine: thread.name,
    first: firstLabel(thread, threads),
    places: placesOf(thread, sources),
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

function placesOf({ steps, assumptions, cuts, assertions }: SteppedThread, sources: SourceMap): readonly Place[] {
  const blocking = new Set([...assumptions, ...cuts].map(({ step }) => step));
  const keys = new Map(assertions.map(({ step, key }) => [step, key]));
  return steps.map((step, label) => {
    const place = sources.place(step.loc);
    const functions = functionsIn(keyOf(step) ?? keys.get(label) ?? '');
    return { file: place?.file ?? null, line: place?.line ?? 0, functions, blocks: blocking.has(label) };
  });
}

function keyOf({ accesses, creation }: Step): string | undefined {
  return creation?.key ?? accesses[0]?.key;
}

/** A key has the path of calls (program/instance-key.ts). */
function functionsIn(key: string): readonly string[] {
  return [...new Set(key.split('/').map((frame) => frame.slice(0, frame.lastIndexOf('@'))))].filter(
    (name) => name !== '',
  );
}
