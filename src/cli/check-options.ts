// The options of `lazuli check`, and which of them go together: the embedded engine and the backends share some, and
// what one of them would ignore is refused.

import { checkNames } from '../program/check-names.ts';
import { backendOptions, findSchemaMisuse, schemaOptions } from './backend-options.ts';
import { boundOptions, memoryModelOption, sequentialBoundOptions } from './bound-options.ts';
import { inspectOptions } from './check-dumps.ts';
import { frontEndOptions } from './front-end-options.ts';
import type { OptionValues } from './options.ts';
import { progressOptions } from './progress.ts';
import { hasClosedQuotes } from './read-input.ts';
import { findReportMisuse, reportOptions } from './write-report.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;

export const checkOptions = {
  check: {
    kind: 'list',
    choices: ['all', 'default', ...checkNames.map(({ name }) => name)],
    help: 'what to look for (see below)',
  },
  property: {
    kind: 'text',
    value: 'FILE.prp',
    repeated: true,
    help: 'look for violations of this property; each of several gets its own verdict',
  },
  each: {
    kind: 'flag',
    help: 'each FILE is a program of its own; of a folder its tasks (.yml) or else its C files',
    group: 'Several programs',
  },
  parallel: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: 64,
    help: 'programs at a time (default: the cores; one with --memory-limit)',
    group: 'Several programs',
  },
  allRaces: { kind: 'flag', help: 'after a data race, tell all others that concrete runs come across' },
  allowRace: {
    kind: 'text',
    value: 'NAME',
    repeated: true,
    help: 'accept the data races of this variable',
  },
  timeout: {
    kind: 'number',
    value: 'SECONDS',
    min: 0.1,
    max: 1_000_000,
    fraction: true,
    default: DEFAULT_TIMEOUT_SECONDS,
    help: 'stop after this time and say what was covered',
  },
  memoryLimit: { kind: 'number', value: 'MB', min: 64, max: 1_000_000, help: 'use no more memory than this' },
  explore: { kind: 'flag', default: true, help: 'do not try concrete runs before the solver' },
  valueAnalysis: {
    kind: 'choice',
    choices: ['builtin', 'frama-c', 'none'],
    default: 'builtin',
    help: 'values in the bits that they need, or in their declared widths; frama-c is for --bitvectors',
  },
  memoryModel: memoryModelOption,
  suggestFences: { kind: 'flag', help: 'show where fences repair what breaks under --memory-model tso or pso' },
  seed: { kind: 'number', value: 'N', min: 0, max: 2 ** 31 - 1, default: 1, help: 'seed of all random choices' },
  jobs: {
    kind: 'number',
    short: 'j',
    value: 'N',
    min: 1,
    max: 64,
    help: 'solvers side by side (default: the cores, at most 4)',
  },
  solver: {
    kind: 'choice',
    choices: ['wasm', 'cadical', 'kissat'],
    default: 'wasm',
    help: 'the embedded solver, or a native one from the PATH',
  },
  ...reportOptions,
  validateWitness: {
    kind: 'text',
    value: 'FILE',
    help: 'only validate this witness: follow that of a violation (YAML or GraphML), check the invariants of that of a proof (YAML)',
  },
  ...progressOptions,
  verbose: { kind: 'flag', short: 'v', help: 'show every step of a counterexample' },
  stats: { kind: 'choice', choices: ['text', 'json'], implied: 'text', help: 'print sizes and times to stderr' },
  contextSwitches: {
    kind: 'number',
    value: 'N',
    min: 0,
    max: 1000,
    help: 'bound the context switches instead of the rounds',
    group: 'Bounds',
  },
  ...boundOptions,
  unwind: { ...boundOptions.unwind, defaultText: 'grows; 2 with --backend' },
  rounds: { ...boundOptions.rounds, defaultText: 'grows; 2 with --backend' },
  ...sequentialBoundOptions,
  ...schemaOptions,
  ...backendOptions,
  ...inspectOptions,
  ...frontEndOptions,
} as const;

export type CheckCommandOptions = OptionValues<typeof checkOptions>;

/** What only the embedded engine does. */
const EMBEDDED_ONLY: readonly (readonly [keyof CheckCommandOptions, string])[] = [
  ['each', '--each'],
  ['parallel', '--parallel'],
  ['contextSwitches', '--context-switches'],
  ['explore', '--no-explore'],
  ['allRaces', '--all-races'],
  ['allowRace', '--allow-race'],
  ['suggestFences', '--suggest-fences'],
  ['seed', '--seed'],
  ['solver', '--solver'],
  ['jobs', '--jobs'],
  ['validateWitness', '--validate-witness'],
  ['dump', '--dump'],
  ['dumpDir', '--dump-dir'],
  ['showLoops', '--show-loops'],
  ['validate', '--validate'],
  ['stats', '--stats'],
];

/** What shows the inside of one check. */
const ONE_ONLY: readonly (readonly [keyof CheckCommandOptions, string])[] = [
  ['validateWitness', '--validate-witness'],
  ['dump', '--dump'],
  ['showLoops', '--show-loops'],
  ['stats', '--stats'],
];

/** What does not go with several programs or properties. */
export function findBatchMisuse(given: ReadonlySet<keyof CheckCommandOptions>): string | null {
  const alone = ONE_ONLY.find(([name]) => given.has(name));
  return alone ? `${alone[1]} is for one program and one property at a time` : null;
}

/** What needs a backend. */
export const BACKEND_ONLY: readonly (readonly [keyof CheckCommandOptions, string])[] = [
  ['schedule', '--schedule'],
  ['schema', '--schema'],
  ['threadUnwind', '--thread-unwind'],
  ['backendPath', '--backend-path'],
  ['backendOptions', '--backend-options'],
  ['nativeInput', '--native-input'],
];

/** What is wrong with the options, whatever the program; null where nothing is. */
export function findMisuse(options: CheckCommandOptions, given: ReadonlySet<keyof CheckCommandOptions>): string | null {
  if (given.has('check') && given.has('property')) return '--check and --property exclude each other';
  if (options.suggestFences && options.memoryModel === 'sc') return '--suggest-fences needs --memory-model tso or pso';
  if (options.witness !== undefined && options.memoryModel !== 'sc')
    return '--witness knows sequential consistency only; it does not go with --memory-model';
  return (
    findReportMisuse(options) ??
    findValueAnalysisMisuse(options, given) ??
    (options.backend === undefined ? findEmbeddedMisuse(options, given) : findBackendMisuse(options, given))
  );
}

function findValueAnalysisMisuse(
  { backend, bitvectors, valueAnalysis }: CheckCommandOptions,
  given: ReadonlySet<keyof CheckCommandOptions>,
): string | null {
  if (bitvectors && backend === undefined) return '--bitvectors needs --backend cbmc';
  if (bitvectors && valueAnalysis === 'none') return '--bitvectors needs a value analysis';
  if (bitvectors || !given.has('valueAnalysis') || valueAnalysis === 'none') return null;
  if (backend !== undefined) return '--value-analysis needs --bitvectors where there is a backend';
  return valueAnalysis === 'frama-c'
    ? '--value-analysis frama-c needs --backend cbmc --bitvectors; the embedded engine takes builtin or none'
    : null;
}

function findEmbeddedMisuse(
  options: CheckCommandOptions,
  given: ReadonlySet<keyof CheckCommandOptions>,
): string | null {
  if (given.has('dumpDir') && !given.has('dump')) return '--dump-dir needs --dump';
  const needless = BACKEND_ONLY.find(([name]) => given.has(name));
  if (needless) return `${needless[1]} needs --backend`;
  if (options.unwindingAssertions) {
    return '--unwinding-assertions needs --backend; here the answer always says whether executions are cut off';
  }
  const hasBoth = given.has('rounds') && given.has('contextSwitches');
  return hasBoth ? '--rounds and --context-switches exclude each other' : null;
}

function findBackendMisuse(options: CheckCommandOptions, given: ReadonlySet<keyof CheckCommandOptions>): string | null {
  const misuse = findSchemaMisuse(options.schema, given, ['unwind', 'rounds']);
  if (misuse !== null) return misuse;
  const needless = EMBEDDED_ONLY.find(([name]) => given.has(name));
  return findBackendWordMisuse(options) ?? (needless ? `${needless[1]} does not go with --backend` : null);
}

export function findBackendWordMisuse(
  options: Pick<CheckCommandOptions, 'backendPath' | 'backendOptions'>,
): string | null {
  if (options.backendPath === '') return '--backend-path needs the name of a file';
  return options.backendOptions.every(hasClosedQuotes) ? null : '--backend-options has a quote that is not closed';
}
