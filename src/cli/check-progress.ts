// What a person sees while a check runs: what it does, how much time is left, which bounds it has reached.

import type { CheckMessage } from '../host/check-messages.ts';
import { clockMs } from '../host/clock.ts';
import type { Coverage } from '../outcome/outcome.ts';
import type { Work } from '../outcome/progress.ts';
import { groupDigits } from '../support/group-digits.ts';
import type { Io } from './io.ts';
import { createProgress, type ProgressWish } from './progress.ts';

const REFRESH_MS = 200;
/** Quick checks show nothing. */
const QUIET_MS = 700;

const WORDS: Readonly<Record<Work, string>> = {
  explore: 'trying concrete runs',
  analyse: 'analysing values',
  execute: 'executing symbolically',
  solve: 'solving',
  replay: 'replaying and shortening the counterexample',
  prove: 'looking for a proof',
};

export interface CheckProgress {
  receive(message: CheckMessage): void;
  /** Takes the line away. */
  end(): void;
}

export function showProgress(io: Pick<Io, 'err'>, timeLimitMs: number, wish: ProgressWish = null): CheckProgress {
  const line = createProgress(io, wish);
  const startMs = clockMs();
  let prefix = '';
  let text = 'reading the program';
  let conflicts = 0;
  let covered = '';
  const draw = () => {
    const elapsedMs = clockMs() - startMs;
    if (elapsedMs < QUIET_MS) return;
    const counted = conflicts > 0 ? `, ${groupDigits(conflicts)} conflicts` : '';
    const seconds = (ms: number) => Math.round(ms / 1000);
    line.show(`${seconds(elapsedMs)} of ${seconds(timeLimitMs)} s: ${text}${counted}${covered}`);
  };
  const timer = setInterval(draw, REFRESH_MS);
  timer.unref();
  return {
    receive: (message) => {
      if (message.kind === 'work') text = `${prefix}${WORDS[message.what]}`;
      else if (message.kind === 'stage') {
        prefix = `unwind ${message.stage.unwind}, rounds ${message.stage.rounds}: `;
        text = `${prefix}executing symbolically`;
        conflicts = 0;
      } else if (message.kind === 'formula') {
        const { steps, variables, clauses } = message.size;
        const size = `${steps} steps, ${groupDigits(variables)} variables, ${groupDigits(clauses)} clauses`;
        text = `${prefix}solving (${size})`;
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
