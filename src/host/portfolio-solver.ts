/**
 * Several solvers side by side on the same formula: the first definite answer wins and the others are interrupted. When
 * none has one, the most telling reason is given. The portfolio owns its members and disposes of them.
 */

import type { SatAnswer, SatSolver, SolveLimits, UnknownReason } from '../solver/solver.ts';
import { invariant } from '../support/invariant.ts';

export function createPortfolioSolver(members: readonly SatSolver[]): SatSolver {
  invariant(members.length > 0, 'a portfolio needs a member');
  return new PortfolioSolver(members);
}

/** The most telling first: that one member was interrupted says least, since the portfolio itself interrupts. */
const REASONS: readonly UnknownReason[] = ['limit', 'memory', 'crashed', 'interrupted'];

class PortfolioSolver implements SatSolver {
  readonly #members: readonly SatSolver[];
  /** Per member: settles when its last call has ended; members that lost the race end a little later than the race. */
  readonly #idle: Promise<unknown>[];
  #calls = 0;

  constructor(members: readonly SatSolver[]) {
    this.#members = members;
    this.#idle = members.map(() => Promise.resolve());
  }

  addClauses(clauses: Int32Array): void {
    this.#members.forEach((member, i) => {
      // The last one may have the array itself.
      member.addClauses(i + 1 < this.#members.length ? clauses.slice() : clauses);
    });
  }

  solve(assumptions: readonly number[] = [], limits: SolveLimits = {}): Promise<SatAnswer> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      const ended: SatAnswer[] = [];
      const errors: unknown[] = [];
      let decided = false;
      const finish = () => {
        if (decided || ended.length + errors.length < this.#members.length) return;
        if (ended.length > 0) resolve(mostTelling(ended));
        else reject(errors[0]);
      };
      this.#members.forEach((member, i) => {
        const run = async () => {
          await this.#idle[i];
          if (decided || call !== this.#calls) return { kind: 'unknown', reason: 'interrupted' } as const;
          return member.solve(assumptions, limits);
        };
        this.#idle[i] = run().then(
          (answer) => {
            ended.push(answer);
            if (answer.kind !== 'unknown' && !decided) {
              decided = true;
              for (const other of this.#members) if (other !== member) other.interrupt();
              resolve(answer);
            }
            finish();
          },
          (error: unknown) => {
            errors.push(error);
            finish();
          },
        );
      });
    });
  }

  interrupt(): void {
    this.#calls++;
    for (const member of this.#members) member.interrupt();
  }

  dispose(): void {
    this.interrupt();
    for (const member of this.#members) member.dispose();
  }
}

function mostTelling(answers: readonly SatAnswer[]): SatAnswer {
  const rank = (answer: SatAnswer) => (answer.kind === 'unknown' ? REASONS.indexOf(answer.reason) : -1);
  return answers.reduce((best, answer) => (rank(answer) < rank(best) ? answer : best));
}
