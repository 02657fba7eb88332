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
 * as it is not passed; here it gets what memory holds in the end, and what the step itself has written before.
 */

import { type Contender, findConflicts, isConflict } from '../execute/find-conflicts.ts';
import type { CellId, SteppedProgram, SteppedThread } from '../execute/steps.ts';
import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import type { Evaluation } from '../logic/evaluate.ts';
import { type Literal, not, TRUE } from '../logic/literal.ts';
import { assertSame } from './assert-same.ts';
import type { FinalState } from './encode-deadlock.ts';
import type { TermEncoder } from './encode-terms.ts';

/** An access of a thread that stands before it. */
interface Standing {
  readonly contender: Contender;
  readonly cell: CellId;
  readonly literal: Literal;
}

export class EncodedRace {
  /** Assume it, and that cuts are respected, to look for a race. */
  readonly seeks: Literal;
  readonly #standings: readonly Standing[];

  constructor(seeks: Literal, standings: readonly Standing[]) {
    this.seeks = seeks;
    this.#standings = standings;
  }

  /**
   * The two accesses that come together in the model: in this order they can be made one after the other. The first is
   * the one that reads more than its own word, or that the other would put an end to.
   */
  sidesIn(model: Evaluation): readonly [Contender, Contender] | null {
    const there = this.#standings.filter(({ literal }) => model.value(literal));
    for (const a of there) {
      const b = there.find((other) => other.cell === a.cell && isConflict(a.contender, other.contender));
      if (b)
        return weightOf(a.contender) >= weightOf(b.contender) ? [a.contender, b.contender] : [b.contender, a.contender];
    }
    return null;
  }
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
  const standings: Standing[] = [];
  const races: Literal[] = [];
  for (const [cell, contenders] of conflicts) {
    const here = contenders.map(
      (contender): Standing => ({ contender, cell, literal: stands.before(contender, cell) }),
    );
    for (const standing of here) standings.push(standing);
    for (const race of encodeMeetings(here, encoder)) races.push(race);
  }
  circuit.addClause([not(seeks), ...races]);
  return new EncodedRace(seeks, standings);
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
  readonly #known = new Map<string, Literal>();

  constructor(program: SteppedProgram, encoder: TermEncoder, final: FinalState, seeks: Literal) {
    this.#program = program;
    this.#encoder = encoder;
    this.#final = final;
    this.#seeks = seeks;
  }

  /** Its thread stands before the access, which will go to the cell. */
  before({ thread, at, access }: Contender, cell: CellId): Literal {
    const { circuit } = this.#encoder;
    const select = access.targets.find((target) => target.cell === cell)?.select;
    const happens = [access.guard, ...(select === undefined ? [] : [select])].map((t) => this.#encoder.literalOf(t));
    return circuit.andMany([this.#beforeStep(this.#program.threads[thread] as SteppedThread, at), ...happens]);
  }

  #beforeStep(thread: SteppedThread, at: number): Literal {
    const key = `${thread.index} ${at}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { circuit } = this.#encoder;
    const step = thread.steps[at] as SteppedThread['steps'][number];
    const isThere = at === 0 ? this.#isCreated(thread) : this.#final.everPassed(thread.index, at - 1);
    const literal = circuit.andMany([
      isThere,
      not(this.#final.everPassed(thread.index, at)),
      this.#encoder.literalOf(step.guard),
      ...this.#conditions(thread, at),
    ]);
    this.#known.set(key, literal);
    // Nothing depends on the one thing that a single access reads.
    if (step.accesses.length > 1) this.#tieReads(step, circuit.and(this.#seeks, literal));
    return literal;
  }

  #isCreated({ spawn }: SteppedThread): Literal {
    if (spawn === null) return TRUE;
    const isPassed = this.#final.everPassed(spawn.thread, spawn.step);
    return this.#encoder.circuit.and(isPassed, this.#encoder.literalOf(spawn.guard));
  }

  /** What must hold for the step to be taken: all that it comes to before its end. */
  #conditions({ assumptions, assertions, cuts, steps }: SteppedThread, at: number): Literal[] {
    const { circuit } = this.#encoder;
    const end = steps[at]?.end ?? Number.POSITIVE_INFINITY;
    const isInside = ({ step, position }: { readonly step: number; readonly position: number }) =>
      step === at && position < end;
    const holds = [...assumptions, ...assertions].filter(isInside).map(({ guard, condition }) => {
      return circuit.or(not(this.#encoder.literalOf(guard)), this.#encoder.literalOf(condition));
    });
    return [...holds, ...cuts.filter(isInside).map(({ guard }) => not(this.#encoder.literalOf(guard)))];
  }

  #tieReads({ accesses }: SteppedThread['steps'][number], looks: Literal): void {
    const { circuit } = this.#encoder;
    const written = new Map<CellId, BitVector>();
    const held = (cell: CellId) => written.get(cell) ?? this.#final.valueOf(cell);
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
