// Reads witnesses, of ours or of others. Of a violation: a path of places, in YAML 2.x (`violation_sequence`) or in
// GraphML 1.0. Of correctness: invariants, in YAML (`invariant_set`, and the single entries of version 0.1). What a
// witness does not say is left open; what is no witness is a problem told by name.

import { parseDocument } from 'yaml';
import type { WitnessPath, WitnessPlace } from '../engines/check-options.ts';
import type { WitnessInvariant } from './witness-invariants.ts';

export type ReadWitness =
  | { readonly kind: 'witness'; readonly path: WitnessPath }
  | { readonly kind: 'invariants'; readonly invariants: readonly WitnessInvariant[] }
  | { readonly kind: 'problem'; readonly message: string };

export function readWitness(text: string): ReadWitness {
  const path = /^\s*<(?:\?xml|graphml|!)/.test(text) ? readGraph(text) : readYaml(text);
  if (typeof path === 'string') return { kind: 'problem', message: path };
  if (isInvariants(path)) return { kind: 'invariants', invariants: path.invariants };
  return path.length === 0 ? { kind: 'problem', message: 'the witness has no places' } : { kind: 'witness', path };
}

// ---------------------------------------------------------------- YAML

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Invariants {
  readonly invariants: readonly WitnessInvariant[];
}

function isInvariants(read: WitnessPath | Invariants): read is Invariants {
  return 'invariants' in read;
}

function readYaml(text: string): WitnessPath | Invariants | string {
  const document = parseDocument(text, { logLevel: 'silent' });
  const [fault] = document.errors;
  if (fault) return `no YAML: ${fault.message.split('\n')[0] ?? ''}`;
  const entries: unknown = document.toJS();
  const list = Array.isArray(entries) ? entries.filter(isRecord) : [];
  const entry = list.find(({ entry_type: type }) => type === 'violation_sequence');
  if (!entry) return readInvariants(list);
  if (!Array.isArray(entry.content)) return 'the violation_sequence has no content';
  return entry.content.flatMap((item: unknown) => {
    const segment = isRecord(item) && Array.isArray(item.segment) ? item.segment : [];
    return readSegment(
      segment.flatMap((part: unknown) => (isRecord(part) && isRecord(part.waypoint) ? [part.waypoint] : [])),
    );
  });
}

/** What is to be avoided hangs on what is followed; of several targets any may be the last. */
function readSegment(waypoints: readonly Json[]): WitnessPlace[] {
  const of = (action: string) => waypoints.filter((waypoint) => waypoint.action === action);
  // Only what is to be avoided whatever holds.
  const avoided = of('avoid')
    .filter(({ constraint }) => !isRecord(constraint) || /^(?:1|true)$/.test(String(constraint.value)))
    .flatMap(readWaypoint);
  const followed = [...of('follow'), ...of('cycle')];
  const targets = followed.filter(({ type }) => type === 'target').flatMap(readWaypoint);
  const [target, ...alternatives] = targets;
  const places = [...followed.filter(({ type }) => type !== 'target').flatMap(readWaypoint)];
  if (target) places.push(alternatives.length > 0 ? { ...target, alternatives } : target);
  return places.map((place) => (avoided.length > 0 ? { ...place, avoided } : place));
}

function readInvariants(entries: readonly Json[]): Invariants | string {
  const found: WitnessInvariant[] = [];
  let isCorrectness = false;
  for (const entry of entries) {
    const { entry_type: type, content } = entry;
    const old = isRecord(entry[String(type)]) ? (entry[String(type)] as Json) : null;
    const isOld = (type === 'loop_invariant' || type === 'location_invariant') && old !== null;
    if (type !== 'invariant_set' && !isOld) continue;
    isCorrectness = true;
    const items = isOld ? [{ ...entry, type, value: old?.string, format: old?.format }] : content;
    for (const item of Array.isArray(items) ? items : []) {
      const inner = isRecord(item) && isRecord(item.invariant) ? item.invariant : item;
      const read = isRecord(inner) ? readInvariant(inner) : 'it holds no list';
      if (typeof read === 'string') return `an invariant of the witness cannot be read: ${read}`;
      found.push(read);
    }
  }
  return isCorrectness ? { invariants: found } : 'neither a violation_sequence nor an invariant_set in it';
}

function readInvariant({ type, location, value, format }: Json): WitnessInvariant | string {
  if (type !== 'loop_invariant' && type !== 'location_invariant') return `its type is ${JSON.stringify(type)}`;
  if (format !== undefined && !/^c_expression$|^C$/i.test(String(format))) return `its format is ${String(format)}`;
  if (!isRecord(location) || !Number.isInteger(location.line)) return 'it has no line';
  if (typeof value !== 'string') return 'it has no value';
  return {
    kind: type === 'loop_invariant' ? 'loop' : 'location',
    file: typeof location.file_name === 'string' ? lastName(location.file_name) : null,
    line: Number(location.line),
    column: Number.isInteger(location.column) && Number(location.column) > 0 ? Number(location.column) : null,
    condition: value,
  };
}

function readWaypoint({ location, thread_id: thread, constraint }: Json): WitnessPlace[] {
  if (!isRecord(location) || !Number.isInteger(location.line)) return [];
  const file = typeof location.file_name === 'string' ? lastName(location.file_name) : null;
  const condition = isRecord(constraint) && typeof constraint.value === 'string' ? constraint.value : '';
  return [
    {
      thread: Number.isInteger(thread) ? Number(thread) : null,
      file,
      line: Number(location.line),
      equations: readEquations(condition),
    },
  ];
}

function lastName(file: string): string {
  return file.split('/').at(-1) ?? file;
}

/** Conjunctions of `variable == integer`; anything else says nothing here. */
function readEquations(condition: string): WitnessPlace['equations'] {
  return [...condition.matchAll(/(?<![\w.>])([A-Za-z_]\w*)\s*==\s*\(?(-?\d+)[uUlL]*\)?/g)].map(
    ([, name = '', value = '']) => ({
      name,
      value,
    }),
  );
}

// ---------------------------------------------------------------- GraphML

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly data: ReadonlyMap<string, string>;
}

function readGraph(text: string): WitnessPath | string {
  const type = /<data key="witness-type">\s*([\w_]+)/.exec(text)?.[1];
  if (type !== undefined && type !== 'violation_witness') return `this is a ${type}: it leads to no violation`;
  const nodes = [...text.matchAll(/<node\b[^>]*\bid="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/node>)/gs)];
  const marked = (key: string) => nodes.find(([, , inner = '']) => readData(inner).get(key) === 'true')?.[1];
  const [entry, violation] = [marked('entry'), marked('violation')];
  if (entry === undefined || violation === undefined) return 'the graph has no entry or no violation node';
  const edges = [...text.matchAll(/<edge\b([^>]*?)(?:\/>|>(.*?)<\/edge>)/gs)].map(([, head = '', inner = '']): Edge => {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? '';
    return { source: attribute('source'), target: attribute('target'), data: readData(inner) };
  });
  const road = findRoad(edges, entry, violation);
  return road === null ? 'no road leads from the entry to the violation' : toPlaces(road);
}

function readData(text: string): Map<string, string> {
  const found = [...text.matchAll(/<data\s+key="([^"]*)">([^<]*)<\/data>/g)];
  return new Map(found.map(([, key = '', value = '']) => [key, decodeEntities(value.trim())]));
}

function decodeEntities(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** The shortest. */
function findRoad(edges: readonly Edge[], entry: string, violation: string): Edge[] | null {
  const leaving = new Map<string, Edge[]>();
  for (const edge of edges) leaving.set(edge.source, [...(leaving.get(edge.source) ?? []), edge]);
  const reachedBy = new Map<string, Edge | null>([[entry, null]]);
  const queue = [entry];
  for (let at = 0; at < queue.length && !reachedBy.has(violation); at++) {
    for (const edge of leaving.get(queue[at] as string) ?? []) {
      if (reachedBy.has(edge.target)) continue;
      reachedBy.set(edge.target, edge);
      queue.push(edge.target);
    }
  }
  if (!reachedBy.has(violation)) return null;
  const road: Edge[] = [];
  for (let edge = reachedBy.get(violation); edge; edge = reachedBy.get(edge.source)) road.push(edge);
  return road.reverse();
}

/** Threads have numbers there, or names that stand for the order in which they are created. */
function toPlaces(road: readonly Edge[]): WitnessPlace[] {
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name) as number;
  };
  return road.flatMap(({ data }) => {
    const name = data.get('threadId');
    const thread = name === undefined ? null : numberOf(name);
    const child = data.get('createThread');
    if (child !== undefined) numberOf(child);
    const line = Number(data.get('startline') ?? Number.NaN);
    if (!Number.isInteger(line)) return [];
    return [{ thread, file: null, line, equations: readEquations(data.get('assumption') ?? '') }];
  });
}
