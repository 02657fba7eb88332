/** Solving within a budget: solvers are interrupted when its share of the time is up, or the check is aborted. */

import type { SatSolver } from '../solver/solver.ts';
import { type Budget, timeLeft } from './engine.ts';

/** `mustStop` is for who has more to do than to wait for the solver. */
export async function withinBudget<T>(
  budget: Budget,
  action: (createSolver: () => Promise<SatSolver>, mustStop: () => boolean) => Promise<T>,
): Promise<T> {
  const { clock, after, signal, createSolver } = budget.environment;
  const limitMs = Math.max(0, Math.min(budget.shareMs, timeLeft(budget)));
  const end = clock() + limitMs;
  let running: SatSolver | null = null;
  let isOver = false;
  const interrupt = () => {
    isOver = true;
    running?.interrupt();
  };
  const cancel = after(limitMs, interrupt);
  signal?.addEventListener('abort', interrupt);
  try {
    return await action(
      async () => {
        running = await createSolver();
        if (isOver) running.interrupt();
        return running;
      },
      () => isOver || clock() > end,
    );
  } finally {
    cancel();
    signal?.removeEventListener('abort', interrupt);
  }
}
