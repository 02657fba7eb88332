/** From Code to the graphs that systems are built from: the order of the passes. */

import type { CheckName } from '../../program/check-names.ts';
import type { Code } from '../../program/code.ts';
import { analyseValues } from './analyse-values.ts';
import { countAdditions } from './count-additions.ts';
import { countPassages } from './count-passages.ts';
import { countTurns } from './count-turns.ts';
import { findCandidates } from './find-candidates.ts';
import { findSteps, type ProgramSteps } from './find-steps.ts';
import { fixAddresses } from './fix-addresses.ts';
import { forgetCounters } from './forget-counters.ts';
import type { Model } from './graph.ts';
import { inlineThreads } from './inline-threads.ts';
import { ownCells } from './own-cells.ts';
import { resolveAccesses } from './resolve-accesses.ts';
import { joinRetriedUpdates } from './retried-updates.ts';
import { simplifyGraph } from './simplify-graph.ts';
import { waitForSpinLocks } from './spin-locks.ts';
import { splitEnding } from './split-ending.ts';

export interface ModelOptions {
  readonly checks: ReadonlySet<CheckName>;
  /** Drop what influences no condition, replace registers by terms. */
  readonly reduce: boolean;
  /** Infer locks and what they guard. */
  readonly locks: boolean;
  /** Take threads that begin alike for any number of threads. */
  readonly replicate: boolean;
  /** How many objects a place allocates at a time (0: one, once), and whether they are each thread's own. */
  readonly instances: number;
  readonly ownHeap: boolean;
  /** Guess that main is alone once it has joined threads of any number. */
  readonly ending: boolean;
  /** Follow one element of each array whose places are not told apart. */
  readonly elements: boolean;
  /** Copy the loops of threads of any number that end by constants: what they add then goes by place. */
  readonly unroll: boolean;
  /** Count what threads of any number write. */
  readonly passages: boolean;
  /** Count how often each of them writes it, in loops. */
  readonly turns: boolean;
  /** Count how often threads add to variables in loops. */
  readonly additions: boolean;
  /** Let loops that count end at any time. */
  readonly forget: boolean;
  /** Where threads wait matters, for deadlocks. */
  readonly waits: boolean;
  /** Data races with what thread routines access in their sections count, too (carry-over.ts). */
  readonly isWeak: boolean;
  /** Called between passes and rounds; throws when time is up. */
  readonly poll: () => void;
}

/** Values and jumps are simplified until little is left to gain. */
const MOST_ROUNDS = 6;

export interface PreparedModel {
  readonly model: Model;
  readonly steps: ProgramSteps;
}

export function prepareModel(code: Code, options: ModelOptions): PreparedModel {
  const model = inlineThreads(code, options);
  options.poll();
  fixAddresses(model);
  simplifyGraph(model, { slice: false, forward: false });
  const { checks, ending, elements, isWeak } = options;
  resolveAccesses(model, { dataModel: code.dataModel, checks, ending, elements, isWeak });
  findCandidates(model);
  if (options.passages) countPassages(model, options.turns);
  const simplify = { slice: options.reduce, forward: options.reduce };
  const sizeOf = () => model.bodies.reduce((sum, { nodes }) => sum + nodes.length, 0);
  for (let round = 0, size = -1; round < MOST_ROUNDS && size !== sizeOf(); round++) {
    size = sizeOf();
    options.poll();
    simplifyGraph(model, simplify);
    ownCells(model);
    analyseValues(model, options);
    simplifyGraph(model, simplify);
    // What no thread comes to is gone by now.
    if (round === 0 && options.additions) countAdditions(model, options.poll);
    if (round === 0 && options.turns) countTurns(model, options.poll);
    if (round === 0 && options.forget) forgetCounters(model);
    if (round === 0) splitEnding(model);
    if (!options.locks) continue;
    if (!checks.has('race')) {
      waitForSpinLocks(model, options.waits);
      joinRetriedUpdates(model, options.waits);
    }
    findSteps(model, options);
  }
  analyseValues(model, options);
  simplifyGraph(model, simplify);
  return { model, steps: findSteps(model, options) };
}
