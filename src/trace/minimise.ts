/**
 * Makes a counterexample short: fewer context switches first, then fewer steps. A quick search: threads are left out;
 * segments of one thread are joined, forwards or backwards in time, dropped or cut, and each attempt is run; it counts
 * when it breaks the same property at the same place. Joining and dropping begin with whole stretches of the run and go
 * on to ever smaller ones, as in delta debugging (Zeller and Hildebrandt, 2002), because a run by many short turns has
 * too many single segments to try. In the end inputs become 0, the values of "may happen" that do not among them, where
 * the run then is no longer than before. The result is no minimum, only what the budget reaches. The budget is one of
 * work, not of time: how long a counterexample is must not depend on how busy the machine is.
 */

import {
  addSegment,
  type CountedRun,
  type CountedRunOptions,
  type CountedSegment,
  type NamedInputs,
  runCounted,
} from './counted-run.ts';
import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import { Memory } from './interpreter/memory.ts';
import type { Violation } from './interpreter/state.ts';
import type { Trace } from './trace.ts';

export interface MinimiseOptions extends CountedRunOptions {
  /** So many instructions in all. */
  readonly workLimit: number;
  /** Whether there is no time left at all. */
  readonly isOver?: () => boolean;
}

export interface Minimised {
  readonly run: CountedRun;
  readonly trace: Trace;
  readonly attempts: number;
}

/** To start a run is as much work as so many instructions. */
const WORK_OF_A_RUN = 2_000;

/** Longer runs are not remembered. */
const MOST_REMEMBERED_SEGMENTS = 200;

/** What shortening may take where nobody says otherwise. */
export const MINIMISE_LIMITS = { instructionLimit: 2_000_000, workLimit: 8_000_000 } as const;

/** Null when the run does not break the property in the first place. */
export function minimise(
  program: CompiledProgram,
  run: CountedRun,
  violation: Pick<Violation, 'check' | 'loc'>,
  options: MinimiseOptions,
): Minimised | null {
  const search = new Search(program, run, violation, options);
  if (!search.start()) return null;
  while (search.improve());
  const best: CountedRun = { ...run, segments: search.best, inputs: search.inputs };
  const { recorder } = runCounted(program, best, options, true);
  return recorder ? { run: best, trace: recorder.finish(), attempts: search.attempts } : null;
}

class Search {
  best: readonly CountedSegment[];
  inputs: NamedInputs;
  attempts = 0;
  readonly #program: CompiledProgram;
  readonly #run: CountedRun;
  readonly #violation: Pick<Violation, 'check' | 'loc'>;
  readonly #options: MinimiseOptions;
  #work = 0;
  /** Runs that were tried with the inputs of now. */
  readonly #tried = new Set<string>();

  constructor(
    program: CompiledProgram,
    run: CountedRun,
    violation: Pick<Violation, 'check' | 'loc'>,
    options: MinimiseOptions,
  ) {
    this.#program = program;
    this.#run = run;
    this.#violation = violation;
    this.#options = { ...options, reusedMemory: new Memory(program.layout) };
    this.best = run.segments;
    this.inputs = run.inputs;
  }

  start(): boolean {
    const first = this.#try(this.best);
    if (first) this.best = first;
    return first !== null;
  }

  /** Tries all changes once; true when one of them was better and there is time for more. */
  improve(): boolean {
    const before = this.best;
    for (const change of CHANGES) this.#improveBy(change);
    this.#clearInputs();
    return this.best !== before && !this.#isOver();
  }

  /**
   * Inputs become 0. A thread that then comes to the same place by fewer steps would run past it: so it makes fewer.
   */
  #clearInputs(): void {
    for (const [name, value] of this.inputs) {
      if (Number(value) === 0) continue;
      const inputs = new Map(this.inputs);
      inputs.delete(name);
      for (const segments of withFewerSteps(this.best, Number.parseInt(name, 10))) {
        if (this.#isOver()) return;
        const made = this.#try(segments, inputs);
        if (!made || isShorter(this.best, made)) continue;
        this.best = made;
        this.inputs = inputs;
        this.#tried.clear();
        break;
      }
    }
  }

  /**
   * Goes through the changes of one kind. After a success it goes on where it was: what was tried before is unlikely to
   * help now.
   */
  #improveBy(change: Change): void {
    let tried = 0;
    for (let isBetter = true; isBetter; ) {
      isBetter = false;
      let at = 0;
      for (const candidate of change(this.best)) {
        if (at++ < tried) continue;
        if (this.#isOver()) return;
        const better = this.#wasTried(candidate) ? null : this.#try(candidate);
        if (better && isShorter(better, this.best)) {
          this.best = better;
          tried = at - 1;
          isBetter = true;
          break;
        }
      }
    }
  }

  /** Each round of changes comes to many runs again. One that was no shorter than the best before is not so now. */
  #wasTried(candidate: readonly CountedSegment[]): boolean {
    if (candidate.length > MOST_REMEMBERED_SEGMENTS) return false;
    const key = JSON.stringify(candidate);
    if (this.#tried.has(key)) return true;
    this.#tried.add(key);
    return false;
  }

  #isOver(): boolean {
    const { workLimit, isOver } = this.#options;
    return this.#work >= workLimit || (isOver?.() ?? false);
  }

  /** The segments really run, if they break the same property at the same place. */
  #try(segments: readonly CountedSegment[], inputs = this.inputs): readonly CountedSegment[] | null {
    this.attempts++;
    const result = runCounted(this.#program, { ...this.#run, segments, inputs }, this.#options, false);
    this.#work += result.machine.instructions + WORK_OF_A_RUN;
    const found = result.machine.violation;
    return found?.check === this.#violation.check && found.loc === this.#violation.loc ? result.segments : null;
  }
}

/**
 * Fewer steps whose stores are delayed, else fewer segments, else fewer steps, else steps that are made later: what
 * stands before a context switch is then needed there.
 */
function isShorter(a: readonly CountedSegment[], b: readonly CountedSegment[]): boolean {
  for (const count of [delayedSteps, delayedStores, switches, totalSteps]) {
    if (count(a) !== count(b)) return count(a) < count(b);
  }
  const differs = a.findIndex((segment, i) => segment.steps !== b[i]?.steps);
  return differs >= 0 && (a[differs]?.steps ?? 0) < (b[differs]?.steps ?? 0);
}

function totalSteps(segments: readonly CountedSegment[]): number {
  return segments.reduce((sum, { steps }) => sum + steps, 0);
}

function delayedSteps(segments: readonly CountedSegment[]): number {
  return totalSteps(segments.filter(({ holds }) => holds));
}

function delayedStores(segments: readonly CountedSegment[]): number {
  return segments.reduce((sum, { commits }) => sum + (commits?.length ?? 0), 0);
}

/** Turns of threads: that a store arrives between two steps of one is no other turn. */
function switches(segments: readonly CountedSegment[]): number {
  const threads = segments.filter(({ commits }) => !commits).map(({ thread }) => thread);
  return threads.filter((thread, i) => thread !== threads[i - 1]).length;
}

/** Runs that may be shorter than the given one, the most promising first. */
type Change = (segments: readonly CountedSegment[]) => Generator<CountedSegment[]>;

/** Stores arrive at once: all of them, those of a thread, those of a segment, those of its first or last steps. */
function* holdLess(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  const held = segments.flatMap((segment, i) => (segment.holds ? [{ ...segment, i }] : []));
  if (held.length === 0) return;
  yield join(segments.flatMap((segment) => (segment.commits ? [] : [released(segment, segment.steps)])));
  for (const thread of new Set(held.map((segment) => segment.thread))) {
    yield join(segments.map((segment) => (segment.thread === thread ? released(segment, segment.steps) : segment)));
  }
  for (const { i, steps } of held) {
    for (const some of new Set([steps, Math.ceil(steps / 2), 1])) {
      const { [i]: segment } = segments;
      if (!segment) continue;
      const rest = some < steps ? [{ ...segment, steps: steps - some }] : [];
      yield join([...segments.slice(0, i), released(segment, some), ...rest, ...segments.slice(i + 1)]);
      yield join([...segments.slice(0, i), ...rest, released(segment, some), ...segments.slice(i + 1)]);
    }
  }
}

function released({ holds, ...segment }: CountedSegment, steps: number): CountedSegment {
  return holds ? { ...segment, steps } : segment;
}

function* dropThreads(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  const others = new Set(segments.slice(0, -1).map(({ thread }) => thread));
  others.delete(segments[segments.length - 1]?.thread ?? 0);
  for (const dropped of others) yield join(segments.filter(({ thread }) => thread !== dropped));
}

/** In a stretch of the run, all that one thread does comes first or last. */
function* joinStretches(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  for (const { start, end } of stretches(segments.length)) {
    const stretch = segments.slice(start, end);
    for (const thread of new Set(stretch.map((segment) => segment.thread))) {
      const own = stretch.filter((segment) => segment.thread === thread);
      if (own.length < 2) continue;
      const others = stretch.filter((segment) => segment.thread !== thread);
      yield join([...segments.slice(0, start), ...own, ...others, ...segments.slice(end)]);
      yield join([...segments.slice(0, start), ...others, ...own, ...segments.slice(end)]);
    }
  }
}

/** The last segment is never dropped: it ends in the violation. */
function* dropStretches(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  for (const { start, end } of stretches(segments.length - 1)) {
    yield join([...segments.slice(0, start), ...segments.slice(end)]);
  }
  for (let i = 0; i < segments.length - 1; i++) yield without(segments, i);
}

/** Parts of a list of this length, which overlap by half: all of it, then its halves and so on down to two elements. */
function* stretches(length: number): Generator<{ readonly start: number; readonly end: number }> {
  for (let size = length; size >= 2; size = Math.floor(size / 2)) {
    const step = Math.ceil(size / 2);
    for (let start = 0; start === 0 || start + step < length; start += step) {
      yield { start, end: Math.min(start + size, length) };
    }
  }
}

/** One segment is moved to the one of its thread before or after. */
function* joinNeighbours(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  for (let j = segments.length - 1; j > 0; j--) {
    for (let i = j - 1; i >= 0; i--) {
      if (segments[i]?.thread !== segments[j]?.thread) continue;
      yield moved(segments, j, i + 1);
      yield moved(segments, i, j);
      break;
    }
  }
}

const MOST_FEWER = 3;

/** The segments as they are, and with one of this thread a few steps shorter. */
function* withFewerSteps(segments: readonly CountedSegment[], thread: number): Generator<readonly CountedSegment[]> {
  yield segments;
  for (const [i, segment] of segments.entries()) {
    if (segment.thread !== thread) continue;
    for (let fewer = 1; fewer <= MOST_FEWER && fewer < segment.steps; fewer++) {
      yield segments.map((each, at) => (at === i ? { thread, steps: segment.steps - fewer } : each));
    }
  }
}

/** Long segments may be loops that wait: the first few steps are enough, if they end at the right place in the loop. */
const FEW_STEPS = 12;

function* cutSegments(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  for (let i = 0; i < segments.length; i++) {
    const { steps } = segments[i] as CountedSegment;
    const few = steps > FEW_STEPS ? Array.from({ length: FEW_STEPS }, (_, at) => at + 1) : [];
    for (const fewer of new Set([...few, Math.floor(steps / 2), steps - 1])) {
      if (fewer > 0) yield segments.map((segment, at) => (at === i ? { ...segment, steps: fewer } : segment));
    }
  }
}

/** A thread leaves some of its steps for the next time that it runs. */
function* postponeSteps(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  for (let i = 0; i < segments.length; i++) {
    const { thread, steps } = segments[i] as CountedSegment;
    const next = segments.findIndex((segment, at) => at > i && segment.thread === thread && !segment.commits);
    if (next < 0) continue;
    for (const some of new Set([Math.floor(steps / 2), 1])) {
      if (some <= 0 || some >= steps) continue;
      const change = (at: number) => (at === i ? -some : at === next ? some : 0);
      yield segments.map((segment, at) => ({ ...segment, steps: segment.steps + change(at) }));
    }
  }
}

const CHANGES: readonly Change[] = [
  holdLess,
  dropThreads,
  joinStretches,
  dropStretches,
  joinNeighbours,
  cutSegments,
  postponeSteps,
];

function without(segments: readonly CountedSegment[], index: number): CountedSegment[] {
  return join(segments.filter((_, i) => i !== index));
}

/** Takes a segment out and puts it before the one at `to` (both as numbered before). */
function moved(segments: readonly CountedSegment[], from: number, to: number): CountedSegment[] {
  const rest = segments.filter((_, i) => i !== from);
  rest.splice(from < to ? to - 1 : to, 0, segments[from] as CountedSegment);
  return join(rest);
}

function join(segments: readonly CountedSegment[]): CountedSegment[] {
  const joined: CountedSegment[] = [];
  for (const segment of segments) addSegment(joined, segment);
  return joined;
}
