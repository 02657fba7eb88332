/**
 * What a join is for, as candidates of an invariant: where the threads of a replicated body stand, by how their numbers
 * compare with what main counts; and how that compares with the number of threads. Candidates need no reason: those
 * that are not inductive are dropped. IC3 finds the same clauses, but one by one.
 */

import { byObservable, type ClauseSpace, type Cube } from './clause-space.ts';
import { type Body, type Model, type Peers, SHARED, type Variable } from './graph.ts';
import type { Observable } from './observables.ts';
import type { PreparedModel } from './prepare-model.ts';
import type { StateVariable } from './transition-system.ts';

/** Where there are more, they cost more than they bring. */
const MOST_LEMMAS = 4_000;

export function peerLemmas(prepared: PreparedModel, space: ClauseSpace): readonly Cube[] {
  const lemmas = prepared.model.peers.flatMap((peers) => new PeerLemmas(prepared, peers, space).run());
  return lemmas.length > MOST_LEMMAS ? [] : lemmas;
}

class PeerLemmas {
  readonly #prepared: PreparedModel;
  readonly #model: Model;
  readonly #peers: Peers;
  readonly #self: number;
  readonly #space: ClauseSpace;

  constructor(prepared: PreparedModel, peers: Peers, space: ClauseSpace) {
    this.#prepared = prepared;
    this.#model = prepared.model;
    this.#peers = peers;
    this.#self = (prepared.model.bodies[peers.body] as Body).self as number;
    this.#space = space;
  }

  run(): Cube[] {
    const threadAt = this.#counters(({ place, slots }) => slots[0] === 0 && place?.body === this.#peers.body);
    const ended = this.#counters(({ key, slots }) => slots[0] === 0 && this.#isEnded(key));
    const cells = this.#cellBits();
    const values = [...cells.values()].flatMap((bits) => bits.flatMap((bit) => [[bit], [-bit]]));
    const pairs = [...cells.values()].flatMap((bits) =>
      bits.length === 2 ? product(bits.map((bit) => [[bit], [-bit]])) : [],
    );
    const found = [
      ...product([
        [...threadAt, ...ended],
        [...values, ...pairs],
      ]),
      ...this.#space.observables.flatMap(({ place }, id) =>
        place?.body === 0 ? this.#whereMainIs(place.node, id + 1, threadAt, values) : [],
      ),
    ];
    return found.map((cube) => [...cube].sort(byObservable));
  }

  #whereMainIs(node: number, literal: number, threadAt: readonly Cube[], cells: readonly Cube[]): Cube[] {
    const here = [[literal]];
    const exists = [this.#isOfBody()];
    const isThere = (each: StateVariable) => this.#isNeededAt(node, each);
    const counts = this.#comparisons(({ slots, about }) => slots.length === 0 && about.every(isThere));
    const orders = this.#comparisons((each) => this.#comparesNumber(each) && each.about.every(isThere));
    return [
      ...product([here, counts]),
      ...product([here, threadAt]),
      ...product([here, threadAt, orders]),
      ...product([here, exists, cells]),
      ...product([here, exists, orders, cells]),
    ];
  }

  #isEnded(key: string): boolean {
    return key === 'at *:ended' || key === `at *${this.#peers.body}:ended`;
  }

  /** The thread of the first slot exists, and is none of another body. */
  #isOfBody(): Cube {
    const isOther = ({ key, slots, place }: Observable) =>
      slots[0] === 0 && (place === null ? !this.#isEnded(key) : place.body !== this.#peers.body);
    return this.#counters(isOther).map(([at]) => -(at as number));
  }

  /** Main's own variables are forgotten where they are not needed. */
  #isNeededAt(node: number, { variable, slot }: StateVariable): boolean {
    const { owner } = this.#model.variables[variable as number] as Variable;
    const { users, bodies } = this.#prepared.steps;
    return (
      slot !== null ||
      owner !== 0 ||
      !users.isPrivate(variable as number) ||
      bodies[0]?.live[node]?.has(variable as number) === true
    );
  }

  /** The number of the first slot's thread with a variable of main. */
  #comparesNumber({ about, slots, comparison }: Observable): boolean {
    if (slots.length !== 1 || slots[0] !== 0 || typeof comparison?.right === 'bigint') return false;
    const isMains = ({ variable }: StateVariable) => this.#model.variables[variable as number]?.owner === 0;
    return about.some((each) => each.variable === this.#self) && about.some(isMains);
  }

  /** By cell of the first slot's thread. */
  #cellBits(): ReadonlyMap<number, readonly number[]> {
    const bits = new Map<number, number[]>();
    this.#space.observables.forEach(({ kind, about: [state], slots }, id) => {
      const variable = state?.variable ?? SHARED;
      if (kind === 'bit' && slots[0] === 0 && this.#peers.cells.has(variable))
        bits.set(variable, [...(bits.get(variable) ?? []), id + 1]);
    });
    return bits;
  }

  #counters(isWanted: (observable: Observable) => boolean): Cube[] {
    return this.#space.observables.flatMap((observable, id) =>
      observable.kind === 'counter' && isWanted(observable) ? [[id + 1]] : [],
    );
  }

  /** Equal (but to constants), less, greater; where nothing is less, such as than 0, equal or not. */
  #comparisons(isWanted: (observable: Observable) => boolean): Cube[] {
    const { observables } = this.#space;
    const idOf = new Map(observables.map(({ key, slots }, id) => [`${key}|${slots.join()}`, id]));
    return observables.flatMap((observable, id): Cube[] => {
      const { comparison, key, slots } = observable;
      if (comparison === null || !['==', '<'].includes(comparison.operation) || !isWanted(observable)) return [];
      const { operation } = comparison;
      const other = idOf.get(`${key.replace(operation, operation === '<' ? '==' : '<')}|${slots.join()}`);
      if (other === undefined) return [[id + 1], [-(id + 1)]];
      if (operation === '==') return typeof comparison.right === 'bigint' ? [] : [[id + 1]];
      return [[id + 1], [-(id + 1), -(other + 1)]];
    });
  }
}

function product(lists: readonly (readonly Cube[])[]): Cube[] {
  return lists.reduce<Cube[]>((made, list) => made.flatMap((each) => list.map((more) => [...each, ...more])), [[]]);
}
