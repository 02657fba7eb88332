/**
 * A native `cadical` or `kissat` as a child process, fed with DIMACS through its standard input (there are no files to
 * clean up). Each `solve` is a new process that reads the whole formula: nothing is learned from one call to the next,
 * and when the assumptions are refuted all of them count as failed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { CONFIGURATIONS, type SolverConfiguration } from '../solver/configurations.ts';
import { largestVariable, parseDimacsAnswer, printDimacsParts } from '../solver/dimacs.ts';
import type { SatAnswer, SatSolver, SolveLimits } from '../solver/solver.ts';
import { invariant } from '../support/invariant.ts';

export type SolverProgram = 'cadical' | 'kissat';

export interface NativeSolverOptions {
  readonly program: SolverProgram;
  /** Where it is; by default looked for on the PATH. */
  readonly path?: string;
  readonly configuration?: SolverConfiguration;
  readonly seed?: number;
  /** So that processes can be ended from elsewhere. */
  readonly watch?: ProcessWatch;
}

export interface ProcessWatch {
  /** A process is about to start: whoever wants to end all of them waits until `started`. */
  starting(): void;
  /** No number: it could not be started. */
  started(pid: number | undefined): void;
  ended(pid: number): void;
}

/** The program cannot be started: the user named one that is not there, or it may not be run. */
export class SolverNotFoundError extends Error {
  override readonly name = 'SolverNotFoundError';
}

export function createNativeSolver(options: NativeSolverOptions): SatSolver {
  return new NativeSolver(options);
}

/** Can the program be started? Asks it for its version. */
export async function isNativeSolverInstalled(path: string): Promise<boolean> {
  try {
    const child = spawn(path, ['--version'], { stdio: 'ignore' });
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    return false;
  }
}

class NativeSolver implements SatSolver {
  readonly #options: NativeSolverOptions;
  readonly #parts: Int32Array[] = [];
  #child: ChildProcess | undefined;
  #interrupted = false;

  constructor(options: NativeSolverOptions) {
    this.#options = options;
  }

  addClauses(clauses: Int32Array): void {
    this.#parts.push(clauses);
  }

  /** Rejects with SolverNotFoundError when the program cannot be started. */
  async solve(assumptions: readonly number[] = [], limits: SolveLimits = {}): Promise<SatAnswer> {
    invariant(this.#child === undefined, 'one call of solve at a time');
    this.#interrupted = false;
    const clauses = this.#joinParts();
    const { path = this.#options.program } = this.#options;
    const { watch } = this.#options;
    watch?.starting();
    const child = spawn(path, programArguments(this.#options, limits), { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    const { pid } = child;
    watch?.started(pid);
    try {
      const finished = collect(child);
      // The pipe breaks when the child is killed or cannot be started: that shows in its end, not here.
      child.stdin.on('error', () => {});
      Readable.from(printDimacsParts(clauses, assumptions)).pipe(child.stdin);
      const { output, complaint, signal } = await finished;
      const answer = parseDimacsAnswer(output, largestVariable(clauses, assumptions));
      if (answer.kind === 'satisfiable') return answer;
      if (answer.kind === 'unsatisfiable') return { kind: 'unsatisfiable', failedAssumptions: [...assumptions] };
      return this.#explain(complaint, signal, limits);
    } catch (error) {
      if (!isStartFailure(error)) throw error;
      throw new SolverNotFoundError(`cannot run the solver '${path}': is it installed and on the PATH?`, {
        cause: error,
      });
    } finally {
      this.#child = undefined;
      if (pid !== undefined) watch?.ended(pid);
    }
  }

  interrupt(): void {
    if (this.#child === undefined) return;
    this.#interrupted = true;
    this.#child.kill('SIGKILL');
  }

  dispose(): void {
    this.interrupt();
    this.#parts.length = 0;
  }

  #joinParts(): Int32Array {
    const joined = new Int32Array(this.#parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    this.#parts.splice(0, this.#parts.length, joined);
    return joined;
  }

  #explain(complaint: string, signal: string | null, limits: SolveLimits): SatAnswer {
    if (this.#interrupted) return { kind: 'unknown', reason: 'interrupted' };
    if (/memory/i.test(complaint)) return { kind: 'unknown', reason: 'memory', detail: complaint };
    if (signal === 'SIGKILL') return { kind: 'unknown', reason: 'memory', detail: 'killed by the system' };
    if (signal !== null || complaint !== '') {
      return { kind: 'unknown', reason: 'crashed', detail: complaint || `ended by ${signal}` };
    }
    const limited = limits.conflicts !== undefined || limits.decisions !== undefined;
    return { kind: 'unknown', reason: limited ? 'limit' : 'crashed', detail: 'no answer in its output' };
  }
}

function programArguments(options: NativeSolverOptions, limits: SolveLimits): string[] {
  const { program, configuration = CONFIGURATIONS.default, seed = 0 } = options;
  const common = ['-q', `--seed=${seed}`];
  if (program === 'kissat') {
    const preset = configuration.name === 'sat' || configuration.name === 'unsat' ? [`--${configuration.name}`] : [];
    const kissatLimits = Object.entries(limits).map(([name, value]) => `--${name}=${value}`);
    return [...common, ...preset, ...kissatLimits];
  }
  const cadicalLimits = [
    ...(limits.conflicts === undefined ? [] : ['-c', String(limits.conflicts)]),
    ...(limits.decisions === undefined ? [] : ['-d', String(limits.decisions)]),
  ];
  return [...common, ...configuration.nativeArguments, ...cadicalLimits];
}

interface Ended {
  readonly output: string;
  readonly complaint: string;
  readonly signal: string | null;
}

function collect(child: ChildProcess): Promise<Ended> {
  const output: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => complaint.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      resolve({
        output: Buffer.concat(output).toString(),
        complaint: Buffer.concat(complaint).toString().trim(),
        signal,
      });
    });
  });
}

function isStartFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR';
}
