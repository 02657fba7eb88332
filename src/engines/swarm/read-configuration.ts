/**
 * Reads the configuration of a swarm. Nothing in the file is taken on trust: a mistake is told with its JSON path. A
 * file without a version is in the form of VeriSmart, `{"instance": {"thread": [[first, last], …]}}`.
 */

import {
  asArray,
  asCount,
  asNumber,
  asObject,
  asText,
  describe,
  fail,
  type JsonObject,
  member,
  onlyKeys,
  parseJson,
} from '../../support/json-shape.ts';
import {
  CONFIGURATION_FORMAT,
  CONFIGURATION_VERSION,
  type Configuration,
  type ConfiguredThread,
  type ListedInstance,
  type PlaceName,
} from './configuration.ts';
import type { Window } from './tiling.ts';

/** Throws a ShapeError. */
export function readConfiguration(text: string): Configuration {
  const root = asObject(parseJson(text), '$');
  if (!('version' in root) && !('format' in root)) return { kind: 'list', instances: readInstances(root, '$', true) };
  if (root.format !== CONFIGURATION_FORMAT) fail('$.format', `must be "${CONFIGURATION_FORMAT}"`);
  if (root.version !== CONFIGURATION_VERSION)
    fail('$.version', `this Lazuli reads version ${CONFIGURATION_VERSION}, not ${describe(root.version)}`);
  if (!('instances' in root) && !('threads' in root)) fail('$', 'has neither "instances" nor "threads"');
  return 'instances' in root ? readList(root) : readTiling(root);
}

function readList(root: JsonObject): Configuration {
  onlyKeys(root, '$', ['format', 'version', 'instances']);
  return { kind: 'list', instances: readInstances(asObject(root.instances, '$.instances'), '$.instances', false) };
}

function readTiling(root: JsonObject): Configuration {
  onlyKeys(root, '$', ['format', 'version', 'threads', 'pick', 'random', 'first', 'count']);
  const threads = new Map<string, ConfiguredThread>();
  for (const [name, value] of Object.entries(asObject(root.threads, '$.threads'))) {
    threads.set(name, readThread(value, member('$.threads', name)));
  }
  return {
    kind: 'tiling',
    threads,
    picks: asNumber(root.pick, '$.pick', 1),
    random: root.random === undefined ? null : asNumber(root.random, '$.random', 0),
    first: asCount(root.first, '$.first'),
    count: asCount(root.count, '$.count'),
  };
}

function readThread(value: unknown, path: string): ConfiguredThread {
  const thread = asObject(value, path);
  onlyKeys(thread, path, ['statements', 'tiles']);
  const statements = asNumber(thread.statements, `${path}.statements`, 0);
  const tiles = asArray(thread.tiles, `${path}.tiles`).map((tile, i) => readWindow(tile, `${path}.tiles[${i}]`));
  let next = 0;
  for (const [i, [first, last]] of tiles.entries()) {
    if (first < next) fail(`${path}.tiles[${i}]`, 'tiles are in order and do not overlap');
    if (last >= statements) fail(`${path}.tiles[${i}]`, `the thread has ${statements} statements, from 0 on`);
    next = last + 1;
  }
  return { statements, tiles };
}

function readInstances(root: JsonObject, path: string, isPlain: boolean): readonly ListedInstance[] {
  const instances = Object.entries(root).map(([name, value]): ListedInstance => {
    const threads = Object.entries(asObject(value, member(path, name))).map(([thread, list]) => {
      const place = member(member(path, name), thread);
      const read = isPlain ? readLabels : readPlace;
      return { name: thread, places: asArray(list, place).map((item, i) => read(item, `${place}[${i}]`)), path: place };
    });
    return { name, threads };
  });
  if (instances.length === 0) fail(path, 'there is no instance');
  return instances;
}

function readPlace(value: unknown, path: string): PlaceName {
  if (typeof value === 'number' || Array.isArray(value)) return readLabels(value, path);
  const place = asObject(value, path);
  const kinds = ['label', 'labels', 'line', 'lines', 'function'].filter((key) => key in place);
  if (kinds.length !== 1) fail(path, 'a place has one of label, labels, line, lines, function');
  const file = () => (place.file === undefined ? null : asText(place.file, `${path}.file`));
  switch (kinds[0]) {
    case 'label':
    case 'labels':
      onlyKeys(place, path, ['label', 'labels']);
      return readLabels(place.label ?? place.labels, `${path}.${kinds[0]}`);
    case 'line':
    case 'lines': {
      onlyKeys(place, path, ['line', 'lines', 'file']);
      const { first, last } = readLabels(place.line ?? place.lines, `${path}.${kinds[0]}`);
      return { kind: 'lines', file: file(), first, last };
    }
    default:
      onlyKeys(place, path, ['function']);
      return { kind: 'function', name: asText(place.function, `${path}.function`) };
  }
}

function readLabels(value: unknown, path: string): Extract<PlaceName, { kind: 'labels' }> {
  if (typeof value === 'string') fail(path, `must be a number or [first, last], not ${describe(value)}`);
  if (typeof value === 'number') {
    const label = asNumber(value, path, 0);
    return { kind: 'labels', first: label, last: label };
  }
  const [first, last] = readWindow(value, path);
  return { kind: 'labels', first, last };
}

function readWindow(value: unknown, path: string): Window {
  const pair = asArray(value, path);
  if (pair.length !== 2) fail(path, `must be [first, last], not a list of ${pair.length}`);
  const first = asNumber(pair[0], `${path}[0]`, 0);
  return [first, asNumber(pair[1], `${path}[1]`, first)];
}
