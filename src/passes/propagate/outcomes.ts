/**
 * What became of statements that occur many times, as the copies of a loop's body do. What propagation makes of a statement
 * without labels and jumps depends on nothing but the known values of the variables in it; if these are as they were at
 * an earlier occurrence, so is the outcome.
 *
 * Only statements are looked after whose private variables are all scalars, and only from their second occurrence on, for most
 * occur once. One that has had many different outcomes is given up.
 */

import type { Expression, Statement, VariableSymbol } from '../../program/tree.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import type { PersistentTable } from '../../support/persistent-table.ts';
import { type Places, sameValue } from './known-values.ts';

/** What is known, by the number of the place. */
export type Environment = PersistentTable<Expression>;

const KEPT_OUTCOMES = 4;

interface Outcome {
  /** The values of the statement's variables before it, in the order of `places`. */
  readonly before: readonly (Expression | undefined)[];
  /** After it; null when control does not come out. */
  readonly after: readonly (Expression | undefined)[] | null;
  readonly items: readonly Statement[];
}

interface Recurring {
  /** The numbers of its variables. */
  readonly places: readonly number[];
  readonly outcomes: Outcome[];
}

export class Outcomes {
  readonly #places: Places;
  /** null after the first occurrence, and for those that cannot be looked after. */
  readonly #recurring = new Map<Statement, Recurring | null>();

  readonly #hopeless = new Set<Statement>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** Treats the statement, by an earlier outcome if there is one. The new environment is null where control does not come. */
  treat(
    statement: Statement,
    known: Environment,
    treat: () => { readonly items: readonly Statement[]; readonly known: Environment | null },
  ): { readonly items: readonly Statement[]; readonly known: Environment | null } {
    const recurring = this.#hopeless.has(statement) ? null : this.#occur(statement);
    if (recurring === null) return treat();
    const { places, outcomes } = recurring;
    const before = places.map((place) => known.get(place));
    const found = outcomes.find((outcome) => sameValues(outcome.before, before));
    if (found === undefined) {
      const result = treat();
      const after = result.known && places.map((place) => result.known?.get(place));
      // Values that differ each time, like those of counters, will go on to do so.
      if (outcomes.length === KEPT_OUTCOMES) this.#hopeless.add(statement);
      else outcomes.push({ before, after, items: result.items });
      return result;
    }
    if (found.after === null) return { items: found.items, known: null };
    let now = known;
    for (let i = 0; i < places.length; i++) now = now.with(places[i] as number, found.after[i]);
    return { items: found.items, known: now };
  }

  #occur(statement: Statement): Recurring | null {
    const known = this.#recurring.get(statement);
    if (known) return known;
    const entry = known === undefined ? null : this.#describe(statement);
    this.#recurring.set(statement, entry);
    return entry;
  }

  #describe(statement: Statement): Recurring | null {
    const mentioned = new Set<VariableSymbol>();
    walkStatement(statement, {
      expression: (node) => {
        if (node.kind === 'variable' && this.#places.isFollowed(node.symbol)) mentioned.add(node.symbol);
      },
    });
    const places: number[] = [];
    for (const symbol of mentioned) {
      const within = this.#places.allWithin(symbol);
      if (within === null) return null;
      places.push(...within);
    }
    return { places, outcomes: [] };
  }
}

function sameValues(left: readonly (Expression | undefined)[], right: readonly (Expression | undefined)[]): boolean {
  return left.every((value, i) => {
    const other = right[i];
    return value === other || (value !== undefined && other !== undefined && sameValue(value, other));
  });
}
