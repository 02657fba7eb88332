// What a person sees while a check runs: what it does, how much time is left, which bounds it has reached.

import { type CheckMessage, isProgress } from '../host/check-messages.ts';
import { clockMs } from '../host/clock.ts';
import { ProgressWords } from '../report/progress-words.ts';
import type { Io } from './io.ts';
import { createProgress, type ProgressWish } from './progress.ts';

const REFRESH_MS = 200;
/** Quick checks show nothing. */
const QUIET_MS = 700;

export interface CheckProgress {
  receive(message: CheckMessage): void;
  /** Takes the line away. */
  end(): void;
}

export function showProgress(io: Pick<Io, 'err'>, timeLimitMs: number, wish: ProgressWish = null): CheckProgress {
  const line = createProgress(io, wish);
  const startMs = clockMs();
  const words = new ProgressWords();
  const draw = () => {
    const elapsedMs = clockMs() - startMs;
    if (elapsedMs < QUIET_MS) return;
    const seconds = (ms: number) => Math.round(ms / 1000);
    line.show(`${seconds(elapsedMs)} of ${seconds(timeLimitMs)} s: ${words.text}`);
  };
  const timer = setInterval(draw, REFRESH_MS);
  timer.unref();
  return {
    receive: (message) => {
      if (isProgress(message)) words.receive(message);
    },
    end: () => {
      clearInterval(timer);
      line.clear();
    },
  };
}
