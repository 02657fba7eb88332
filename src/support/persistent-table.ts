/**
 * A table from small numbers to values that never changes: setting an entry gives another table, which shares all but
 * the way to the entry. Copies cost nothing, and the intersection of two tables that come from a common one takes time
 * in the entries in which they differ. It is a tree with a fixed number of children a node, and grows by new roots.
 */

const BITS = 3;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** At height 0 the children are values, above they are nodes. */
type Node<V> = readonly (Node<V> | V | undefined)[];

export class PersistentTable<V> {
  readonly #root: Node<V> | undefined;
  readonly #height: number;

  private constructor(root: Node<V> | undefined, height: number) {
    this.#root = root;
    this.#height = height;
  }

  static empty<V>(): PersistentTable<V> {
    return new PersistentTable<V>(undefined, 0);
  }

  get(index: number): V | undefined {
    if (index >> (BITS * (this.#height + 1)) !== 0) return undefined;
    let at = this.#root;
    for (let height = this.#height; height > 0 && at !== undefined; height--) {
      at = at[(index >> (BITS * height)) & MASK] as Node<V> | undefined;
    }
    return at?.[index & MASK] as V | undefined;
  }

  /** `undefined` removes the entry. */
  with(index: number, value: V | undefined): PersistentTable<V> {
    if (this.get(index) === value) return this;
    let root = this.#root;
    let height = this.#height;
    while (index >> (BITS * (height + 1)) !== 0) {
      root = root && [root];
      height++;
    }
    return new PersistentTable(withEntry(root, height, index, value), height);
  }

  /** The entries that both tables have, with values that are the same. */
  intersect(other: PersistentTable<V>, same: (left: V, right: V) => boolean): PersistentTable<V> {
    if (this.#root === other.#root) return this;
    const [low, high] = this.#height < other.#height ? [this, other] : [other, this];
    let root = high.#root;
    // What lies beyond the lower table's end is in one of them only.
    for (let height = high.#height; height > low.#height; height--) root = root?.[0] as Node<V> | undefined;
    return new PersistentTable(intersectNodes(low.#root, root, low.#height, same), low.#height);
  }
}

function withEntry<V>(
  node: Node<V> | undefined,
  height: number,
  index: number,
  value: V | undefined,
): Node<V> | undefined {
  const slot = (index >> (BITS * height)) & MASK;
  const child = node?.[slot];
  const after = height === 0 ? value : withEntry(child as Node<V> | undefined, height - 1, index, value);
  const copy: (Node<V> | V | undefined)[] = node ? node.slice() : [];
  while (copy.length <= slot) copy.push(undefined);
  copy[slot] = after;
  return copy.some((part) => part !== undefined) ? copy : undefined;
}

function intersectNodes<V>(
  left: Node<V> | undefined,
  right: Node<V> | undefined,
  height: number,
  same: (left: V, right: V) => boolean,
): Node<V> | undefined {
  if (left === right) return left;
  if (left === undefined || right === undefined) return undefined;
  const both = left.map((child, slot) => {
    const other = right[slot];
    if (child === undefined || other === undefined) return undefined;
    if (height > 0) return intersectNodes(child as Node<V>, other as Node<V>, height - 1, same);
    return same(child as V, other as V) ? child : undefined;
  });
  return both.some((part) => part !== undefined) ? both : undefined;
}
