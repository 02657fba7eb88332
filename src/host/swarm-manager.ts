/**
 * The manager of a swarm: runners, each with one instance at a time, which is made when the runner is free. An instance
 * that runs out of time or memory is split, where the agenda says so. Nothing is kept of what is done; whoever wants
 * results gets them as they come.
 */

import type { Agenda, Task } from '../engines/swarm/agenda.ts';
import type { TimedResult } from '../engines/swarm/instance-result.ts';
import type { InstanceRunner } from './instance-runner.ts';

export interface SwarmPlan {
  readonly agenda: Agenda;
  readonly runners: readonly InstanceRunner[];
  readonly onStart?: (task: Task) => void;
  /** True ends the swarm: what runs is cancelled and has no result. */
  readonly onResult: (task: Task, result: TimedResult) => boolean;
  readonly signal?: AbortSignal;
}

/** Resolves when all is done, when a result ends it, or after an abort. Rejects for a fault of ours. */
export async function runSwarm(plan: SwarmPlan): Promise<void> {
  const { agenda, runners, signal } = plan;
  let isOver = signal?.aborted ?? false;
  let running = 0;
  /** Those who wait for parts of what others run. */
  let idle: (() => void)[] = [];
  const wake = () => {
    for (const go of idle) go();
    idle = [];
  };
  const take = async (runner: InstanceRunner): Promise<Task | null> => {
    await runner.ready?.();
    for (;;) {
      const task = isOver ? null : agenda.take();
      if (task !== null) running++;
      if (task !== null || isOver || running === 0) return task;
      await new Promise<void>((resolve) => idle.push(resolve));
    }
  };
  const stop = () => {
    isOver = true;
    wake();
    return Promise.all(runners.map((runner) => runner.dispose()));
  };
  const abort = () => void stop();
  signal?.addEventListener('abort', abort);
  const work = async (runner: InstanceRunner) => {
    for (let task = await take(runner); task !== null; task = await take(runner)) {
      plan.onStart?.(task);
      const result = await runner.run(task).catch((error: unknown) => {
        if (!isOver) throw error;
        return null;
      });
      running--;
      // What was cancelled is run again another time.
      if (result === null || isOver) return;
      if (plan.onResult(task, splitIfLate(agenda, task, result))) await stop();
      wake();
    }
    // Nothing is left and nothing runs: those who wait until an instance is wanted wait in vain.
    if (!isOver) await stop();
  };
  try {
    await Promise.all(runners.map(work));
  } finally {
    signal?.removeEventListener('abort', abort);
    await stop();
  }
}

function splitIfLate(agenda: Agenda, task: Task, timed: TimedResult): TimedResult {
  const { result } = timed;
  if (result.kind !== 'unknown' || (result.cause !== 'time' && result.cause !== 'memory')) return timed;
  const parts = agenda.split(task);
  return parts === null ? timed : { ...timed, result: { kind: 'split', parts } };
}
