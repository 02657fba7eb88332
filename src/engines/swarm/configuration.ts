/**
 * The configuration of a swarm: which instances there are, as data. Either a tiling from which instances are computed
 * one by one, or a list of instances, each with the places in each thread at which it may be preempted. People write
 * the second kind ("only in push and pop"), so that places have names: by label, by line, by function.
 *
 * docs/formats/swarm-configuration.md describes the file; read-configuration.ts reads it.
 */

import type { Window } from './tiling.ts';

export const CONFIGURATION_FORMAT = 'lazuli-swarm';
export const CONFIGURATION_VERSION = 1;

/** Names threads that the instance does not name otherwise. */
export const ALL_OTHERS = '*';

export type Configuration = TilingConfiguration | ListConfiguration;

export interface TilingConfiguration {
  readonly kind: 'tiling';
  readonly threads: ReadonlyMap<string, ConfiguredThread>;
  /** Tiles a thread. */
  readonly picks: number;
  /** The seed of a random order of selections; null: in the order of their numbers. */
  readonly random: number | null;
  /** Of the selections in that order: from which on, and how many. */
  readonly first: bigint;
  readonly count: bigint;
}

export interface ConfiguredThread {
  /** How many labels the thread has: with another number, the tiles were made for another program. */
  readonly statements: number;
  readonly tiles: readonly Window[];
}

export interface ListConfiguration {
  readonly kind: 'list';
  readonly instances: readonly ListedInstance[];
}

export interface ListedInstance {
  readonly name: string;
  readonly threads: readonly ListedThread[];
}

export interface ListedThread {
  /** A thread, all threads of a start routine, or `*`. */
  readonly name: string;
  readonly places: readonly PlaceName[];
  /** Where this stands in the file, for messages. */
  readonly path: string;
}

export type PlaceName =
  | { readonly kind: 'labels'; readonly first: number; readonly last: number }
  /** All files if none is named. */
  | { readonly kind: 'lines'; readonly file: string | null; readonly first: number; readonly last: number }
  /** The function and what it calls. */
  | { readonly kind: 'function'; readonly name: string };

/** The text of the file. Numbers that may be large are written as text. */
export function printConfiguration(configuration: TilingConfiguration): string {
  const { threads, picks, random, first, count } = configuration;
  const lines = [...threads].map(([name, { statements, tiles }]) => {
    const windows = tiles.map(([start, end]) => `[${start}, ${end}]`).join(', ');
    return `    ${JSON.stringify(name)}: { "statements": ${statements}, "tiles": [${windows}] }`;
  });
  const order = random === null ? '' : `  "random": ${random},\n`;
  return `{
  "format": "${CONFIGURATION_FORMAT}",
  "version": ${CONFIGURATION_VERSION},
  "threads": {
${lines.join(',\n')}
  },
  "pick": ${picks},
${order}  "first": "${first}",
  "count": "${count}"
}
`;
}
