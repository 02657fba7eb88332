/**
 * The embedded solver: CaDiCaL compiled to WebAssembly, in this thread. `solve` blocks the thread while it runs, so it
 * can be stopped only by the `shouldStop` that it polls; worker-solver.ts in the swarm runs it in a thread of its own.
 *
 * Each solver has a WebAssembly instance of its own: its memory (at most 2 GB) goes back as a whole, and running out of
 * it, which ends the instance, harms no other solver. Running out is an answer, `unknown` by `memory`, and so is
 * crossing a limit set below it.
 */

import { Cadical, type CadicalModule, createModule, type ModuleOptions, type SolverOptions } from 'cadical-wasm';
import { invariant } from '../support/invariant.ts';
import { CONFIGURATIONS, type SolverConfiguration } from './configurations.ts';
import type { SatAnswer, SatSolver, SolveLimits, SolverProgress } from './solver.ts';
import { optionsFor, type SolverCode } from './solver-code.ts';

export interface CadicalOptions {
  readonly configuration?: SolverConfiguration;
  readonly seed?: number;
  /** Polled many times a second while solving; true ends the call with `unknown` by `interrupted`. */
  readonly shouldStop?: () => boolean;
  /**
   * Called about every `progressInterval` conflicts. Counting them costs a little, so without a listener it is not
   * done.
   */
  readonly onProgress?: (progress: SolverProgress) => void;
  readonly progressInterval?: number;
  /** The solver gives up with `memory` when its heap exceeds this. */
  readonly memoryLimitBytes?: number;
  readonly code?: SolverCode;
}

const PROGRESS_INTERVAL = 2000;
/** Learned clauses of any length are counted. */
const ANY_LENGTH = 2 ** 31 - 1;

export async function createCadical(options: CadicalOptions = {}): Promise<SatSolver> {
  const complaints: string[] = [];
  const output: ModuleOptions = { print: () => {}, printErr: (line) => complaints.push(line) };
  const module = await createModule({ ...output, ...(await optionsFor(options.code)) });
  return new CadicalSolver(module, complaints, options);
}

class CadicalSolver implements SatSolver {
  readonly #module: CadicalModule;
  /** What the instance wrote on its standard error. */
  readonly #complaints: readonly string[];
  readonly #options: CadicalOptions;
  /** Undefined once disposed of or lost. */
  #cadical: Cadical | undefined;
  #lost: SatAnswer | undefined;
  #interrupted = false;
  #memoryExceeded = false;
  #learned = 0;
  #variableCount = 0;

  constructor(module: CadicalModule, complaints: readonly string[], options: CadicalOptions) {
    this.#module = module;
    this.#complaints = complaints;
    this.#options = options;
    const configured: SolverOptions = { ...(options.configuration ?? CONFIGURATIONS.default).options };
    this.#cadical = new Cadical(module, { quiet: 1, seed: options.seed ?? 0, ...configured });
    this.#cadical.setTerminate(() => this.#mustStop());
    if (options.onProgress) this.#cadical.setLearn(ANY_LENGTH, () => this.#countLearned());
  }

  addClauses(clauses: Int32Array): void {
    const cadical = this.#cadical;
    if (cadical === undefined) return;
    this.#guard(() => {
      let start = 0;
      for (let i = 0; i < clauses.length; i++) {
        const literal = clauses[i] as number;
        this.#variableCount = Math.max(this.#variableCount, Math.abs(literal));
        if (literal !== 0) continue;
        cadical.addClause(clauses.subarray(start, i));
        start = i + 1;
      }
      invariant(start === clauses.length, 'the last clause is not ended by 0');
      return undefined;
    });
  }

  async solve(assumptions: readonly number[] = [], limits: SolveLimits = {}): Promise<SatAnswer> {
    const cadical = this.#cadical;
    if (cadical === undefined) return this.#lost ?? { kind: 'unknown', reason: 'crashed', detail: 'disposed of' };
    this.#interrupted = false;
    this.#memoryExceeded = false;
    this.#learned = 0;
    for (const literal of assumptions) this.#variableCount = Math.max(this.#variableCount, Math.abs(literal));
    return this.#guard((): SatAnswer => {
      const status = cadical.solve({ ...limits, assumptions });
      if (status === 'satisfiable') return { kind: 'satisfiable', model: this.#model(cadical) };
      if (status === 'unsatisfiable') return { kind: 'unsatisfiable', failedAssumptions: cadical.failedAssumptions() };
      if (this.#memoryExceeded) return { kind: 'unknown', reason: 'memory', detail: 'memory limit' };
      return { kind: 'unknown', reason: this.#interrupted ? 'interrupted' : 'limit' };
    });
  }

  /** From inside a callback only: the thread is busy otherwise. */
  interrupt(): void {
    this.#interrupted = true;
  }

  dispose(): void {
    this.#cadical?.dispose();
    this.#cadical = undefined;
  }

  #model(cadical: Cadical): Uint8Array {
    const model = new Uint8Array(this.#variableCount + 1);
    for (let variable = 1; variable < model.length; variable++) model[variable] = cadical.value(variable) ? 1 : 0;
    return model;
  }

  #mustStop(): boolean {
    if (this.#options.shouldStop?.()) this.#interrupted = true;
    if (this.#heapBytes > (this.#options.memoryLimitBytes ?? Infinity)) this.#memoryExceeded = true;
    return this.#interrupted || this.#memoryExceeded;
  }

  #countLearned(): void {
    if (++this.#learned % (this.#options.progressInterval ?? PROGRESS_INTERVAL) !== 0) return;
    this.#options.onProgress?.({ conflicts: this.#learned, memoryBytes: this.#heapBytes });
  }

  get #heapBytes(): number {
    return this.#module.HEAP32.byteLength;
  }

  /** Runs the solver; an abort of the WebAssembly instance makes this solver lost, with the answer that says so. */
  #guard<T>(run: () => T): T | SatAnswer {
    if (this.#lost) return this.#lost;
    try {
      return run();
    } catch (error) {
      // By name, since the core's library types do not know WebAssembly.
      if (!(error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError'))) throw error;
      const misuse = this.#complaints.find((line) => line.includes('fatal error'));
      invariant(misuse === undefined, `CaDiCaL: ${misuse}`);
      // The instance is dead: its memory goes with it, and disposing of the solver in it would fail too.
      this.#cadical = undefined;
      // It aborts without a complaint only where an allocation fails.
      const reason = error.message.startsWith('Aborted') ? 'memory' : 'crashed';
      this.#lost = { kind: 'unknown', reason, detail: error.message };
      return this.#lost;
    }
  }
}
