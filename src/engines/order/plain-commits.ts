/**
 * When delayed stores may commit, under TSO and PSO, said of each pair of events as plainly as the semantics says it
 * (docs/semantics.md). Only of stores that are made; what is not made has no order.
 */

import type { TermEncoder } from '../../encode/encode-terms.ts';
import type { Access, CellId, SteppedProgram, SteppedThread } from '../../execute/steps.ts';
import { type Literal, not } from '../../logic/literal.ts';

/** A step with a delayed store. */
export interface PlainCommit {
  readonly thread: number;
  readonly step: number;
  readonly writes: readonly Access[];
}

export interface EventOrder {
  passed(thread: number, step: number): Literal;
  before(threadA: number, a: number, threadB: number, b: number): Literal;
  /** The thread in which a delayed store commits, as its step 0. */
  committing(thread: number, step: number): number;
}

export function requireCommits(
  program: SteppedProgram,
  encoder: TermEncoder,
  order: EventOrder,
  stores: readonly PlainCommit[],
): void {
  const rules = new CommitRules(program, encoder, order);
  for (const store of stores) {
    rules.afterItsStep(store);
    for (const younger of stores) {
      if (younger.thread === store.thread && younger.step > store.step) rules.inOrder(store, younger);
    }
  }
}

class CommitRules {
  readonly #program: SteppedProgram;
  readonly #encoder: TermEncoder;
  readonly #order: EventOrder;

  constructor(program: SteppedProgram, encoder: TermEncoder, order: EventOrder) {
    this.#program = program;
    this.#encoder = encoder;
    this.#order = order;
  }

  /** And before whatever waits for it. */
  afterItsStep(store: PlainCommit): void {
    const { thread, step } = store;
    const { circuit } = this.#encoder;
    const commit = this.#order.committing(thread, step);
    circuit.addClause([this.#order.before(thread, step, commit, 0)]);
    for (const [later, { drains, creation, guard }] of this.#threadOf(store).steps.entries()) {
      if (later <= step || (!drains && !creation)) continue;
      const waits = circuit.and(this.#order.passed(thread, later), this.#encoder.literalOf(guard));
      circuit.addClause([not(this.#isMade(store)), not(waits), this.#order.before(commit, 0, thread, later)]);
    }
  }

  /** TSO: always. PSO: stores of one cell, release stores, what a release fence stands between. */
  inOrder(older: PlainCommit, younger: PlainCommit): void {
    const { circuit } = this.#encoder;
    const { thread } = older;
    const [first, second] = [older, younger].map(({ step }) => this.#order.committing(thread, step));
    const isBefore = this.#order.before(first as number, 0, second as number, 0);
    const clause = [not(this.#isMade(older)), not(this.#isMade(younger)), isBefore];
    if (this.#program.memoryModel === 'tso' || isRelease(younger)) {
      circuit.addClause(clause);
      return;
    }
    circuit.addClause([...clause, not(this.#shareCell(older, younger))]);
    for (const { step, guard, order } of this.#threadOf(older).fences) {
      const isBetween = step >= older.step && step < younger.step;
      if (!isBetween || order === 'acquire' || order === 'relaxed') continue;
      circuit.addClause([...clause, not(this.#encoder.literalOf(guard))]);
    }
  }

  #threadOf({ thread }: PlainCommit): SteppedThread {
    return this.#program.threads[thread] as SteppedThread;
  }

  #isMade({ thread, step, writes }: PlainCommit): Literal {
    const { circuit } = this.#encoder;
    const happens = circuit.orMany(writes.map(({ guard }) => this.#encoder.literalOf(guard)));
    return circuit.and(this.#order.passed(thread, step), happens);
  }

  #shareCell(a: PlainCommit, b: PlainCommit): Literal {
    const { circuit } = this.#encoder;
    const cells = a.writes.flatMap(({ targets }) => targets.map(({ cell }) => cell));
    return circuit.orMany(cells.map((cell) => circuit.and(this.#goesTo(a, cell), this.#goesTo(b, cell))));
  }

  #goesTo({ writes }: PlainCommit, cell: CellId): Literal {
    const targets = writes.flatMap((write) => write.targets.filter((target) => target.cell === cell));
    return this.#encoder.circuit.orMany(targets.map(({ select }) => this.#encoder.literalOf(select)));
  }
}

function isRelease({ writes: [write] }: PlainCommit): boolean {
  return write?.mode.kind === 'atomic' && write.mode.order !== 'relaxed' && write.mode.order !== 'acquire';
}
