/**
 * The third look at a proof: concrete runs on the interpreter, which shares nothing with it but the Code: the usual
 * ones, and some in which hundreds of threads run, where the program creates so many. No run may break the program, and
 * none may come to a place that the invariant excludes. A model in which threads get stuck proves anything: here it
 * shows. What a run contradicts is a fault of ours, never a verdict.
 */

import type { CheckName } from '../program/check-names.ts';
import { InvariantError } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import type { CompiledProgram } from '../trace/interpreter/compile-instructions.ts';
import type { Recorder } from '../trace/interpreter/state.ts';
import { runCrowds } from './explore/crowd-runs.ts';
import { DEFAULT_EXPLORE_LIMITS, Explorer } from './explore/explore.ts';
import type { ExcludedAccesses } from './prove/find-excluded.ts';

const RUNS = 60;
const LONGEST_MS = 300;
const INSTRUCTIONS = 20_000;
const CROWDS_MS = 600;

export interface RunsOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly seed: number;
  readonly clock: () => number;
  /** What, as the invariant says, no thread ever comes to. */
  readonly excluded: ExcludedAccesses;
}

export function checkByRuns(program: CompiledProgram, { checks, seed, clock, excluded }: RunsOptions): void {
  let contradicted: Loc | null = null;
  const note: Recorder = ({ kind }, _frame, { loc }) => {
    if ((kind === 'read' || kind === 'write') && excluded[kind].has(loc)) contradicted = loc;
  };
  const explorer = new Explorer(program, {
    ...DEFAULT_EXPLORE_LIMITS,
    ...{ checks, seed, clock, runLimit: RUNS, timeLimitMs: LONGEST_MS, instructionLimit: INSTRUCTIONS },
    watch: (_machine, ...seen) => note(...seen),
  });
  const { found } = explorer.explore(LONGEST_MS, LONGEST_MS);
  const violation =
    found?.violation ?? runCrowds(program, { checks, seed, clock, timeLimitMs: CROWDS_MS, watch: note });
  if (violation) throw new InvariantError(`a proof is refuted by a concrete run: ${violation.message}`);
  if (contradicted === null) return;
  const place = program.code.sources.place(contradicted);
  throw new InvariantError(`an invariant excludes what a concrete run comes to: ${place?.file}:${place?.line}`);
}
