// What a person sees while a check runs: one line on the terminal that is rewritten, nothing in a pipe.

import type { CheckMessage, Coverage } from '../swarm/check-messages.ts';
import type { TextOutput } from './io.ts';

const REFRESH_MS = 200;
/** Quick checks show nothing. */
const QUIET_MS = 700;

export interface CheckProgress {
  receive(message: CheckMessage): void;
  /** Takes the line away. */
  end(): void;
}

export function showProgress(output: TextOutput, isWanted: boolean): CheckProgress {
  const columns = output.columns;
  if (!isWanted || columns === null) return { receive: () => {}, end: () => {} };
  const startMs = performance.now();
  let text = 'reading';
  let conflicts = 0;
  let covered = '';
  let isShown = false;
  const draw = () => {
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs < QUIET_MS) return;
    const counted = conflicts > 0 ? `, ${conflicts.toLocaleString('en')} conflicts` : '';
    const line = `${(elapsedMs / 1000).toFixed(0)} s: ${text}${counted}${covered}`;
    output.write(`\r\x1b[K${line.slice(0, columns - 1)}`);
    isShown = true;
  };
  const timer = setInterval(draw, REFRESH_MS);
  timer.unref();
  return {
    receive: (message) => {
      if (message.kind === 'stage') {
        text = `unwind ${message.stage.unwind}, rounds ${message.stage.rounds}: executing symbolically`;
        conflicts = 0;
      } else if (message.kind === 'formula') {
        const { steps, variables, clauses } = message.size;
        const size = `${steps} steps, ${variables.toLocaleString('en')} variables, ${clauses.toLocaleString('en')} clauses`;
        text = `unwind ${message.stage.unwind}, rounds ${message.stage.rounds}: solving (${size})`;
      } else if (message.kind === 'conflicts') conflicts = Math.max(conflicts, message.conflicts);
      else if (message.kind === 'covered') covered = `; so far ${describeCoverage(message.coverage)}`;
    },
    end: () => {
      clearInterval(timer);
      if (isShown) output.write('\r\x1b[K');
    },
  };
}

export function describeCoverage({ stage }: Coverage): string {
  return `no violation with unwind ${stage.unwind}, rounds ${stage.rounds}`;
}
