/**
 * A map from four integers to one, for hash-consing: open addressing with linear probing over typed arrays. Entries are
 * only ever added.
 */

/** Four keys and the value. */
const STRIDE = 5;

export class TupleTable {
  #entries = new Int32Array(1024 * STRIDE);
  #count = 0;
  /** The entry's number plus one, or 0. Twice as many as there is room for entries. */
  #slots = new Int32Array(2048);

  /** The value of the tuple, or -1. */
  get(a: number, b: number, c: number, d: number): number {
    const slot = this.#slots[this.#find(a, b, c, d)] as number;
    return slot === 0 ? -1 : (this.#entries[(slot - 1) * STRIDE + 4] as number);
  }

  /** Sets the value of a tuple, which is not negative. */
  set(a: number, b: number, c: number, d: number, value: number): void {
    const at = this.#find(a, b, c, d);
    if (this.#slots[at] === 0) {
      this.#entries.set([a, b, c, d], this.#count * STRIDE);
      this.#slots[at] = ++this.#count;
    }
    this.#entries[((this.#slots[at] as number) - 1) * STRIDE + 4] = value;
    if (this.#count * 2 === this.#slots.length) this.#grow();
  }

  /** The slot of the tuple, or the free one where it belongs. */
  #find(a: number, b: number, c: number, d: number): number {
    const slots = this.#slots;
    const entries = this.#entries;
    const mask = slots.length - 1;
    let at = hash(a, b, c, d) & mask;
    for (let slot = slots[at] as number; slot !== 0; slot = slots[at] as number) {
      const entry = (slot - 1) * STRIDE;
      const isSame = entries[entry + 1] === b && entries[entry + 2] === c && entries[entry] === a;
      if (isSame && entries[entry + 3] === d) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const entries = new Int32Array(2 * this.#entries.length);
    entries.set(this.#entries);
    this.#entries = entries;
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let i = 0; i < this.#count; i++) {
      const [a, b, c, d] = entries.subarray(i * STRIDE, i * STRIDE + 4) as unknown as [number, number, number, number];
      this.#slots[this.#find(a, b, c, d)] = i + 1;
    }
  }
}

function hash(a: number, b: number, c: number, d: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
