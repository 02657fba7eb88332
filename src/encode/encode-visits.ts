/**
 * Whether executions come to certain places (steps.ts, `Visit`): literals that can be asked for one after the other. A
 * place is come to when the step before it is passed, its guard holds, and the thread was not cut before. An assumption
 * that follows in the same step has to hold, too; an execution that only comes to the place to end there is not seen.
 */

import type { SteppedProgram, Visit } from '../execute/steps.ts';
import { FALSE, type Literal, not, TRUE } from '../logic/literal.ts';
import type { EncodedCut } from './encode-conditions.ts';
import type { TermEncoder } from './encode-terms.ts';

export interface EncodedVisit {
  readonly visit: Visit;
  readonly literal: Literal;
}

export function encodeVisits(
  program: SteppedProgram,
  encoder: TermEncoder,
  everPassed: (thread: number, step: number) => Literal,
  cuts: readonly EncodedCut[],
): readonly EncodedVisit[] {
  const { circuit } = encoder;
  const literalOf = new Map(cuts.map(({ cut, literal }) => [cut, literal]));
  return program.threads.flatMap((thread) => {
    const { spawn } = thread;
    const started = spawn ? circuit.and(everPassed(spawn.thread, spawn.step), encoder.literalOf(spawn.guard)) : TRUE;
    let cut: Literal = FALSE;
    let next = 0;
    return thread.visits.map((visit): EncodedVisit => {
      for (let at = thread.cuts[next]; at && at.position < visit.position; at = thread.cuts[++next])
        cut = circuit.or(cut, literalOf.get(at) ?? FALSE);
      const passed = visit.step < 0 ? started : everPassed(thread.index, visit.step);
      const comes = circuit.and(passed, encoder.literalOf(visit.guard));
      return { visit, literal: circuit.and(comes, not(cut)) };
    });
  });
}
