/** How far a check has come, in words, from the events that it tells: for the line of the terminal and for the page. */

import type { Coverage } from '../outcome/outcome.ts';
import type { ProgressEvent, Work } from '../outcome/progress.ts';
import { groupDigits } from '../support/group-digits.ts';

const WORDS: Readonly<Record<Work, string>> = {
  explore: 'trying concrete runs',
  analyse: 'analysing values',
  execute: 'executing symbolically',
  solve: 'solving',
  replay: 'replaying and shortening the counterexample',
  prove: 'looking for a proof',
};

export class ProgressWords {
  #prefix = '';
  #text = 'reading the program';
  #conflicts = 0;
  #covered = '';

  receive(event: ProgressEvent): void {
    if (event.kind === 'work') this.#text = `${this.#prefix}${WORDS[event.what]}`;
    else if (event.kind === 'stage') {
      this.#prefix = `unwind ${event.stage.unwind}, rounds ${event.stage.rounds}: `;
      this.#text = `${this.#prefix}executing symbolically`;
      this.#conflicts = 0;
    } else if (event.kind === 'formula') {
      const { steps, variables, clauses } = event.size;
      const size = `${steps} steps, ${groupDigits(variables)} variables, ${groupDigits(clauses)} clauses`;
      this.#text = `${this.#prefix}solving (${size})`;
    } else if (event.kind === 'conflicts') this.#conflicts = Math.max(this.#conflicts, event.conflicts);
    else if (event.kind === 'proof') {
      const { attempt, frame, clauses, questions } = event.progress;
      this.#text = `proof, ${attempt}: frame ${frame}, ${clauses} clauses, ${groupDigits(questions)} questions`;
    } else if (event.kind === 'covered') this.#covered = `; so far ${describeCoverage(event.coverage)}`;
  }

  get text(): string {
    const counted = this.#conflicts > 0 ? `, ${groupDigits(this.#conflicts)} conflicts` : '';
    return `${this.#text}${counted}${this.#covered}`;
  }
}

export function describeCoverage({ bounds: { unwind, rounds, contextSwitches } }: Coverage): string {
  const loops = unwind === null ? 'all iterations' : `unwind ${unwind}`;
  const schedules = contextSwitches === undefined ? `rounds ${rounds}` : `context switches ${contextSwitches}`;
  return `no violation with ${loops}, ${schedules}`;
}
