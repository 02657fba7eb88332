/**
 * Asks for violations in instances of a program, in one of two ways. *Merged*: each instance is a formula of its own,
 * in which the steps between two stops are one. *Assumed*: the formula of the whole program is opened once, and an
 * instance is a set of literals that are assumed: "no thread stops before this step". The solver keeps what it learned
 * from one instance to the next. Both mean the same (test/differential/swarm-instances.test.ts).
 */

import type { SteppedProgram } from '../../execute/steps.ts';
import { type Literal, not } from '../../logic/literal.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { type EndedBefore, endedBefore } from '../bounded/ended-before.ts';
import { type OpenedProgram, openProgram } from '../bounded/open-program.ts';
import { askAll, type SolveResult, solve, type VisitListener } from '../bounded/solve.ts';
import type { ScheduleOptions } from '../bounded/symbolic-schedule.ts';
import type { IsStop } from './stops.ts';

export type InstanceRoad = 'merged' | 'assumed';

export interface InstanceAsker {
  ask(isStop: IsStop, visits: VisitListener | null): Promise<SolveResult>;
  dispose(): void;
}

export interface AskerOptions {
  readonly schedule: ScheduleOptions;
  readonly createSolver: () => Promise<SatSolver>;
}

export function createAsker(road: InstanceRoad, program: SteppedProgram, options: AskerOptions): InstanceAsker {
  return road === 'merged' ? new MergedAsker(program, options) : new AssumedAsker(program, options);
}

/** Where executions are cut by bounds is asked until it is known once: it is the same for all instances. */
class CutMemory {
  #isKnown = false;

  get isWanted(): boolean {
    return !this.#isKnown;
  }

  note(result: SolveResult): void {
    if (result.kind === 'none' && result.cuts && result.cuts.length > 0) this.#isKnown = true;
  }
}

class MergedAsker implements InstanceAsker {
  readonly #program: SteppedProgram;
  readonly #options: AskerOptions;
  readonly #cuts = new CutMemory();

  constructor(program: SteppedProgram, options: AskerOptions) {
    this.#program = program;
    this.#options = options;
  }

  async ask(isStop: IsStop, visits: VisitListener | null): Promise<SolveResult> {
    const { schedule, createSolver } = this.#options;
    const result = await solve(this.#program, {
      schedule: { ...schedule, isStop },
      ...(visits && { visits }),
      seeksCuts: this.#cuts.isWanted,
      createSolver,
      onFormula: () => {},
    });
    this.#cuts.note(result);
    return result;
  }

  dispose(): void {}
}

class AssumedAsker implements InstanceAsker {
  readonly #program: SteppedProgram;
  readonly #opened: OpenedProgram;
  readonly #ended: EndedBefore;
  readonly #cuts = new CutMemory();
  /** By thread and step: assumed, nobody stops there. */
  readonly #forbids = new Map<string, Literal>();

  constructor(program: SteppedProgram, { schedule, createSolver }: AskerOptions) {
    this.#program = program;
    this.#opened = openProgram(program, { ...schedule, stopsAnywhere: false }, createSolver);
    const { encoder, schedule: encoded } = this.#opened.encoding;
    this.#ended = endedBefore(program, encoder, encoded);
  }

  async ask(isStop: IsStop, visits: VisitListener | null): Promise<SolveResult> {
    const { circuit } = this.#opened.encoding;
    // One literal for the instance: a solver that assumes hundreds decides them anew at each restart.
    const instance = circuit.fresh();
    for (const { index, steps } of this.#program.threads) {
      for (let l = 1; l < steps.length; l++) {
        if (!isStop(index, l)) circuit.addClause([not(instance), this.#forbid(index, l)]);
      }
    }
    const questions = { visits, seeksCuts: this.#cuts.isWanted, assumptions: [instance] };
    const result = await askAll(this.#program, this.#opened, questions);
    circuit.addClause([not(instance)]);
    this.#cuts.note(result);
    return result;
  }

  dispose(): void {
    this.#opened.formula.dispose();
  }

  #forbid(thread: number, step: number): Literal {
    const key = `${thread} ${step}`;
    const known = this.#forbids.get(key);
    if (known !== undefined) return known;
    const { circuit, schedule } = this.#opened.encoding;
    const literal = circuit.fresh();
    const ended = this.#ended(thread, step);
    for (let slot = 1; slot <= schedule.slots; slot++) {
      const [before, now] = [schedule.passed(slot, thread, step - 1), schedule.passed(slot, thread, step)];
      circuit.addClause([not(literal), not(before), now, ended]);
    }
    this.#forbids.set(key, literal);
    return literal;
  }
}
