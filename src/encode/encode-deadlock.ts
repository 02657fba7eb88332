/**
 * The question for a deadlock, asked of the last state of the schedule: every thread that exists has ended or waits,
 * and at least one waits. A thread waits at the first step that it has not passed if a condition on which the step's
 * thread routine waits (`waits` of an assumption) is false there. What the step reads is not tied to memory as long as
 * it is not passed; here it gets what memory holds in the end.
 *
 * Left out: executions that run into a cut (whoever is cut could go on) and those in which the program has ended
 * (`halts`). A thread that stands before a failed assumption of the user's own does not wait: there is no such
 * execution.
 */

import type { Assumption, CellId, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import type { BitVector } from '../logic/bit-vector.ts';
import { type Literal, not, TRUE } from '../logic/literal.ts';
import { assertSame } from './assert-same.ts';
import type { TermEncoder } from './encode-terms.ts';

/** The last state of an execution, as the schedule and the memory encode it. */
export interface FinalState {
  readonly everPassed: (thread: number, step: number) => Literal;
  readonly valueOf: (cell: CellId) => BitVector;
  /** Some thread ran into a bound. */
  readonly cuts: readonly Literal[];
}

/** A literal to be assumed to look for a deadlock; null when no thread ever waits. */
export function encodeDeadlock(program: SteppedProgram, encoder: TermEncoder, final: FinalState): Literal | null {
  if (program.threads.every(({ assumptions }) => !assumptions.some(({ waits }) => waits))) return null;
  const { circuit } = encoder;
  const seeks = circuit.fresh();
  const waits: Literal[] = [];
  for (const thread of program.threads) {
    const places = encodeWaits(thread, encoder, final, seeks);
    for (const place of places) waits.push(place);
    const isCreated = creation(thread, encoder, final);
    const hasEnded = thread.steps.length === 0 ? TRUE : final.everPassed(thread.index, thread.steps.length - 1);
    circuit.addClause([not(seeks), not(isCreated), hasEnded, ...places]);
    for (const { step, guard } of thread.halts) {
      const isReached = step < 0 ? isCreated : final.everPassed(thread.index, step);
      circuit.addClause([not(seeks), not(isReached), not(encoder.literalOf(guard))]);
    }
  }
  circuit.addClause([not(seeks), ...waits]);
  for (const cut of final.cuts) circuit.addClause([not(seeks), not(cut)]);
  return seeks;
}

function creation({ spawn }: SteppedThread, encoder: TermEncoder, final: FinalState): Literal {
  if (spawn === null) return TRUE;
  return encoder.circuit.and(final.everPassed(spawn.thread, spawn.step), encoder.literalOf(spawn.guard));
}

/** For each step at which the thread can wait: that it does. */
function encodeWaits(thread: SteppedThread, encoder: TermEncoder, final: FinalState, seeks: Literal): Literal[] {
  const { circuit } = encoder;
  const isCreated = creation(thread, encoder, final);
  const waits: Literal[] = [];
  for (const [l, step] of thread.steps.entries()) {
    const assumptions = thread.assumptions.filter((assumption) => assumption.step === l);
    if (!assumptions.some((assumption) => assumption.waits)) continue;
    const isThere = l === 0 ? isCreated : final.everPassed(thread.index, l - 1);
    const stands = circuit.andMany([isThere, not(final.everPassed(thread.index, l)), encoder.literalOf(step.guard)]);
    const literal = circuit.and(stands, failsToPass(assumptions, encoder));
    waits.push(literal);
    const looks = circuit.and(seeks, literal);
    for (const access of step.accesses) {
      if (access.kind !== 'read') continue;
      for (const { cell, select } of access.targets) {
        const when = circuit.andMany([looks, encoder.literalOf(access.guard), encoder.literalOf(select)]);
        assertSame(circuit, when, encoder.bitsOf(access.result), final.valueOf(cell));
      }
    }
  }
  return waits;
}

/** The first condition that does not hold is one that the thread waits for. */
function failsToPass(assumptions: readonly Assumption[], encoder: TermEncoder): Literal {
  const { circuit } = encoder;
  const reasons: Literal[] = [];
  let holdsSoFar: Literal = TRUE;
  for (const { guard, condition, waits } of assumptions) {
    const fails = circuit.and(encoder.literalOf(guard), not(encoder.literalOf(condition)));
    if (waits) reasons.push(circuit.and(holdsSoFar, fails));
    holdsSoFar = circuit.and(holdsSoFar, not(fails));
  }
  return circuit.orMany(reasons);
}
