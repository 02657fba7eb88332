/**
 * Makes a counterexample short: fewer context switches first, then fewer steps. A quick search: threads are left out; segments of
 * one thread are joined, forwards or backwards in time, dropped or cut, and each attempt is run; it counts when it breaks the
 * same property at the same place. The result is no minimum, only what the budget reaches.
 */

import { addSegment, type CountedRun, type CountedRunOptions, type CountedSegment, runCounted } from './counted-run.ts';
import type { CompiledProgram } from './interpreter/compile-instructions.ts';
import type { Violation } from './interpreter/state.ts';
import type { Trace } from './trace.ts';

export interface MinimiseOptions extends CountedRunOptions {
  /** Milliseconds; handed in. */
  readonly clock: () => number;
  readonly timeLimitMs: number;
  readonly runLimit: number;
}

export interface Minimised {
  readonly run: CountedRun;
  readonly trace: Trace;
  readonly attempts: number;
}

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
  const best: CountedRun = { segments: search.best, inputs: run.inputs };
  const { recorder } = runCounted(program, best, options, true);
  return recorder ? { run: best, trace: recorder.finish(), attempts: search.attempts } : null;
}

class Search {
  best: readonly CountedSegment[];
  attempts = 0;
  readonly #program: CompiledProgram;
  readonly #run: CountedRun;
  readonly #violation: Pick<Violation, 'check' | 'loc'>;
  readonly #options: MinimiseOptions;
  readonly #deadline: number;

  constructor(
    program: CompiledProgram,
    run: CountedRun,
    violation: Pick<Violation, 'check' | 'loc'>,
    options: MinimiseOptions,
  ) {
    this.#program = program;
    this.#run = run;
    this.#violation = violation;
    this.#options = options;
    this.#deadline = options.clock() + options.timeLimitMs;
    this.best = run.segments;
  }

  start(): boolean {
    const first = this.#try(this.best);
    if (first) this.best = first;
    return first !== null;
  }

  /** Tries all changes of the best run once; true when one of them was better and there is time for more. */
  improve(): boolean {
    for (const candidate of changes(this.best)) {
      if (this.#isOver()) return false;
      const better = this.#try(candidate);
      if (better && isShorter(better, this.best)) {
        this.best = better;
        return true;
      }
    }
    return false;
  }

  #isOver(): boolean {
    return this.attempts >= this.#options.runLimit || this.#options.clock() > this.#deadline;
  }

  /** The segments really run, if they break the same property at the same place. */
  #try(segments: readonly CountedSegment[]): readonly CountedSegment[] | null {
    this.attempts++;
    const result = runCounted(this.#program, { segments, inputs: this.#run.inputs }, this.#options, false);
    const found = result.machine.violation;
    return found?.check === this.#violation.check && found.loc === this.#violation.loc ? result.segments : null;
  }
}

function isShorter(a: readonly CountedSegment[], b: readonly CountedSegment[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const total = (segments: readonly CountedSegment[]) => segments.reduce((sum, segment) => sum + segment.steps, 0);
  return total(a) < total(b);
}

/** Runs that may be shorter, the most promising first. */
function* changes(segments: readonly CountedSegment[]): Generator<CountedSegment[]> {
  const others = new Set(segments.slice(0, -1).map(({ thread }) => thread));
  others.delete(segments[segments.length - 1]?.thread ?? 0);
  for (const dropped of others) yield join(segments.filter(({ thread }) => thread !== dropped));
  for (let i = 0; i < segments.length - 1; i++) yield without(segments, i);
  for (let j = segments.length - 1; j > 0; j--) {
    for (let i = j - 1; i >= 0; i--) {
      if (segments[i]?.thread !== segments[j]?.thread) continue;
      yield moved(segments, j, i + 1);
      yield moved(segments, i, j);
      break;
    }
  }
  for (let i = 0; i < segments.length; i++) {
    const { thread, steps } = segments[i] as CountedSegment;
    for (const fewer of new Set([Math.floor(steps / 2), steps - 1])) {
      if (fewer > 0) yield segments.map((segment, at) => (at === i ? { thread, steps: fewer } : segment));
    }
  }
}

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
