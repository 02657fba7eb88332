// What a swarm tells in words: its tiles and places, the instance that had a bug, how many were split.

import type { Configuration } from '../engines/swarm/configuration.ts';
import type { Instance } from '../engines/swarm/instances.ts';
import { type ThreadPlaces, userFunctions } from '../engines/swarm/places.ts';
import type { Tally } from '../engines/swarm/tally.ts';
import { groupDigits } from '../support/group-digits.ts';

export function describeSplits({ parts, discharged }: Tally): string {
  const count = (number: number, word: string) => `${groupDigits(number)} ${word}${number === 1 ? '' : 's'}`;
  const run = `Run as well: ${count(parts, 'part')} of instances that ran out of time`;
  return `${run}; the prover discharged ${groupDigits(discharged)}.`;
}

export function instancesWord(count: bigint): string {
  return count === 1n ? 'instance' : 'instances';
}

export function describeShare({ bugs, done }: Tally): string {
  const share = ((100 * bugs) / done).toFixed(2);
  const verb = bugs === 1 ? 'has' : 'have';
  return `Of ${groupDigits(done)} instances, ${groupDigits(bugs)} ${verb} a bug (${share} %).`;
}

/** The instance that had the bug: its name, and where its threads may be preempted. */
export function describeInstance({ name, windows }: Instance, threads: readonly ThreadPlaces[]): string {
  const parts = threads.flatMap((thread, t) => {
    const places = (windows[t] ?? []).map(([first, last]) => describeLines(thread, first, last));
    return places.length === 0 ? [] : [`${thread.name} ${[...new Set(places)].join(', ')}`];
  });
  return `Found in instance ${name}, with preemptions in ${parts.join('; ') || 'no tile'}.`;
}

function describeLines({ places }: ThreadPlaces, first: number, last: number): string {
  const lines = places.slice(first, last + 1).flatMap(({ line }) => (line > 0 ? [line] : []));
  const low = lines.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = lines.reduce((a, b) => Math.max(a, b), 0);
  const labels = first === last ? `${first}` : `${first} to ${last}`;
  if (lines.length === 0) return labels;
  return `${labels} (${low === high ? `line ${low}` : `lines ${low} to ${high}`})`;
}

export function describeTiles(configuration: Configuration, threads: readonly ThreadPlaces[]): string {
  if (configuration.kind === 'list') return '';
  const tiles = threads.map(({ name, places }) => {
    const count = configuration.threads.get(name)?.tiles.length ?? 0;
    return `${name} ${places.length} in ${count}`;
  });
  return `visible statements in tiles: ${tiles.join(', ')}; ${configuration.picks} a thread: `;
}

/** Where threads can be preempted, for those who write a configuration by hand. */
export function describePlaces(threads: readonly ThreadPlaces[]): string {
  const describeThread = ({ name, places }: ThreadPlaces) => {
    const width = String(places.length).length;
    const rows = places.map(({ file, line, functions, blocks }, label) => {
      const where = file === null ? 'in a model' : `${file}:${line}`;
      const words = [where, userFunctions(functions).join(', '), blocks ? 'can block' : ''].filter(
        (word) => word !== '',
      );
      return `  ${String(label).padStart(width)}  ${words.join('  ')}\n`;
    });
    return `${name}\n${rows.join('')}`;
  };
  return threads.map(describeThread).join('');
}
