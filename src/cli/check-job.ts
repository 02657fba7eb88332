// The job of a check: what the worker is told, from the options and the files of a program.

import { availableParallelism } from 'node:os';
import type { CheckDump, CheckJob, SolverChoice } from '../host/check-messages.ts';
import type { BoundOptions } from '../program/bounds.ts';
import type { CheckCommandOptions } from './check-options.ts';
import type { CheckTarget } from './check-target.ts';
import type { Io } from './io.ts';
import { nameProgram, type ProgramInput, readProgramInput } from './program-input.ts';
import type { InputFailure } from './read-input.ts';
import { readBoundedSettings, toBytes } from './read-settings.ts';

/** What is the same for all programs of a command. */
export interface JobSetup {
  readonly bounds: BoundOptions;
  readonly options: CheckCommandOptions;
  readonly given: ReadonlySet<keyof CheckCommandOptions>;
}

const MOST_SOLVERS = 4;

/** Solvers side by side, where nobody has said how many and so many programs are checked at a time. */
export function usualJobs(parallel = 1): number {
  return Math.max(1, Math.min(MOST_SOLVERS, Math.floor(availableParallelism() / parallel)));
}

/** Reads the files of a program; what is wrong with them has been told when the result is a failure. */
export async function readJob(
  target: CheckTarget,
  setup: JobSetup,
  io: Pick<Io, 'err'>,
): Promise<{ readonly kind: 'job'; readonly job: CheckJob } | InputFailure> {
  const frontEnd = { ...setup.options, ...target.frontEnd };
  const input = await readProgramInput(target.files, frontEnd, target.isDataModelGiven, io);
  return input.kind === 'failed' ? input : { kind: 'job', job: toJob(input, target, setup, io) };
}

function toJob(
  input: ProgramInput,
  target: CheckTarget,
  { bounds, options, given }: JobSetup,
  io: Pick<Io, 'err'>,
): CheckJob {
  return {
    ...readBoundedSettings(input, target, bounds, options),
    name: nameProgram(target.files, options),
    files: input.files,
    unwind: given.has('unwind') ? options.unwind : null,
    rounds: given.has('rounds') ? options.rounds : null,
    explore: options.explore,
    suggestFences: options.suggestFences,
    allRaces: options.allRaces,
    solver: options.solver as SolverChoice,
    jobs: options.jobs ?? usualJobs(),
    memoryLimitBytes: toBytes(options.memoryLimit),
    dumps: options.dump as readonly CheckDump[],
    showLoops: options.showLoops,
    validate: options.validate,
    colours: io.err.colours,
  };
}
