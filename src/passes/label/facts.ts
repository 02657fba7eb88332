/**
 * Facts that hold at a place of a thread on every way to it: locks that the thread holds, threads that it has created
 * and waited for. A set of facts is never changed, and there is only one of the same facts, so that sets are compared
 * by identity.
 */

export type Fact =
  | `holds ${number}`
  | `created ${number}`
  | `joined ${number}`
  /** Of the thread itself: others may go on that wait for its end. */
  | 'finished';

export type Facts = ReadonlySet<Fact>;

export class FactSets {
  readonly #sets = new Map<string, Facts>();
  readonly none: Facts = this.#only([]);

  with(facts: Facts, fact: Fact): Facts {
    return facts.has(fact) ? facts : this.#only([...facts, fact]);
  }

  without(facts: Facts, fact: Fact): Facts {
    return facts.has(fact) ? this.#only([...facts].filter((other) => other !== fact)) : facts;
  }

  /** What is in both. */
  meet(one: Facts, other: Facts): Facts {
    return one === other ? one : this.#only([...one].filter((fact) => other.has(fact)));
  }

  #only(facts: readonly Fact[]): Facts {
    const sorted = facts.toSorted();
    const key = sorted.join();
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const made = new Set(sorted);
    this.#sets.set(key, made);
    return made;
  }
}
