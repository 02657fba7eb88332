/**
 * The interface of SAT solvers. Formulas are CNF over variables 1, 2, …; clauses travel as flat integers, each ended by
 * 0. A solver is incremental: clauses are only ever added, and each `solve` call has its own assumptions.
 *
 * An answer of `unknown` always says why. Nobody but its creator disposes of a solver.
 */

export interface SatSolver {
  /**
   * Adds clauses, flat, each ended by 0. The solver may take the array's memory over: the caller must not use it again.
   */
  addClauses(clauses: Int32Array): void;
  /** Solves under assumptions. One call at a time. */
  solve(assumptions?: readonly number[], limits?: SolveLimits): Promise<SatAnswer>;
  /** Asks the running `solve` to answer `unknown` soon; without one, does nothing. The solver stays usable. */
  interrupt(): void;
  /** Frees everything; a running `solve` answers `unknown`. */
  dispose(): void;
}

export interface SolveLimits {
  readonly conflicts?: number;
  readonly decisions?: number;
}

export type SatAnswer =
  | { readonly kind: 'satisfiable'; readonly model: SatModel }
  | {
      readonly kind: 'unsatisfiable';
      /** Assumptions that cannot hold together; empty when the clauses alone are contradictory. */
      readonly failedAssumptions: readonly number[];
    }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly detail?: string };

/** Per variable 1 or 0; index 0 is unused, variables beyond the end are false. */
export type SatModel = Uint8Array;

/**
 * `limit`: of conflicts or decisions; `memory`: no more to be had, the solver is lost; `crashed`: lost for another
 * cause.
 */
export type UnknownReason = 'interrupted' | 'limit' | 'memory' | 'crashed';

/** What a solver tells while it works. */
export interface SolverProgress {
  /** Clauses learned so far in this call, which is about one a conflict. */
  readonly conflicts: number;
  readonly memoryBytes: number;
}

export function holds(model: SatModel, literal: number): boolean {
  return literal > 0 ? model[literal] === 1 : model[-literal] !== 1;
}
