/**
 * The forward walk over structured code: what holds at each statement, from what holds before it. Where ways meet, at
 * labels and behind branches, only what all of them agree on is left. Jumps go forward, so that one walk is enough:
 * when it comes to a label, all jumps to it have been passed. A client says what is followed (`F`), what statements
 * change of it, and what becomes of a statement (`R`, nothing for those that only look).
 *
 * Loops are left to the client: `other` is handed them like every statement without ways of its own.
 */

import type { LabelSymbol, Statement } from '../program/tree.ts';
import { ifChain, itemsOf } from '../program/visit-tree.ts';
import type { Loc } from '../support/source.ts';

type Kind<K extends Statement['kind']> = Extract<Statement, { kind: K }>;

/** What holds where a condition is true, and where it is not; null where control does not come. */
export interface Sides<F> {
  readonly then: F | null;
  readonly otherwise: F | null;
}

/** A branch that was gone: the `if`, what its condition told, and what became of it. */
export interface GoneArm<S, R> {
  readonly arm: Kind<'if'>;
  readonly sides: S;
  readonly then: R;
}

export interface FlowClient<F, R, S extends Sides<F> = Sides<F>> {
  /** What two ways agree on that meet at a place. */
  meet(one: F, other: F, loc: Loc): F;
  /** Goes through a list by `ForwardWalk.statement`; it may leave out what it knows already. */
  items(items: readonly Statement[]): R;
  /** The condition of a branch is evaluated. */
  test(arm: Kind<'if'>): S;
  block(statement: Kind<'block'>, inside: R): R;
  /** The ways have met again. `last`: the final `else`, if there is one. */
  branches(statement: Kind<'if'>, arms: readonly GoneArm<S, R>[], last: R | null): R;
  /** A jump or a label, once it is passed. */
  passed(statement: Kind<'goto' | 'label'>): R;
  other(statement: Statement): R;
  /** What holds at labels that are more than a place where ways meet; null for others. */
  begin?(label: LabelSymbol): F | null;
  /** What holds at labels that no way leads to; control does not come there where it is left out. */
  readonly unreached?: F;
}

export class ForwardWalk<F, R, S extends Sides<F> = Sides<F>> {
  /** What holds here; null where control does not come. */
  now: F | null;
  readonly #client: FlowClient<F, R, S>;
  readonly #atLabel = new Map<LabelSymbol, F>();

  constructor(client: FlowClient<F, R, S>, start: F) {
    this.#client = client;
    this.now = start;
  }

  statement(statement: Statement): R {
    const client = this.#client;
    switch (statement.kind) {
      case 'block':
        return client.block(statement, client.items(statement.items));
      case 'if':
        return this.#branches(statement);
      case 'goto':
        this.#arrive(statement);
        this.now = null;
        return client.passed(statement);
      case 'label':
        this.now ??= this.#atLabel.has(statement.label) ? null : (client.unreached ?? null);
        this.#arrive(statement);
        this.now = client.begin?.(statement.label) ?? this.#atLabel.get(statement.label) ?? null;
        return client.passed(statement);
      default:
        return client.other(statement);
    }
  }

  #arrive({ label, loc }: Kind<'goto' | 'label'>): void {
    if (this.now === null) return;
    const before = this.#atLabel.get(label);
    this.#atLabel.set(label, before === undefined ? this.now : this.#client.meet(before, this.now, loc));
  }

  #branches(statement: Kind<'if'>): R {
    const chain = ifChain(statement);
    const ends: F[] = [];
    const arms: GoneArm<S, R>[] = [];
    for (const arm of chain.arms) {
      const sides = this.#client.test(arm);
      arms.push({ arm, sides, then: this.#branch(arm.then, sides.then, ends) });
      this.now = sides.otherwise;
    }
    let last: R | null = null;
    if (chain.last) last = this.#branch(chain.last, this.now, ends);
    else if (this.now !== null) ends.push(this.now);
    const { loc } = statement;
    this.now = ends.length === 0 ? null : ends.reduce((one, other) => this.#client.meet(one, other, loc));
    return this.#client.branches(statement, arms, last);
  }

  /** A branch that is entered with what holds; what holds at its end is added to `ends`. */
  #branch(part: Statement, from: F | null, ends: F[]): R {
    this.now = from;
    const result = this.#client.items(itemsOf(part));
    if (this.now !== null) ends.push(this.now);
    return result;
  }
}
