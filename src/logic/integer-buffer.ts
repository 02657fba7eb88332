/** A growing list of 32-bit integers. Its owner alone pushes; `view` shares the memory until the next push. */
export class IntegerBuffer {
  #items: Int32Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#items = new Int32Array(Math.max(1, capacity));
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#items[index] as number;
  }

  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) this.#reserve(this.#length * 2);
    this.#items[this.#length++] = value;
  }

  pop(): number {
    return this.#items[--this.#length] as number;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Makes the list `length` long, filling with zeros. */
  extend(length: number): void {
    if (length > this.#items.length) this.#reserve(Math.max(length, this.#items.length * 2));
    if (length > this.#length) this.#items.fill(0, this.#length, length);
    this.#length = Math.max(this.#length, length);
  }

  view(): Int32Array {
    return this.#items.subarray(0, this.#length);
  }

  /** A copy that nobody else holds. */
  copy(from = 0): Int32Array {
    return this.#items.slice(from, this.#length);
  }

  #reserve(capacity: number): void {
    const items = new Int32Array(capacity);
    items.set(this.#items.subarray(0, this.#length));
    this.#items = items;
  }
}
