/**
 * The question for a data race, asked of the last state of the schedule: two threads stand before conflicting accesses
 * to one cell (find-conflicts.ts). Whichever of them goes first, the other can follow at once.
 *
 * Why that is all: if two accesses of an execution are unordered by happens-before, take the first such pair, drop
 * whatever comes before neither of the two, and stop both threads there. What is left is an execution: a read gets what
 * it got, because the write that it saw happens before it. That is so for plain accesses (this is the first race), for
 * the words of thread routines, and for atomic reads that acquire what was released. Reads of other atomics
 * (weak-reads.ts) may see what does not happen before them; there, only races that are found mean something.
 *
 * A thread stands before a step when it has passed the one before, its guards hold, and so do the conditions up to the
 * end of the step: a section that cannot be completed does nothing. What the step reads is not tied to memory as long
 * as it is not passed; here it gets what memory holds in the end, and what the step itself has written before. Where a
 * section has conditions, it may also be the other side of the race that makes them true: then the section *follows*,
 * and reads what memory holds after that write. One in which the program ends can only follow.
 */

import { type Contender, findConflicts, isConflict } from '../execute/find-conflicts.ts';
import type { CellId, Step, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import type { Evaluation } from '../logic/evaluate.ts';
import { FALSE, type Literal, not, TRUE } from '../logic/literal.ts';
import { pushAll } from '../support/push-all.ts';
import { assertSame } from './assert-same.ts';
import type { FinalState } from './encode-deadlock.ts';
import type { TermEncoder } from './encode-terms.ts';

/** An access of a thread that stands before it. */
interface Standing {
  readonly contender: Contender;
  readonly cell: CellId;
  readonly place: StepPlace;
  readonly literal: Literal;
}

/** Before a step of a thread. */
interface StepPlace {
  readonly step: Step;
  /** The thread stands there. */
  readonly literal: Literal;
  /** It comes just after another access; FALSE where nothing could keep the thread from completing the step. */
  readonly follows: Literal;
}

function isConditional({ follows }: StepPlace): boolean {
  return follows !== FALSE;
}

/** A section that comes just after the other side of the race. */
interface Following {
  readonly section: Standing;
  readonly other: Standing;
  readonly literal: Literal;
}

export class EncodedRace {
  /** Assume it, and that cuts are respected, to look for a race. */
  readonly seeks: Literal;
  readonly #standings: readonly Standing[];
  readonly #followings: readonly Following[];

  constructor(seeks: Literal, standings: readonly Standing[], followings: readonly Following[]) {
    this.seeks = seeks;
    // A section that reads what the other writes is told by its read.
    this.#standings = [...standings.filter(isRead), ...standings.filter((standing) => !isRead(standing))];
    this.#followings = followings;
  }

  /**
   * The two accesses that come together in the model: in this order they can be made one after the other. The first is
   * the one that the second waits for, or whose conditions depend on what it reads, or that reads more than its own
   * word, or that the other would put an end to.
   */
  sidesIn(model: Evaluation): readonly [Contender, Contender] | null {
    const following = this.#followings.find(({ literal }) => model.value(literal));
    if (following) return [following.other.contender, following.section.contender];
    const there = this.#standings.filter(({ literal }) => model.value(literal));
    for (const a of there) {
      const b = there.find((other) => other.cell === a.cell && isConflict(a.contender, other.contender));
      if (!b) continue;
      const isFirst = isTied(a) || (!isTied(b) && weightOf(a.contender) >= weightOf(b.contender));
      return isFirst ? [a.contender, b.contender] : [b.contender, a.contender];
    }
    return null;
  }
}

function isRead({ contender }: Standing): boolean {
  return contender.access.kind === 'read';
}

/** Whether what it reads decides if its step can be completed. */
function isTied(standing: Standing): boolean {
  return isRead(standing) && isConditional(standing.place);
}

function weightOf({ step }: Contender): number {
  return step.accesses.filter(({ kind }) => kind === 'read').length * 2 - step.accesses.length;
}

/** Null when no two accesses may race. */
export function encodeRace(program: SteppedProgram, encoder: TermEncoder, final: FinalState): EncodedRace | null {
  const conflicts = findConflicts(program);
  if (conflicts.size === 0) return null;
  const { circuit } = encoder;
  const seeks = circuit.fresh();
  const stands = new StandingThreads(program, encoder, final, seeks);
  const [standings, followings]: [Standing[], Following[]] = [[], []];
  const races: Literal[] = [];
  for (const [cell, contenders] of conflicts) {
    const here = contenders.map((contender) => stands.before(contender, cell));
    pushAll(standings, here);
    pushAll(followings, findFollowings(here, encoder));
    pushAll(races, encodeMeetings(here, encoder));
  }
  circuit.addClause([not(seeks), ...races]);
  stands.tieReads(followings);
  return new EncodedRace(seeks, standings, followings);
}

/** Of the accesses to one cell: sections that may come just after a plain access of another thread. */
function* findFollowings(here: readonly Standing[], { circuit }: TermEncoder): Iterable<Following> {
  for (const section of here) {
    if (!isConditional(section.place)) continue;
    for (const other of here) {
      if (other.contender.access.touch !== 'plain' || !isConflict(section.contender, other.contender)) continue;
      const literal = circuit.fresh();
      for (const needed of [section.literal, section.place.follows, other.literal, not(other.place.follows)])
        circuit.addClause([not(literal), needed]);
      yield { section, other, literal };
    }
  }
}

/** For each thread, with all threads before it: two of them conflict. */
function* encodeMeetings(standings: readonly Standing[], { circuit }: TermEncoder): Iterable<Literal> {
  const threads = [...new Set(standings.map(({ contender }) => contender.thread))].sort((a, b) => a - b);
  const ofThread = (thread: number) => {
    const own = standings.filter(({ contender }) => contender.thread === thread);
    const any = (isWanted: (access: Contender['access']) => boolean) =>
      circuit.orMany(own.filter(({ contender }) => isWanted(contender.access)).map(({ literal }) => literal));
    return {
      plainWrite: any(({ kind, touch }) => kind === 'write' && touch === 'plain'),
      write: any(({ kind }) => kind === 'write'),
      plain: any(({ touch }) => touch === 'plain'),
      any: any(() => true),
    };
  };
  const [first, ...others] = threads.map(ofThread);
  if (!first) return;
  let before = first;
  for (const now of others) {
    yield circuit.and(before.plainWrite, now.any);
    yield circuit.and(before.any, now.plainWrite);
    yield circuit.and(before.write, now.plain);
    yield circuit.and(before.plain, now.write);
    before = {
      plainWrite: circuit.or(before.plainWrite, now.plainWrite),
      write: circuit.or(before.write, now.write),
      plain: circuit.or(before.plain, now.plain),
      any: circuit.or(before.any, now.any),
    };
  }
}

class StandingThreads {
  readonly #program: SteppedProgram;
  readonly #encoder: TermEncoder;
  readonly #final: FinalState;
  readonly #seeks: Literal;
  /** By thread and step. */
  readonly #places = new Map<string, StepPlace>();

  constructor(program: SteppedProgram, encoder: TermEncoder, final: FinalState, seeks: Literal) {
    this.#program = program;
    this.#encoder = encoder;
    this.#final = final;
    this.#seeks = seeks;
  }

  /** Its thread stands before the access, which will go to the cell. */
  before(contender: Contender, cell: CellId): Standing {
    const { thread, at, access } = contender;
    const select = access.targets.find((target) => target.cell === cell)?.select;
    const happens = [access.guard, ...(select === undefined ? [] : [select])].map((t) => this.#encoder.literalOf(t));
    const place = this.#placeBefore(this.#program.threads[thread] as SteppedThread, at);
    return { contender, cell, place, literal: this.#encoder.circuit.andMany([place.literal, ...happens]) };
  }

  #placeBefore(thread: SteppedThread, at: number): StepPlace {
    const key = `${thread.index} ${at}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const { circuit } = this.#encoder;
    const step = thread.steps[at] as Step;
    const isThere = at === 0 ? this.#isCreated(thread) : this.#final.everPassed(thread.index, at - 1);
    const conditions = this.#conditions(thread, at, false);
    const ends = this.#conditions(thread, at, true);
    const follows = [...conditions, ...ends].some((each) => each !== TRUE) ? circuit.fresh() : FALSE;
    const literal = circuit.andMany([
      isThere,
      not(this.#final.everPassed(thread.index, at)),
      this.#encoder.literalOf(step.guard),
      ...conditions,
      circuit.or(follows, circuit.andMany(ends)),
    ]);
    const place = { step, literal, follows };
    this.#places.set(key, place);
    return place;
  }

  /** Ties what steps read to memory, or to what the access that they follow has left there. */
  tieReads(followings: readonly Following[]): void {
    const { circuit } = this.#encoder;
    const byPlace = new Map<StepPlace, Literal[]>();
    for (const { section, other, literal } of followings) {
      byPlace.set(section.place, [...(byPlace.get(section.place) ?? []), literal]);
      this.#tieReads(section.place.step, circuit.and(this.#seeks, literal), other.place.step);
    }
    for (const place of this.#places.values()) {
      const { step, literal, follows } = place;
      if (isConditional(place)) circuit.addClause([not(follows), ...(byPlace.get(place) ?? [])]);
      // Nothing depends on the one thing that a single access reads.
      else if (step.accesses.length === 1) continue;
      this.#tieReads(step, circuit.andMany([this.#seeks, literal, not(follows)]), null);
    }
  }

  #isCreated({ spawn }: SteppedThread): Literal {
    if (spawn === null) return TRUE;
    const isPassed = this.#final.everPassed(spawn.thread, spawn.step);
    return this.#encoder.circuit.and(isPassed, this.#encoder.literalOf(spawn.guard));
  }

  /** What must hold for the step to be completed. `ofEnds`: that the program does not end in it. */
  #conditions({ assumptions, assertions, cuts, steps }: SteppedThread, at: number, ofEnds: boolean): Literal[] {
    const { circuit } = this.#encoder;
    const end = steps[at]?.end ?? Number.POSITIVE_INFINITY;
    const isInside = ({ step, position }: { readonly step: number; readonly position: number }) =>
      step === at && position < end;
    const isAsked = ({ endsProgram = false }: { readonly endsProgram?: boolean }) => endsProgram === ofEnds;
    const asked = [...assumptions.filter(isAsked), ...(ofEnds ? [] : assertions)];
    const holds = asked.filter(isInside).map(({ guard, condition }) => {
      return circuit.or(not(this.#encoder.literalOf(guard)), this.#encoder.literalOf(condition));
    });
    const cut = ofEnds ? [] : cuts.filter(isInside);
    return [...holds, ...cut.map(({ guard }) => not(this.#encoder.literalOf(guard)))];
  }

  /** `before`: a step that another thread takes just before it. */
  #tieReads({ accesses: own }: Step, looks: Literal, before: Step | null): void {
    const { circuit } = this.#encoder;
    const written = new Map<CellId, BitVector>();
    const held = (cell: CellId) => written.get(cell) ?? this.#final.valueOf(cell);
    const accesses = [...(before?.accesses ?? []), ...own];
    const isRead = accesses.map(({ kind }) => kind === 'read').lastIndexOf(true);
    for (const [i, access] of accesses.entries()) {
      if (i > isRead) return;
      for (const { cell, select } of access.targets) {
        const when = circuit.and(this.#encoder.literalOf(access.guard), this.#encoder.literalOf(select));
        if (access.kind === 'read' && access.isFree) continue;
        if (access.kind === 'read')
          assertSame(circuit, circuit.and(looks, when), this.#encoder.bitsOf(access.result), held(cell));
        else written.set(cell, vectors.ite(circuit, when, this.#encoder.bitsOf(access.value), held(cell)));
      }
    }
  }
}
