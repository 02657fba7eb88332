/** Collects the steps, assumptions, assertions and cuts of one thread while it is executed. */

import type { CodePoint } from '../program/code.ts';
import type { MemoryOrder } from '../program/memory-order.ts';
import type { Loc } from '../support/source.ts';
import type { Term } from '../values/terms.ts';
import type {
  Access,
  Assertion,
  Assumption,
  Condition,
  Cut,
  Fence,
  Halt,
  IdleTurn,
  Step,
  SteppedThread,
  Visit,
} from './steps.ts';

/**
 * A step that may still get accesses: the one of an open atomic section, or one on which so far only conditions hang.
 */
export interface StepBuilder {
  readonly index: number;
  guard: Term;
  loc: Loc;
  readonly accesses: Access[];
  creation: Step['creation'];
  drains: boolean;
  end: number | null;
  /** Other threads can notice that it was done. */
  effect: boolean;
}

export class ThreadBuilder {
  readonly index: number;
  readonly name: string;
  readonly spawn: SteppedThread['spawn'];
  readonly #steps: StepBuilder[] = [];
  readonly #assumptions: Assumption[] = [];
  readonly #assertions: Assertion[] = [];
  readonly #cuts: Cut[] = [];
  readonly #halts: Halt[] = [];
  readonly #visits: Visit[] = [];
  #positions = 0;
  readonly #fences: Fence[] = [];

  constructor(index: number, name: string, spawn: SteppedThread['spawn']) {
    this.index = index;
    this.name = name;
    this.spawn = spawn;
  }

  get stepCount(): number {
    return this.#steps.length;
  }

  /** The step's section is left here, on some path. */
  closeStep(step: StepBuilder): void {
    step.end = this.#positions++;
  }

  lastStepBuilder(): StepBuilder | undefined {
    return this.#steps[this.#steps.length - 1];
  }

  /** The steps from the one of that number on. */
  stepsFrom(index: number): readonly StepBuilder[] {
    return this.#steps.slice(index);
  }

  addStep(guard: Term, loc: Loc): StepBuilder {
    const step: StepBuilder = {
      index: this.#steps.length,
      guard,
      accesses: [],
      creation: null,
      drains: false,
      loc,
      end: null,
      effect: false,
    };
    this.#steps.push(step);
    return step;
  }

  /**
   * A step for an access. If so far only conditions hang on the last step, it is that one: there is nothing to be seen
   * in between.
   */
  accessStep(guard: Term, loc: Loc, or: (a: Term, b: Term) => Term): StepBuilder {
    const last = this.lastStepBuilder();
    if (!last || last.effect || last.accesses.length > 0) return this.addStep(guard, loc);
    last.guard = or(last.guard, guard);
    last.loc = loc;
    return last;
  }

  addAssumption(step: number, guard: Term, condition: Term, waits: boolean, holder: Term | null = null): void {
    this.#assumptions.push({ step, guard, position: this.#positions++, condition, waits, holder, turn: null });
  }

  /** The program ends in the middle of the step. */
  addEndInside(step: number, guard: Term, never: Term): void {
    const common = { step, guard, position: this.#positions++, condition: never };
    this.#assumptions.push({ ...common, waits: false, holder: null, turn: null, endsProgram: true });
  }

  /** The thread does not get past the step where it has taken the turn. */
  addIdleTurn(step: number, guard: Term, never: Term, turn: IdleTurn | null): void {
    const waits = turn !== null;
    this.#assumptions.push({
      step,
      guard,
      position: this.#positions++,
      condition: never,
      waits,
      holder: null,
      turn,
    });
  }

  addAssertion(step: number, guard: Term, assertion: Omit<Assertion, keyof Condition>): void {
    this.#assertions.push({ step, guard, position: this.#positions++, ...assertion });
  }

  addCut(step: number, guard: Term, { kind, where, loc }: Omit<Cut, keyof Condition>): void {
    this.#cuts.push({ step, guard, position: this.#positions++, kind, where, loc });
  }

  /** A step that waits until all that the thread has stored has reached memory. Others may notice it. */
  addDrain(guard: Term, loc: Loc): StepBuilder {
    const step = this.addStep(guard, loc);
    step.drains = true;
    step.effect = true;
    return step;
  }

  addFence(guard: Term, order: MemoryOrder): void {
    this.#fences.push({ step: this.#steps.length - 1, guard, position: this.#positions++, order });
  }

  addHalt(guard: Term): void {
    this.#halts.push({ step: this.#steps.length - 1, guard });
  }

  addVisit(step: number, guard: Term, point: CodePoint): void {
    this.#visits.push({ step, guard, position: this.#positions++, thread: this.index, point });
  }

  finish(): SteppedThread {
    return {
      index: this.index,
      name: this.name,
      spawn: this.spawn,
      steps: this.#steps,
      assumptions: this.#assumptions,
      assertions: this.#assertions,
      cuts: this.#cuts,
      visits: this.#visits,
      fences: this.#fences,
      halts: this.#halts,
    };
  }
}
