/**
 * What a join is for, as candidates of an invariant: where the threads of a replicated body stand, by how their numbers
 * compare with what main counts; and how that compares with the number of threads. Candidates need no reason: those
 * that are not inductive are dropped. IC3 finds the same clauses, but one by one.
 */

import { byObservable, type ClauseSpace, type Cube } from './clause-space.ts';
import type { Body, Model, Peers } from './graph.ts';
import type { Observable } from './observables.ts';
import type { StateVariable } from './transition-system.ts';

/** Where there are more, they cost more than they bring. */
const MOST_LEMMAS = 4_000;

export function peerLemmas(model: Model, space: ClauseSpace): readonly Cube[] {
  const { peers } = model;
  if (peers === null) return [];
  const finder = new PeerLemmas(model, peers, space);
  const lemmas = finder.run();
  return lemmas.length > MOST_LEMMAS ? [] : lemmas;
}

class PeerLemmas {
  readonly #peers: Peers;
  readonly #self: number;
  readonly #space: ClauseSpace;

  constructor({ bodies }: Model, peers: Peers, space: ClauseSpace) {
    this.#peers = peers;
    this.#self = (bodies[peers.body] as Body).self as number;
    this.#space = space;
  }

  run(): Cube[] {
    const mainAt = this.#counters(({ place }) => place?.body === 0);
    const threadAt = this.#counters(({ place, slots }) => slots[0] === 0 && place?.body === this.#peers.body);
    const counts = this.#comparisons(
      ({ about, slots }) =>
        slots.length === 0 && about.length === 2 && about.some((each) => each.variable === this.#peers.created),
    );
    const orders = this.#comparisons((each) => this.#comparesNumber(each));
    const cells = this.#space.observables.flatMap(({ kind, about, slots }, id) => {
      const isCell = kind === 'bit' && slots[0] === 0 && this.#peers.cells.has(about[0]?.variable ?? -1);
      return isCell ? [[id + 1], [-(id + 1)]] : [];
    });
    return [
      ...product([mainAt, counts]),
      ...product([threadAt, cells]),
      ...product([mainAt, threadAt]),
      ...product([mainAt, threadAt, orders]),
      ...product([mainAt, orders, cells]),
    ].map((cube) => [...cube].sort(byObservable));
  }

  /** The number of the first slot's thread with a variable of main. */
  #comparesNumber({ about, slots, comparison }: Observable): boolean {
    if (slots.length !== 1 || slots[0] !== 0 || typeof comparison?.right === 'bigint') return false;
    const isOther = ({ slot, variable }: StateVariable) => slot === null && variable !== this.#peers.created;
    return about.some((each) => each.variable === this.#self) && about.some(isOther);
  }

  #counters(isWanted: (observable: Observable) => boolean): Cube[] {
    return this.#space.observables.flatMap((observable, id) =>
      observable.kind === 'counter' && isWanted(observable) ? [[id + 1]] : [],
    );
  }

  /** Equal, less, greater. */
  #comparisons(isWanted: (observable: Observable) => boolean): Cube[] {
    const { observables } = this.#space;
    const idOf = new Map(observables.map(({ key, slots }, id) => [`${key}|${slots.join()}`, id]));
    return observables.flatMap((observable, id): Cube[] => {
      const { comparison, key, slots } = observable;
      if (comparison?.operation !== '<' || !isWanted(observable)) return [];
      const equal = idOf.get(`${key.replace('<', '==')}|${slots.join()}`);
      return equal === undefined ? [[id + 1], [-(id + 1)]] : [[id + 1], [equal + 1], [-(id + 1), -(equal + 1)]];
    });
  }
}

function product(lists: readonly (readonly Cube[])[]): Cube[] {
  return lists.reduce<Cube[]>((made, list) => made.flatMap((each) => list.map((more) => [...each, ...more])), [[]]);
}
