// A swarm on a cluster with Slurm: its configuration in parts, an array of jobs that runs one part each, and a job that
// collects their results. Each part is a swarm of its own with a folder of its own, so that a job that was requeued
// goes on where it stopped; collecting puts the results into one table, under the numbers of the whole.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Task } from '../engines/swarm/agenda.ts';
import { printConfiguration, type TilingConfiguration } from '../engines/swarm/configuration.ts';
import type { TimedResult } from '../engines/swarm/instance-result.ts';
import { readConfiguration } from '../engines/swarm/read-configuration.ts';
import { type ResultsHead, SwarmResults } from '../host/swarm-results.ts';
import { ShapeError } from '../support/json-shape.ts';
import { quoteWord, spellOptions } from './spell-options.ts';
import { type SwarmCommandOptions, swarmOptions } from './swarm-options.ts';
import { writeFile } from './write-file.ts';
import { reportOptions } from './write-report.ts';

const USUAL_PARTS = 100n;
/** Of the jobs of an array, unless somebody changed Slurm's MaxArraySize. */
const MOST_PARTS = 1000n;
const WHOLE = 'whole.json';

/** What a part or the collection gets from elsewhere. */
const OWN_OPTIONS = [
  ...['slurm', 'collect', 'clusterConfig', 'configFile', 'configOnly', 'instancesOnly', 'instancesLimit', 'random'],
  ...[
    'windowLength',
    'windowPercent',
    'shiftWindow',
    'pickedWindow',
    'study',
    'cores',
    'swarmDir',
    'resume',
    'progress',
  ],
];

export interface SlurmSwarm {
  readonly folder: string;
  readonly configuration: TilingConfiguration;
  readonly operands: readonly string[];
  readonly options: SwarmCommandOptions;
  readonly given: ReadonlySet<string>;
}

/** Writes all files, and gives the names of those that a person looks at. */
export function writeSlurm({ folder, configuration, operands, options, given }: SlurmSwarm): readonly string[] {
  const place = path.resolve(folder);
  mkdirSync(place, { recursive: true });
  writeFile(path.join(place, WHOLE), printConfiguration(configuration));
  const parts = cut(configuration, options.clusterConfig);
  // Of another swarm that was here before.
  for (let k = parts.length; existsSync(partFile(place, k)); k++) rmSync(partFile(place, k));
  for (const [k, part] of parts.entries()) writeFile(partFile(place, k), printConfiguration(part));
  const except = new Set([...OWN_OPTIONS, ...Object.keys(reportOptions)]);
  const runsAll = options.keepGoing || options.study !== undefined;
  const common = spellOptions(swarmOptions, options, given, except);
  const partOptions = options.study === undefined ? common : [...common, '--keep-going'];
  const reports = spellOptions(swarmOptions, options, given, new Set(OWN_OPTIONS));
  const collected = options.study === undefined ? reports : [...reports, `--study=${options.study}`];
  const command = [process.execPath, path.resolve(process.argv[1] ?? ''), 'swarm', ...operands];
  const files = {
    'array.sbatch': arrayScript(place, parts.length, options.cores ?? 1, [...command, ...partOptions], runsAll),
    'collect.sbatch': collectScript(place, [...command, ...collected, '--collect', place]),
    'submit.sh': submitScript(place),
  };
  return Object.entries(files).map(([name, text]) => {
    const file = path.join(place, name);
    writeFile(file, text);
    return path.join(folder, name);
  });
}

function partFile(folder: string, k: number): string {
  return path.join(folder, `config-${k}.json`);
}

/** Null where there are not. */
export function findTooManyParts({ count }: TilingConfiguration, size: number | undefined): string | null {
  const parts = size === undefined ? 0n : (count + BigInt(size) - 1n) / BigInt(size);
  return parts > MOST_PARTS ? `--cluster-config ${size} makes ${parts} parts; Slurm takes ${MOST_PARTS}` : null;
}

function cut(whole: TilingConfiguration, given: number | undefined): readonly TilingConfiguration[] {
  const { first, count } = whole;
  const size = given === undefined ? (count + USUAL_PARTS - 1n) / USUAL_PARTS : BigInt(given);
  const parts: TilingConfiguration[] = [];
  for (let from = 0n; from < count; from += size)
    parts.push({ ...whole, first: first + from, count: from + size > count ? count - from : size });
  return parts;
}

function arrayScript(
  place: string,
  parts: number,
  cores: number,
  command: readonly string[],
  runsAll: boolean,
): string {
  const cancel = `if [ "$code" = 10 ]; then scancel "$SLURM_ARRAY_JOB_ID"; fi`;
  return `#!/bin/bash
#SBATCH --job-name=lazuli
#SBATCH --array=0-${parts - 1}
#SBATCH --cpus-per-task=${cores}
#SBATCH --output="${place}/task-%a.log"
#SBATCH --open-mode=append
#SBATCH --requeue
# One part of the swarm. After a failure of its node, or when it is submitted again, it goes on where it stopped.
cd ${quoteWord(process.cwd())} || exit 4
folder=${quoteWord(place)}
unset LAZULI_QUEUE
part=$SLURM_ARRAY_TASK_ID
if tail -n 1 "$folder/part-$part/results.jsonl" 2>/dev/null | grep -q '^{"end":'; then exit 0; fi
${command.map(quoteWord).join(' ')} \\
  --config-file "$folder/config-$part.json" --swarm-dir "$folder/part-$part" --cores "\${SLURM_CPUS_PER_TASK:-1}"
code=$?
${runsAll ? '# A bug is not the end.' : `# The first bug ends the others; the collecting job runs all the same.\n${cancel}`}
case $code in 0 | 1 | 10) exit 0 ;; *) exit "$code" ;; esac
`;
}

function collectScript(place: string, command: readonly string[]): string {
  return `#!/bin/bash
#SBATCH --job-name=lazuli-collect
#SBATCH --output="${place}/verdict.txt"
# The results of all parts in one table, and the verdict.
cd ${quoteWord(process.cwd())} || exit 4
${command.map(quoteWord).join(' ')}
`;
}

function submitScript(place: string): string {
  return `#!/bin/bash
# Submits both jobs. Options for sbatch (partition, account, time) are passed on.
id=$(sbatch --parsable "$@" ${quoteWord(`${place}/array.sbatch`)}) || exit
echo "array job \${id%%;*}"
sbatch --dependency="afterany:\${id%%;*}" "$@" ${quoteWord(`${place}/collect.sbatch`)}
`;
}

// ---------------------------------------------------------------- collecting

export function readWhole(folder: string): TilingConfiguration {
  const whole = readConfiguration(readFileSync(path.join(folder, WHOLE), 'utf8'));
  if (whole.kind !== 'tiling') throw new ShapeError('$', `${WHOLE} must be a tiling`);
  return whole;
}

/**
 * Tells the results of all parts that are there, each under its key in the whole. Throws a ShapeError where a part is
 * about another question.
 */
export function collectParts(
  folder: string,
  whole: TilingConfiguration,
  headOf: (part: TilingConfiguration) => ResultsHead,
  onResult: (task: Pick<Task, 'key'> & { readonly name: string }, timed: TimedResult) => void,
): void {
  for (let k = 0; existsSync(partFile(folder, k)); k++) {
    const part = readConfiguration(readFileSync(partFile(folder, k), 'utf8'));
    if (part.kind !== 'tiling') throw new ShapeError('$', `config-${k}.json must be a tiling`);
    const offset = part.first - whole.first;
    const results = new SwarmResults(path.join(folder, `part-${k}`));
    const isOurs = results.read(headOf(part), ({ key, instance, timed }) => {
      const [index = '0', ...way] = key.split('.');
      onResult({ key: [offset + BigInt(index), ...way].join('.'), name: instance }, timed);
    });
    if (!isOurs) throw new ShapeError(`part-${k}`, 'has results of another program, or of other options');
  }
}
