/**
 * A formula that is opened once and asked often: a circuit, its clauses, and one incremental solver. A question is a
 * list of literals that are assumed; between questions the circuit may grow, and the solver gets what is new. The
 * solver is made when the first question comes: whoever finds out before that nothing needs to be asked pays nothing.
 */

import type { Circuit } from '../logic/circuit.ts';
import { Cnf } from '../logic/cnf.ts';
import type { Evaluation } from '../logic/evaluate.ts';
import type { Literal } from '../logic/literal.ts';
import { holds, type SatAnswer, type SatSolver, type SolveLimits } from '../solver/solver.ts';

export type Answer =
  | { readonly kind: 'model'; readonly model: Evaluation }
  /** `failed`: of the assumptions, some that cannot hold together; none if the formula alone is contradictory. */
  | { readonly kind: 'none'; readonly failed: readonly Literal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

export class Formula {
  readonly #createSolver: () => Promise<SatSolver>;
  readonly #cnf: Cnf;
  #solver: SatSolver | null = null;
  /** Clauses that the solver has not got yet. */
  #waiting: Int32Array[] = [];

  /** The circuit stays the caller's, who goes on adding to it. */
  constructor(circuit: Circuit, createSolver: () => Promise<SatSolver>) {
    this.#createSolver = createSolver;
    this.#cnf = new Cnf(circuit, { polarityAware: true });
  }

  get variableCount(): number {
    return this.#cnf.variableCount;
  }

  get clauseCount(): number {
    return this.#cnf.clauseCount;
  }

  /** Literals that will be assumed, as the solver knows them. Those that are named early come in one go. */
  name(literals: readonly Literal[]): readonly number[] {
    return literals.map((literal) => this.#cnf.literal(literal));
  }

  /** Makes clauses of what is new in the circuit; the result is for looking only. */
  encode(): Int32Array {
    const clauses = this.#cnf.takeClauses();
    if (clauses.length > 0) this.#waiting.push(clauses);
    return clauses;
  }

  /** One question at a time. */
  async ask(assumptions: readonly Literal[], limits: SolveLimits = {}): Promise<Answer> {
    const named = this.name(assumptions);
    this.encode();
    this.#solver ??= await this.#createSolver();
    for (const clauses of this.#waiting) this.#solver.addClauses(clauses);
    this.#waiting = [];
    const answer = await this.#solver.solve(named, limits);
    switch (answer.kind) {
      case 'satisfiable':
        return { kind: 'model', model: this.#cnf.evaluate((variable) => holds(answer.model, variable)) };
      case 'unsatisfiable': {
        const failed = new Set(answer.failedAssumptions);
        return { kind: 'none', failed: assumptions.filter((_, i) => failed.has(named[i] as number)) };
      }
      case 'unknown':
        return { kind: 'unknown', reason: describeUnknown(answer) };
    }
  }

  /** Asks a running question to end soon. */
  interrupt(): void {
    this.#solver?.interrupt();
  }

  dispose(): void {
    this.#solver?.dispose();
    this.#solver = null;
    this.#waiting = [];
  }
}

function describeUnknown({ reason, detail }: Extract<SatAnswer, { kind: 'unknown' }>): string {
  switch (reason) {
    case 'memory':
      return 'the solver ran out of memory';
    case 'crashed':
      return `the solver crashed${detail ? `: ${detail}` : ''}`;
    case 'limit':
      return 'the solver reached its limit';
    case 'interrupted':
      return 'the solver was interrupted';
  }
}
