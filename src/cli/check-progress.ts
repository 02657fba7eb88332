// What a person sees while a check runs: one line on the terminal that is rewritten, nothing in a pipe.

import type { CheckMessage } from '../host/check-messages.ts';
import type { Coverage } from '../outcome/outcome.ts';
import { groupDigits } from '../support/group-digits.ts';
import type { Io } from './io.ts';
import { createProgress } from './progress.ts';

const REFRESH_MS = 200;
/** Quick checks show nothing. */
const QUIET_MS = 700;

export interface CheckProgress {
  receive(message: CheckMessage): void;
  /** Takes the line away. */
  end(): void;
}

export function showProgress(io: Pick<Io, 'err'>): CheckProgress {
  const line = createProgress(io);
  const startMs = performance.now();
  let text = 'reading';
  let conflicts = 0;
  let covered = '';
  const draw = () => {
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs < QUIET_MS) return;
    const counted = conflicts > 0 ? `, ${groupDigits(conflicts)} conflicts` : '';
    line.show(`${(elapsedMs / 1000).toFixed(0)} s: ${text}${counted}${covered}`);
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
        const size = `${steps} steps, ${groupDigits(variables)} variables, ${groupDigits(clauses)} clauses`;
        text = `unwind ${message.stage.unwind}, rounds ${message.stage.rounds}: solving (${size})`;
      } else if (message.kind === 'conflicts') conflicts = Math.max(conflicts, message.conflicts);
      else if (message.kind === 'proof') {
        const { attempt, frame, clauses, questions } = message.progress;
        text = `proof, ${attempt}: frame ${frame}, ${clauses} clauses, ${groupDigits(questions)} questions`;
      } else if (message.kind === 'covered') covered = `; so far ${describeCoverage(message.coverage)}`;
    },
    end: () => {
      clearInterval(timer);
      line.clear();
    },
  };
}

export function describeCoverage({ bounds: { unwind, rounds, contextSwitches } }: Coverage): string {
  const loops = unwind === null ? 'all iterations' : `unwind ${unwind}`;
  const schedules = contextSwitches === undefined ? `rounds ${rounds}` : `context switches ${contextSwitches}`;
  return `no violation with ${loops}, ${schedules}`;
}
