/**
 * What became of statements that occur many times, as the copies of a loop's body do. What propagation makes of a
 * statement without labels and jumps depends on nothing but the known values of the variables in it; if these are as
 * they were at an earlier occurrence, so is what it does.
 *
 * Only statements are looked after that show which variables they touch, and whose private variables are all scalars,
 * and only from their second occurrence on, for most occur once. One that has had many different effects is given up.
 */

import type { Expression, Statement, VariableSymbol } from '../../program/tree.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import type { PersistentTable } from '../../support/persistent-table.ts';
import { pushAll } from '../../support/push-all.ts';
import { type FollowedParts, sameValue } from './known-values.ts';

/** What is known, by the number of the part. */
export type KnownParts = PersistentTable<Expression>;

const KEPT_EFFECTS = 4;

interface KnownEffect {
  /** The values of the statement's variables before it, in the order of `parts`. */
  readonly before: readonly (Expression | undefined)[];
  /** After it; null when control does not come out. */
  readonly after: readonly (Expression | undefined)[] | null;
  readonly items: readonly Statement[];
}

export class KnownEffects {
  readonly #parts: FollowedParts;
  /** `undefined` before the first occurrence, 'once' after it, null for those that cannot be looked after. */
  readonly #recurring = new Map<Statement, Recurring | 'once' | null>();

  constructor(parts: FollowedParts) {
    this.#parts = parts;
  }

  /** The effects of a statement that occurs here; null if they are not looked after. */
  of(statement: Statement): Recurring | null {
    const known = this.#recurring.get(statement);
    if (known === undefined) this.#recurring.set(statement, 'once');
    if (known === undefined || known === null) return null;
    if (known !== 'once') return known;
    const described = this.#describe(statement);
    this.#recurring.set(statement, described);
    return described;
  }

  #describe(statement: Statement): Recurring | null {
    const mentioned = new Set<VariableSymbol>();
    let isShown = true;
    walkStatement(statement, {
      expression: (node) => {
        if (node.kind === 'variable' && this.#parts.isFollowed(node.symbol)) mentioned.add(node.symbol);
        const isIndirect = node.kind === 'dereference' || node.kind === 'index';
        if (isIndirect && this.#parts.mayLeadToFollowed(node)) isShown = false;
      },
    });
    if (!isShown) return null;
    const parts: number[] = [];
    for (const symbol of mentioned) {
      const within = this.#parts.allWithin(symbol);
      if (within === null) return null;
      pushAll(parts, within);
    }
    return new Recurring(parts);
  }
}

export class Recurring {
  /** The numbers of the statement's variables. */
  readonly #parts: readonly number[];
  readonly #effects: KnownEffect[] = [];
  #isHopeless = false;

  constructor(parts: readonly number[]) {
    this.#parts = parts;
  }

  /** The effect for these values, if there was one. */
  find(known: KnownParts): KnownEffect | null {
    if (this.#isHopeless) return null;
    for (let at = 0; at < this.#effects.length; at++) {
      const effect = this.#effects[at] as KnownEffect;
      if (this.#isFor(effect, known)) return effect;
    }
    return null;
  }

  #isFor({ before }: KnownEffect, known: KnownParts): boolean {
    for (let at = 0; at < before.length; at++) {
      const value = before[at];
      const other = known.get(this.#parts[at] as number);
      if (value !== other && (value === undefined || other === undefined || !sameValue(value, other))) return false;
    }
    return true;
  }

  /** The environment behind the statement, before which it was `known`. */
  after({ after }: KnownEffect, known: KnownParts): KnownParts | null {
    if (after === null) return null;
    let now = known;
    for (let at = 0; at < after.length; at++) now = now.with(this.#parts[at] as number, after[at]);
    return now;
  }

  add(before: KnownParts, after: KnownParts | null, items: readonly Statement[]): void {
    if (this.#isHopeless) return;
    const valuesIn = (known: KnownParts) => this.#parts.map((part) => known.get(part));
    // Values that differ each time, like those of counters, will go on to do so.
    if (this.#effects.length === KEPT_EFFECTS) this.#isHopeless = true;
    else this.#effects.push({ before: valuesIn(before), after: after && valuesIn(after), items });
  }
}
