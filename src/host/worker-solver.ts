/**
 * The embedded solver in a worker thread of its own, so that it can be interrupted and several can run side by side. An
 * interruption sets a flag that the solver polls; a worker that does not react in time is ended, and then the solver is
 * lost: it answers `unknown` from there on.
 *
 * The worker's script is solver-worker.ts, bundled; where that lies is the caller's knowledge (`workerUrl`).
 */

import { Worker } from 'node:worker_threads';
import { CONFIGURATIONS, type SolverConfiguration } from '../solver/configurations.ts';
import type { SatAnswer, SatSolver, SolveLimits, SolverProgress } from '../solver/solver.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import type { SolverReply, SolverRequest, SolverWorkerData } from './solver-messages.ts';

export interface WorkerSolverOptions {
  readonly workerUrl: URL;
  readonly configuration?: SolverConfiguration;
  readonly seed?: number;
  readonly memoryLimitBytes?: number;
  readonly wasmUrl?: string;
  readonly onProgress?: (progress: SolverProgress) => void;
  /** How long the worker may take to react to an interruption before it is ended. */
  readonly graceMs?: number;
}

const GRACE_MS = 3000;

export function createWorkerSolver(options: WorkerSolverOptions): SatSolver {
  return new WorkerSolver(options);
}

class WorkerSolver implements SatSolver {
  readonly #worker: Worker;
  readonly #stopFlag = new Int32Array(new SharedArrayBuffer(4));
  readonly #options: WorkerSolverOptions;
  #settle: ((answer: SatAnswer) => void) | undefined;
  #grace: NodeJS.Timeout | undefined;
  #lost: SatAnswer | undefined;

  constructor(options: WorkerSolverOptions) {
    this.#options = options;
    const workerData: SolverWorkerData = {
      configuration: options.configuration ?? CONFIGURATIONS.default,
      seed: options.seed ?? 0,
      stopFlag: this.#stopFlag,
      memoryLimitBytes: options.memoryLimitBytes,
      wasmUrl: options.wasmUrl,
      wantsProgress: options.onProgress !== undefined,
    };
    this.#worker = new Worker(options.workerUrl, { workerData });
    // An idle solver keeps no process alive; a running one does (see solve).
    this.#worker.unref();
    this.#worker.on('message', (message: SolverReply) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#lose(failure(error)));
    this.#worker.on('exit', (code) =>
      this.#lose({ kind: 'unknown', reason: 'crashed', detail: `worker exit ${code}` }),
    );
  }

  addClauses(clauses: Int32Array): void {
    if (this.#lost) return;
    // Of an array that is part of a larger buffer, or of a shared one, a copy is sent.
    const own = clauses.buffer instanceof ArrayBuffer && clauses.byteLength === clauses.buffer.byteLength;
    const sent = own ? clauses : clauses.slice();
    this.#post({ kind: 'clauses', clauses: sent }, [sent.buffer as ArrayBuffer]);
  }

  solve(assumptions: readonly number[] = [], limits: SolveLimits = {}): Promise<SatAnswer> {
    invariant(this.#settle === undefined, 'one call of solve at a time');
    if (this.#lost) return Promise.resolve(this.#lost);
    Atomics.store(this.#stopFlag, 0, 0);
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#post({ kind: 'solve', assumptions, limits });
    });
  }

  interrupt(): void {
    if (this.#settle === undefined || this.#grace !== undefined) return;
    Atomics.store(this.#stopFlag, 0, 1);
    const unreactive: SatAnswer = { kind: 'unknown', reason: 'interrupted', detail: 'the worker had to be ended' };
    this.#grace = setTimeout(() => this.#lose(unreactive), this.#options.graceMs ?? GRACE_MS);
  }

  dispose(): void {
    this.#lose({ kind: 'unknown', reason: 'interrupted', detail: 'disposed of' });
  }

  #post(request: SolverRequest, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #receive(message: SolverReply): void {
    switch (message.kind) {
      case 'answer':
        this.#finish(message.answer);
        return;
      case 'progress':
        this.#options.onProgress?.(message.progress);
        return;
      case 'failed':
        this.#lose({ kind: 'unknown', reason: 'crashed', detail: message.message });
        return;
      default:
        assertNever(message);
    }
  }

  #finish(answer: SatAnswer): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    this.#worker.unref();
    settle?.(answer);
  }

  /** Ends the worker; its first cause of death is the answer from now on. */
  #lose(answer: SatAnswer): void {
    if (this.#lost) return;
    this.#lost = answer;
    void this.#worker.terminate();
    this.#finish(answer);
  }
}

function failure(error: Error & { code?: unknown }): SatAnswer {
  const reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed';
  return { kind: 'unknown', reason, detail: error.message };
}
