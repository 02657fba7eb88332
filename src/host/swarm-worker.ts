/**
 * The worker thread of a swarm: prepares the program once, then runs one instance after the other, as they come. The
 * solver runs in this thread and polls for its time and for a call to end.
 */

import { parentPort } from 'node:worker_threads';
import type { Budget } from '../engines/engine.ts';
import { type InstanceResult, NOT_REPLAYED, type TimedResult } from '../engines/swarm/instance-result.ts';
import { type PreparedSwarm, prepareSwarm } from '../engines/swarm/prepare-swarm.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { CONFIGURATIONS, type ConfigurationName } from '../solver/configurations.ts';
import { createIncrementalSolvers } from '../solver/incremental-cadical.ts';
import { InvariantError, invariant } from '../support/invariant.ts';
import { diagnosticsToJson, printDiagnostics } from '../support/print-diagnostics.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { readCode } from '../verify/read-code.ts';
import { UsageError } from '../verify/settings.ts';
import { refusal } from '../verify/verify.ts';
import { clockMs } from './clock.ts';
import { createFileReader, createTextReader, keepTexts } from './source-files.ts';
import type { StartedSwarmJob, SwarmMessage, SwarmRequest } from './swarm-messages.ts';

/** Of the time of an instance, before its prover. */
const FINDER_SHARE = 0.8;
/** So long a counterexample may be made shorter after the time of its instance. */
const REPLAY_MS = 10_000;

function send(message: SwarmMessage): void {
  parentPort?.postMessage(message);
}

/** One for each thread. */
class SwarmThread {
  readonly #job: StartedSwarmJob;
  #prepared: PreparedSwarm | null = null;
  /** By the clock: when the running instance must end. */
  #deadline = Number.POSITIVE_INFINITY;
  #wasStopped = false;

  constructor(job: StartedSwarmJob) {
    this.#job = job;
  }

  prepare(): void {
    const { source, settings, stage, colours, headers } = this.#job;
    const included = new Map<string, string>();
    const read = readCode(source, settings, {
      reader: keepTexts(headers === null ? createFileReader() : createTextReader(headers), included),
      onDiagnostics: (diagnostics, sources) => {
        if (diagnostics.length === 0) return;
        const text = printDiagnostics(diagnostics, sources, { colour: colours });
        send({ kind: 'diagnostics', text, diagnostics: diagnosticsToJson(diagnostics, sources) });
      },
    });
    if (read.kind === 'refused') {
      send({ kind: 'refused', outcome: refusal(read.reason) });
      return;
    }
    const { code, checks } = read;
    const problem = { code, compiled: compileProgram(code), checks, options: settings, stage, observer: {} };
    const prepared = prepareSwarm(problem, this.#budget(settings.timeLimitMs), {
      createSolver: () => this.#createSolver(),
      wasStopped: () => this.#wasStopped,
      createRefuter: () => this.#createSolver('unsat'),
    });
    if (prepared.kind === 'prepared') {
      this.#prepared = prepared;
      send({ kind: 'prepared', threads: prepared.threads, approximations: code.approximations, headers: included });
      return;
    }
    if (prepared.loc !== null) {
      const { loc, reason: message } = prepared;
      const diagnostics = [{ severity: 'error', loc, code: 'unsupported', message, notes: [] }] as const;
      const text = printDiagnostics(diagnostics, code.sources, { colour: colours });
      send({ kind: 'diagnostics', text, diagnostics: diagnosticsToJson(diagnostics, code.sources) });
    }
    send({ kind: 'refused', outcome: prepared });
  }

  async run(request: SwarmRequest): Promise<TimedResult> {
    invariant(this.#prepared, 'a program is prepared before its instances run');
    const start = clockMs();
    const result = await this.#answer(request, this.#prepared, start);
    const elapsedMs = clockMs() - start;
    const { heapUsed, external } = process.memoryUsage();
    return {
      result:
        isLate(result) && clockMs() >= this.#deadline
          ? { kind: 'unknown', cause: 'time', reason: 'time is up' }
          : result,
      elapsedMs,
      memoryBytes: heapUsed + external,
    };
  }

  async #answer(request: SwarmRequest, prepared: PreparedSwarm, start: number): Promise<InstanceResult> {
    if (request.kind === 'run') {
      const { instance, timeLimitMs } = request;
      const { proves } = this.#job;
      this.#deadline = start + (proves ? FINDER_SHARE : 1) * timeLimitMs;
      const result = await prepared.run(instance, this.#budget(timeLimitMs + REPLAY_MS));
      if (!proves || !isLate(result)) return result;
      this.#deadline = start + timeLimitMs;
      return prepared.prove(instance, this.#budget(timeLimitMs + REPLAY_MS));
    }
    const { found } = request;
    if (found.kind !== 'schedule') return NOT_REPLAYED;
    try {
      return prepared.replay(found.schedule, this.#budget(REPLAY_MS));
    } catch (error) {
      // It is no fault of ours if somebody else's is none.
      if (!(error instanceof InvariantError)) throw error;
      return NOT_REPLAYED;
    }
  }

  #createSolver(configuration: ConfigurationName = 'default') {
    const { settings, memoryLimitBytes, cancel } = this.#job;
    return createCadical({
      configuration: CONFIGURATIONS[configuration],
      seed: settings.seed,
      shouldStop: () => {
        this.#wasStopped = Atomics.load(cancel, 0) !== 0 || clockMs() > this.#deadline;
        return this.#wasStopped;
      },
      ...(memoryLimitBytes !== null && { memoryLimitBytes }),
    });
  }

  #budget(ms: number): Budget {
    const environment = {
      clock: clockMs,
      after: (afterMs: number, action: () => void) => {
        const timer = setTimeout(action, afterMs);
        return () => clearTimeout(timer);
      },
      createSolver: () => this.#createSolver(),
      createIncrementalSolvers,
    };
    return { deadline: clockMs() + ms, shareMs: ms, environment };
  }
}

/** The solver was stopped. */
function isLate(result: InstanceResult): boolean {
  return result.kind === 'unknown' && result.cause === 'solver';
}

function fail(error: unknown): void {
  if (error instanceof UsageError) send({ kind: 'misused', message: error.message });
  else {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    send({ kind: 'failed', error: message, stack: stack ?? '' });
  }
}

invariant(parentPort, 'this module runs in a worker thread');
parentPort.once('message', (job: StartedSwarmJob) => {
  const thread = new SwarmThread(job);
  try {
    thread.prepare();
  } catch (error) {
    fail(error);
  }
  parentPort?.on('message', (request: SwarmRequest) => {
    thread.run(request).then((timed) => send({ kind: 'result', timed }), fail);
  });
});
