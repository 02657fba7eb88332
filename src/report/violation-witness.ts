/**
 * What a violation witness tells, whatever its format: the creations of threads, the values of inputs, and where each
 * thread goes on after a context switch, in the order of the execution, up to the violated place, or to both places of
 * a data race. Thread 0 is main; witnesses number threads by their creation, as traces do.
 */

import type { DataModel } from '../program/data-model.ts';
import type { Trace, TracePlace, TraceStep } from '../trace/trace.ts';

export interface Waypoint {
  readonly kind: 'create' | 'assume' | 'target';
  readonly thread: number;
  readonly place: TracePlace;
  /** Of `create`: the thread that comes to life, and its routine. */
  readonly child?: { readonly id: number; readonly start: string };
  /** Of `assume`: a condition in C that holds before the statement. */
  readonly condition?: string;
}

/** What the witness is about. */
export interface WitnessTask {
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly specification: string;
  readonly dataModel: DataModel;
  readonly producer: { readonly name: string; readonly version: string };
  /** As ISO 8601. */
  readonly creationTime: string;
  readonly uuid: string;
}

/** In the order of the execution; nothing orders those of one segment. */
export function findSegments(trace: Trace): Waypoint[][] {
  const { place, thread, race } = trace.violation;
  const segments = findWaypoints(trace).map((waypoint) => [waypoint]);
  // The access that the execution ends with comes last, for formats that order them.
  const ordered = [...(race?.sides ?? [])].sort((a, b) => Number(a.thread === thread) - Number(b.thread === thread));
  const sides = ordered.flatMap((side) => (side.place === null ? [] : [toTarget(side.thread, side.place)]));
  const last = place ?? trace.steps.findLast((step) => step.place !== null)?.place ?? null;
  if (sides.length > 1) segments.push(sides);
  else if (last !== null) segments.push([toTarget(thread, last)]);
  return segments;
}

function toTarget(thread: number, place: TracePlace): Waypoint {
  return { kind: 'target', thread, place };
}

function findWaypoints(trace: Trace): Waypoint[] {
  const waypoints: Waypoint[] = [];
  /** What a thread's next step may assume. */
  const known = new Map<number, string[]>();
  for (const step of trace.steps) {
    const { thread, place } = step;
    const conditions = known.get(thread) ?? [];
    if (place !== null && (conditions.length > 0 || step.isContextSwitch)) {
      known.delete(thread);
      waypoints.push({ kind: 'assume', thread, place, condition: conditions.join(' && ') || '1' });
    }
    if (place !== null) addCreations(waypoints, step, place, trace);
    const drawn = conditionsAfter(step);
    if (drawn.length > 0) known.set(thread, drawn);
  }
  return waypoints;
}

function addCreations(waypoints: Waypoint[], step: TraceStep, place: TracePlace, { threads }: Trace): void {
  for (const event of step.events) {
    if (event.kind !== 'create') continue;
    const start = threads.find(({ id }) => id === event.child)?.start ?? '?';
    waypoints.push({ kind: 'create', thread: step.thread, place, child: { id: event.child, start } });
  }
}

/** Equations that validators read: variables that have just got an input, with their integers. */
function conditionsAfter({ values }: TraceStep): string[] {
  return values.flatMap((value, at) => {
    const next = values[at + 1];
    const isDrawn = value.kind === 'input' && !value.isInternal && next?.kind === 'write' && next.value === value.value;
    return isDrawn && /^[A-Za-z_]\w*$/.test(next.name) && /^-?\d+$/.test(next.value)
      ? [`${next.name} == ${next.value}`]
      : [];
  });
}

/** The metadata of a YAML witness. */
export function printTask(task: WitnessTask, version: string): string[] {
  const { files, producer } = task;
  return [
    '  metadata:',
    `    format_version: '${version}'`,
    `    uuid: ${quote(task.uuid)}`,
    `    creation_time: ${quote(task.creationTime)}`,
    '    producer:',
    `      name: ${quote(producer.name)}`,
    `      version: ${quote(producer.version)}`,
    '    task:',
    '      input_files:',
    ...files.map(({ name }) => `      - ${quote(name)}`),
    '      input_file_hashes:',
    ...files.map(({ name, sha256 }) => `        ${quote(name)}: ${quote(sha256)}`),
    `      specification: ${quote(task.specification)}`,
    `      data_model: ${task.dataModel}`,
    '      language: C',
  ];
}

/** Every JSON string is one of YAML. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
