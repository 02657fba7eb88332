// The C-to-C road of a swarm: each instance is a sequential program of its own, with labels only where its threads may
// be preempted, and goes to a backend. The program is read and bounded once. Counterexamples are replayed as those of
// `check --backend` are.

import { type BackendProblem, createBackendEngine } from '../backends/backend-engine.ts';
import { findBoundedPlaces } from '../backends/bounded-places.ts';
import type { Task } from '../engines/swarm/agenda.ts';
import type { InstanceResult, TimedResult } from '../engines/swarm/instance-result.ts';
import type { Instance } from '../engines/swarm/instances.ts';
import type { ThreadPlaces } from '../engines/swarm/places.ts';
import { stopsOf } from '../engines/swarm/stops.ts';
import { clockMs } from '../host/clock.ts';
import type { InstancePool, InstanceRunner, Readiness } from '../host/instance-runner.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { invariant } from '../support/invariant.ts';
import { refusal } from '../verify/verify.ts';
import { askBackend, type BackendCheck, describeLimits, problemOf } from './check-backend.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { type RestrictedFile, type SequentializedFile, sequentializeFile } from './sequentialize-file.ts';

export class BackendPool implements InstancePool {
  readonly #check: BackendCheck;
  readonly #io: Io;
  readonly #ending = new AbortController();
  #prepared: Prepared | null = null;
  /** What the bounds cut off and which assertions are reached is asked once, of the whole program. */
  #isCoverageAsked = false;

  /** The limits of the check are those of an instance. */
  constructor(check: Omit<BackendCheck, 'signal'>, io: Io) {
    this.#check = { ...check, signal: this.#ending.signal };
    this.#io = io;
  }

  async prepare(): Promise<Readiness> {
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
    return { kind: 'prepared', threads, approximations: problem.code?.approximations ?? [] };
  }

  createRunners(count: number): readonly InstanceRunner[] {
    return Array.from({ length: count }, () => ({ run: (task) => this.#run(task), dispose: () => this.dispose() }));
  }

  /** The sequential program of an instance. */
  write(instance: Instance): string {
    return this.#restrict(instance).output.text;
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

  async #run({ instance }: Task): Promise<TimedResult> {
    invariant(this.#prepared, 'a program is prepared before its instances run');
    const startMs = clockMs();
    let memoryBytes = 0;
    let brokenLimit: 'time' | 'memory' | null = null;
    const engine = createBackendEngine(this.#check.request.backend, async (text, limitMs, all) => {
      const asked = await askBackend(this.#check, text, limitMs, () => {}, all !== undefined);
      memoryBytes = Math.max(memoryBytes, asked.peakMemoryBytes);
      if (asked.answer.kind === 'unknown') brokenLimit ??= asked.answer.limit ?? null;
      return asked.answer;
    });
    let isAsker = false;
    const coverage = () => {
      if (this.#isCoverageAsked) return null;
      this.#isCoverageAsked = true;
      isAsker = true;
      return this.#prepared?.problem.coverage?.() ?? null;
    };
    const problem: BackendProblem = { ...this.#prepared.problem, ...this.#restrict(instance), coverage };
    const deadline = startMs + 1000 * (this.#check.timeoutSeconds ?? Number.POSITIVE_INFINITY);
    const outcome = await engine.run(problem, { deadline, environment: { clock: clockMs } });
    invariant(outcome.kind !== 'candidate', 'a backend confirms its counterexamples itself');
    return {
      result: judge(outcome, brokenLimit, this.#isCoverageAsked && !isAsker),
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

function judge(outcome: Outcome, brokenLimit: 'time' | 'memory' | null, isCoverageTold: boolean): InstanceResult {
  switch (outcome.kind) {
    case 'unsafe':
      return { kind: 'violation', outcome };
    case 'unknown':
      return { kind: 'unknown', cause: brokenLimit ?? outcome.cause, reason: outcome.reason };
    default: {
      const { cuts, assertions } = outcome.kind === 'bounded' ? outcome : { cuts: null, assertions: null };
      return { kind: 'none', cuts: cuts ?? (isCoverageTold ? [] : null), assertions };
    }
  }
}
