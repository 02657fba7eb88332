/**
 * A candidate becomes a counterexample only here: the interpreter replays it, and makes it short. One that does not
 * replay is a fault of ours, never a verdict; unless it guesses an address, which the interpreter has elsewhere.
 */

import type { Unknown, Unsafe } from '../outcome/outcome.ts';
import { InvariantError } from '../support/invariant.ts';
import { MINIMISE_LIMITS, minimise } from '../trace/minimise.ts';
import { replayCompiled } from '../trace/replay.ts';
import type { Budget, Candidate, Problem } from './engine.ts';

export function confirm(candidate: Candidate, problem: Problem, { environment, deadline }: Budget): Unsafe | Unknown {
  const start = environment.clock();
  problem.observer.onWork?.('replay');
  const outcome = replay(candidate, problem, () => environment.clock() > deadline);
  problem.observer.onTime?.('replay', environment.clock() - start);
  return outcome;
}

function replay(
  { engine, bounds, schedule }: Candidate,
  { compiled, checks, options: { memoryModel } }: Problem,
  isOver: () => boolean,
): Unsafe | Unknown {
  const replayed = replayCompiled(compiled, schedule, { checks, memoryModel });
  if (replayed.kind === 'mismatch') {
    if (!schedule.guessesAddress) throw new InvariantError(`a counterexample does not replay: ${replayed.message}`);
    const reason = 'an unconstrained value may be the address of an object';
    return { kind: 'unknown', engine, bounds, cause: 'unconfirmed', reason, loc: null, attempts: [] };
  }
  const { run, violation, trace } = replayed;
  const shorter = minimise(compiled, run, violation, { ...MINIMISE_LIMITS, checks, memoryModel, isOver });
  return { kind: 'unsafe', engine, bounds, trace: shorter?.trace ?? trace };
}
