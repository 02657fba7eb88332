/**
 * Candidates for an invariant: how a thread's own variables compare with shared ones while it stands at a place, how
 * shared variables compare with each other, and that variables of two threads differ while both stand at some places.
 * That is what tickets are about: whoever has drawn one has `serving <= mine`, `mine < next`, and no two have the same.
 * Each of these needs the others, so that IC3, which finds clauses one by one, counts tickets instead.
 *
 * Candidates need no reason: those that are not inductive together are dropped (check-invariant.ts). They speak of
 * states without an error, for what an assertion that fails leaves behind says nothing.
 */

import { byObservable, type ClauseSpace, type Cube } from './clause-space.ts';
import { type Model, SHARED, type Variable } from './graph.ts';
import type { Observable, ObservedComparison } from './observables.ts';
import type { StateVariable } from './transition-system.ts';

/** Where there are more, they cost more than they bring. */
const MOST_CANDIDATES = 6_000;

export function placeLemmas(model: Model, space: ClauseSpace): readonly Cube[] {
  const lemmas = new PlaceLemmas(model, space);
  const found = lemmas.run();
  const more = [...found, ...lemmas.signs(), ...lemmas.pairs()];
  if (more.length <= MOST_CANDIDATES) return more;
  return found.length > MOST_CANDIDATES ? [] : found;
}

/** Who has a variable: nobody, a fixed thread by its body, or a slot. */
type Holder = string | null;

class PlaceLemmas {
  readonly #model: Model;
  readonly #space: ClauseSpace;
  /** Where a thread may stand, by its holder. */
  readonly #counters = new Map<string, number[]>();
  /** The literal of `a == b`, by the name of `a < b`. */
  readonly #equalOf = new Map<string, number>();

  constructor(model: Model, space: ClauseSpace) {
    this.#model = model;
    this.#space = space;
    space.observables.forEach(({ kind, place, slots, comparison, key }, id) => {
      if (comparison?.operation === '==') this.#equalOf.set(`${key.replace('==', '<')}|${slots.join()}`, id + 1);
      if (kind !== 'counter' || place === null) return;
      const holder = slots.length > 0 ? `slot ${slots[0]}` : `body ${place.body}`;
      this.#counters.set(holder, [...(this.#counters.get(holder) ?? []), id + 1]);
    });
  }

  run(): Cube[] {
    const idle = this.#statesOf(/^at .*:idle$/);
    // What threads have added in all is of use to who has joined them.
    const ended = this.#model.additions.size > 0 ? this.#statesOf(/^at .*:ended$/) : [];
    const main = this.#counters.get('body 0') ?? [];
    const places = [...this.#counters.values()].flat();
    return this.#find((observable, literal) => {
      // Before main has created a thread, it is not there.
      if (main.includes(literal)) return [...idle, ...ended].map((state) => this.#cube(literal, -state));
      if (observable.kind === 'bit' && ended.length > 0 && observable.key !== 'error[0]')
        return [...idle, ...places].map((state) => this.#cube(literal, state));
      return this.#about(observable, literal);
    });
  }

  /** Which variables are not negative, or positive, where a thread is. */
  signs(): Cube[] {
    const places = [...this.#counters.values()].flat();
    return this.#find(({ comparison, about: [state] }, literal) => {
      if (comparison?.operation !== '<' || (comparison.right !== 0n && comparison.right !== 1n)) return [];
      const holder = this.#holderOf(state as StateVariable);
      const where = holder === null ? places : this.#placesOf(holder, [state as StateVariable]);
      return where.flatMap((place) => [this.#cube(place, literal), this.#cube(place, -literal)]);
    });
  }

  /** That no two threads are at two places. */
  pairs(): Cube[] {
    const places = [...this.#counters.values()].flat();
    return this.#find(({ kind, place, group }, one) => {
      if (kind !== 'counter' || place === null) return [];
      return places.flatMap((other) =>
        other > one && this.#space.of(other).group !== group ? [this.#cube(one, other)] : [],
      );
    });
  }

  #find(candidates: (observable: Observable, literal: number) => Cube[]): Cube[] {
    const { observables } = this.#space;
    const error = observables.findIndex(({ key }) => key === 'error[0]') + 1;
    const found = observables.flatMap((observable, id) => candidates(observable, id + 1));
    // Clauses are about any threads: those of the first slots stand for all.
    const chosen = found.filter((cube) => this.#space.slotsOf(cube).every((slot, i) => slot === i));
    return chosen.map((cube) => this.#cube(-error, ...cube));
  }

  #about({ comparison, about, key, slots, isSum, relation }: Observable, literal: number): Cube[] {
    if (isSum) return [[-literal]];
    if (relation) return this.#whereOf(relation.body, slots).map((at) => this.#cube(at, -literal));
    if (comparison === null || comparison.operation === '+1==') return [];
    const holders = [...new Set(about.map((each) => this.#holderOf(each)))].filter((each) => each !== null);
    const [first, second] = holders;
    // What counts nothing yet, or only fixed threads, is seldom anything but a constant.
    if (typeof comparison.right === 'bigint')
      return about[0]?.isGhost ? [[literal], [-literal]] : this.#aboutAdditions(comparison, about, literal);
    const at = (holder: string) => this.#placesOf(holder, about);
    if (first !== undefined && second !== undefined) {
      const isWanted = comparison.operation === '==' ? this.#areNamesakes(about) : comparison.operation === 'overflows';
      if (!isWanted) return [];
      return at(first).flatMap((one) => at(second).map((other) => this.#cube(one, other, literal)));
    }
    if (comparison.operation === 'overflows')
      return first === undefined ? [[literal]] : at(first).map((place) => this.#cube(place, literal));
    // Less, or equal; not so; and, where this is about less, greater.
    const equal = this.#equalOf.get(`${key}|${slots.join()}`);
    const ways = [[literal], [-literal], ...(equal === undefined ? [] : [[-literal, -equal]])];
    if (first === undefined) return ways.map((way) => this.#cube(...way));
    return at(first).flatMap((place) => ways.map((way) => this.#cube(place, ...way)));
  }

  /** Who has not begun has added nothing, who has ended a constant; and how far the loops come that add. */
  #aboutAdditions({ operation, left }: ObservedComparison, about: readonly StateVariable[], literal: number): Cube[] {
    const { additions } = this.#model;
    if (additions.size === 0) return [];
    const body = additions.get(left.variable ?? SHARED);
    if (body === undefined) {
      const holder = this.#holderOf(about[0] as StateVariable);
      if (operation !== '<' || holder === null || holder === 'body 0') return [];
      return this.#placesOf(holder, about).flatMap((place) => [
        this.#cube(place, literal),
        this.#cube(place, -literal),
      ]);
    }
    if (operation !== '==') return [];
    // Where a thread stands that is in a slot, its body is told, but for before it exists and, in most cases, its end.
    return this.#statesOf(new RegExp(`^at (${body}:|\\*${body}:|\\*:)`)).map((state) => this.#cube(state, -literal));
  }

  #statesOf(key: RegExp): number[] {
    return this.#space.observables.flatMap((observable, id) => (key.test(observable.key) ? [id + 1] : []));
  }

  /** Where a thread of a body may stand, in a slot if it is of any number. */
  #whereOf(body: number, [slot]: readonly number[]): readonly number[] {
    const places = this.#counters.get(slot === undefined ? `body ${body}` : `slot ${slot}`) ?? [];
    return places.filter((at) => this.#space.of(at).place?.body === body);
  }

  /** Where the holder may stand. A slot has the variables of all bodies, and uses those of its own. */
  #placesOf(holder: string, about: readonly StateVariable[]): readonly number[] {
    const owners = about.flatMap((each) =>
      this.#holderOf(each) === holder ? [(this.#model.variables[each.variable as number] as Variable).owner] : [],
    );
    return (this.#counters.get(holder) ?? []).filter((place) =>
      owners.every((owner) => this.#space.of(place).place?.body === owner),
    );
  }

  /** The same variable of two threads that do the same. */
  #areNamesakes(about: readonly StateVariable[]): boolean {
    const names = about.map(({ variable }) => this.#model.variables[variable as number]?.name);
    return names[0] === names[1];
  }

  #cube(...literals: number[]): Cube {
    return literals.sort(byObservable);
  }

  #holderOf({ slot, variable }: StateVariable): Holder {
    if (slot !== null) return `slot ${slot}`;
    const { owner } = this.#model.variables[variable as number] as Variable;
    return owner === SHARED ? null : `body ${owner}`;
  }
}
