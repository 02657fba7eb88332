/**
 * IC3 with clauses about threads (Bradley, "SAT-based model checking without unrolling", 2011; quantified as in view
 * abstraction). Cubes speak of shared state, fixed threads and at most `views` others; a clause holds for all choices
 * of these. A predecessor that mentions one thread more is blocked by blocking one of its views, in which a thread is
 * left out: cheap tries first.
 *
 * The cube `error` is blocked frame by frame. When a frame has no clause of its own, the clauses beyond it are an
 * invariant. When the initial state is reached, nothing is said: the observables may be too coarse.
 */

import { byObservable, type ClauseSpace, type Cube } from './clause-space.ts';
import type { FrameSolver } from './frame-solver.ts';

export interface Ic3Options {
  /** Threads of replicated bodies that a clause may speak of. */
  readonly views: number;
  readonly onFrame: (frame: number, clauses: number, questions: number) => void;
}

export type Ic3Result =
  | { readonly kind: 'invariant'; readonly cubes: readonly Cube[]; readonly frames: number }
  /** A way to the error, as far as the observables tell. */
  | {
      readonly kind: 'open';
      readonly frames: number;
      /** The last situation before it. */
      readonly before: Cube | null;
    };

export function runIc3(solver: FrameSolver, error: Cube, options: Ic3Options): Ic3Result {
  return new Ic3(solver, error, options).run();
}

/**
 * A search that can go on: when a question runs out of time, the frames stay as they are, each clause with its reason
 * in the frame before, and `run` takes up from there.
 */
export class Ic3 {
  readonly #solver: FrameSolver;
  readonly #space: ClauseSpace;
  readonly #error: Cube;
  readonly #options: Ic3Options;
  /** Cubes that were reached, with the smallest frame. */
  readonly #reached = new Map<string, number>();
  /** From where the error was last seen to be reached. */
  #beforeError: Cube | null = null;

  constructor(solver: FrameSolver, error: Cube, options: Ic3Options) {
    this.#solver = solver;
    this.#space = solver.space;
    this.#error = error;
    this.#options = options;
  }

  run(): Ic3Result {
    const solver = this.#solver;
    if (solver.frames.length < 2) solver.frames = [[], []];
    solver.renew();
    for (;;) {
      const top = solver.frames.length - 1;
      if (!this.#block(this.#error, top)) return { kind: 'open', frames: top, before: this.#beforeError };
      this.#options.onFrame(
        top,
        solver.frames.reduce((sum, { length }) => sum + length, 0),
        solver.questions,
      );
      solver.frames.push([]);
      for (let i = 1; i < solver.frames.length - 1; i++) {
        this.#push(i);
        if (solver.frames[i]?.length === 0)
          return { kind: 'invariant', cubes: solver.frames.slice(i + 1).flat(), frames: top };
      }
    }
  }

  #frame(i: number): Cube[] {
    return this.#solver.frames[i] as Cube[];
  }

  /** Clauses that hold one step further go into the next frame. */
  #push(i: number): void {
    for (const cube of [...this.#frame(i)]) {
      if (!this.#frame(i).includes(cube)) continue;
      if (this.#solver.consecution(cube, i, false).kind === 'reached') continue;
      this.#solver.frames[i] = this.#frame(i).filter((each) => each !== cube);
      this.#frame(i + 1).push(cube);
      this.#solver.assert(cube, i + 1);
    }
  }

  /** False where the cube is reached, in as many steps as the frame's number. */
  #block(cube: Cube, frame: number): boolean {
    if (this.#space.hasInitial(cube)) return false;
    if (frame === 0 || this.#isSubsumed(cube, frame)) return true;
    const key = cube.join();
    if ((this.#reached.get(key) ?? Number.POSITIVE_INFINITY) <= frame) return false;
    for (;;) {
      const answer = this.#solver.consecution(cube, frame - 1);
      if (answer.kind === 'blocked') {
        this.#learn(this.#generalise(cube, answer.core, frame), frame);
        return true;
      }
      const before = this.#solver.predecessor(cube, this.#options.views);
      if (cube === this.#error) this.#beforeError = before;
      if (!this.#blockPredecessor(before, frame - 1)) {
        this.#reached.set(key, Math.min(frame, this.#reached.get(key) ?? frame));
        return false;
      }
    }
  }

  #blockPredecessor(cube: Cube, frame: number): boolean {
    const slots = this.#space.slotsOf(cube);
    if (slots.length <= this.#options.views) return this.#block(this.#space.normalise(cube), frame);
    const views = slots.map((left) =>
      this.#space.normalise(cube.filter((literal) => !this.#space.of(literal).slots.includes(left))),
    );
    const open = views.filter((view) => !this.#space.hasInitial(view));
    if (open.length === 0) return false;
    if (frame === 0 || open.some((view) => this.#isSubsumed(view, frame))) return true;
    for (const view of open) {
      const answer = this.#solver.consecution(view, frame - 1);
      if (answer.kind === 'blocked') {
        this.#learn(this.#generalise(view, answer.core, frame), frame);
        return true;
      }
      this.#solver.forget();
    }
    return open.some((view) => this.#block(view, frame));
  }

  #isSubsumed(cube: Cube, frame: number): boolean {
    const own = new Set(cube);
    const counters = new Map<string, number>();
    for (const literal of cube) {
      const { kind, group } = this.#space.of(literal);
      if (literal > 0 && kind === 'counter') counters.set(group, literal);
    }
    const holds = (literal: number): boolean => {
      if (own.has(literal)) return true;
      const { kind, group } = this.#space.of(literal);
      if (literal > 0 || kind !== 'counter') return false;
      const at = counters.get(group);
      return at !== undefined && at !== -literal;
    };
    for (let i = frame; i < this.#solver.frames.length; i++) {
      for (const blocked of this.#frame(i)) {
        if (this.#space.instancesAmong(blocked, this.#options.views).some((each) => each.every(holds))) return true;
      }
    }
    return false;
  }

  #learn(cube: Cube, frame: number): void {
    let highest = frame;
    while (highest < this.#solver.frames.length - 1) {
      if (this.#solver.consecution(cube, highest).kind === 'reached') {
        this.#solver.forget();
        break;
      }
      highest++;
    }
    for (let i = 1; i <= highest; i++) {
      this.#solver.frames[i] = this.#frame(i).filter((each) => !cube.every((literal) => each.includes(literal)));
    }
    this.#frame(highest).push(cube);
    this.#solver.assert(cube, highest);
  }

  // -------------------------------------------------------------- generalising

  /** Drops literals as long as what is left cannot be reached either, and is not initial. */
  #generalise(cube: Cube, core: Cube, frame: number): Cube {
    let kept = this.#awayFromInitial(core, cube);
    const dropAll = (isTried: (literal: number) => boolean) => {
      const order = kept.filter(isTried).sort((a, b) => this.#space.of(a).rank - this.#space.of(b).rank);
      for (const literal of order) {
        if (!kept.includes(literal)) continue;
        kept =
          this.#shrunk(
            kept.filter((each) => each !== literal),
            frame,
          ) ?? kept;
      }
    };
    dropAll(() => true);
    const widened = this.#widenCounters(kept);
    const wider = widened && this.#shrunk(widened, frame);
    if (wider) {
      kept = wider;
      dropAll((literal) => literal < 0 && this.#space.of(literal).kind === 'counter');
    }
    return this.#space.normalise(kept);
  }

  /** A cube without initial states: a literal of the whole is put back where need be. */
  #awayFromInitial(core: Cube, whole: Cube): Cube {
    if (!this.#space.hasInitial(core)) return core;
    const literal = whole.find((each) => !this.#space.isInitially(each)) as number;
    return [...core, literal].sort(byObservable);
  }

  #shrunk(cube: Cube, frame: number): Cube | null {
    if (cube.length === 0 || this.#space.hasInitial(cube)) return null;
    const answer = this.#solver.consecution(cube, frame - 1);
    if (answer.kind === 'blocked') return this.#awayFromInitial(answer.core, cube);
    this.#solver.forget();
    return null;
  }

  /** `pc is p` becomes `pc is none of the others`, of which some may then be dropped; null where there is no pc. */
  #widenCounters(cube: Cube): Cube | null {
    const isAt = (literal: number) => literal > 0 && this.#space.of(literal).kind === 'counter';
    if (!cube.some(isAt)) return null;
    const widened = new Set<number>();
    for (const literal of cube) {
      if (!isAt(literal)) widened.add(literal);
      else for (const other of this.#space.othersOfGroup(literal)) widened.add(-(other + 1));
    }
    return [...widened].sort(byObservable);
  }
}
