/**
 * The embedded CaDiCaL for very many small questions: synchronous, clause by clause, values asked for one by one. With
 * its inprocessing off it answers several thousand questions a second on small formulas, two to three times as many as
 * with its defaults. One WebAssembly instance serves one solver after the other.
 */

import { Cadical, type CadicalModule, createModule } from 'cadical-wasm';
import { optionsFor, type SolverCode } from './solver-code.ts';

export interface IncrementalSolver {
  addClause(clause: readonly number[]): void;
  /** Flat, each ended by 0. */
  addClauses(clauses: Int32Array): void;
  /** Null when `shouldStop` ended it. */
  solve(assumptions: readonly number[]): boolean | null;
  /** After a satisfiable question. */
  value(literal: number): boolean;
  /** After an unsatisfiable one: assumptions that cannot hold together. */
  failed(): ReadonlySet<number>;
  dispose(): void;
}

export interface IncrementalSolvers {
  /** `other`: with other settings, to check what the quick one found. */
  create(kind: 'quick' | 'other'): IncrementalSolver;
}

const QUICK = { inprocessing: 0, factor: 0, lucky: 0, walk: 0 } as const;
/** The other techniques, but for inprocessing: a single question of ours is answered before that pays. */
const OTHER = { inprocessing: 0 } as const;

export async function createIncrementalSolvers(
  shouldStop: () => boolean,
  code?: SolverCode,
): Promise<IncrementalSolvers> {
  const module = await createModule({ print: () => {}, printErr: () => {}, ...(await optionsFor(code)) });
  return { create: (kind) => new IncrementalCadical(module, kind === 'quick' ? QUICK : OTHER, shouldStop) };
}

class IncrementalCadical implements IncrementalSolver {
  readonly #cadical: Cadical;

  constructor(module: CadicalModule, options: Readonly<Record<string, number>>, shouldStop: () => boolean) {
    this.#cadical = new Cadical(module, { quiet: 1, ...options });
    this.#cadical.setTerminate(shouldStop);
  }

  addClause(clause: readonly number[]): void {
    this.#cadical.addClause(clause);
  }

  addClauses(clauses: Int32Array): void {
    let start = 0;
    for (let i = 0; i < clauses.length; i++) {
      if (clauses[i] !== 0) continue;
      this.#cadical.addClause(clauses.subarray(start, i));
      start = i + 1;
    }
  }

  solve(assumptions: readonly number[]): boolean | null {
    const status = this.#cadical.solve({ assumptions });
    return status === 'satisfiable' ? true : status === 'unsatisfiable' ? false : null;
  }

  value(literal: number): boolean {
    return this.#cadical.value(literal) === true;
  }

  failed(): ReadonlySet<number> {
    return new Set(this.#cadical.failedAssumptions());
  }

  dispose(): void {
    this.#cadical.dispose();
  }
}
