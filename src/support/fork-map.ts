/**
 * A map that is cheap to copy and whose copies are cheap to compare: for states that fork at every branch of a program
 * and differ in little when they meet again. A copy shares all that was there; each side keeps what it changes in a
 * layer of its own. Layers are put together so that each is more than twice as large as the one above it: there are few
 * to look through, and an entry is seldom copied.
 */

interface Layer<K, V> {
  readonly entries: ReadonlyMap<K, V | undefined>;
  readonly below: Layer<K, V> | null;
}

export class ForkMap<K, V> {
  /** What changed since the last copy was made; undefined for what was deleted. */
  #own = new Map<K, V | undefined>();
  #below: Layer<K, V> | null = null;

  get(key: K): V | undefined {
    const own = this.#own.get(key);
    if (own !== undefined || this.#own.has(key)) return own;
    for (let layer = this.#below; layer; layer = layer.below) {
      const value = layer.entries.get(key);
      if (value !== undefined || layer.entries.has(key)) return value;
    }
    return undefined;
  }

  set(key: K, value: V): void {
    this.#own.set(key, value);
  }

  delete(key: K): void {
    this.#own.set(key, undefined);
  }

  /** A copy that goes its own way from here on. */
  fork(): ForkMap<K, V> {
    if (this.#own.size > 0) {
      this.#below = stack(this.#own, this.#below);
      this.#own = new Map();
    }
    const copy = new ForkMap<K, V>();
    copy.#below = this.#below;
    return copy;
  }

  /** All keys under which this map and another have different values, and some more. */
  differingKeys(other: ForkMap<K, V>): Set<K> {
    const theirs = new Set<Layer<K, V>>();
    for (let layer = other.#below; layer; layer = layer.below) theirs.add(layer);
    const keys = new Set(this.#own.keys());
    let common = this.#below;
    for (; common && !theirs.has(common); common = common.below) for (const key of common.entries.keys()) keys.add(key);
    for (const key of other.#own.keys()) keys.add(key);
    for (let layer = other.#below; layer && layer !== common; layer = layer.below)
      for (const key of layer.entries.keys()) keys.add(key);
    return keys;
  }

  /** The entries, those that were set first coming first as far as that is known. */
  toMap(): Map<K, V> {
    const layers: ReadonlyMap<K, V | undefined>[] = [this.#own];
    for (let layer = this.#below; layer; layer = layer.below) layers.push(layer.entries);
    const all = new Map<K, V>();
    for (const entries of layers.reverse()) {
      for (const [key, value] of entries) {
        if (value === undefined) all.delete(key);
        else all.set(key, value);
      }
    }
    return all;
  }
}

function stack<K, V>(entries: Map<K, V | undefined>, below: Layer<K, V> | null): Layer<K, V> {
  let [top, rest] = [entries, below];
  while (rest && rest.entries.size <= 2 * top.size) {
    const both = new Map(rest.entries);
    for (const [key, value] of top) both.set(key, value);
    [top, rest] = [both, rest.below];
  }
  return { entries: top, below: rest };
}
