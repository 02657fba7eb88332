/**
 * Asks for violations in instances of a program, in one of two ways. *Merged*: each instance is a formula of its own,
 * in which the steps between two stops are one. *Assumed*: the formula of the whole program is opened once, and an
 * instance is a set of literals that are assumed: "no thread stops before this step". The solver keeps what it learned
 * from one instance to the next. Both mean the same (test/differential/swarm-instances.test.ts).
 *
 * A data race is two threads that stand before their accesses, each at a place where the instance lets it stop. Where
 * atomics that order nothing may hide one, the whole program is asked once whether there can be any; if so, instances
 * are asked a second time, with a watch on what happens before what (execute/watch-order.ts), in which a race is a
 * failed assertion. So the instances together find what a check with the same bounds finds.
 */

import type { SteppedProgram } from '../../execute/steps.ts';
import { watchOrder } from '../../execute/watch-order.ts';
import { type FreedProgram, freeWeakReads } from '../../execute/weak-reads.ts';
import { type Literal, not } from '../../logic/literal.ts';
import type { SatSolver } from '../../solver/solver.ts';
import { type EndedBefore, endedBefore } from '../bounded/ended-before.ts';
import { type OpenedProgram, openProgram } from '../bounded/open-program.ts';
import {
  askAll,
  askForFailure,
  canRace,
  RACES_NOT_KNOWN,
  type SolveResult,
  type VisitListener,
} from '../bounded/solve.ts';
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
  const freed = freeWeakReads(program);
  const instances = openInstances(road, program, options);
  return freed.kind === 'none'
    ? new PlainAsker(program, instances)
    : new WatchingAsker(road, program, instances, freed, options);
}

/** Instances as formulas, one at a time. */
interface InstanceFormulas {
  /** The formula in which threads stop at these places only, under the literals that are to be assumed. */
  use<T>(isStop: IsStop, ask: (opened: OpenedProgram, assumptions: readonly Literal[]) => Promise<T>): Promise<T>;
  dispose(): void;
}

function openInstances(road: InstanceRoad, program: SteppedProgram, options: AskerOptions): InstanceFormulas {
  return road === 'merged' ? new MergedFormulas(program, options) : new AssumedFormula(program, options);
}

class PlainAsker implements InstanceAsker {
  readonly #program: SteppedProgram;
  readonly #instances: InstanceFormulas;
  /** Where executions are cut by bounds is asked until it is known once: it is the same for all instances. */
  #areCutsKnown = false;

  constructor(program: SteppedProgram, instances: InstanceFormulas) {
    this.#program = program;
    this.#instances = instances;
  }

  async ask(isStop: IsStop, visits: VisitListener | null): Promise<SolveResult> {
    const seeksCuts = !this.#areCutsKnown;
    const result = await this.#instances.use(isStop, (opened, assumptions) =>
      askAll(this.#program, opened, { visits, seeksCuts, assumptions }),
    );
    if (result.kind === 'none' && result.cuts && result.cuts.length > 0) this.#areCutsKnown = true;
    return result;
  }

  dispose(): void {
    this.#instances.dispose();
  }
}

interface WatchedInstances {
  readonly program: SteppedProgram;
  readonly instances: InstanceFormulas;
}

/** For programs in which atomics may hide data races. */
class WatchingAsker implements InstanceAsker {
  readonly #plain: PlainAsker;
  readonly #freed: FreedProgram;
  readonly #options: AskerOptions;
  readonly #openWatched: () => WatchedInstances;
  #watched: WatchedInstances | null = null;
  /** Of the whole program within the bounds; null as long as nobody asked, true where the answer is not known. */
  #canRace: boolean | null;

  constructor(
    road: InstanceRoad,
    program: SteppedProgram,
    instances: InstanceFormulas,
    freed: FreedProgram,
    options: AskerOptions,
  ) {
    this.#plain = new PlainAsker(program, instances);
    this.#freed = freed;
    this.#options = options;
    this.#canRace = freed.kind === 'free' ? null : true;
    this.#openWatched = () => {
      const watched = watchOrder(program);
      return { program: watched, instances: openInstances(road, watched, options) };
    };
  }

  async ask(isStop: IsStop, visits: VisitListener | null): Promise<SolveResult> {
    const result = await this.#plain.ask(isStop, visits);
    if (result.kind !== 'none') return result;
    // Asked once: an instance that had no time for the answer must not leave the next one without any.
    if (this.#freed.kind === 'free') this.#canRace ??= (await canRace(this.#freed.program, this.#options)) !== false;
    if (this.#canRace === false) return result;
    this.#watched ??= this.#openWatched();
    const { program, instances } = this.#watched;
    const found = await instances.use(isStop, (opened, assumptions) => askForFailure(program, opened, assumptions));
    if (found === true) return result;
    return found === false ? { kind: 'unknown', reason: RACES_NOT_KNOWN } : found;
  }

  dispose(): void {
    this.#plain.dispose();
    this.#watched?.instances.dispose();
  }
}

class MergedFormulas implements InstanceFormulas {
  readonly #program: SteppedProgram;
  readonly #options: AskerOptions;

  constructor(program: SteppedProgram, options: AskerOptions) {
    this.#program = program;
    this.#options = options;
  }

  async use<T>(
    isStop: IsStop,
    ask: (opened: OpenedProgram, assumptions: readonly Literal[]) => Promise<T>,
  ): Promise<T> {
    const { schedule, createSolver } = this.#options;
    const opened = openProgram(this.#program, { ...schedule, isStop }, createSolver);
    try {
      return await ask(opened, []);
    } finally {
      opened.formula.dispose();
    }
  }

  dispose(): void {}
}

class AssumedFormula implements InstanceFormulas {
  readonly #program: SteppedProgram;
  readonly #opened: OpenedProgram;
  readonly #ended: EndedBefore;
  /** By thread and step: assumed, nobody stops there. */
  readonly #forbids = new Map<string, Literal>();

  constructor(program: SteppedProgram, { schedule, createSolver }: AskerOptions) {
    this.#program = program;
    this.#opened = openProgram(program, { ...schedule, stopsAnywhere: false }, createSolver);
    const { encoder, schedule: encoded } = this.#opened.encoding;
    this.#ended = endedBefore(program, encoder, encoded);
  }

  async use<T>(
    isStop: IsStop,
    ask: (opened: OpenedProgram, assumptions: readonly Literal[]) => Promise<T>,
  ): Promise<T> {
    const { circuit } = this.#opened.encoding;
    // One literal for the instance: a solver that assumes hundreds decides them anew at each restart.
    const instance = circuit.fresh();
    for (const { index, steps } of this.#program.threads) {
      for (let l = 1; l < steps.length; l++) {
        if (!isStop(index, l)) circuit.addClause([not(instance), this.#forbid(index, l)]);
      }
    }
    const result = await ask(this.#opened, [instance]);
    circuit.addClause([not(instance)]);
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
