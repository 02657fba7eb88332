/**
 * The question for a deadlock, asked of the last state of the schedule: every thread that exists has ended or waits,
 * and at least one waits; or some threads wait for one another in a circle, each for a lock that the next one holds or
 * for its end, whatever the others do. A thread waits at the first step that it has not passed if a condition on which
 * the step's thread routine waits (`waits` of an assumption) is false there. What the step reads is not tied to memory
 * as long as it is not passed; here it gets what memory holds in the end.
 *
 * Left out: executions that run into a cut (whoever is cut could go on) and those in which the program has ended
 * (`halts`). Of a circle neither matters: what others come to does not open it, and whoever has passed the last step
 * before the program's end may still stand before that. A thread that stands before a failed assumption of the user's
 * own does not wait: there is no such execution.
 */

import type { Assumption, CellId, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import type { BitVector } from '../logic/bit-vector.ts';
import type { Evaluation } from '../logic/evaluate.ts';
import { type Literal, not, TRUE } from '../logic/literal.ts';
import type { Term } from '../values/terms.ts';
import { assertSame } from './assert-same.ts';
import type { TermEncoder } from './encode-terms.ts';

/** The last state of an execution, as the schedule and the memory encode it. */
export interface FinalState {
  readonly everPassed: (thread: number, step: number) => Literal;
  readonly valueOf: (cell: CellId) => BitVector;
  /** Some thread ran into a bound. */
  readonly cuts: readonly Literal[];
}

export class EncodedDeadlock {
  /** Assume it to look for a deadlock. */
  readonly seeks: Literal;
  readonly #circle: Literal;
  readonly #members: ReadonlyMap<number, Literal>;

  constructor(seeks: Literal, circle: Literal, members: ReadonlyMap<number, Literal>) {
    this.seeks = seeks;
    this.#circle = circle;
    this.#members = members;
  }

  /** The threads of a circle; null where all that are left are stuck. */
  circleIn(model: Evaluation): readonly number[] | null {
    if (!model.value(this.#circle)) return null;
    return [...this.#members].filter(([, isMember]) => model.value(isMember)).map(([thread]) => thread);
  }
}

/** Null when no thread ever waits. */
export function encodeDeadlock(
  program: SteppedProgram,
  encoder: TermEncoder,
  final: FinalState,
): EncodedDeadlock | null {
  if (program.threads.every(({ assumptions }) => !assumptions.some(({ waits }) => waits))) return null;
  const { circuit } = encoder;
  const [seeks, isGlobal, isCircle] = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
  const waits = new Map<number, readonly WaitingPlace[]>();
  for (const thread of program.threads) {
    const isCreated = creation(thread, encoder, final);
    const places = encodeWaits(thread, encoder, final, seeks);
    waits.set(thread.index, places);
    const hasEnded = thread.steps.length === 0 ? TRUE : final.everPassed(thread.index, thread.steps.length - 1);
    circuit.addClause([not(isGlobal), not(isCreated), hasEnded, ...places.map(({ literal }) => literal)]);
    for (const { step, guard } of thread.halts) {
      const isReached = step < 0 ? isCreated : final.everPassed(thread.index, step);
      circuit.addClause([not(isGlobal), not(isReached), not(encoder.literalOf(guard))]);
    }
  }
  circuit.addClause([not(isGlobal), ...[...waits.values()].flat().map(({ literal }) => literal)]);
  for (const cut of final.cuts) circuit.addClause([not(isGlobal), not(cut)]);
  const members = encodeCircle(waits, program, encoder, isCircle);
  circuit.addClause([not(seeks), isGlobal, isCircle]);
  return new EncodedDeadlock(seeks, isCircle, members);
}

/** Each member waits for another, or for itself; the result has a literal for each thread that may be one. */
function encodeCircle(
  waits: ReadonlyMap<number, readonly WaitingPlace[]>,
  { graph }: SteppedProgram,
  encoder: TermEncoder,
  isCircle: Literal,
): Map<number, Literal> {
  const { circuit } = encoder;
  const members = new Map<number, Literal>();
  for (const [thread, places] of waits)
    if (places.some(({ holders }) => holders.length > 0)) members.set(thread, circuit.fresh());
  const isHeldBy = (holder: Term, thread: number) =>
    encoder.literalOf(graph.eq(holder, graph.constant(graph.widthOf(holder), BigInt(thread + 1))));
  for (const [thread, isMember] of members) {
    const places = waits.get(thread) ?? [];
    circuit.addClause([not(isMember), ...places.flatMap(({ holders }) => holders.map(({ literal }) => literal))]);
    for (const { holder, literal } of places.flatMap(({ holders }) => holders)) {
      const others = [...members].map(([other, isOther]) => circuit.and(isOther, isHeldBy(holder, other)));
      circuit.addClause([not(isMember), not(literal), ...others]);
    }
  }
  circuit.addClause([not(isCircle), ...members.values()]);
  return members;
}

/** A step before which a thread waits; for whom, if it is a thread in particular. */
interface WaitingPlace {
  readonly literal: Literal;
  readonly holders: readonly { readonly holder: Term; readonly literal: Literal }[];
}

function creation({ spawn }: SteppedThread, encoder: TermEncoder, final: FinalState): Literal {
  if (spawn === null) return TRUE;
  return encoder.circuit.and(final.everPassed(spawn.thread, spawn.step), encoder.literalOf(spawn.guard));
}

/** For each step at which the thread can wait: that it does. */
function encodeWaits(
  thread: SteppedThread,
  encoder: TermEncoder,
  final: FinalState,
  seeks: Literal,
): readonly WaitingPlace[] {
  const { circuit } = encoder;
  const isCreated = creation(thread, encoder, final);
  const waits: WaitingPlace[] = [];
  for (const [l, step] of thread.steps.entries()) {
    const assumptions = thread.assumptions.filter((assumption) => assumption.step === l);
    if (!assumptions.some((assumption) => assumption.waits)) continue;
    const isThere = l === 0 ? isCreated : final.everPassed(thread.index, l - 1);
    const stands = circuit.andMany([isThere, not(final.everPassed(thread.index, l)), encoder.literalOf(step.guard)]);
    const reasons = findReasons(assumptions, encoder);
    const literal = circuit.and(stands, circuit.orMany(reasons.map((reason) => reason.literal)));
    const holders = reasons.flatMap((reason) =>
      reason.holder === null ? [] : [{ holder: reason.holder, literal: circuit.and(stands, reason.literal) }],
    );
    waits.push({ literal, holders });
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

/** For each condition that the thread waits for: it is the first that does not hold. */
function findReasons(
  assumptions: readonly Assumption[],
  encoder: TermEncoder,
): { readonly literal: Literal; readonly holder: Term | null }[] {
  const { circuit } = encoder;
  const reasons: { readonly literal: Literal; readonly holder: Term | null }[] = [];
  let holdsSoFar: Literal = TRUE;
  for (const { guard, condition, waits, holder } of assumptions) {
    const fails = circuit.and(encoder.literalOf(guard), not(encoder.literalOf(condition)));
    if (waits) reasons.push({ literal: circuit.and(holdsSoFar, fails), holder });
    holdsSoFar = circuit.and(holdsSoFar, not(fails));
  }
  return reasons;
}
