// The C-to-C road of a swarm: each instance is a sequential program of its own, with labels only where its threads may
// be preempted, and goes to a backend. The program is read and bounded once. Counterexamples are replayed as those of
// `check --backend` are. The same pool runs instances for a swarm of this process, runs them for those on a queue, and
// replays what workers behind one have found.

import { existsSync } from 'node:fs';
import { type BackendProblem, createBackendEngine } from '../backends/backend-engine.ts';
import { findBackend } from '../backends/backends.ts';
import { findBoundedPlaces } from '../backends/bounded-places.ts';
import { replayRun } from '../backends/replay-trace.ts';
import type { Task } from '../engines/swarm/agenda.ts';
import {
  type InstanceResult,
  NOT_REPLAYED,
  type PortableRun,
  type TimedResult,
} from '../engines/swarm/instance-result.ts';
import type { Instance } from '../engines/swarm/instances.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import { stopsOf } from '../engines/swarm/stops.ts';
import { clockMs } from '../host/clock.ts';
import type { InstancePool, InstanceRunner, LocalProgram, Readiness } from '../host/instance-runner.ts';
import { createFileReader, createTextReader, keepTexts } from '../host/source-files.ts';
import type { BackendJob, SwarmJob } from '../host/swarm-messages.ts';
import { TimeLimit } from '../host/time-limit.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { DEFAULT_BOUND_OPTIONS } from '../program/bounds.ts';
import { invariant } from '../support/invariant.ts';
import { refusal } from '../verify/verify.ts';
import { askBackend, type BackendCheck, boundsOf, describeLimits, problemOf } from './check-backend.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { checksForBackends } from './run-backend-check.ts';
import {
  type RestrictedFile,
  type SequentializedFile,
  type SequentializeRequest,
  sequentializeFile,
} from './sequentialize-file.ts';

/** How this machine runs the backend, with the limits of an instance. */
export interface BackendMachine {
  readonly options: BackendCheck['options'];
  readonly timeoutSeconds: number | undefined;
  readonly memoryLimitMegabytes: number | undefined;
}

/** Nobody looks at the memory of a backend that has no limit. */
function watchedMegabytes(limit: number | undefined): number | undefined {
  return limit ?? (existsSync('/proc/self/stat') ? Number.POSITIVE_INFINITY : undefined);
}

export class BackendPool implements InstancePool, LocalProgram {
  readonly #check: Omit<BackendCheck, 'signal'>;
  readonly #io: Pick<Io, 'err'>;
  readonly #included = new Map<string, string>();
  readonly #ending = new AbortController();
  #ready: Promise<Readiness> | null = null;
  #prepared: Prepared | null = null;
  /** What the bounds cut off and which assertions are reached is asked once, of the whole program. */
  #isCoverageAsked = false;

  constructor(job: SwarmJob, machine: BackendMachine, io: Pick<Io, 'err'>) {
    invariant(job.backend, 'instances as sequential C are for a backend');
    const memoryLimitMegabytes = watchedMegabytes(machine.memoryLimitMegabytes);
    this.#check = { ...machine, memoryLimitMegabytes, request: requestFor(job, job.backend, this.#included) };
    this.#io = io;
  }

  prepare(): Promise<Readiness> {
    this.#ready ??= this.#prepare();
    return this.#ready;
  }

  async #prepare(): Promise<Readiness> {
    const { request } = this.#check;
    const file = await sequentializeFile(request, this.#io);
    if (file.kind === 'misused') return file;
    if (file.kind === 'failed') {
      const reason = file.code === exitCodes.program ? 'the program has errors, or uses what is not supported' : '';
      return { kind: 'refused', outcome: refusal(reason || 'the program could not be sequentialized') };
    }
    invariant(file.read.program, 'what was sequentialized has been read');
    const threads = findBoundedPlaces(file.bounded, file.read.program);
    const problem = problemOf(file, request);
    this.#prepared = { file, problem, threads };
    const approximations = problem.code?.approximations ?? [];
    return { kind: 'prepared', threads, approximations, headers: this.#included };
  }

  createRunners(count: number): readonly InstanceRunner[] {
    return Array.from({ length: count }, () => this.createRunner());
  }

  /** One that is ended leaves the others alone. */
  createRunner(): InstanceRunner {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#ending.signal]);
    return { run: (task) => this.#run(task, signal), dispose: async () => ending.abort() };
  }

  /** The sequential program of an instance. */
  write(instance: Instance): string {
    return this.#restrict(instance).output.text;
  }

  async replay(found: PortableRun): Promise<TimedResult> {
    const startMs = clockMs();
    const code = this.#prepared?.problem.code ?? null;
    const trace =
      found.kind === 'counted' && this.#prepared && code !== null
        ? replayRun({ code, checks: this.#prepared.problem.checks }, found.run)
        : null;
    const { request } = this.#check;
    const outcome = { kind: 'unsafe', engine: request.backend.name, bounds: boundsOf(request), trace } as const;
    const result = trace === null ? NOT_REPLAYED : ({ kind: 'violation', outcome } as const);
    return { result, elapsedMs: clockMs() - startMs, memoryBytes: 0 };
  }

  describeLimits(outcome: Outcome): readonly string[] {
    return this.#prepared ? describeLimits(outcome, this.#prepared.file, this.#prepared.problem.code) : [];
  }

  async dispose(): Promise<void> {
    this.#ending.abort();
  }

  #restrict(instance: Instance): RestrictedFile {
    invariant(this.#prepared, 'a program is prepared before its instances run');
    const { file, threads } = this.#prepared;
    return file.restrict(stopsOf(instance, threads));
  }

  async #run({ instance }: Task, signal: AbortSignal): Promise<TimedResult> {
    const startMs = clockMs();
    const ready = await this.prepare();
    if (ready.kind !== 'prepared' || !this.#prepared) {
      const reason = 'the program could not be prepared here';
      return { result: { kind: 'unknown', cause: 'backend', reason }, elapsedMs: 0, memoryBytes: 0 };
    }
    const { problem, file } = this.#prepared;
    const check: BackendCheck = { ...this.#check, signal };
    let memoryBytes = 0;
    let brokenLimit: 'time' | 'memory' | null = null;
    const engine = createBackendEngine(check.request.backend, async (text, limitMs, all) => {
      const question = { text, dataModel: file.bounded.dataModel, asksAll: all !== undefined };
      const asked = await askBackend(check, question, limitMs, () => {});
      memoryBytes = Math.max(memoryBytes, asked.peakMemoryBytes);
      if (asked.answer.kind === 'unknown') brokenLimit ??= asked.answer.limit ?? null;
      return asked.answer;
    });
    let isAsker = false;
    const coverage = () => {
      if (this.#isCoverageAsked) return null;
      this.#isCoverageAsked = true;
      isAsker = true;
      return problem.coverage?.() ?? null;
    };
    let run: PortableRun | null = null;
    const onRun: BackendProblem['onRun'] = (counted) => {
      run = counted && { kind: 'counted', run: counted };
    };
    const restricted: BackendProblem = { ...problem, ...this.#restrict(instance), coverage, onRun };
    const deadline = startMs + 1000 * (check.timeoutSeconds ?? Number.POSITIVE_INFINITY);
    const outcome = await engine.run(restricted, { deadline, environment: { clock: clockMs } });
    invariant(outcome.kind !== 'candidate', 'a backend confirms its counterexamples itself');
    return {
      result: judge(outcome, run, brokenLimit, this.#isCoverageAsked && !isAsker),
      elapsedMs: clockMs() - startMs,
      memoryBytes,
    };
  }
}

interface Prepared {
  readonly file: SequentializedFile;
  readonly problem: BackendProblem;
  readonly threads: readonly ThreadPlaces[];
}

/** What the job asks of the C-to-C road; files that are read on the way are noted. */
function requestFor(job: SwarmJob, asked: BackendJob, included: Map<string, string>): SequentializeRequest {
  const { source, settings, stage, headers } = job;
  const backend = findBackend(asked.name);
  invariant(backend, 'the option allows names of the table only');
  const { dataModel, start, allowUndefined, atomicStatements, memoryModel } = settings;
  const { whileUnwind, forUnwind, unwindset, unwindConstantLoops } = settings;
  const project = source.project ?? null;
  const options = { dataModel, start, allowUndefined, project };
  return {
    readInput: async () => ({ kind: 'program', files: source.files, options }),
    reader: keepTexts(headers === null ? createFileReader() : createTextReader(headers), included),
    bounds: {
      ...DEFAULT_BOUND_OPTIONS,
      ...{
        unwind: stage.unwind,
        whileUnwind,
        forUnwind,
        unwindset,
        unwindConstantLoops,
        atomicStatements,
        memoryModel,
      },
      unwindingAssertions: asked.unwindingAssertions,
      seeks: asked.seeks,
    },
    rounds: stage.rounds,
    closingMain: settings.closingMain,
    schedule: asked.schedule,
    schema: asked.schema,
    backend,
    checks: asked.seeks === null ? checksForBackends(settings.checks) : [asked.seeks],
    lineDirectives: false,
    bitvectors: asked.bitvectors ? 'builtin' : undefined,
    limit: new TimeLimit(settings.timeLimitMs),
  };
}

function judge(
  outcome: Outcome,
  run: PortableRun | null,
  brokenLimit: 'time' | 'memory' | null,
  isCoverageTold: boolean,
): InstanceResult {
  switch (outcome.kind) {
    case 'unsafe':
      return { kind: 'violation', outcome, ...(run && { run }) };
    case 'unknown':
      return { kind: 'unknown', cause: brokenLimit ?? outcome.cause, reason: outcome.reason };
    default: {
      const { cuts, assertions } = outcome.kind === 'bounded' ? outcome : { cuts: null, assertions: null };
      return { kind: 'none', cuts: cuts ?? (isCoverageTold ? [] : null), assertions };
    }
  }
}
