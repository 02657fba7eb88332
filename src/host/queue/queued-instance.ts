/**
 * An instance on its way to a worker, and the answer on its way back, as JSON. Both sides check every word. The answer
 * that has a bug is only a schedule: the manager replays it itself, so that nobody on the queue can make it believe in
 * a bug that is not there.
 */

import type { InstanceResult, PortableRun, TimedResult } from '../../engines/swarm/instance-result.ts';
import type { Instance } from '../../engines/swarm/instances.ts';
import type { Window } from '../../engines/swarm/tiling.ts';
import type { AssertionCoverage, CutPlace, UnknownCause } from '../../outcome/outcome.ts';
import { InvariantError } from '../../support/invariant.ts';
import {
  asAmount,
  asFlag,
  asList,
  asNumber,
  asObject,
  asOneOf,
  asPair,
  asShortText,
  asText,
  asUpTo,
  describe,
  fail,
  onlyKeys,
  orNull,
  parseJson,
  withoutControls,
} from '../../support/json-shape.ts';
import type { Loc } from '../../support/source.ts';
import type { CountedRun } from '../../trace/counted-run.ts';
import type { Schedule, Segment } from '../../trace/replay.ts';
import type { TracePlace } from '../../trace/trace.ts';

const MOST_THREADS = 10_000;
const MOST_WINDOWS = 100_000;
const MOST_PLACES = 100_000;
const MOST_SEGMENTS = 10_000_000;
const MOST_DIGITS = 400;
const MOST_MS = 1e12;
const MOST_CORES = 4096;
const MOST_BACKENDS = 100;

export interface QueuedInstance {
  readonly swarm: string;
  /** The hash of its text. */
  readonly program: string;
  readonly instance: Instance;
}

/** What a worker found out. */
export type FoundResult =
  | { readonly kind: 'violation'; readonly run: PortableRun }
  | Extract<InstanceResult, { kind: 'none' }>
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly reason: string };

export interface FoundAnswer {
  readonly kind: 'found';
  readonly result: FoundResult;
  readonly elapsedMs: number;
  readonly memoryBytes: number;
}

/**
 * `cancelled`: nobody wants it any more; `no-program`: it is not on the queue; `refused`: the worker does not take what
 * the queue says; `failed`: a fault of ours in the worker.
 */
export type QueuedAnswer =
  | FoundAnswer
  | { readonly kind: 'cancelled' | 'no-program' }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string };

/** Who works on the queue. */
export interface QueuedWorker {
  readonly version: string;
  readonly cores: number;
  /** The backends that it lets run. */
  readonly backends: readonly string[];
}

/** Throws a ShapeError. */
export function readInstance(value: unknown): QueuedInstance {
  const root = asObject(value, '$');
  onlyKeys(root, '$', ['swarm', 'program', 'instance']);
  const instance = asObject(root.instance, '$.instance');
  onlyKeys(instance, '$.instance', ['name', 'windows']);
  const windows = asList(instance.windows, '$.instance.windows', MOST_THREADS, (list, path) =>
    asList(list, path, MOST_WINDOWS, readWindow),
  );
  return {
    swarm: asHash(root.swarm, '$.swarm'),
    program: asHash(root.program, '$.program'),
    instance: { name: asShortText(instance.name, '$.instance.name'), windows },
  };
}

function readWindow(value: unknown, path: string): Window {
  const [first, last] = asPair(value, path);
  const start = asNumber(first, `${path}[0]`, 0);
  return [start, asNumber(last, `${path}[1]`, start)];
}

function asHash(value: unknown, path: string): string {
  const text = asText(value, path);
  if (!/^[0-9a-f]{64}$/.test(text)) fail(path, `must be a hash, not ${describe(value)}`);
  return text;
}

// ---------------------------------------------------------------- answers

/** What goes to the queue. */
export function writeAnswer({ result, elapsedMs, memoryBytes }: TimedResult): object {
  switch (result.kind) {
    case 'split':
      throw new InvariantError('a worker splits no instances');
    case 'violation':
      if (!result.run) return { kind: 'failed', reason: 'a counterexample that nobody else can replay' };
      return { kind: 'found', result: { kind: 'violation', ...writeRun(result.run) }, elapsedMs, memoryBytes };
    case 'none':
    case 'unknown':
      return { kind: 'found', result, elapsedMs, memoryBytes };
  }
}

/** Throws a ShapeError. */
export function readAnswer(value: unknown): QueuedAnswer {
  const root = asObject(value, '$');
  const kinds = ['found', 'cancelled', 'no-program', 'refused', 'failed'] as const;
  const kind = asOneOf(root.kind, '$.kind', kinds);
  switch (kind) {
    case 'cancelled':
    case 'no-program':
      return { kind };
    case 'refused':
    case 'failed':
      return { kind, reason: asShortText(root.reason, '$.reason') };
    case 'found':
      return {
        kind,
        result: readResult(root.result, '$.result'),
        elapsedMs: asAmount(root.elapsedMs, '$.elapsedMs', MOST_MS),
        memoryBytes: asAmount(root.memoryBytes, '$.memoryBytes', Number.MAX_SAFE_INTEGER),
      };
  }
}

/** Causes that an instance can have. */
const CAUSES = ['unsupported', 'unconfirmed', 'time', 'memory', 'limit', 'solver', 'backend'] as const;

function readResult(value: unknown, path: string): FoundResult {
  const result = asObject(value, path);
  switch (asOneOf(result.kind, `${path}.kind`, ['violation', 'none', 'unknown'] as const)) {
    case 'violation': {
      if (result.counted === undefined)
        return {
          kind: 'violation',
          run: { kind: 'schedule', schedule: readSchedule(result.schedule, `${path}.schedule`) },
        };
      return { kind: 'violation', run: { kind: 'counted', run: readCounted(result.counted, `${path}.counted`) } };
    }
    case 'none':
      return {
        kind: 'none',
        cuts: orNull(result.cuts, (cuts) => asList(cuts, `${path}.cuts`, MOST_PLACES, readCut)),
        assertions: orNull(result.assertions, (given) => readCoverage(given, `${path}.assertions`)),
        ...(result.isDischarged === true && { isDischarged: true }),
      };
    case 'unknown':
      return {
        kind: 'unknown',
        cause: asOneOf(result.cause, `${path}.cause`, CAUSES),
        reason: withoutControls(asShortText(result.reason, `${path}.reason`)),
      };
  }
}

function readCut(value: unknown, path: string): CutPlace {
  const cut = asObject(value, path);
  return {
    kind: asOneOf(cut.kind, `${path}.kind`, ['bound', 'unsupported'] as const),
    where: withoutControls(asShortText(cut.where, `${path}.where`)),
    loc: asNumber(cut.loc, `${path}.loc`, Number.MIN_SAFE_INTEGER) as Loc,
    place: readPlace(cut.place, `${path}.place`),
  };
}

function readCoverage(value: unknown, path: string): AssertionCoverage {
  const given = asObject(value, path);
  const places = (key: string) => asList(given[key], `${path}.${key}`, MOST_PLACES, readPlace);
  const total = asUpTo(given.total, `${path}.total`, MOST_PLACES);
  return {
    total,
    reached: asUpTo(given.reached, `${path}.reached`, total),
    missed: places('missed'),
    reachedAt: places('reachedAt'),
  };
}

function readPlace(value: unknown, path: string): TracePlace | null {
  return orNull(value, (given) => {
    const place = asObject(given, path);
    return {
      file: withoutControls(asShortText(place.file, `${path}.file`)),
      line: asNumber(place.line, `${path}.line`, 0),
      column: asNumber(place.column, `${path}.column`, 0),
    };
  });
}

// ---------------------------------------------------------------- schedules

function writeRun(found: PortableRun): object {
  if (found.kind === 'counted')
    return { counted: { segments: found.run.segments, inputs: writeInputs(found.run.inputs) } };
  const { segments, inputs, guessesAddress, deadlock } = found.schedule;
  const common = { segments, inputs: writeInputs(inputs) };
  return { schedule: { ...common, ...(guessesAddress && { guessesAddress }), ...(deadlock && { deadlock }) } };
}

function writeInputs(inputs: Schedule['inputs']): object {
  return [...inputs].map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : writeFloat(value)]);
}

/** Of a backend: runs under sequential consistency, and no deadlocks. */
function readCounted(value: unknown, path: string): CountedRun {
  const run = asObject(value, path);
  onlyKeys(run, path, ['segments', 'inputs']);
  const segments = asList(run.segments, `${path}.segments`, MOST_SEGMENTS, (given, place) => {
    const segment = asObject(given, place);
    onlyKeys(segment, place, ['thread', 'steps']);
    const thread = asUpTo(segment.thread, `${place}.thread`, MOST_THREADS);
    return { thread, steps: asUpTo(segment.steps, `${place}.steps`, MOST_SEGMENTS) };
  });
  return { segments, inputs: readInputs(run.inputs, `${path}.inputs`) };
}

function readInputs(value: unknown, path: string): ReadonlyMap<string, bigint | number> {
  const inputs = asList(value, path, MOST_SEGMENTS, (pair, at): [string, bigint | number] => {
    const [key, number] = asPair(pair, at);
    return [asShortText(key, `${at}[0]`), readInput(asText(number, `${at}[1]`), `${at}[1]`)];
  });
  return new Map(inputs);
}

/** JSON has neither -0 nor infinities. */
function writeFloat(value: number): string {
  return `f${Object.is(value, -0) ? '-0' : value}`;
}

function readSchedule(value: unknown, path: string): Schedule {
  const schedule = asObject(value, path);
  onlyKeys(schedule, path, ['segments', 'inputs', 'guessesAddress', 'deadlock']);
  const { deadlock } = schedule;
  return {
    segments: asList(schedule.segments, `${path}.segments`, MOST_SEGMENTS, readSegment),
    inputs: readInputs(schedule.inputs, `${path}.inputs`),
    ...(schedule.guessesAddress !== undefined && {
      guessesAddress: asFlag(schedule.guessesAddress, `${path}.guessesAddress`),
    }),
    ...(deadlock !== undefined && {
      deadlock: asList(deadlock, `${path}.deadlock`, MOST_THREADS, (thread, at) => asUpTo(thread, at, MOST_THREADS)),
    }),
  };
}

function readSegment(value: unknown, path: string): Segment {
  const segment = asObject(value, path);
  onlyKeys(segment, path, ['thread', 'steps', 'commits']);
  const keys = (name: 'steps' | 'commits') => asList(segment[name], `${path}.${name}`, MOST_SEGMENTS, asShortText);
  return {
    thread: asUpTo(segment.thread, `${path}.thread`, MOST_THREADS),
    steps: keys('steps'),
    ...(segment.commits !== undefined && { commits: keys('commits') }),
  };
}

function readInput(text: string, path: string): bigint | number {
  if (text.length <= MOST_DIGITS) {
    if (/^-?\d+$/.test(text)) return BigInt(text);
    const number = /^f(-?Infinity|NaN|-?[\d.]+(e[+-]?\d+)?)$/.exec(text);
    if (number) return Number(number[1]);
  }
  return fail(path, `must be a number as text, not ${describe(text)}`);
}

// ---------------------------------------------------------------- workers

export function writeWorker(worker: QueuedWorker): string {
  return JSON.stringify(worker);
}

/** Throws a ShapeError. */
export function readWorker(text: string): QueuedWorker {
  const root = asObject(parseJson(text), '$');
  return {
    version: withoutControls(asShortText(root.version, '$.version')),
    cores: asUpTo(root.cores, '$.cores', MOST_CORES),
    backends: asList(root.backends ?? [], '$.backends', MOST_BACKENDS, (name, at) =>
      withoutControls(asShortText(name, at)),
    ),
  };
}
