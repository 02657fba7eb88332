/**
 * A program made ready for the instances of a swarm: it is executed symbolically once, and each instance is a question
 * to what came of that. Whoever runs instances (a thread of this process, a worker on another machine) holds one.
 */

import { isUnsupported } from '../../execute/steps.ts';
import type { CoveredBounds, Unknown } from '../../outcome/outcome.ts';
import type { SatSolver } from '../../solver/solver.ts';
import type { Schedule } from '../../trace/replay.ts';
import { placeOf } from '../bounded/bounded-engine.ts';
import { Preparation } from '../bounded/preparation.ts';
import type { SolveResult } from '../bounded/solve.ts';
import type { ScheduleOptions } from '../bounded/symbolic-schedule.ts';
import { confirm } from '../confirm.ts';
import type { Budget, Problem } from '../engine.ts';
import { createAsker, type InstanceAsker, type InstanceRoad } from './ask-instances.ts';
import { findPlaces } from './find-places.ts';
import type { InstanceResult } from './instance-result.ts';
import type { Instance } from './instances.ts';
import type { ThreadPlaces } from './places.ts';
import { stopsOf } from './stops.ts';

export const SWARM = 'swarm';

export interface PreparedSwarm {
  readonly kind: 'prepared';
  readonly threads: readonly ThreadPlaces[];
  /** One at a time. A solver that gives up gives an unknown result. */
  run(instance: Instance, budget: Budget): Promise<InstanceResult>;
  /**
   * Tries to say "no" where the search for a bug came to no end: the instance as a formula of its own, which is
   * smaller, on a solver that is set to refute.
   */
  prove(instance: Instance, budget: Budget): Promise<InstanceResult>;
  /** Replays what somebody else found. */
  replay(schedule: Schedule, budget: Budget): InstanceResult;
  dispose(): void;
}

export interface SwarmOptions {
  /** `assumed` by default: quicker, or as quick, where both were measured (docs/swarm.md). */
  readonly road?: InstanceRoad;
  readonly createSolver: () => Promise<SatSolver>;
  /** A solver without an answer was only stopped: it keeps what it learned and can be asked again. */
  readonly wasStopped: () => boolean;
  /** One that is good at refuting. */
  readonly createRefuter: () => Promise<SatSolver>;
}

/** The bounds are those of the problem's stage. */
export function prepareSwarm(problem: Problem, budget: Budget, options: SwarmOptions): PreparedSwarm | Unknown {
  const { stage, code } = problem;
  const { contextSwitches, closingMain } = problem.options;
  const bounds: CoveredBounds =
    contextSwitches === null ? stage : { unwind: stage.unwind, rounds: null, contextSwitches };
  const preparation = new Preparation();
  const prepared = preparation.prepareFor(problem, budget);
  const common = { kind: 'unknown', engine: SWARM, bounds, attempts: [] } as const;
  if (prepared.kind === 'unsupported')
    return { ...common, cause: 'unsupported', reason: prepared.reason, loc: prepared.loc };
  if (prepared.kind === 'limit') return { ...common, cause: 'limit', reason: prepared.reason, loc: null };
  const { program } = prepared;
  const schedule: ScheduleOptions = {
    kind: contextSwitches === null ? 'rounds' : 'contexts',
    slots: contextSwitches === null ? stage.rounds : contextSwitches + 1,
    closingMain,
  };
  const threads = findPlaces(program, code);
  const reach = preparation.reachFor(code);
  let asker: InstanceAsker | null = null;
  const replay = (found: Schedule, instanceBudget: Budget): InstanceResult => {
    const candidate = { kind: 'candidate', engine: SWARM, bounds, schedule: found } as const;
    const outcome = confirm(candidate, problem, instanceBudget);
    if (outcome.kind !== 'unsafe') return outcome;
    return { kind: 'violation', outcome, run: { kind: 'schedule', schedule: found } };
  };
  const judge = (solved: SolveResult, instanceBudget: Budget): InstanceResult => {
    switch (solved.kind) {
      case 'unknown':
      case 'open':
        return { kind: 'unknown', cause: /memory/.test(solved.reason) ? 'memory' : 'solver', reason: solved.reason };
      case 'violation':
        return replay(solved.schedule, instanceBudget);
      case 'none': {
        const unsupported = solved.cuts?.find(isUnsupported);
        if (unsupported) return { kind: 'unknown', cause: 'unsupported', reason: unsupported.where };
        const cuts = solved.cuts?.map((cut) => placeOf(cut, code)) ?? null;
        return { kind: 'none', cuts, assertions: reach.coverage() };
      }
    }
  };
  const ask = async (asked: InstanceAsker, instance: Instance) => {
    reach.begin();
    return asked.ask(stopsOf(instance, threads), reach);
  };
  return {
    kind: 'prepared',
    threads,
    run: async (instance, instanceBudget) => {
      asker ??= createAsker(options.road ?? 'assumed', program, { schedule, createSolver: options.createSolver });
      const result = await ask(asker, instance);
      if (result.kind === 'unknown' && !options.wasStopped()) {
        // A solver that ran out of memory is lost.
        asker.dispose();
        asker = null;
      }
      return judge(result, instanceBudget);
    },
    prove: async (instance, instanceBudget) => {
      const prover = createAsker('merged', program, { schedule, createSolver: options.createRefuter });
      const result = judge(await ask(prover, instance), instanceBudget);
      prover.dispose();
      return result.kind === 'none' ? { ...result, isDischarged: true } : result;
    },
    replay,
    dispose: () => asker?.dispose(),
  };
}
