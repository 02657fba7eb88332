/** What a solver in a worker thread and its owner tell each other. Clauses and models change hands without a copy. */

import type { SolverConfiguration } from '../solver/configurations.ts';
import type { SatAnswer, SolveLimits, SolverProgress } from '../solver/solver.ts';

/** How the worker is to make its solver; handed over when it starts. */
export interface SolverWorkerData {
  readonly configuration: SolverConfiguration;
  readonly seed: number;
  /** One shared integer; not 0 asks the running call to stop. */
  readonly stopFlag: Int32Array;
  readonly memoryLimitBytes: number | undefined;
  readonly wasmUrl: string | undefined;
  readonly wantsProgress: boolean;
}

export type SolverRequest =
  | { readonly kind: 'clauses'; readonly clauses: Int32Array }
  | { readonly kind: 'solve'; readonly assumptions: readonly number[]; readonly limits: SolveLimits };

export type SolverReply =
  | { readonly kind: 'answer'; readonly answer: SatAnswer }
  | { readonly kind: 'progress'; readonly progress: SolverProgress }
  | { readonly kind: 'failed'; readonly message: string };
