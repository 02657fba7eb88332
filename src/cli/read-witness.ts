// Reads witnesses, of ours or of others. Of a violation: a path of places, in YAML 2.x (`violation_sequence`) or in
// GraphML 1.0. Of correctness: invariants, in YAML (`invariant_set`, and the single entries of version 0.1). What a
// witness does not say is left open; what is no witness is a problem told by name.

import { parseDocument } from 'yaml';
import type { WitnessPath, WitnessPlace } from '../engines/check-options.ts';
import { readGraph } from './read-graphml-witness.ts';
import { readConditions } from './witness-conditions.ts';
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
  const segments = entry.content.map((item: unknown) => {
    const segment = isRecord(item) && Array.isArray(item.segment) ? item.segment : [];
    return segment.flatMap((part: unknown) => (isRecord(part) && isRecord(part.waypoint) ? [part.waypoint] : []));
  });
  const strange = findFault(segments.flat());
  return strange ?? segments.flatMap(readSegment);
}

/** What is to be avoided hangs on what is followed; of several targets any may be the last. */
function readSegment(waypoints: readonly Json[]): WitnessPlace[] {
  const of = (action: string) => waypoints.filter((waypoint) => waypoint.action === action);
  const avoided = of('avoid').flatMap(readWaypoint);
  const followed = of('follow');
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

const KINDS: Readonly<Record<string, WitnessPlace['kind']>> = {
  assumption: 'statement',
  branching: 'branching',
  function_enter: 'enter',
  function_return: 'return',
  target: 'target',
};

function readWaypoint({ type, location, thread_id: thread, constraint }: Json): WitnessPlace[] {
  if (!isRecord(location) || !Number.isInteger(location.line)) return [];
  const file = typeof location.file_name === 'string' ? lastName(location.file_name) : null;
  const value = isRecord(constraint) && constraint.value !== undefined ? String(constraint.value) : '';
  const kind = KINDS[String(type)] ?? 'statement';
  const isWay = kind === 'branching';
  return [
    {
      ...{ kind, thread: Number.isInteger(thread) ? Number(thread) : null, file, line: Number(location.line) },
      column: Number.isInteger(location.column) && Number(location.column) > 0 ? Number(location.column) : null,
      ...(isWay ? { conditions: [], way: value } : readConditions(value)),
    },
  ];
}

/** Why waypoints cannot be followed; null where they can. */
function findFault(waypoints: readonly Json[]): string | null {
  const strange = waypoints.find(({ type }) => KINDS[String(type)] === undefined);
  if (strange) return `a waypoint of the witness has the type ${JSON.stringify(strange.type)}`;
  if (waypoints.some(({ action }) => action === 'cycle'))
    return 'the witness has a cycle: it speaks of executions without end, which are not looked for';
  const other = waypoints.find(({ action }) => action !== 'follow' && action !== 'avoid');
  if (other) return `a waypoint of the witness has the action ${JSON.stringify(other.action)}`;
  const nowhere = waypoints.find(({ location }) => !isRecord(location) || !Number.isInteger(location.line));
  return nowhere ? `a waypoint of the witness (${String(nowhere.type)}) has no line` : null;
}

function lastName(file: string): string {
  return file.split('/').at(-1) ?? file;
}
