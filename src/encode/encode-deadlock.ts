/**
 * The question for a deadlock, asked of the last state of the schedule: every thread that exists has ended or waits,
 * and at least one waits, in a thread routine or in a loop; or some threads wait for one another in a circle, each
 * for a lock that the next one holds or for its end, or for a lock whose holder has ended, whatever the others do. A
 * thread waits at the first step that it has not passed if a condition on which the step's thread routine waits
 * (`waits` of an assumption) is false there. What the step reads is not tied to memory as long as it is not passed;
 * here it gets what memory holds in the end.
 *
 * Who waits in a loop has taken a turn that changed nothing (execute/idle-turns.ts), and takes it again as long as all
 * that the turn has read is what memory holds. A loop that looks at nothing, `for (;;) ;`, is no wait, but its thread
 * helps nobody either.
 *
 * Left out: executions that run into a cut (whoever is cut could go on) and those in which the program has ended
 * (`halts`). Of a circle neither matters: what others come to does not open it, and whoever has passed the last step
 * before the program's end may still stand before that. A thread that stands before a failed assumption of the user's
 * own does not wait: there is no such execution.
 */

import type { Assumption, CellId, IdleTurn, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import type { Evaluation } from '../logic/evaluate.ts';
import { FALSE, type Literal, not, TRUE } from '../logic/literal.ts';
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

  /** The threads of a circle, and those that have ended; null where all that are left are stuck. */
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
  circuit.addClause([not(isGlobal), ...[...waits.values()].flat().map(({ looks }) => looks)]);
  for (const cut of final.cuts) circuit.addClause([not(isGlobal), not(cut)]);
  const ended = encodeEnds(program, encoder, final);
  const members = encodeCircle(waits, ended, program, encoder, isCircle);
  circuit.addClause([not(seeks), isGlobal, isCircle]);
  return new EncodedDeadlock(seeks, isCircle, members);
}

/** By thread: it has ended, before the program does, and nobody has run into a bound. */
function encodeEnds({ threads }: SteppedProgram, encoder: TermEncoder, final: FinalState): Map<number, Literal> {
  const { circuit } = encoder;
  const isComplete = not(circuit.orMany(final.cuts));
  const ends = new Map<number, Literal>();
  for (const thread of threads) {
    const isCreated = creation(thread, encoder, final);
    const isPassed = thread.steps.length === 0 ? TRUE : final.everPassed(thread.index, thread.steps.length - 1);
    const halts = thread.halts.map(({ guard }) => encoder.literalOf(guard));
    ends.set(thread.index, circuit.andMany([isComplete, isCreated, isPassed, not(circuit.orMany(halts))]));
  }
  return ends;
}

/**
 * Each member waits for another, for itself, or for what one has that has ended; the result has a literal for each
 * thread that may be one, or that has ended so.
 */
function encodeCircle(
  waits: ReadonlyMap<number, readonly WaitingPlace[]>,
  ends: ReadonlyMap<number, Literal>,
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
      const left = [...ends].map(([other, hasEnded]) => circuit.and(hasEnded, isHeldBy(holder, other)));
      circuit.addClause([not(isMember), not(literal), ...others, ...left]);
    }
  }
  circuit.addClause([not(isCircle), ...members.values()]);
  // Who has ended is told, too: it has still to be let run to its end.
  return new Map([...ends].map(([thread, hasEnded]) => [thread, circuit.or(hasEnded, members.get(thread) ?? FALSE)]));
}

/** A step before which a thread waits; for whom, if it is a thread in particular. */
interface WaitingPlace {
  readonly literal: Literal;
  readonly holders: readonly { readonly holder: Term; readonly literal: Literal }[];
  /** It does, and for something. */
  readonly looks: Literal;
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
    const reasons = findReasons(assumptions, encoder, (turn) => isStill(turn, thread, l, encoder, final));
    const standsFor = (some: typeof reasons) => circuit.and(stands, circuit.orMany(some.map((each) => each.literal)));
    const literal = standsFor(reasons);
    const holders = reasons.flatMap((reason) =>
      reason.holder === null ? [] : [{ holder: reason.holder, literal: circuit.and(stands, reason.literal) }],
    );
    waits.push({ literal, holders, looks: standsFor(reasons.filter((reason) => reason.looks)) });
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

/** Why a thread waits: for whom, if it is a thread in particular; and whether it is for anything at all. */
interface Reason {
  readonly literal: Literal;
  readonly holder: Term | null;
  readonly looks: boolean;
}

/** What the turn has read before its last step is what memory holds in the end. */
function isStill(
  { reads, isForced }: IdleTurn,
  { steps }: SteppedThread,
  last: number,
  encoder: TermEncoder,
  final: FinalState,
): Literal {
  const { circuit } = encoder;
  const ofTurn = new Set(reads);
  const holds = [encoder.literalOf(isForced)];
  for (const { accesses } of steps.slice(0, last)) {
    for (const access of accesses) {
      if (access.kind !== 'read' || !ofTurn.has(access.result)) continue;
      for (const { cell, select } of access.targets) {
        const when = circuit.and(encoder.literalOf(access.guard), encoder.literalOf(select));
        const isSame = vectors.eq(circuit, encoder.bitsOf(access.result), final.valueOf(cell));
        holds.push(circuit.or(not(when), isSame));
      }
    }
  }
  return circuit.andMany(holds);
}

/** For each condition that the thread waits for: it is the first that does not hold. */
function findReasons(
  assumptions: readonly Assumption[],
  encoder: TermEncoder,
  isStill: (turn: IdleTurn) => Literal,
): Reason[] {
  const { circuit } = encoder;
  const reasons: Reason[] = [];
  let holdsSoFar: Literal = TRUE;
  for (const { guard, condition, waits, holder, turn } of assumptions) {
    const fails = circuit.and(encoder.literalOf(guard), not(encoder.literalOf(condition)));
    const stays = turn === null ? TRUE : isStill(turn);
    const literal = circuit.andMany([holdsSoFar, fails, stays]);
    if (waits) reasons.push({ literal, holder, looks: turn?.looks !== false });
    holdsSoFar = circuit.and(holdsSoFar, not(fails));
  }
  return reasons;
}
