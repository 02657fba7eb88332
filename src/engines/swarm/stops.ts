/** Where the threads of an instance may be preempted: in its windows, and wherever they can block. */

import type { Instance } from './instances.ts';
import type { ThreadPlaces } from './places.ts';

export type IsStop = (thread: number, label: number) => boolean;

export function stopsOf({ windows }: Instance, threads: readonly ThreadPlaces[]): IsStop {
  const stops = threads.map(({ places }, t) => {
    const allowed = places.map(({ blocks }) => blocks);
    for (const [first, last] of windows[t] ?? []) allowed.fill(true, first, last + 1);
    return allowed;
  });
  return (thread, label) => stops[thread]?.[label] === true;
}
