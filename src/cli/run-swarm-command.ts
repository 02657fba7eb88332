// `lazuli swarm`, step by step: read the program, prepare it in a first worker, make the configuration, run instances,
// report. The manager (host/swarm-manager.ts) keeps the workers busy; here is what goes to files and to the user.

import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import { Agenda, type Splitting } from '../engines/swarm/agenda.ts';
import { type Configuration, printConfiguration, type TilingConfiguration } from '../engines/swarm/configuration.ts';
import type { TimedResult } from '../engines/swarm/instance-result.ts';
import { createInstances, hasAllPlaces, type Instance, type Instances } from '../engines/swarm/instances.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import { readConfiguration } from '../engines/swarm/read-configuration.ts';
import { splitInstance } from '../engines/swarm/split-instance.ts';
import { type SwarmScope, Tally } from '../engines/swarm/tally.ts';
import { clockMs } from '../host/clock.ts';
import type { InstancePool, LocalProgram } from '../host/instance-runner.ts';
import { FolderInUse, lockFolder } from '../host/lock-folder.ts';
import { hashOfText } from '../host/queue/queued-program.ts';
import { runSwarm } from '../host/swarm-manager.ts';
import type { SwarmJob } from '../host/swarm-messages.ts';
import { type ResultsHead, ResultsUnwritable, SwarmResults, toFileName } from '../host/swarm-results.ts';
import { ThreadPool, WorkerFailure } from '../host/thread-runner.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Approximation } from '../program/code.ts';
import { drawStudy, makeStudy, printStudy, printStudyPage, type StudySample } from '../report/swarm-study.ts';
import { groupDigits } from '../support/group-digits.ts';
import { ShapeError } from '../support/json-shape.ts';
import { reportOn } from '../verify/report-on.ts';
import { readBounds } from './bound-options.ts';
import { type CheckTarget, findTarget } from './check-target.ts';
import { reportUnusable, reportUsage } from './define-command.ts';
import {
  describeInstance,
  describePlaces,
  describeShare,
  describeSplits,
  describeTiles,
  instancesWord,
} from './describe-swarm.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { nameProgram, readProgramInput } from './program-input.ts';
import { findQueueAddress } from './queue-options.ts';
import { readBoundedSettings, toBytes } from './read-settings.ts';
import { reportInternal } from './report-internal.ts';
import { describeMissing, findRefusedChecks, soughtBy } from './run-backend-check.ts';
import { type Interruption, watchSignals } from './signals.ts';
import { BackendPool } from './swarm-backend-pool.ts';
import {
  backendJobOf,
  configure,
  coresOf,
  findQueueMisuse,
  findSwarmMisuse,
  instanceTimeoutOf,
  isRun,
  mostPreemptions,
  type SwarmCommandOptions,
  usesBackend,
} from './swarm-options.ts';
import { showSwarm } from './swarm-progress.ts';
import { runOnQueue } from './swarm-queue.ts';
import { collectParts, findTooManyParts, readWhole, writeSlurm } from './swarm-slurm.ts';
import { ensureWritable, findOverwritten, writeFile } from './write-file.ts';
import { reportFiles, writeFiles, writeReport } from './write-report.ts';

type Given = ReadonlySet<keyof SwarmCommandOptions>;

/** What the rest of the command is about. */
interface Subject {
  readonly job: SwarmJob;
  readonly options: SwarmCommandOptions;
  readonly given: Given;
  readonly startMs: number;
  /** `FILE`, as the names of configurations and results begin. */
  readonly prefix: string;
  readonly io: Io;
  readonly operands: readonly string[];
  /** What the program includes, once that is known. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** What a road has to say on an outcome. */
  readonly notesOn: (outcome: Outcome) => readonly string[];
  /** An instance as sequential C, where that is what is run. */
  readonly write?: (instance: Instance) => string;
}

export async function runSwarmCommand(
  operands: readonly string[],
  options: SwarmCommandOptions,
  given: Given,
  io: Io,
): Promise<ExitCode> {
  const startMs = clockMs();
  const misuse = findSwarmMisuse(options, given);
  if (misuse !== null) return reportUsage(io, 'swarm', misuse);
  const target = await findTarget(operands, options, given.has('dataModel'));
  if (target.kind === 'problem') return reportUsage(io, 'swarm', target.message);
  if (target.kind === 'unusable') return reportUnusable(io, target.message);
  const sought = usesBackend(options) ? soughtBy(target, options) : [];
  const refused = usesBackend(options) ? findRefusedChecks(target, options, sought) : null;
  if (refused !== null) return reportUsage(io, 'swarm', refused);
  const [seeks = null] = sought;
  if (seeks !== null && (target.checks?.length ?? 0) > 1)
    return reportUsage(io, 'swarm', `with --backend the check ${seeks} is a question of its own: ask it alone`);
  const bounds = readBounds(options);
  if (bounds.kind === 'problem') return reportUsage(io, 'swarm', bounds.message);
  const overwritten = findOverwritten(reportFiles(options), [...operands, ...target.files]);
  if (overwritten !== null) return reportUsage(io, 'swarm', overwritten);
  const queue = isRun(options) ? findQueueAddress(options, io.env) : null;
  if (queue?.kind === 'problem') return reportUsage(io, 'swarm', queue.message);
  const unfit = queue === null ? null : findQueueMisuse(options, given, seeks);
  if (unfit !== null) return reportUsage(io, 'swarm', unfit);
  ensureWritable(reportFiles(options));
  const frontEnd = { ...options, ...target.frontEnd };
  const input = await readProgramInput(target.files, frontEnd, target.isDataModelGiven, io);
  if (input.kind === 'failed') return input.code;
  const { unwind, rounds } = options;
  const settings = { ...readBoundedSettings(input, target, bounds.options, options), unwind, rounds };
  const source = { name: nameProgram(target.files, options), files: input.files, project: input.options.project };
  const job: SwarmJob = {
    source,
    settings,
    stage: { unwind, rounds },
    memoryLimitBytes: toBytes(options.memoryLimit),
    colours: io.err.colours,
    proves: options.split,
    headers: null,
    backend: usesBackend(options) ? backendJobOf(options, bounds.schedule, seeks) : null,
  };
  const prefix = target.files[0] === undefined || target.files[0] === '-' ? 'stdin' : target.files[0];
  const subject = { job, options, given, startMs, prefix, io, operands };
  const road = openRoad(subject, target);
  if (queue === null) return checkInstances({ ...subject, ...road }, road.pool);
  const swarm = { job, local: road.local, instanceTimeLimitMs: instanceLimitMs(options) };
  const folder = folderOf(options, prefix);
  return runOnQueue(queue.address, { ...swarm, folder }, io, (pool) => checkInstances({ ...subject, ...road }, pool));
}

/** Where instances run, and what else a road knows of them. */
interface Road extends Pick<Subject, 'notesOn' | 'write'> {
  readonly pool: InstancePool;
  /** The program on this machine, if its instances run elsewhere. */
  readonly local: LocalProgram;
}

function openRoad({ job, options, io }: Pick<Subject, 'job' | 'options' | 'io'>, target: CheckTarget): Road {
  if (job.backend === null) {
    const threads = new ThreadPool(job, instanceLimitMs(options), ({ text }) => io.err.write(text));
    return { pool: threads, local: threads.first, notesOn: () => [] };
  }
  const { backendPath, backendOptions, memoryLimit } = options;
  const machine = {
    options: { backendPath, backendOptions },
    timeoutSeconds: instanceTimeoutOf(options),
    memoryLimitMegabytes: memoryLimit,
  };
  const { seeks } = job.backend;
  const pool = new BackendPool(job, machine, io);
  const notesOn = (outcome: Outcome) =>
    outcome.kind === 'bounded'
      ? [...pool.describeLimits(outcome), ...describeMissing(target, seeks === null ? [] : [seeks])]
      : [];
  return { pool, local: pool, notesOn, write: (instance) => pool.write(instance) };
}

async function checkInstances(subject: Subject, pool: InstancePool): Promise<ExitCode> {
  const { options, io } = subject;
  try {
    const ready = await pool.prepare();
    switch (ready.kind) {
      case 'misused':
        return reportUsage(io, 'swarm', ready.message);
      case 'refused':
        return writeReport(reportOf(subject, ready.outcome, [], []), options, io);
      case 'prepared':
        return await runConfigured({ ...subject, headers: ready.headers }, pool, ready.threads, ready.approximations);
    }
  } catch (error) {
    if (error instanceof WorkerFailure) return reportInternal(io, error.message, error.stack);
    if (error instanceof FolderInUse || error instanceof ResultsUnwritable) return reportUnusable(io, error.message);
    if (!(error instanceof ShapeError)) throw error;
    return reportUnusable(io, `${options.configFile ?? options.collect}: ${error.message}`);
  } finally {
    await pool.dispose();
  }
}

async function runConfigured(
  subject: Subject,
  pool: InstancePool,
  threads: readonly ThreadPlaces[],
  approximations: readonly Approximation[],
): Promise<ExitCode> {
  const { options, prefix, io } = subject;
  const configuration = findConfiguration(options, threads);
  const instances = createInstances(configuration, threads);
  const auto = `${prefix}_auto_config.json`;
  if (configuration.kind === 'tiling' && options.configFile === undefined && options.collect === undefined) {
    if (options.slurm !== undefined) return writeForSlurm(subject, options.slurm, configuration);
    if (options.clusterConfig !== undefined) return writeClusterConfigurations(subject, configuration);
    writeFile(auto, printConfiguration(configuration));
  }
  const all =
    instances.total === null || instances.total === instances.count ? '' : ` of ${groupDigits(instances.total)}`;
  io.err.write(
    `lazuli: ${describeTiles(configuration, threads)}${groupDigits(instances.count)}${all} ${instancesWord(instances.total ?? instances.count)}\n`,
  );
  if (options.configOnly) {
    if (options.verbose) io.out.write(describePlaces(threads));
    else io.out.write(`${auto}\n`);
    return exitCodes.ok;
  }
  if (options.instancesOnly) return writeInstances(subject, instances);
  const agenda = new Agenda(instances, splittingOf(options, threads));
  const release = lockFolder(folderOf(options, prefix));
  const outcome = await runAll(subject, pool, configuration, instances, agenda).finally(release);
  const scope = scopeOf(subject, configuration, threads, instances);
  return conclude(subject, outcome, scope, threads, approximations, agenda);
}

function findConfiguration(options: SwarmCommandOptions, threads: readonly ThreadPlaces[]): Configuration {
  if (options.collect !== undefined) return readWhole(options.collect);
  if (options.configFile === undefined) return configure(threads, options);
  return readConfiguration(readFileSync(options.configFile, 'utf8'));
}

function writeForSlurm(subject: Subject, folder: string, configuration: TilingConfiguration): ExitCode {
  const { options, given, operands, io } = subject;
  const problem = findTooManyParts(configuration, options.clusterConfig);
  if (problem !== null) return reportUsage(io, 'swarm', problem);
  for (const file of writeSlurm({ folder, configuration, operands, options, given })) io.out.write(`${file}\n`);
  return exitCodes.ok;
}

interface Ended {
  readonly tally: Tally;
  readonly samples: readonly StudySample[];
  readonly interruption: Interruption | null;
  readonly isTimeUp: boolean;
  readonly results: SwarmResults;
}

async function runAll(
  subject: Subject,
  pool: InstancePool,
  configuration: Configuration,
  instances: Instances,
  agenda: Agenda,
): Promise<Ended> {
  const { options, given, prefix, io } = subject;
  const tally = new Tally();
  const samples: StudySample[] = [];
  const note = (key: string, timed: TimedResult) => {
    tally.add(key, timed);
    const { result, elapsedMs: ms, memoryBytes } = timed;
    if (options.study !== undefined && result.kind !== 'split') samples.push({ verdict: result.kind, ms, memoryBytes });
  };
  const results = new SwarmResults(folderOf(options, prefix));
  const head = headOf(subject, configuration, instances.count);
  let hasEarlier = false;
  results.open(head, options.resume, ({ key, timed }) => {
    hasEarlier = true;
    agenda.leaveOut(key, timed.result.kind);
    note(key, timed);
  });
  const done = tally.done;
  const parts = tally.parts > 0 ? ` and ${groupDigits(tally.parts)} parts` : '';
  if (hasEarlier) io.err.write(`lazuli: going on after ${groupDigits(done)} instances${parts} of an earlier run\n`);
  if (options.collect !== undefined && configuration.kind === 'tiling') {
    collectParts(
      options.collect,
      configuration,
      (part) => headOf(subject, part, part.count),
      (task, timed) => {
        if (!agenda.leaveOut(task.key, timed.result.kind)) return;
        results.add({ key: task.key, instance: { name: task.name, windows: [] } }, timed);
        note(task.key, timed);
      },
    );
    return { tally, samples, interruption: null, isTimeUp: false, results };
  }
  let running = 0;
  const wish = given.has('progress') ? options.progress : null;
  const progress = showSwarm(io, instances.count, wish, () => ({
    ...tally,
    earlier: done,
    running: pool.running ?? running,
  }));
  const cores = Math.min(coresOf(options), Number(instances.count) || 1);
  const signals = watchSignals();
  const time = new AbortController();
  const leftMs = options.timeout * 1000 - (clockMs() - subject.startMs);
  const timer = setTimeout(() => time.abort(), Math.min(Math.max(0, leftMs), 2 ** 31 - 1));
  const mustStop = () => tally.found !== null && !goesOn(options);
  try {
    await runSwarm({
      agenda,
      runners: mustStop() ? [] : pool.createRunners(cores),
      signal: AbortSignal.any([signals.signal, time.signal]),
      onStart: () => {
        running++;
      },
      onResult: (task, timed) => {
        running--;
        results.add(task, timed);
        note(task.key, timed);
        return mustStop();
      },
    });
  } finally {
    clearTimeout(timer);
    signals.end();
    progress.end();
  }
  return { tally, samples, interruption: signals.interruption(), isTimeUp: time.signal.aborted, results };
}

function conclude(
  subject: Subject,
  { tally, samples, interruption, isTimeUp, results }: Ended,
  scope: SwarmScope,
  threads: readonly ThreadPlaces[],
  approximations: readonly Approximation[],
  agenda: Agenda,
): ExitCode {
  const { options, io } = subject;
  if (interruption !== null && (tally.found === null || goesOn(options))) {
    const { words, code } = interruption;
    io.err.write(
      `lazuli: ${words}; ${groupDigits(tally.done)} of ${groupDigits(scope.count)} instances are done, the same command goes on\n`,
    );
    writeFiles(reportOf(subject, tally.conclude(scope).outcome, [], approximations), options, io);
    return code;
  }
  const { outcome, notes } = tally.conclude(scope);
  const isIncomplete = options.collect !== undefined && tally.found === null && BigInt(tally.done) < scope.count;
  if (!isTimeUp && !isIncomplete) results.end(outcome.kind);
  const time = isTimeUp ? ['Time is up; the same command goes on where it stopped.'] : [];
  if (isIncomplete) time.push('Not all parts are done; submit.sh goes on with them.');
  const split = tally.parts > 0 || tally.discharged > 0 ? [describeSplits(tally)] : [];
  const bugs = goesOn(options) && tally.bugs > 0 ? [describeShare(tally)] : [];
  if (options.study !== undefined) writeStudy(subject, samples);
  const found = tally.found ? [describeInstance(agenda.instanceAt(tally.found.key), threads)] : [];
  return writeReport(
    reportOf(subject, outcome, [...found, ...bugs, ...split, ...notes, ...time], approximations),
    options,
    io,
  );
}

/** A bug is not the end. */
function goesOn({ keepGoing, study }: SwarmCommandOptions): boolean {
  return keepGoing || study !== undefined;
}

function writeStudy({ job, options, prefix, io }: Subject, samples: readonly StudySample[]): void {
  const study = makeStudy(samples);
  const { name } = job.source;
  const picture = drawStudy(study, name);
  const text = printStudy(study);
  const file = (extension: string) => path.join(folderOf(options, prefix), `study.${extension}`);
  writeFile(file('txt'), text);
  writeFile(file('json'), `${JSON.stringify({ format: 'lazuli-swarm-study', version: 1, program: name, ...study })}\n`);
  if (picture !== null) writeFile(file('svg'), picture);
  writeFile(file('html'), printStudyPage(study, name));
  if (!reportFiles(options).includes('-')) io.out.write(`${text}\n`);
}

function folderOf({ swarmDir }: SwarmCommandOptions, prefix: string): string {
  return swarmDir ?? `${prefix}.swarm`;
}

function reportOf(
  subject: Subject,
  outcome: Outcome,
  notes: readonly string[],
  approximations: readonly Approximation[],
) {
  const { job, startMs } = subject;
  const report = reportOn(outcome, approximations, job.source, job.settings, clockMs() - startMs);
  return { ...report, notes: [...new Set([...notes, ...report.notes, ...subject.notesOn(outcome)])] };
}

function scopeOf(
  { options }: Subject,
  configuration: Configuration,
  threads: readonly ThreadPlaces[],
  { count, total }: Instances,
): SwarmScope {
  const { unwind, rounds, contextSwitches } = options;
  const isTiling = configuration.kind === 'tiling';
  return {
    bounds: contextSwitches === undefined ? { unwind, rounds } : { unwind, rounds: null, contextSwitches },
    count,
    total,
    isRandom: isTiling && configuration.random !== null,
    coversAll: isTiling && configuration.picks >= mostPreemptions(options) && hasAllPlaces(configuration, threads),
  };
}

function writeClusterConfigurations(subject: Subject, configuration: TilingConfiguration): ExitCode {
  const { options, prefix, io } = subject;
  const size = BigInt(options.clusterConfig ?? 1);
  const { count } = configuration;
  for (let first = 0n, number = 0; first < count; first += size, number++) {
    const part = { ...configuration, first, count: first + size > count ? count - first : size };
    const file = `${prefix}_auto_config_${number}.json`;
    writeFile(file, printConfiguration(part));
    io.out.write(`${file}\n`);
  }
  return exitCodes.ok;
}

/** One file each; nothing is kept of what is written. */
function writeInstances({ options, prefix, write, io }: Subject, instances: Instances): ExitCode {
  const folder = folderOf(options, prefix);
  mkdirSync(folder, { recursive: true });
  for (let index = 0n; index < instances.count; index++) {
    const instance = instances.at(index);
    const file = path.join(folder, `instance-${toFileName(instance.name)}.c`);
    writeFile(file, write?.(instance) ?? '');
    io.out.write(`${file}\n`);
  }
  return exitCodes.ok;
}

function headOf(subject: Subject, configuration: Configuration, count: bigint): ResultsHead {
  return { program: subject.job.source.name, question: hashOf(subject, configuration), count: String(count) };
}

/** Of everything that the results depend on. */
function hashOf({ job, options, headers }: Subject, configuration: Configuration): string {
  const { source, settings, stage, memoryLimitBytes } = job;
  const { timeLimitMs: _, ...lasting } = settings;
  const write = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value;
  const { backend, backendPath, backendOptions, schema, schedule, bitvectors, unwindingAssertions } = options;
  const road = { backend, backendPath, backendOptions, schema, schedule, bitvectors, unwindingAssertions };
  const limits = { instance: instanceTimeoutOf(options), split: options.split && options.splitDepth, memoryLimitBytes };
  const question = JSON.stringify({ version, source, headers, lasting, stage, limits, configuration, road }, write);
  return hashOfText(question);
}

function instanceLimitMs(options: SwarmCommandOptions): number {
  return 1000 * (instanceTimeoutOf(options) ?? Number.POSITIVE_INFINITY);
}

function splittingOf(options: SwarmCommandOptions, threads: readonly ThreadPlaces[]): Splitting | null {
  if (!options.split) return null;
  const split = (instance: Instance) => splitInstance(instance, threads, mostPreemptions(options));
  return { depth: options.splitDepth, split };
}
