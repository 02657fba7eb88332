/**
 * A solver that starts small: easy formulas are answered at once by a solver in this thread, without the cost of
 * starting workers. Only when that one does not come to an end within some conflicts are the strong ones created and
 * asked.
 */

import type { SatAnswer, SatSolver } from '../solver/solver.ts';

export interface EscalatingSolverOptions {
  readonly createQuick: () => Promise<SatSolver>;
  /** How many conflicts the quick one may have. */
  readonly quickConflicts: number;
  readonly createStrong: () => Promise<SatSolver>;
}

export function createEscalatingSolver(options: EscalatingSolverOptions): SatSolver {
  return new EscalatingSolver(options);
}

class EscalatingSolver implements SatSolver {
  readonly #options: EscalatingSolverOptions;
  #clauses: Int32Array[] = [];
  #quick: SatSolver | null = null;
  #strong: SatSolver | null = null;
  #isInterrupted = false;

  constructor(options: EscalatingSolverOptions) {
    this.#options = options;
  }

  addClauses(clauses: Int32Array): void {
    if (this.#strong) this.#strong.addClauses(clauses);
    else {
      this.#quick?.addClauses(clauses.slice());
      this.#clauses.push(clauses);
    }
  }

  async solve(assumptions: readonly number[] = []): Promise<SatAnswer> {
    this.#isInterrupted = false;
    if (!this.#strong) {
      const answer = await this.#solveQuickly(assumptions);
      if (answer.kind !== 'unknown') return answer;
      const isInterrupted = this.#isInterrupted || answer.reason === 'interrupted';
      if (isInterrupted) return { kind: 'unknown', reason: 'interrupted' };
      await this.#escalate();
    }
    return (this.#strong as unknown as SatSolver).solve(assumptions);
  }

  async #solveQuickly(assumptions: readonly number[]): Promise<SatAnswer> {
    if (!this.#quick) {
      this.#quick = await this.#options.createQuick();
      for (const clauses of this.#clauses) this.#quick.addClauses(clauses.slice());
    }
    return this.#quick.solve(assumptions, { conflicts: this.#options.quickConflicts });
  }

  async #escalate(): Promise<void> {
    this.#quick?.dispose();
    this.#quick = null;
    this.#strong = await this.#options.createStrong();
    for (const clauses of this.#clauses) this.#strong.addClauses(clauses);
    this.#clauses = [];
  }

  interrupt(): void {
    this.#isInterrupted = true;
    this.#quick?.interrupt();
    this.#strong?.interrupt();
  }

  dispose(): void {
    this.#quick?.dispose();
    this.#strong?.dispose();
    this.#clauses = [];
  }
}
