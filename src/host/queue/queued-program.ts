/**
 * A program as it lies on the queue, once, under the hash of its text. A worker checks every word of it, because
 * whoever has the queue's password can put anything there: shapes, sizes and numbers, and no field that it does not
 * know. Nothing here is a command, a path that somebody opens, or an option that runs a program: included files travel
 * as texts under their names, and a worker reads no others. A backend is a name, which a worker takes only if whoever
 * started it said so; what runs under that name is the worker's own business.
 */

import { createHash } from 'node:crypto';
import type { SourceText } from '../../frontend/front-end.ts';
import type { Stage } from '../../outcome/progress.ts';
import { type CheckName, isAskedFor } from '../../program/check-names.ts';
import { memoryModels } from '../../program/memory-model.ts';
import { SCHEMAS } from '../../sequentialize/schemas.ts';
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
} from '../../support/json-shape.ts';
import { DEFAULT_SETTINGS, type VerifySettings } from '../../verify/settings.ts';
import type { BackendJob, SwarmJob } from '../swarm-messages.ts';

const FORMAT = 'lazuli-queued-program';
/** Of a program with all of its headers. */
export const MOST_PROGRAM_BYTES = 64 * 2 ** 20;
const MOST_FILES = 10_000;
const MOST_WORDS = 10_000;
const MOST_BOUND = 1_000_000;
const MOST_ROUNDS = 10_000;
const MOST_MS = 1e12;
/** Workers prepare a program without a limit of their own: their instances have one. */
const PREPARATION_MS = 1e9;

/** The program as it lies on the queue, under the hash of this text. */
export interface QueuedProgram {
  readonly version: string;
  readonly job: SwarmJob;
  readonly instanceTimeLimitMs: number;
}

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a worker has no use for: it runs instances, within limits of its own. */
type Unsent = 'goal' | 'explore' | 'suggestFences' | 'allRaces' | 'witness' | 'timeLimitMs';

/** A setting that is missing here does not compile. */
const SENT: Readonly<Record<Exclude<keyof VerifySettings, Unsent>, true>> = {
  dataModel: true,
  includePaths: true,
  defines: true,
  undefines: true,
  start: true,
  allowUndefined: true,
  checks: true,
  atomicStatements: true,
  allowedRaces: true,
  unwind: true,
  rounds: true,
  contextSwitches: true,
  closingMain: true,
  whileUnwind: true,
  forUnwind: true,
  unwindset: true,
  unwindConstantLoops: true,
  valueAnalysis: true,
  memoryModel: true,
  seed: true,
};

const SETTING_KEYS = Object.keys(SENT) as readonly (keyof typeof SENT)[];

const LIST_KEYS = [
  'includePaths',
  'quotePaths',
  'systemPaths',
  'forcedIncludes',
  'macroFiles',
  'defines',
  'undefines',
] as const;

export function printProgram({ version, job, instanceTimeLimitMs }: QueuedProgram): string {
  const { source, settings, stage, memoryLimitBytes, proves, headers, backend } = job;
  const sent = SETTING_KEYS.map((key) => [key, key === 'unwindset' ? [...settings.unwindset] : settings[key]]);
  return JSON.stringify({
    format: FORMAT,
    version,
    source,
    headers: [...(headers ?? [])],
    settings: Object.fromEntries(sent),
    stage,
    memoryLimitBytes,
    proves,
    backend: backend && {
      name: backend.name,
      schema: backend.schema,
      schedule: backend.schedule,
      bitvectors: backend.bitvectors,
    },
    instanceTimeLimitMs: Number.isFinite(instanceTimeLimitMs) ? instanceTimeLimitMs : null,
  });
}

/** `backends`: those that this machine lets run. Throws a ShapeError. */
export function readProgram(text: string, version: string, backends: readonly string[]): QueuedProgram {
  const root = asObject(parseJson(text), '$');
  if (root.format !== FORMAT) fail('$.format', `must be "${FORMAT}"`);
  if (root.version !== version) fail('$.version', `is ${describe(root.version)}; this is Lazuli ${version}`);
  const keys = [
    'format',
    'version',
    'source',
    'headers',
    'settings',
    'stage',
    'memoryLimitBytes',
    'proves',
    'backend',
    'instanceTimeLimitMs',
  ];
  onlyKeys(root, '$', keys);
  const headers = new Map(
    asList(root.headers, '$.headers', MOST_FILES, (pair, path): [string, string] => {
      const [name, content] = asPair(pair, path);
      return [asShortText(name, `${path}[0]`), asText(content, `${path}[1]`)];
    }),
  );
  return {
    version,
    job: {
      source: readSource(root.source),
      settings: readSettings(root.settings),
      stage: readStage(root.stage),
      memoryLimitBytes: orNull(root.memoryLimitBytes, (value) => asNumber(value, '$.memoryLimitBytes', 1)),
      proves: asFlag(root.proves, '$.proves'),
      backend: orNull(root.backend, (backend) => readBackend(backend, backends)),
      colours: false,
      headers,
    },
    instanceTimeLimitMs:
      orNull(root.instanceTimeLimitMs, (value) => asAmount(value, '$.instanceTimeLimitMs', MOST_MS)) ??
      Number.POSITIVE_INFINITY,
  };
}

/** Names and numbers: neither a path nor an option of the backend's own can be said here. */
function readBackend(value: unknown, allowed: readonly string[]): BackendJob {
  const path = '$.backend';
  const backend = asObject(value, path);
  onlyKeys(backend, path, ['name', 'schema', 'schedule', 'bitvectors']);
  const name = asShortText(backend.name, `${path}.name`);
  if (!allowed.includes(name)) fail(`${path}.name`, `this worker does not let ${describe(name)} run`);
  const schemas = SCHEMAS.filter(({ keepsLoops }) => !keepsLoops).map((schema) => schema.name);
  return {
    name,
    schema: asOneOf(backend.schema, `${path}.schema`, schemas),
    schedule: asList(backend.schedule, `${path}.schedule`, MOST_WORDS, (thread, at) => asUpTo(thread, at, MOST_WORDS)),
    bitvectors: asFlag(backend.bitvectors, `${path}.bitvectors`),
    unwindingAssertions: false,
    seeks: null,
  };
}

function readSource(value: unknown): SwarmJob['source'] {
  const source = asObject(value, '$.source');
  onlyKeys(source, '$.source', ['name', 'files', 'project']);
  const files = asList(source.files, '$.source.files', MOST_FILES, readFile);
  const project = orNull(source.project, (given) => {
    const object = asObject(given, '$.source.project');
    onlyKeys(object, '$.source.project', ['main']);
    return { main: orNull(object.main, (main) => asShortText(main, '$.source.project.main')) };
  });
  return { name: asShortText(source.name, '$.source.name'), files, project };
}

function readFile(value: unknown, path: string): SourceText {
  const file = asObject(value, path);
  onlyKeys(file, path, ['fileName', 'text', ...LIST_KEYS, 'trigraphs', 'standard', 'gnuInline']);
  const lists = LIST_KEYS.flatMap((key) =>
    file[key] === undefined ? [] : [[key, asWords(file[key], `${path}.${key}`)]],
  );
  return {
    fileName: asShortText(file.fileName, `${path}.fileName`),
    text: asText(file.text, `${path}.text`),
    ...Object.fromEntries(lists),
    ...(file.trigraphs !== undefined && { trigraphs: asFlag(file.trigraphs, `${path}.trigraphs`) }),
    ...(file.standard !== undefined && { standard: asShortText(file.standard, `${path}.standard`) }),
    ...(file.gnuInline !== undefined && { gnuInline: asFlag(file.gnuInline, `${path}.gnuInline`) }),
  };
}

function readSettings(value: unknown): VerifySettings {
  const path = '$.settings';
  const given = asObject(value, path);
  onlyKeys(given, path, SETTING_KEYS);
  const bound = (key: string, most = MOST_BOUND) =>
    orNull(given[key], (number) => asUpTo(number, `${path}.${key}`, most));
  const flag = (key: string) => asFlag(given[key], `${path}.${key}`);
  const texts = (key: string) => asWords(given[key], `${path}.${key}`);
  return {
    ...DEFAULT_SETTINGS,
    dataModel: asOneOf(given.dataModel, `${path}.dataModel`, ['ILP32', 'LP64']),
    includePaths: texts('includePaths'),
    defines: texts('defines'),
    undefines: texts('undefines'),
    start: orNull(given.start, (start) => asShortText(start, `${path}.start`)),
    checks: orNull(given.checks, (checks) =>
      asWords(checks, `${path}.checks`).map((name, i) => asCheck(name, `${path}.checks[${i}]`)),
    ),
    allowUndefined: flag('allowUndefined'),
    allowedRaces: texts('allowedRaces'),
    atomicStatements: flag('atomicStatements'),
    unwind: bound('unwind'),
    rounds: bound('rounds', MOST_ROUNDS),
    contextSwitches: bound('contextSwitches', MOST_ROUNDS),
    closingMain: flag('closingMain'),
    whileUnwind: bound('whileUnwind'),
    forUnwind: bound('forUnwind'),
    unwindset: readUnwindset(given.unwindset, `${path}.unwindset`),
    unwindConstantLoops: flag('unwindConstantLoops'),
    valueAnalysis: asOneOf(given.valueAnalysis, `${path}.valueAnalysis`, ['builtin', 'none']),
    memoryModel: asOneOf(given.memoryModel, `${path}.memoryModel`, memoryModels),
    seed: asNumber(given.seed, `${path}.seed`, 0),
    timeLimitMs: PREPARATION_MS,
  };
}

function readUnwindset(value: unknown, path: string): ReadonlyMap<string, number> {
  return new Map(
    asList(value, path, MOST_WORDS, (pair, at): [string, number] => {
      const [name, bound] = asPair(pair, at);
      return [asShortText(name, `${at}[0]`), asUpTo(bound, `${at}[1]`, MOST_BOUND)];
    }),
  );
}

function readStage(value: unknown): Stage {
  const stage = asObject(value, '$.stage');
  onlyKeys(stage, '$.stage', ['unwind', 'rounds']);
  const unwind = asUpTo(stage.unwind, '$.stage.unwind', MOST_BOUND);
  return { unwind, rounds: asUpTo(stage.rounds, '$.stage.rounds', MOST_ROUNDS) };
}

function asCheck(name: string, path: string): CheckName {
  if (!isAskedFor(name)) fail(path, `there is no check ${describe(name)}`);
  return name as CheckName;
}

function asWords(value: unknown, path: string): readonly string[] {
  return asList(value, path, MOST_WORDS, asShortText);
}
