/**
 * The solver behind the frames of IC3: one step of the system, clauses that are switched on by frame, and the questions
 * that the search asks. It is made anew after many questions, for the clauses of single questions stay behind.
 */

import { TermEncoder } from '../../encode/encode-terms.ts';
import { Circuit } from '../../logic/circuit.ts';
import { Cnf } from '../../logic/cnf.ts';
import { evaluate } from '../../logic/evaluate.ts';
import type { Literal } from '../../logic/literal.ts';
import type { IncrementalSolver, IncrementalSolvers } from '../../solver/incremental-cadical.ts';
import type { Term } from '../../values/terms.ts';
import { byObservable, ClauseSpace, type Cube } from './clause-space.ts';
import type { Observable } from './observables.ts';
import { TermRebuilder } from './rebuild-term.ts';
import type { StateVariable, TransitionSystem } from './transition-system.ts';

/** Questions with clauses of their own before the solver is made anew. */
const QUESTIONS_A_SOLVER = 3_000;
/** Of so many cubes at a time it is asked whether one is entered: fewer take more questions, more are harder. */
const CUBES_A_QUESTION = 16;

export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

export interface QuestionOptions {
  readonly solvers: IncrementalSolvers;
  /** Asked now and then. */
  readonly isTimeUp: () => boolean;
}

export type Consecution =
  | { readonly kind: 'reached' }
  /** The part of the cube that cannot be reached. */
  | { readonly kind: 'blocked'; readonly core: Cube };

export class FrameSolver {
  readonly space: ClauseSpace;
  readonly #options: QuestionOptions;
  readonly #current: readonly number[];
  readonly #next: readonly number[];
  readonly #enabled: number;
  readonly #inputs: readonly number[];
  /** Bits of state variables that no observable shows, with their variables. */
  readonly #hidden: readonly { readonly literal: number; readonly state: StateVariable }[];
  readonly #initialUnits: readonly number[];
  readonly #clauses: Int32Array;
  readonly #constraints: readonly number[];
  readonly #variableCount: number;
  readonly gateCount: number;
  frames: Cube[][] = [[]];
  /** Cubes that are known to be excluded in every reachable state. */
  lemmas: readonly Cube[] = [];
  questions = 0;
  #solver: IncrementalSolver | null = null;
  #switches: number[] = [];
  #lastVariable = 0;
  #spent = 0;
  /** Switches on the clauses of the last question that was satisfiable. */
  #pending = 0;

  constructor(system: TransitionSystem, observables: readonly Observable[], options: QuestionOptions) {
    this.#options = options;
    const circuit = new Circuit();
    const encoder = new TermEncoder(system.graph, circuit);
    const nextOf = new Map(system.state.map(({ term }, i) => [term, system.next[i] as Term]));
    const rebuilder = new TermRebuilder(system.graph, system.graph, (term) => nextOf.get(term) ?? term);
    const current = observables.map(({ term }) => encoder.literalOf(term));
    const next = observables.map(({ term }) => encoder.literalOf(rebuilder.rebuild(term)));
    const enabled = encoder.literalOf(system.enabled);
    const inputs = system.inputs.flatMap((term) => [...encoder.bitsOf(term)]);
    const constraints = system.constraints.map((term) => encoder.literalOf(term));
    const initial = initialBits(system, encoder);
    const evaluation = evaluate(circuit, (variable) => initial.get(variable) ?? false);
    this.space = new ClauseSpace(
      observables,
      system.slots,
      current.map((literal) => evaluation.value(literal)),
    );
    const cnf = new Cnf(circuit);
    const map = (literals: readonly Literal[]) => literals.map((literal) => cnf.literal(literal));
    this.#current = map(current);
    this.#next = map(next);
    this.#enabled = cnf.literal(enabled);
    this.#inputs = [...new Set(map(inputs).map((literal) => Math.abs(literal)))].filter((variable) => variable !== 1);
    this.#constraints = map(constraints);
    this.#initialUnits = [...initial].map(([variable, value]) => {
      const literal = cnf.literal(variable as Literal);
      return value ? literal : -literal;
    });
    this.#hidden = hiddenBits(system, observables, encoder, cnf);
    this.#clauses = cnf.takeClauses();
    this.#variableCount = cnf.variableCount;
    this.gateCount = circuit.gateCount;
    this.renew();
  }

  /** A fresh solver with all frames. */
  renew(): void {
    this.#solver?.dispose();
    const solver = this.#createSolver('quick');
    this.#solver = solver;
    this.#lastVariable = this.#variableCount;
    this.#switches = [];
    this.#spent = 0;
    this.#pending = 0;
    const start = this.#switchOf(0);
    for (const literal of this.#initialUnits) solver.addClause([-start, literal]);
    for (const lemma of this.lemmas) this.#exclude(lemma, solver);
    this.frames.forEach((cubes, frame) => {
      for (const cube of cubes) this.assert(cube, frame);
    });
  }

  dispose(): void {
    this.#solver?.dispose();
    this.#solver = null;
  }

  /** One step of the system, and what every state fulfils. */
  #createSolver(kind: 'quick' | 'other'): IncrementalSolver {
    const solver = this.#options.solvers.create(kind);
    solver.addClauses(this.#clauses.slice());
    for (const literal of this.#constraints) solver.addClause([literal]);
    return solver;
  }

  /** `unless`: a literal that switches it off. */
  #exclude(cube: Cube, solver: IncrementalSolver, unless: readonly number[] = []): void {
    for (const each of this.space.instances(cube))
      solver.addClause([...unless, ...each.map((literal) => -this.#currentOf(literal))]);
  }

  /**
   * Of cubes that are inductive together, a part that is and has the goal: what that rests on, what this rests on, and
   * so on. All of them where the goal is not one of them.
   */
  supportOf(cubes: readonly Cube[], goal: Cube): readonly Cube[] {
    const first = cubes.findIndex((cube) => cube.join() === goal.join());
    if (first < 0) return cubes;
    const solver = this.#createSolver('quick');
    try {
      const switches = cubes.map((_, i) => this.#variableCount + 1 + i);
      cubes.forEach((cube, i) => {
        this.#exclude(cube, solver, [-(switches[i] as number)]);
      });
      const needed = new Set([first]);
      for (const i of needed) {
        const entered = (cubes[i] as Cube).map((literal) => this.#nextOf(literal));
        if (this.#ask(solver, [this.#enabled, ...entered, ...switches])) return cubes;
        const failed = solver.failed();
        switches.forEach((literal, other) => {
          if (failed.has(literal)) needed.add(other);
        });
      }
      return cubes.filter((_, i) => needed.has(i));
    } finally {
      solver.dispose();
    }
  }

  /**
   * Whether no step leads from where none of the cubes holds into one of them: few questions, to a solver that has been
   * asked nothing else and works with other settings.
   */
  areInductive(cubes: readonly Cube[]): boolean {
    const solver = this.#createSolver('other');
    try {
      for (const cube of cubes) this.#exclude(cube, solver);
      const entered = cubes.map((cube, i) => {
        const literal = this.#variableCount + 1 + i;
        for (const each of cube) solver.addClause([-literal, this.#nextOf(each)]);
        return literal;
      });
      let last = this.#variableCount + cubes.length;
      for (let i = 0; i < entered.length; i += CUBES_A_QUESTION) {
        const isAsked = ++last;
        solver.addClause([-isAsked, ...entered.slice(i, i + CUBES_A_QUESTION)]);
        if (this.#ask(solver, [this.#enabled, isAsked])) return false;
      }
      return true;
    } finally {
      solver.dispose();
    }
  }

  get #sat(): IncrementalSolver {
    return this.#solver as IncrementalSolver;
  }

  #switchOf(frame: number): number {
    while (this.#switches.length <= frame) this.#switches.push(++this.#lastVariable);
    return this.#switches[frame] as number;
  }

  #currentOf(literal: number): number {
    return literal > 0 ? (this.#current[literal - 1] as number) : -(this.#current[-literal - 1] as number);
  }

  #nextOf(literal: number): number {
    return literal > 0 ? (this.#next[literal - 1] as number) : -(this.#next[-literal - 1] as number);
  }

  #solve(assumptions: readonly number[]): boolean {
    return this.#ask(this.#sat, assumptions);
  }

  #ask(solver: IncrementalSolver, assumptions: readonly number[]): boolean {
    if (++this.questions % 32 === 0 && this.#options.isTimeUp()) throw new OutOfTimeError();
    const answer = solver.solve(assumptions);
    if (answer === null) throw new OutOfTimeError();
    return answer;
  }

  /** The cube is excluded in a frame, for all threads. */
  assert(cube: Cube, frame: number): void {
    const on = this.#switchOf(frame);
    for (const each of this.space.instances(cube)) {
      this.#sat.addClause([-on, ...each.map((literal) => -this.#currentOf(literal))]);
    }
  }

  /** Whether the clauses of some frames alone exclude the cube. */
  isExcluded(cube: Cube, frames: readonly number[]): boolean {
    const switches = frames.map((frame) => this.#switchOf(frame));
    return !this.#solve([...switches, ...cube.map((literal) => this.#currentOf(literal))]);
  }

  /** Can a state of the frame, outside the cube if `relative`, step into the cube? */
  consecution(cube: Cube, frame: number, relative = true): Consecution {
    const assumptions = [this.#enabled];
    for (let i = frame; i < this.frames.length; i++) assumptions.push(this.#switchOf(i));
    let on = 0;
    if (relative && frame > 0) {
      if (this.#spent++ > QUESTIONS_A_SOLVER) {
        this.renew();
        return this.consecution(cube, frame, relative);
      }
      on = ++this.#lastVariable;
      for (const each of this.space.instances(cube)) {
        this.#sat.addClause([-on, ...each.map((literal) => -this.#currentOf(literal))]);
      }
      assumptions.push(on);
    }
    for (const literal of cube) assumptions.push(this.#nextOf(literal));
    if (this.#solve(assumptions)) {
      this.#pending = on;
      return { kind: 'reached' };
    }
    const failed = this.#sat.failed();
    if (on !== 0) this.#sat.addClause([-on]);
    return { kind: 'blocked', core: cube.filter((literal) => failed.has(this.#nextOf(literal))) };
  }

  /** The cubes are excluded, for all threads, wherever the literal that is given back is assumed. */
  switchOn(cubes: readonly Cube[]): number {
    const on = ++this.#lastVariable;
    for (const cube of cubes)
      for (const each of this.space.instances(cube))
        this.#sat.addClause([-on, ...each.map((literal) => -this.#currentOf(literal))]);
    return on;
  }

  /**
   * Those of the optional exclusions that keep every step out of the cube; null where some step leads into it.
   */
  blockedBy(cube: Cube, excluded: readonly number[]): ReadonlySet<number> | null {
    const isReached = this.#solve([this.#enabled, ...cube.map((literal) => this.#nextOf(literal)), ...excluded]);
    return isReached ? null : this.#sat.failed();
  }

  /** After `reached`: whether the step that was found leads into this cube as well. */
  isReached(cube: Cube): boolean {
    return cube.every((literal) => this.#sat.value(this.#nextOf(literal)));
  }

  /** After `reached`, when the predecessor is not asked for. */
  forget(): void {
    if (this.#pending !== 0) this.#sat.addClause([-this.#pending]);
    this.#pending = 0;
  }

  /** After `reached`: what of the state made the step into the cube, as far as observables show it. */
  predecessor(cube: Cube, views: number): Cube {
    const sat = this.#sat;
    const { observables } = this.space;
    const state: number[] = [];
    observables.forEach(({ kind }, i) => {
      const holds = sat.value(this.#current[i] as number);
      if (kind !== 'counter') state.push(holds ? i + 1 : -(i + 1));
      else if (holds) state.push(i + 1);
    });
    const valued = (literal: number) => (sat.value(literal) ? literal : -literal);
    const inputs = this.#inputs.map(valued);
    const hidden = this.#hidden.map(({ literal }) => valued(literal));
    this.forget();
    const on = ++this.#lastVariable;
    sat.addClause([-on, -this.#enabled, ...cube.map((literal) => -this.#nextOf(literal))]);
    const shrink = (from: readonly number[]) => {
      const isStuck = !this.#solve([on, ...inputs, ...from.map((literal) => this.#currentOf(literal)), ...hidden]);
      if (!isStuck) return null;
      const failed = sat.failed();
      const kept = from.filter((literal) => failed.has(this.#currentOf(literal)));
      return { kept, hidden: hidden.flatMap((literal, i) => (failed.has(literal) ? [this.#hidden[i]?.state] : [])) };
    };
    const first = shrink(state);
    if (first === null) throw new Error('a step from a complete state leads elsewhere');
    const second = shrink([...first.kept].reverse());
    const { kept, hidden: matter } = second ?? first;
    sat.addClause([-on]);
    return this.#complete(kept, state, new Set(matter), views);
  }

  /** What is known of wide variables that matter and of their sums, and, where a thread is left out, what counts it. */
  #complete(kept: readonly number[], state: readonly number[], given: ReadonlySet<unknown>, views: number): Cube {
    const cube = new Set(kept);
    const slots = new Set(this.space.slotsOf(kept));
    for (const each of given) {
      const { slot } = each as StateVariable;
      if (slot !== null) slots.add(slot);
    }
    const isCrowded = slots.size > views;
    const matter = new Set<unknown>(given);
    for (const { isSum, about } of this.space.observables)
      if (isSum && about.some((each) => matter.has(each))) for (const each of about) matter.add(each);
    for (const literal of state) {
      const { kind, about, slots: own, isGhost } = this.space.of(literal);
      if (cube.has(literal) || !own.every((slot) => slots.has(slot))) continue;
      if (kind === 'predicate' && about.some((each) => matter.has(each))) cube.add(literal);
      else if (isGhost && isCrowded && own.length === 0) cube.add(literal);
    }
    return [...cube].sort(byObservable);
  }
}

/** Circuit variables of state bits, with their first values. */
function initialBits(system: TransitionSystem, encoder: TermEncoder): Map<number, boolean> {
  const initial = new Map<number, boolean>();
  for (const { term, initial: value } of system.state) {
    encoder.bitsOf(term).forEach((literal, i) => {
      const variable = Math.abs(literal);
      if (variable !== 1) initial.set(variable, (((value >> BigInt(i)) & 1n) === 1n) === literal > 0);
    });
  }
  return initial;
}

function hiddenBits(
  system: TransitionSystem,
  observables: readonly Observable[],
  encoder: TermEncoder,
  cnf: Cnf,
): { readonly literal: number; readonly state: StateVariable }[] {
  const shown = new Set(observables.map(({ term }) => Math.abs(encoder.literalOf(term))));
  const seen = new Set<number>();
  return system.state.flatMap((state) =>
    encoder.bitsOf(state.term).flatMap((literal) => {
      const variable = Math.abs(literal);
      if (variable === 1 || shown.has(variable as Literal) || seen.has(variable)) return [];
      seen.add(variable);
      return [{ literal: cnf.literal(variable as Literal), state }];
    }),
  );
}
