/**
 * Instances of a swarm: the labels of each thread at which it may be preempted, as windows in order. They are made of a
 * configuration and the places of the program, each when somebody asks for it.
 */

import { ShapeError } from '../../support/json-shape.ts';
import {
  ALL_OTHERS,
  type Configuration,
  type ConfiguredThread,
  type ListConfiguration,
  type ListedInstance,
  type ListedThread,
  type PlaceName,
  type TilingConfiguration,
} from './configuration.ts';
import { permuteIndex } from './permute-index.ts';
import { type PreemptionPlace, type ThreadPlaces, userFunctions } from './places.ts';
import { Selections } from './selections.ts';
import type { Window } from './tiling.ts';

/** Plain data: it travels between threads and machines. */
export interface Instance {
  /** The number of its selection, or its name in a configuration. */
  readonly name: string;
  /** For each thread, in order and apart from one another. */
  readonly windows: readonly (readonly Window[])[];
}

export interface Instances {
  /** How many are to be run. */
  readonly count: bigint;
  /** How many there are; null where somebody listed those to run. */
  readonly total: bigint | null;
  /** The one that is run at that place in the order. */
  at(index: bigint): Instance;
}

/** Throws a ShapeError where the configuration does not fit the program. */
export function createInstances(configuration: Configuration, threads: readonly ThreadPlaces[]): Instances {
  return configuration.kind === 'tiling' ? fromTiling(configuration, threads) : fromList(configuration, threads);
}

function fromTiling(configuration: TilingConfiguration, threads: readonly ThreadPlaces[]): Instances {
  const { picks, random, first, count } = configuration;
  const tiles = threads.map((thread) => tilesOf(configuration.threads, thread));
  for (const name of configuration.threads.keys()) findThreads(name, threads, `$.threads[${JSON.stringify(name)}]`);
  const selections = new Selections(
    tiles.map(({ length }) => length),
    picks,
  );
  const total = selections.count;
  if (first + count > total)
    throw new ShapeError('$.count', `there are ${total} selections, too few for ${count} from ${first} on`);
  return {
    count,
    total,
    at: (index) => {
      const number = random === null ? first + index : permuteIndex(first + index, total, random);
      const picked = selections.at(number);
      const windows = tiles.map((list, t) => joinWindows((picked[t] ?? []).map((tile) => list[tile] as Window)));
      return { name: String(number), windows };
    },
  };
}

function tilesOf(configured: ReadonlyMap<string, ConfiguredThread>, { name, places }: ThreadPlaces): readonly Window[] {
  const thread = configured.get(name);
  if (!thread) throw new ShapeError('$.threads', `the thread ${name} is missing`);
  if (thread.statements !== places.length) {
    const path = `$.threads[${JSON.stringify(name)}].statements`;
    const reason = 'made for another program or other bounds';
    throw new ShapeError(path, `${reason}: the thread has ${places.length} visible statements`);
  }
  return thread.tiles;
}

function fromList({ instances }: ListConfiguration, threads: readonly ThreadPlaces[]): Instances {
  const resolved = instances.map((instance) => resolve(instance, threads));
  return { count: BigInt(resolved.length), total: null, at: (index) => resolved[Number(index)] as Instance };
}

function resolve({ name, threads: listed }: ListedInstance, threads: readonly ThreadPlaces[]): Instance {
  const windows = threads.map((): Window[] => []);
  const named = new Set<ThreadPlaces>();
  const others = listed.filter((each) => each.name === ALL_OTHERS);
  for (const each of [...listed.filter((other) => other.name !== ALL_OTHERS), ...others]) {
    const isRest = each.name === ALL_OTHERS;
    const found = isRest ? threads.filter((thread) => !named.has(thread)) : findThreads(each.name, threads, each.path);
    for (const thread of found) named.add(thread);
    addPlaces(each, found, threads, windows);
  }
  return { name, windows: windows.map(joinWindows) };
}

function addPlaces(
  { places, path }: ListedThread,
  found: readonly ThreadPlaces[],
  threads: readonly ThreadPlaces[],
  windows: readonly Window[][],
): void {
  for (const [i, place] of places.entries()) {
    let isAnywhere = false;
    for (const thread of found) {
      const labels = labelsOf(place, thread);
      isAnywhere ||= labels.length > 0;
      for (const label of labels) windows[threads.indexOf(thread)]?.push([label, label]);
    }
    if (!isAnywhere) {
      const none =
        found.length === 1 ? `${found[0]?.name} has no visible statement` : 'no thread has a visible statement';
      throw new ShapeError(`${path}[${i}]`, `${none} ${tell(place)}${hint(place, found)}`);
    }
  }
}

function labelsOf(name: PlaceName, { places }: ThreadPlaces): readonly number[] {
  return [...places.keys()].filter((label) => isAt(name, label, places[label] as PreemptionPlace));
}

function isAt(name: PlaceName, label: number, { file, line, functions }: PreemptionPlace): boolean {
  switch (name.kind) {
    case 'labels':
      return name.first <= label && label <= name.last;
    case 'lines':
      return (name.file === null || isSameFile(name.file, file)) && name.first <= line && line <= name.last;
    case 'function':
      return functions.includes(name.name);
  }
}

/** A name without folders stands for the file wherever it is. */
function isSameFile(name: string, file: string | null): boolean {
  return file === name || file?.endsWith(`/${name}`) === true;
}

function tell(place: PlaceName): string {
  switch (place.kind) {
    case 'labels':
      return place.first === place.last ? `${place.first}` : `from ${place.first} to ${place.last}`;
    case 'lines': {
      const lines = place.first === place.last ? `line ${place.first}` : `lines ${place.first} to ${place.last}`;
      return `in ${lines}${place.file === null ? '' : ` of ${place.file}`}`;
    }
    case 'function':
      return `in ${place.name}`;
  }
}

const MOST_NAMES = 12;

/** What there is instead. */
function hint(name: PlaceName, threads: readonly ThreadPlaces[]): string {
  const places = threads.flatMap((thread) => thread.places);
  switch (name.kind) {
    case 'labels': {
      const most = threads.reduce((longest, thread) => Math.max(longest, thread.places.length), 0);
      return most === 0 ? '' : `; the last one is ${most - 1}`;
    }
    case 'lines': {
      const near = places.filter(({ file, line }) => line > 0 && (name.file === null || isSameFile(name.file, file)));
      const lines = [...new Set(near.map(({ line }) => line))];
      const distance = (line: number) => Math.max(name.first - line, line - name.last);
      const [nearest] = lines.sort((a, b) => distance(a) - distance(b));
      return nearest === undefined ? '' : `; the nearest is in line ${nearest}`;
    }
    case 'function': {
      const names = [...new Set(places.flatMap(({ functions }) => userFunctions(functions)))];
      const more = names.length > MOST_NAMES ? ', …' : '';
      return names.length === 0 ? '' : `; there are some in ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
    }
  }
}

/** Whether the tiles have all places at which threads can be preempted. Whoever wrote them may have left some out. */
export function hasAllPlaces({ threads: configured }: TilingConfiguration, threads: readonly ThreadPlaces[]): boolean {
  return threads.every(({ name, first, places }) => {
    const isThere = places.map(({ blocks }, label) => blocks || label < first);
    for (const [start, end] of configured.get(name)?.tiles ?? []) isThere.fill(true, start, end + 1);
    return isThere.every((each) => each);
  });
}

function findThreads(name: string, threads: readonly ThreadPlaces[], path: string): readonly ThreadPlaces[] {
  const exact = threads.filter((thread) => thread.name === name);
  const found = exact.length > 0 ? exact : threads.filter((thread) => thread.routine === name);
  if (found.length > 0) return found;
  const known = threads.map((thread) => thread.name).join(', ');
  throw new ShapeError(path, `the program has no thread ${name}; it has ${known}`);
}

export function joinWindows(windows: readonly Window[]): readonly Window[] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...windows].sort((a, b) => a[0] - b[0])) {
    const before = joined[joined.length - 1];
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
