// The options of `lazuli swarm`: those of a check, and those of the swarm; and the tiling that they ask for.

import { availableParallelism } from 'node:os';
import { BACKENDS } from '../backends/backends.ts';
import type { TilingConfiguration } from '../engines/swarm/configuration.ts';
import { configureTiling } from '../engines/swarm/configure-tiling.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import type { WindowSize } from '../engines/swarm/tiling.ts';
import type { BackendJob } from '../host/swarm-messages.ts';
import type { Sought } from '../program/bounds.ts';
import { createRandom } from '../support/random.ts';
import { backendOptions, keepsLoops, schemaOptions } from './backend-options.ts';
import { boundOptions, sequentialBoundOptions } from './bound-options.ts';
import { BACKEND_ONLY, checkOptions, findBackendWordMisuse } from './check-options.ts';
import { frontEndOptions } from './front-end-options.ts';
import type { OptionTable, OptionValues } from './options.ts';
import { progressOptions } from './progress.ts';
import { queueOptions } from './queue-options.ts';
import { findReportMisuse, reportOptions } from './write-report.ts';

/** Their counterexamples come with steps, so that a manager need not believe a worker's word. */
export const QUEUED_BACKENDS: readonly string[] = BACKENDS.flatMap(({ name, verifier }) =>
  verifier?.tellsSteps ? [name] : [],
);

const group = 'Swarm';
const DEFAULT_PERCENT = 25;
const DEFAULT_LIMIT = 100;

/** Of whoever runs instances: a swarm itself, or a worker of its queue. */
export const instanceOptions = {
  cores: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: 1024,
    help: 'instances side by side',
    defaultText: 'the cores of the machine',
  },
  instanceTimeout: {
    kind: 'number',
    value: 'SECONDS',
    min: 0.1,
    max: 1_000_000,
    fraction: true,
    help: 'give an instance up after this time',
  },
} as const satisfies OptionTable;

export const swarmOptions = {
  check: checkOptions.check,
  property: { ...checkOptions.property, help: 'look for violations of this property; of several, of all of them' },
  valueAnalysis: {
    kind: 'choice',
    choices: ['builtin', 'none'],
    default: 'builtin',
    help: 'values in the bits that they need, or in their declared widths',
  },
  allowRace: checkOptions.allowRace,
  memoryModel: checkOptions.memoryModel,
  seed: checkOptions.seed,
  ...reportOptions,
  ...progressOptions,
  verbose: checkOptions.verbose,
  contextSwitches: checkOptions.contextSwitches,
  ...boundOptions,
  ...sequentialBoundOptions,
  ...schemaOptions,
  backend: { ...backendOptions.backend, help: 'leave instances to this verifier, which must be installed' },
  backendPath: backendOptions.backendPath,
  backendOptions: backendOptions.backendOptions,
  timeout: {
    ...checkOptions.timeout,
    default: 1_000_000,
    help: 'stop after this time and say what was done',
    defaultText: 'no limit',
  },
  memoryLimit: { ...checkOptions.memoryLimit, help: 'of each instance' },
  windowLength: {
    kind: 'number',
    short: 'l',
    value: 'N',
    min: 1,
    max: 1_000_000,
    help: 'visible statements in a tile',
    group,
  },
  windowPercent: {
    kind: 'number',
    value: 'N',
    min: 0.1,
    max: 100,
    fraction: true,
    help: 'the same as a share of each thread, in percent',
    defaultText: `${DEFAULT_PERCENT}`,
    group,
  },
  shiftWindow: { kind: 'flag', help: 'move the tiles of each thread by up to half a tile, at random', group },
  pickedWindow: {
    kind: 'number',
    short: 'p',
    value: 'N',
    min: 1,
    max: 1000,
    help: 'tiles of a thread in which it may be preempted',
    defaultText: 'the rounds, which covers all interleavings',
    group,
  },
  random: {
    kind: 'flag',
    help: 'take the selections in a random order; so by default where there are too many',
    group,
  },
  instancesLimit: {
    kind: 'number',
    value: 'N',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: DEFAULT_LIMIT,
    help: 'run at most N instances; 0: all of them',
    group,
  },
  cores: { ...instanceOptions.cores, group },
  keepGoing: { kind: 'flag', help: 'go on after a bug, to see how many instances have it', group },
  instanceTimeout: { ...instanceOptions.instanceTimeout, group },
  split: {
    kind: 'flag',
    help: 'split instances that run out of their time (30 s if --instance-timeout says nothing else) into smaller ones',
    group,
  },
  splitDepth: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: 100,
    default: 3,
    help: 'with --split: so often a part is split again at most',
    group,
  },
  configFile: {
    kind: 'text',
    short: 'c',
    value: 'FILE.json',
    help: 'run the instances of this configuration (docs/swarm.md)',
    group,
  },
  configOnly: { kind: 'flag', help: 'write the configuration and stop', group },
  instancesOnly: {
    kind: 'flag',
    help: 'write the instances as sequential C to DIR, for --backend (cbmc if none is given), and stop',
    group,
  },
  clusterConfig: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: 1_000_000,
    help: 'write configurations with N instances each, and stop',
    group,
  },
  slurm: {
    kind: 'text',
    value: 'DIR',
    help: 'write what Slurm needs to run the swarm on a cluster, and stop; DIR/submit.sh starts it',
    group,
  },
  collect: { kind: 'text', value: 'DIR', help: 'put the results of such a swarm together and say the verdict', group },
  resume: {
    kind: 'flag',
    default: true,
    help: 'start anew, also where an earlier run of the same swarm was interrupted',
    group,
  },
  study: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: 1_000_000,
    help: 'run N random instances to their end and write what they say to DIR: study.txt, .json, .svg, .html',
    group,
  },
  ...queueOptions,
  swarmDir: { kind: 'text', value: 'DIR', help: 'where results go', defaultText: 'FILE.swarm', group },
  ...frontEndOptions,
} as const satisfies OptionTable;

export type SwarmCommandOptions = OptionValues<typeof swarmOptions>;

/** What is wrong with the options; null where nothing is. */
export function findSwarmMisuse(options: SwarmCommandOptions, given: ReadonlySet<string>): string | null {
  if (given.has('windowLength') && given.has('windowPercent'))
    return '--window-length and --window-percent exclude each other';
  const tiling = [
    'windowLength',
    'windowPercent',
    'shiftWindow',
    'pickedWindow',
    'random',
    'clusterConfig',
    'study',
    'slurm',
  ];
  const needless = options.configFile === undefined ? undefined : tiling.find((name) => given.has(name));
  if (needless !== undefined) return 'a configuration says itself which tiles there are: --config-file stands alone';
  if (given.has('slurm') && given.has('collect')) return '--slurm and --collect exclude each other';
  if (given.has('queue') && (given.has('slurm') || given.has('collect'))) return '--queue does not go with Slurm';
  if (given.has('rounds') && given.has('contextSwitches')) return '--rounds and --context-switches exclude each other';
  if (given.has('check') && given.has('property')) return '--check and --property exclude each other';
  if (options.split && given.has('study')) return '--study runs instances as they are: it does not go with --split';
  if (given.has('splitDepth') && !options.split) return '--split-depth needs --split';
  if (options.witness !== undefined && options.memoryModel !== 'sc')
    return '--witness knows sequential consistency only; it does not go with --memory-model';
  if (given.has('study') && given.has('instancesLimit')) return '--study says itself how many instances are run';
  return findReportMisuse(options) ?? (usesBackend(options) ? findBackendMisuse(options, given) : findNeedless(given));
}

/** Instances are sequential programs. */
export function usesBackend({ backend, instancesOnly }: SwarmCommandOptions): boolean {
  return backend !== undefined || instancesOnly;
}

/** Where nothing is run, nobody needs a queue. */
export function isRun({ slurm, collect, configOnly, instancesOnly, clusterConfig }: SwarmCommandOptions): boolean {
  return slurm === undefined && collect === undefined && !configOnly && !instancesOnly && clusterConfig === undefined;
}

/** What does not go with workers elsewhere; they say themselves what they run, and how. */
export function findQueueMisuse(
  options: SwarmCommandOptions,
  given: ReadonlySet<string>,
  seeks: Sought | null,
): string | null {
  if (options.backend === undefined) return null;
  if (seeks !== null) return `the check ${seeks} does not go with a backend behind a queue`;
  const own = (
    [
      ['backendPath', '--backend-path'],
      ['backendOptions', '--backend-options'],
    ] as const
  ).find(([name]) => given.has(name));
  if (own) return `workers on a queue say themselves how they run a backend: ${own[1]} does not go with one`;
  if (options.unwindingAssertions) return '--unwinding-assertions does not go with a queue (--queue, LAZULI_QUEUE)';
  if (options.memoryModel !== 'sc') return '--memory-model does not go with a backend behind a queue';
  if (QUEUED_BACKENDS.includes(options.backend)) return null;
  return `on a queue only counterexamples count that can be replayed: --backend ${QUEUED_BACKENDS.join(' or ')}`;
}

export function backendJobOf(
  { backend = 'cbmc', schema, bitvectors, unwindingAssertions }: SwarmCommandOptions,
  schedule: readonly number[],
  seeks: Sought | null,
): BackendJob {
  return { name: backend, schema, schedule, bitvectors, unwindingAssertions, seeks };
}

function findBackendMisuse(options: SwarmCommandOptions, given: ReadonlySet<string>): string | null {
  if (given.has('contextSwitches')) return '--context-switches does not go with --backend';
  if (keepsLoops(options.schema)) return `--schema ${options.schema} keeps loops: a swarm is of bounded programs`;
  if (given.has('threadUnwind')) return '--thread-unwind goes with --schema ul only';
  if (given.has('allowRace')) return '--allow-race does not go with --backend';
  if (given.has('valueAnalysis') && !options.bitvectors)
    return '--value-analysis needs --bitvectors where there is a backend';
  if (options.bitvectors && options.valueAnalysis === 'none') return '--bitvectors needs a value analysis';
  return findBackendWordMisuse(options);
}

function findNeedless(given: ReadonlySet<string>): string | null {
  const needless = [...BACKEND_ONLY, ['bitvectors', '--bitvectors'], ['unwindingAssertions', '--unwinding-assertions']];
  const found = needless.find(([name = '']) => given.has(name));
  return found ? `${found[1]} needs --backend` : null;
}

/** How often a thread can be preempted within the bounds: so many tiles cover all interleavings. */
export function mostPreemptions({ rounds, contextSwitches }: SwarmCommandOptions): number {
  return contextSwitches === undefined ? rounds : Math.ceil((contextSwitches + 1) / 2);
}

/** The tiling of the program, with as many of its selections as are to be run. */
export function configure(threads: readonly ThreadPlaces[], options: SwarmCommandOptions): TilingConfiguration {
  const { windowLength, windowPercent = DEFAULT_PERCENT, shiftWindow, seed, study } = options;
  const size: WindowSize =
    windowLength === undefined ? { kind: 'percent', percent: windowPercent } : { kind: 'length', length: windowLength };
  return configureTiling(threads, {
    size,
    shift: shiftWindow ? createRandom(seed) : null,
    picks: options.pickedWindow ?? mostPreemptions(options),
    seed,
    isRandom: options.random || study !== undefined,
    limit: BigInt(study ?? options.instancesLimit),
  });
}

const SPLIT_SECONDS = 30;

/** In seconds; undefined: as long as it takes. */
export function instanceTimeoutOf({ instanceTimeout, split }: SwarmCommandOptions): number | undefined {
  return instanceTimeout ?? (split ? SPLIT_SECONDS : undefined);
}

export function coresOf({ cores }: SwarmCommandOptions): number {
  return cores ?? availableParallelism();
}
