/**
 * Long concrete runs, for the time that is left when no execution within the bounds came to an assertion: deterministic
 * stretches that no unwinding gets through. Few preemptions, at random places of the whole run (as in PCT, ASPLOS
 * 2010): a run of millions of steps is then a short list of segments, and is kept as such. The limit grows when runs
 * are cut by it.
 */

import type { CheckName } from '../../program/code.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { addSegment, type CountedSegment } from '../../trace/counted-run.ts';
import type { CompiledProgram } from '../../trace/interpreter/compile-instructions.ts';
import { frameKey } from '../../trace/interpreter/frames.ts';
import { Machine } from '../../trace/interpreter/machine.ts';
import type { InputSource, Thread } from '../../trace/interpreter/state.ts';
import type { LongRun } from '../../trace/replay-long.ts';
import { boundaryValues, type InputMode, recordingInputs } from './inputs.ts';

export interface LongRunOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly seed: number;
  readonly clock: () => number;
  /** Asked as often as the clock; true ends a run. */
  readonly mustStop?: (() => boolean) | undefined;
}

const FIRST_LIMIT = 20_000_000;
const LONGEST_RUN = 1_000_000_000;
const GROWTH = 4;
/** Between two looks at the clock. */
const SLICE = 1_000_000;
const CLOCK_INTERVAL = 4096;
const THREAD_LIMIT = 32;
const MOST_PREEMPTIONS = 3;
/** Steps without a write after which a thread counts as spinning. */
const SPIN_STEPS = 10_000;
/** Runs with more switches than this are not worth keeping. */
const MOST_SEGMENTS = 100_000;
const MODES: readonly InputMode[] = ['zero', 'boundary', 'random'];

export class LongRuns {
  readonly #program: CompiledProgram;
  readonly #options: LongRunOptions;
  readonly #random: Random;
  readonly #boundaries: ReturnType<typeof boundaryValues>;
  #limit = FIRST_LIMIT;
  /** The steps of the longest run. */
  #steps = 1000;
  #runs = 0;

  constructor(program: CompiledProgram, options: LongRunOptions) {
    this.#program = program;
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#boundaries = boundaryValues(program.code);
  }

  /** One more run, no longer than until the deadline; null when it broke nothing. */
  next(deadline: number): LongRun | null {
    const { source } = recordingInputs(
      MODES[Math.floor(this.#runs / 2) % MODES.length] as InputMode,
      this.#random,
      this.#boundaries,
    );
    const moments = this.#moments();
    this.#runs++;
    const inputs = new Map<string, bigint | number>();
    const machine = new Machine(this.#program, {
      checks: this.#options.checks,
      inputs: namingInputs(source, inputs),
      threadLimit: THREAD_LIMIT,
      nameRegions: true,
    });
    const segments = this.#run(machine, moments, deadline);
    if (!machine.violation || machine.violation.check === 'unsupported') return null;
    return { segments, inputs, instructions: machine.instructions, threadLimit: THREAD_LIMIT };
  }

  /** At which steps the running thread is preempted: never at first, then at few places of the whole run. */
  #moments(): number[] {
    if (this.#runs === 0) return [];
    const count = 1 + (this.#runs % MOST_PREEMPTIONS);
    return Array.from({ length: count }, () => this.#random.below(this.#steps)).sort((a, b) => b - a);
  }

  /** A thread runs until it waits, ends, spins or is preempted; then any other goes on. */
  #run(machine: Machine, moments: number[], deadline: number): CountedSegment[] {
    const segments: CountedSegment[] = [];
    let steps = 0;
    let current: Thread | null = null;
    while (machine.status === 'running' && machine.instructions < this.#limit && segments.length < MOST_SEGMENTS) {
      const others = machine.runnable.filter((thread) => thread !== current);
      if (others.length === 0 && !(current && machine.canRun(current))) break;
      current = others.length > 0 ? this.#random.pick(others) : (current as Thread);
      const end = moments[moments.length - 1] ?? Infinity;
      const made = this.#advance(machine, current, Math.max(1, end - steps), deadline);
      steps += made;
      if (steps >= (moments[moments.length - 1] ?? Infinity)) moments.pop();
      if (made > 0) addSegment(segments, { thread: current.id, steps: made });
      if (this.#isOver(deadline)) break;
    }
    this.#steps = Math.max(this.#steps, steps);
    if (machine.instructions >= this.#limit) this.#limit = Math.min(LONGEST_RUN, GROWTH * this.#limit);
    return segments;
  }

  /** Up to so many steps of the thread; fewer where it waits, or goes on without ever writing. */
  #advance(machine: Machine, thread: Thread, most: number, deadline: number): number {
    let made = 0;
    let lastWrite = 0;
    let { writes } = machine;
    while (made < most && machine.canRun(thread) && machine.instructions < this.#limit) {
      const isDone = machine.step(thread, SLICE);
      if (thread.status === 'blocked') break;
      if (isDone) made++;
      if (machine.writes !== writes) [writes, lastWrite] = [machine.writes, made];
      if (made - lastWrite > SPIN_STEPS) break;
      if ((!isDone || made % CLOCK_INTERVAL === 0) && this.#isOver(deadline)) break;
    }
    return made;
  }

  #isOver(deadline: number): boolean {
    const { clock, mustStop } = this.#options;
    return clock() > deadline || (mustStop?.() ?? false);
  }
}

/** The same inputs, which get the names that a run is repeated by. */
function namingInputs(source: InputSource, named: Map<string, bigint | number>): InputSource {
  return {
    nondet: (request) => {
      const { frame } = request.thread;
      const value = source.nondet(request);
      named.set(`${request.thread.id}:${frameKey(frame, frame.pc - 1)}`, value);
      return value;
    },
    byte: (region, offset) => {
      const value = source.byte(region, offset);
      named.set(`${region.thread}:${region.creator}+${offset}`, value);
      return value;
    },
  };
}
