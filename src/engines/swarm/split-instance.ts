/**
 * Divide and conquer: an instance as smaller ones that together have all of its interleavings within the bounds. The
 * thread with the most places to stop at has them cut into twice as many tiles as it can be preempted, and each part
 * takes as many tiles as it can be preempted: wherever that happens, some part has all of these places. The other
 * threads stay as they are; it is their turn when the part is split again.
 */

import type { Parts } from './agenda.ts';
import { type Instance, joinWindows } from './instances.ts';
import type { ThreadPlaces } from './places.ts';
import { Selections } from './selections.ts';
import type { Window } from './tiling.ts';

/** `preemptions`: how often a thread can be preempted within the bounds. Null where that is at every place left. */
export function splitInstance(
  { name, windows }: Instance,
  threads: readonly ThreadPlaces[],
  preemptions: number,
): Parts | null {
  const stops = threads.map(({ places }, t) => labelsIn(windows[t] ?? []).filter((label) => !places[label]?.blocks));
  const most = stops.reduce((best, labels) => Math.max(best, labels.length), 0);
  if (most <= preemptions) return null;
  const chosen = stops.findIndex(({ length }) => length === most);
  const tiles = cut(stops[chosen] ?? [], 2 * preemptions);
  const selections = new Selections([tiles.length], preemptions);
  return {
    count: Number(selections.count),
    at: (index) => {
      const [picked = []] = selections.at(BigInt(index));
      const labels = picked.flatMap((tile) => tiles[tile] ?? []);
      const smaller = joinWindows(labels.map((label): Window => [label, label]));
      return { name: `${name}.${index}`, windows: windows.map((own, t) => (t === chosen ? smaller : own)) };
    },
  };
}

function labelsIn(windows: readonly Window[]): readonly number[] {
  return windows.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** Into so many runs of about the same length, or into single ones. */
function cut(labels: readonly number[], count: number): readonly (readonly number[])[] {
  const parts = Math.min(count, labels.length);
  const start = (i: number) => Math.floor((i * labels.length) / parts);
  return Array.from({ length: parts }, (_, i) => labels.slice(start(i), start(i + 1)));
}
