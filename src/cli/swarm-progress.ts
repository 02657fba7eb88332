// How far a swarm is: one line of a terminal, and one line a minute where there is none.

import { clockMs } from '../host/clock.ts';
import { groupDigits } from '../support/group-digits.ts';
import type { Io } from './io.ts';
import { createProgress, type ProgressWish } from './progress.ts';

const REFRESH_MS = 200;
const LOG_INTERVAL_MS = 60_000;

export interface SwarmState {
  readonly done: number;
  /** Of those, what an earlier run had done. */
  readonly earlier: number;
  readonly running: number;
  readonly bugs: number;
  readonly unknown: number;
}

export function showSwarm(
  io: Pick<Io, 'err'>,
  count: bigint,
  wish: ProgressWish,
  state: () => SwarmState,
): { readonly end: () => void } {
  const line = createProgress(io, wish ?? true, LOG_INTERVAL_MS);
  const startMs = clockMs();
  const timer = setInterval(() => {
    const elapsedMs = clockMs() - startMs;
    if (io.err.columns !== null || elapsedMs > LOG_INTERVAL_MS) line.show(describeState(state(), count, elapsedMs));
  }, REFRESH_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      line.clear();
    },
  };
}

export function describeState(
  { done, earlier, running, bugs, unknown }: SwarmState,
  count: bigint,
  ms: number,
): string {
  const fresh = done - earlier;
  const rate = fresh / (ms / 1000);
  const left = Number(count) - done;
  const parts = [`${groupDigits(done)} of ${groupDigits(count)} instances done`, `${running} running`];
  if (fresh > 0 && ms > 0)
    parts.push(
      `${rate < 100 ? rate.toPrecision(2) : groupDigits(Math.round(rate))}/s`,
      `${describeSeconds(left / rate)} left`,
    );
  parts.push(bugs === 1 ? '1 bug' : `${bugs} bugs`);
  if (unknown > 0) parts.push(`${unknown} without an answer`);
  return parts.join(', ');
}

function describeSeconds(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.ceil(seconds / 60)} min`;
  return seconds < 360_000 ? `${Math.ceil(seconds / 3600)} h` : `${groupDigits(Math.ceil(seconds / 86_400))} days`;
}
