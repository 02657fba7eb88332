/**
 * Where full fences repair a program that breaks under TSO or PSO: a smallest set of stores, by their places in the
 * source, behind which a fence stands. One formula, asked often: for each place a literal to be assumed, under which
 * its stores, and all older ones, arrive before the thread takes another step. (A thread may stop between a store and
 * the fence behind it. Under PSO others can tell: the store may arrive then, and older ones not.)
 *
 * A set is tried; where the program still breaks, those places are found whose stores have to be late for that, as few
 * as possible, and from then on one of them is in every set that is tried. The sets grow only when no smaller one has a
 * place of each, so that the first one that holds is a smallest one. Whether fences at all places suffice is asked
 * first: if they do not, the program breaks under sequential consistency, too.
 */

import type { SteppedProgram } from '../../execute/steps.ts';
import type { Evaluation } from '../../logic/evaluate.ts';
import { FALSE, type Literal } from '../../logic/literal.ts';
import { invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { OpenedProgram } from './open-program.ts';
import type { ArrivingStore } from './store-arrivals.ts';

export type FenceAnswer =
  /** No violation within the bounds of the formula. */
  | { readonly kind: 'safe' }
  /** It breaks also where all stores arrive at once. */
  | { readonly kind: 'breaks-under-sc' }
  /** It does not; fences behind the stores at these places are enough, and fewer are not. Null: nobody asked. */
  | { readonly kind: 'repaired'; readonly places: readonly Loc[] | null }
  | { readonly kind: 'unknown' };

interface Place {
  readonly loc: Loc;
  readonly stores: readonly ArrivingStore[];
  /** Assume it: a fence stands behind these stores. */
  readonly fence: Literal;
}

export async function suggestFences(
  program: SteppedProgram,
  opened: OpenedProgram,
  wantsPlaces: boolean,
): Promise<FenceAnswer> {
  const search = new FenceSearch(program, opened);
  const first = await search.breaksWith(new Set());
  if (first === 'unknown') return { kind: 'unknown' };
  if (first === null) return { kind: 'safe' };
  const last = await search.breaksWith(new Set(search.places));
  if (last === 'unknown') return { kind: 'unknown' };
  if (last !== null) return { kind: 'breaks-under-sc' };
  if (!wantsPlaces) return { kind: 'repaired', places: null };
  const found = await search.smallest(first);
  return found === null ? { kind: 'unknown' } : { kind: 'repaired', places: found.map(({ loc }) => loc) };
}

class FenceSearch {
  readonly places: readonly Place[];
  readonly #opened: OpenedProgram;

  constructor(program: SteppedProgram, opened: OpenedProgram) {
    this.#opened = opened;
    this.places = findPlaces(program, opened);
  }

  /** A way to break the program with these fences; null when there is none. */
  async breaksWith(fences: ReadonlySet<Place>): Promise<Evaluation | 'unknown' | null> {
    const { encoding, formula, violation } = this.#opened;
    const canFail = encoding.violations.some(({ literal }) => literal !== FALSE);
    const assumed = [...fences].map(({ fence }) => fence);
    const stuck = encoding.deadlock && [encoding.deadlock.seeks, encoding.respectsCuts];
    for (const question of [canFail ? violation : null, stuck]) {
      if (question === null) continue;
      const answer = await formula.ask([...question, ...assumed]);
      if (answer.kind === 'unknown') return 'unknown';
      if (answer.kind === 'model') return answer.model;
    }
    return null;
  }

  /** Null when a question stays open. */
  async smallest(first: Evaluation): Promise<readonly Place[] | null> {
    const needed: (readonly Place[])[] = [];
    for (let model: Evaluation | null = first; model; ) {
      const late = await this.#fewestLate(model);
      if (late === null || late.length === 0) return null;
      needed.push(late);
      const candidate = smallestHittingSet(needed);
      const next = await this.breaksWith(new Set(candidate));
      if (next === 'unknown') return null;
      if (next === null) return candidate;
      model = next;
    }
    return null;
  }

  /** Places whose stores are late in some violation, and no fewer would do. */
  async #fewestLate(model: Evaluation): Promise<readonly Place[] | null> {
    let late = this.#lateIn(model);
    for (const place of late) {
      if (!late.includes(place)) continue;
      const rest = new Set(late.filter((other) => other !== place));
      const answer = await this.breaksWith(new Set(this.places.filter((other) => !rest.has(other))));
      if (answer === 'unknown') return null;
      if (answer !== null) late = this.#lateIn(answer).filter((other) => rest.has(other));
    }
    return late;
  }

  #lateIn(model: Evaluation): Place[] {
    return this.places.filter(({ stores }) => stores.some((store) => this.#isLate(store, model)));
  }

  #isLate(store: ArrivingStore, model: Evaluation): boolean {
    return !(this.#opened.encoding.arrivals?.arrivesAtOnce(store, (literal) => model.value(literal)) ?? true);
  }
}

/** Stores of the program's own text, by place. */
function findPlaces({ threads }: SteppedProgram, { encoding }: OpenedProgram): Place[] {
  const { arrivals, circuit } = encoding;
  const byLoc = new Map<Loc, ArrivingStore[]>();
  for (const store of arrivals?.stores.flat() ?? []) {
    const step = threads[store.thread]?.steps[store.step];
    invariant(step, 'a store has a step');
    const { loc } = step;
    byLoc.set(loc, [...(byLoc.get(loc) ?? []), store]);
  }
  return [...byLoc].map(([loc, stores]) => {
    const fence = circuit.fresh();
    for (const store of stores) arrivals?.fenceBehind(store, fence);
    return { loc, stores, fence };
  });
}

/** A smallest set that has an element of each list. */
function smallestHittingSet<T>(lists: readonly (readonly T[])[]): T[] {
  for (let size = 1; ; size++) {
    const found = hit(lists, [], size);
    if (found) return found;
  }
}

function hit<T>(lists: readonly (readonly T[])[], chosen: readonly T[], left: number): T[] | null {
  const open = lists.find((list) => !list.some((element) => chosen.includes(element)));
  if (!open) return [...chosen];
  if (left === 0) return null;
  for (const element of open) {
    const found = hit(lists, [...chosen, element], left - 1);
    if (found) return found;
  }
  return null;
}
