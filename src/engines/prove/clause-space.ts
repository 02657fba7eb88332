/**
 * Cubes over observables and how they are renamed. A cube is a conjunction, its negation a clause; a literal is the
 * number of an observable plus one, negative where it does not hold. A cube that speaks of slots stands for all choices
 * of different threads: its *instances*.
 */

import { invariant } from '../../support/invariant.ts';
import type { Observable } from './observables.ts';

/** Sorted by observable. */
export type Cube = readonly number[];

export const byObservable = (a: number, b: number) => Math.abs(a) - Math.abs(b);

/** All ways to choose `size` different numbers below `count`, in order. */
export function arrangements(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  return arrangements(count, size - 1).flatMap((chosen) =>
    Array.from({ length: count }, (_, i) => i).flatMap((i) => (chosen.includes(i) ? [] : [[...chosen, i]])),
  );
}

export class ClauseSpace {
  readonly observables: readonly Observable[];
  readonly #slots: number;
  readonly #idOf = new Map<string, number>();
  /** Whether each observable holds initially. */
  readonly #initial: readonly boolean[];
  readonly #byGroup = new Map<string, number[]>();

  constructor(observables: readonly Observable[], slots: number, initial: readonly boolean[]) {
    this.observables = observables;
    this.#slots = slots;
    this.#initial = initial;
    observables.forEach(({ key, slots: of, kind, group }, id) => {
      this.#idOf.set(`${key}|${of.join()}`, id);
      if (kind === 'counter') this.#byGroup.set(group, [...(this.#byGroup.get(group) ?? []), id]);
    });
  }

  of(literal: number): Observable {
    return this.observables[Math.abs(literal) - 1] as Observable;
  }

  isInitially(literal: number): boolean {
    return (this.#initial[Math.abs(literal) - 1] as boolean) === literal > 0;
  }

  hasInitial(cube: Cube): boolean {
    return cube.every((literal) => this.isInitially(literal));
  }

  slotsOf(cube: Cube): number[] {
    const slots = new Set<number>();
    for (const literal of cube) for (const slot of this.of(literal).slots) slots.add(slot);
    return [...slots].sort((a, b) => a - b);
  }

  /** The literal about other threads. */
  #rename(literal: number, to: readonly number[]): number {
    const { key, slots } = this.of(literal);
    if (slots.length === 0) return literal;
    const id = this.#idOf.get(`${key}|${slots.map((slot) => to[slot]).join()}`);
    invariant(id !== undefined, `slots are not alike: ${key}`);
    return literal > 0 ? id + 1 : -(id + 1);
  }

  #renameAll(cube: Cube, to: readonly number[]): Cube {
    return cube.map((literal) => this.#rename(literal, to)).sort(byObservable);
  }

  /** The same cube about the first slots. */
  normalise(cube: Cube): Cube {
    const to: number[] = [];
    this.slotsOf(cube).forEach((slot, i) => {
      to[slot] = i;
    });
    return this.#renameAll(cube, to);
  }

  instances(cube: Cube): readonly Cube[] {
    return this.instancesAmong(cube, this.#slots);
  }

  instancesAmong(cube: Cube, slots: number): readonly Cube[] {
    const own = this.slotsOf(cube);
    if (own.length === 0) return [cube];
    return arrangements(slots, own.length).map((chosen) => {
      const to: number[] = [];
      own.forEach((slot, i) => {
        to[slot] = chosen[i] as number;
      });
      return this.#renameAll(cube, to);
    });
  }

  /** The counters of the same thread, without this one. */
  othersOfGroup(literal: number): readonly number[] {
    const own = Math.abs(literal) - 1;
    return (this.#byGroup.get(this.of(literal).group) ?? []).filter((id) => id !== own);
  }

  /** For the way to another system: observables by name. */
  spell(cube: Cube): SpelledCube {
    return cube.map((literal) => {
      const { key, slots } = this.of(literal);
      return { name: `${key}|${slots.join()}`, holds: literal > 0 };
    });
  }

  /** Null where an observable is missing here. */
  read(spelled: SpelledCube): Cube | null {
    const cube: number[] = [];
    for (const { name, holds } of spelled) {
      const id = this.#idOf.get(name);
      if (id === undefined) return null;
      cube.push(holds ? id + 1 : -(id + 1));
    }
    return cube.sort(byObservable);
  }

  /** Those of which all observables are here. */
  readAll(spelled: readonly SpelledCube[]): Cube[] {
    return spelled.map((each) => this.read(each)).filter((cube) => cube !== null);
  }
}

/** That there is an error. */
export function errorCube(observables: readonly Observable[]): Cube {
  return [observables.findIndex(({ key }) => key === 'error[0]') + 1];
}

export type SpelledCube = readonly { readonly name: string; readonly holds: boolean }[];
