/**
 * The manager of a swarm: as many runners as there are cores, each with one instance at a time, which is made when the
 * runner is free. It keeps nothing of what is done; whoever wants results gets them as they come.
 */

import type { TimedResult } from '../engines/swarm/instance-result.ts';
import type { Instance, Instances } from '../engines/swarm/instances.ts';
import type { InstanceRunner } from './instance-runner.ts';

export interface SwarmPlan {
  readonly instances: Instances;
  /** Has a result from an earlier run. */
  readonly isDone: (index: bigint) => boolean;
  readonly runners: readonly InstanceRunner[];
  readonly onStart?: (index: bigint, instance: Instance) => void;
  /** True ends the swarm: what runs is cancelled and has no result. */
  readonly onResult: (index: bigint, instance: Instance, result: TimedResult) => boolean;
  readonly signal?: AbortSignal;
}

/** Resolves when all is done, when a result ends it, or after an abort. Rejects for a fault of ours. */
export async function runSwarm(plan: SwarmPlan): Promise<void> {
  const { instances, isDone, runners, signal } = plan;
  let next = 0n;
  let isOver = signal?.aborted ?? false;
  const take = (): bigint | null => {
    while (next < instances.count && isDone(next)) next++;
    return next < instances.count && !isOver ? next++ : null;
  };
  const stop = () => {
    isOver = true;
    return Promise.all(runners.map((runner) => runner.dispose()));
  };
  const abort = () => void stop();
  signal?.addEventListener('abort', abort);
  const work = async (runner: InstanceRunner) => {
    for (let index = take(); index !== null; index = take()) {
      const instance = instances.at(index);
      plan.onStart?.(index, instance);
      const result = await runner.run(instance).catch((error: unknown) => {
        if (!isOver) throw error;
        return null;
      });
      // What was cancelled is run again another time.
      if (result === null || isOver) return;
      if (plan.onResult(index, instance, result)) await stop();
    }
  };
  try {
    await Promise.all(runners.map(work));
  } finally {
    signal?.removeEventListener('abort', abort);
    await stop();
  }
}
