/**
 * Runs instances in a worker thread of this process. The thread keeps the program and the solver between instances; one
 * that overstays its time or its memory is ended, and the next instance gets a new one.
 */

import { Worker } from 'node:worker_threads';
import type { Task } from '../engines/swarm/agenda.ts';
import type { PortableRun, TimedResult } from '../engines/swarm/instance-result.ts';
import { clockMs } from './clock.ts';
import { heapLimits, usualMemoryBytes } from './early-worker.ts';
import type { InstancePool, InstanceRunner, LocalProgram, Readiness } from './instance-runner.ts';
import type { StartedSwarmJob, SwarmJob, SwarmMessage, SwarmRequest } from './swarm-messages.ts';

/** A fault of ours in a worker. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';

  constructor(message: string, stack: string) {
    super(message);
    this.stack = stack;
  }
}

/** A worker keeps its time itself; so much later it is ended. */
const GRACE_MS = 15_000;

type OnDiagnostics = (message: Extract<SwarmMessage, { kind: 'diagnostics' }>) => void;

/** Threads of this process; the first one prepares the program for all. */
export class ThreadPool implements InstancePool {
  readonly first: ThreadRunner;
  readonly #create: () => ThreadRunner;

  constructor(job: SwarmJob, instanceTimeLimitMs: number, onDiagnostics: OnDiagnostics) {
    this.#create = () => new ThreadRunner(job, instanceTimeLimitMs, () => {});
    this.first = new ThreadRunner(job, instanceTimeLimitMs, onDiagnostics);
  }

  prepare(): Promise<Readiness> {
    return this.first.prepare();
  }

  createRunners(count: number): readonly InstanceRunner[] {
    return [this.first, ...Array.from({ length: count - 1 }, this.#create)];
  }

  dispose(): Promise<void> {
    return this.first.dispose();
  }
}

export class ThreadRunner implements InstanceRunner, LocalProgram {
  readonly #job: SwarmJob;
  readonly #instanceTimeLimitMs: number;
  readonly #cancel = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #onDiagnostics: OnDiagnostics;
  #worker: Worker | null = null;
  #ready: Promise<Readiness> | null = null;

  constructor(job: SwarmJob, instanceTimeLimitMs: number, onDiagnostics: OnDiagnostics) {
    this.#job = job;
    this.#instanceTimeLimitMs = instanceTimeLimitMs;
    this.#onDiagnostics = onDiagnostics;
  }

  /** Starts the thread, which prepares the program. */
  prepare(): Promise<Readiness> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  #start(): Promise<Readiness> {
    const { memoryLimitBytes } = this.#job;
    const resourceLimits = heapLimits(memoryLimitBytes ?? usualMemoryBytes());
    const worker = new Worker(new URL('./swarm-worker.cjs', import.meta.url), { resourceLimits });
    this.#worker = worker;
    const started: StartedSwarmJob = { ...this.#job, cancel: this.#cancel };
    worker.postMessage(started);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: SwarmMessage) => {
        if (message.kind === 'diagnostics') this.#onDiagnostics(message);
        else if (message.kind === 'failed') reject(new WorkerFailure(message.error, message.stack));
        else if (message.kind !== 'result') resolve(message);
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new WorkerFailure('a worker of the swarm ended before it was ready', '')));
    });
  }

  run({ instance }: Pick<Task, 'instance'>): Promise<TimedResult> {
    return this.#answer({ kind: 'run', instance, timeLimitMs: this.#instanceTimeLimitMs });
  }

  /** Whether what somebody else found is a counterexample. */
  replay(found: PortableRun): Promise<TimedResult> {
    return this.#answer({ kind: 'replay', found });
  }

  async #answer(request: SwarmRequest): Promise<TimedResult> {
    const start = clockMs();
    const unknown = (cause: 'memory' | 'time', reason: string): TimedResult => ({
      result: { kind: 'unknown', cause, reason },
      elapsedMs: clockMs() - start,
      memoryBytes: this.#job.memoryLimitBytes ?? 0,
    });
    try {
      const ready = await this.prepare();
      // Another thread prepared it before.
      if (ready.kind !== 'prepared') return unknown('memory', 'the program could not be prepared again');
      return await this.#ask(request, () => unknown('time', 'time is up'));
    } catch (error) {
      await this.#end();
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        return unknown('memory', 'memory is used up');
      throw error;
    }
  }

  #ask(request: SwarmRequest, late: () => TimedResult): Promise<TimedResult> {
    const worker = this.#worker as Worker;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        worker.off('message', listen);
        worker.off('error', fail);
        worker.off('exit', leave);
        settle();
      };
      const listen = (message: SwarmMessage) => {
        if (message.kind === 'result') finish(() => resolve(message.timed));
        else if (message.kind === 'failed') finish(() => reject(new WorkerFailure(message.error, message.stack)));
      };
      const fail = (error: Error) => finish(() => reject(error));
      const leave = () => finish(() => resolve(late()));
      const expire = () => finish(() => void this.#end().then(() => resolve(late())));
      const longestMs = Math.min(this.#instanceTimeLimitMs + GRACE_MS, 2 ** 31 - 1);
      const timer = setTimeout(expire, longestMs);
      worker.on('message', listen);
      worker.on('error', fail);
      worker.on('exit', leave);
      worker.postMessage(request);
    });
  }

  /** The next instance starts a new thread. */
  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#ready = null;
    await worker?.terminate();
  }

  async dispose(): Promise<void> {
    Atomics.store(this.#cancel, 0, 1);
    await this.#end();
  }
}
