/**
 * Confirms a backend's counterexample: the interpreter follows it on the program as the user wrote it, and what it sees
 * is shown. Where it comes to no violation, the interruptions are shifted a little, one or two of them at a time; where
 * that does not help, there is no counterexample, and the reason says so.
 */

import { asProgram, type BoundedProgram } from '../program/bounded-program.ts';
import type { CheckName, Code } from '../program/code.ts';
import { largestOf } from '../support/push-all.ts';
import { type CountedRun, runCounted } from '../trace/counted-run.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { MINIMISE_LIMITS, minimise } from '../trace/minimise.ts';
import type { Trace } from '../trace/trace.ts';
import { computesAddresses } from './computes-addresses.ts';
import { type Followed, followRun } from './follow-run.ts';
import { fitLabels } from './labelled-statements.ts';
import { type BackendRun, type RunSource, readRun } from './read-run.ts';
import { watchBound } from './watch-bound.ts';

export interface ReplayRequest extends RunSource {
  readonly bounded: BoundedProgram;
  /** The program as the user wrote it, lowered with the same checks. */
  readonly code: Code;
  readonly checks: ReadonlySet<CheckName>;
  /** Milliseconds; handed in. */
  readonly clock: () => number;
}

export type ReplayedTrace =
  | {
      readonly kind: 'replayed';
      readonly trace: Trace;
      /** With which somebody else can see it, too; null for what only the bounds of this check break. */
      readonly run: CountedRun | null;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const INSTRUCTION_LIMIT = 5_000_000;
const SEARCH_TIME_MS = 5_000;
const SHIFTS = [-1, 1, -2, 2, -3, 3];

export function replayTrace(request: ReplayRequest): ReplayedTrace {
  const run = readRun(request);
  if (run === null) return { kind: 'failed', reason: 'its trace does not tell where an assertion fails' };
  const compiled = compileProgram(request.code);
  const fits = fitLabels(request.bounded, compiled);
  const { failure } = run;
  const watch = failure.check === 'unwinding' ? watchBound(run, request.bounded, request.code) : null;
  const { memoryModel } = request.bounded.options;
  const { threads } = request.output;
  const options = { checks: request.checks, instructionLimit: INSTRUCTION_LIMIT, watch, memoryModel, threads };
  const follow = (changes?: ReadonlyMap<number, number>) => followRun(compiled, run, fits, options, changes);
  const first = follow();
  const found = isConfirmed(first) ? first : search(run, first, follow, request.clock);
  if (found === null) return { kind: 'failed', reason: explain(first, run, request) };
  const { violation } = found.machine;
  const limits = { ...MINIMISE_LIMITS, checks: request.checks, memoryModel };
  const shorter = violation && minimise(compiled, found.run, violation, limits);
  return { kind: 'replayed', trace: shorter?.trace ?? found.recorder.finish(), run: shorter?.run ?? null };
}

/** Whether a run that somebody else found violates something; what it shows, if so. */
export function replayRun({ code, checks }: Pick<ReplayRequest, 'code' | 'checks'>, run: CountedRun): Trace | null {
  const compiled = compileProgram(code);
  const { machine, recorder } = runCounted(compiled, run, { checks, instructionLimit: INSTRUCTION_LIMIT }, true);
  const isViolated = machine.violation !== null && machine.violation.check !== 'unsupported';
  return isViolated ? (recorder?.finish() ?? null) : null;
}

function isConfirmed({ machine }: Followed): boolean {
  return machine.violation !== null && machine.violation.check !== 'unsupported';
}

type Follow = (changes: ReadonlyMap<number, number>) => Followed;

/** Shifts one interruption, then two. */
function search(run: BackendRun, first: Followed, follow: Follow, clock: () => number): Followed | null {
  const deadline = clock() + SEARCH_TIME_MS;
  const isOver = () => clock() > deadline;
  const singles = shifts(run, first, new Map());
  for (const changes of singles) {
    if (isOver()) return null;
    const followed = follow(changes);
    if (isConfirmed(followed)) return followed;
  }
  for (const changes of singles) {
    const base = follow(changes);
    for (const more of shifts(run, base, changes)) {
      if (isOver()) return null;
      const followed = follow(more);
      if (isConfirmed(followed)) return followed;
    }
  }
  return null;
}

/** The changes with one more segment that is longer or shorter than it was, after those that are changed already. */
function shifts(run: BackendRun, { steps }: Followed, changes: ReadonlyMap<number, number>): Map<number, number>[] {
  const from = largestOf(changes.keys(), -1) + 1;
  const shifted: Map<number, number>[] = [];
  for (const shift of SHIFTS) {
    for (let at = from; at < run.segments.length - 1; at++) {
      const count = (steps[at] ?? 0) + shift;
      if (count >= 0) shifted.push(new Map([...changes, [at, count]]));
    }
  }
  return shifted;
}

function explain({ machine }: Followed, { failure }: BackendRun, { bounded }: ReplayRequest): string {
  const what = failure.message === '' ? failure.check : `${failure.check}: ${failure.message}`;
  if (machine.status === 'gave-up') return `it depends on undefined behaviour (${machine.reason})`;
  const nothing = `replaying it violates nothing (expected: ${what})`;
  if (!computesAddresses(asProgram(bounded))) return nothing;
  return `${nothing}; the program makes pointers from numbers, whose upper bits mean something else to the backend`;
}
