/**
 * The concrete memory: one flat array of bytes, and beside it one array that says for each byte whether it is alive,
 * initialised and writable. Every instance of an object is a region of its own; regions are laid out in the order in
 * which they come to life, with gaps of dead bytes between, and their addresses are never given out again. So an access
 * outside of any live object, or to one that has ended, is seen by looking at the state of the bytes.
 *
 * Left out: an access that jumps over a gap into another live object is not seen here (the check of bounds sees it).
 */

import type { Value } from '../../program/code.ts';
import { InvariantError } from '../../support/invariant.ts';

export const ALIVE = 1;
export const INITIALISED = 2;
export const CONSTANT = 4;
export const ENDED = 8;

/** Everything below is dead: null pointers and the addresses of functions. */
const FIRST_ADDRESS = 0x10000;
const GAP = 16;
const LARGEST_ALIGNMENT = 4096;

export interface Region {
  readonly base: number;
  readonly size: number;
  readonly kind: 'static' | 'thread' | 'local' | 'heap' | 'alloca';
  /** The declared object; -1 for allocations. */
  readonly object: number;
  /** Who brought it to life: the thread, and what names the instance for messages and inputs. */
  readonly thread: number;
  readonly creator: string;
  alive: boolean;
}

export interface SavedMemory {
  readonly bytes: Uint8Array;
  readonly state: Uint8Array;
  readonly regions: readonly Region[];
}

/** Thrown when the program wants more memory than the interpreter gives; the run ends without a verdict. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory';
}

export class Memory {
  bytes: Uint8Array;
  state: Uint8Array;
  view: DataView;
  /** Sorted by base, because bases only grow. */
  readonly regions: Region[] = [];
  top = FIRST_ADDRESS;
  readonly #limit: number;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
    this.bytes = new Uint8Array(1 << 17);
    this.state = new Uint8Array(1 << 17);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Forgets everything, for another run. */
  clear(): void {
    this.truncate(0, FIRST_ADDRESS);
  }

  /** What is in use, to be put back by `load`. */
  save(): SavedMemory {
    return {
      bytes: this.bytes.slice(FIRST_ADDRESS, this.top),
      state: this.state.slice(FIRST_ADDRESS, this.top),
      regions: this.regions.map((region) => ({ ...region })),
    };
  }

  load(saved: SavedMemory): void {
    this.clear();
    const top = FIRST_ADDRESS + saved.bytes.length;
    if (this.bytes.length < top) this.#grow(top);
    this.bytes.set(saved.bytes, FIRST_ADDRESS);
    this.state.set(saved.state, FIRST_ADDRESS);
    this.top = top;
    for (const region of saved.regions) this.regions.push({ ...region });
  }

  #grow(needed: number): void {
    if (needed > this.#limit) throw new OutOfMemory(`more than ${this.#limit} bytes`);
    let length = this.bytes.length;
    while (length < needed) length *= 2;
    const bytes = new Uint8Array(length);
    const state = new Uint8Array(length);
    bytes.set(this.bytes);
    state.set(this.state);
    this.bytes = bytes;
    this.state = state;
    this.view = new DataView(bytes.buffer);
  }

  /** Takes the next free address. */
  reserve(size: number, alignment: number): number {
    const step = Math.min(Math.max(alignment, 16), LARGEST_ALIGNMENT);
    const base = Math.ceil(this.top / step) * step;
    this.top = base + size + GAP;
    return base;
  }

  /** Brings a region to life. Its bytes are zero and initialised, or indeterminate. */
  create(region: Omit<Region, 'base' | 'alive'>, alignment: number, zeroed: boolean): Region {
    const before = this.top;
    const base = this.reserve(region.size, alignment);
    if (this.top > this.bytes.length) {
      const needed = this.top;
      this.top = before;
      this.#grow(needed);
      this.top = needed;
    }
    const made: Region = { ...region, base, alive: true };
    this.state.fill(zeroed ? ALIVE | INITIALISED : ALIVE, base, base + region.size);
    this.regions.push(made);
    return made;
  }

  end(region: Region): void {
    region.alive = false;
    this.state.fill(ENDED, region.base, region.base + region.size);
  }

  /** Undoes the creation of the last regions. */
  truncate(count: number, top: number): void {
    this.bytes.fill(0, top, this.top);
    this.state.fill(0, top, this.top);
    this.regions.length = count;
    this.top = top;
  }

  /** The region that an address lies in, alive or not; one past its end counts, for messages. */
  find(address: number): Region | null {
    let low = 0;
    let high = this.regions.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const region = this.regions[middle] as Region;
      if (address < region.base) high = middle - 1;
      else if (address > region.base + region.size) low = middle + 1;
      else return region;
    }
    return null;
  }

  /** Whether all bytes are alive (and writable, when they are to be written). */
  isAccessible(address: number, size: number, writing: boolean): boolean {
    if (!(address >= 0 && address + size <= this.top)) return false;
    for (let i = 0; i < size; i++) {
      const state = this.state[address + i] as number;
      if ((state & ALIVE) === 0 || (writing && (state & CONSTANT) !== 0)) return false;
    }
    return true;
  }

  isInitialised(address: number, size: number): boolean {
    for (let i = 0; i < size; i++) if (((this.state[address + i] as number) & INITIALISED) === 0) return false;
    return true;
  }

  markInitialised(address: number, size: number): void {
    for (let i = 0; i < size; i++) this.state[address + i] = (this.state[address + i] as number) | INITIALISED;
  }

  // -------------------------------------------------------------- scalars

  /** Reads a scalar as the interpreter holds it: a bigint for 64 and 128 bits of integer, else a number. */
  read(address: number, type: Value['type']): number | bigint {
    const { view } = this;
    if (type.kind === 'float') {
      if (type.bits === 32) return view.getFloat32(address, true);
      if (type.bits === 64) return view.getFloat64(address, true);
      throw new InvariantError(`floats of ${type.bits} bits`);
    }
    switch (type.bits) {
      case 8:
        return type.signed ? view.getInt8(address) : view.getUint8(address);
      case 16:
        return type.signed ? view.getInt16(address, true) : view.getUint16(address, true);
      case 32:
        return type.signed ? view.getInt32(address, true) : view.getUint32(address, true);
      case 64:
        return type.signed ? view.getBigInt64(address, true) : view.getBigUint64(address, true);
      case 128: {
        const high = view.getBigUint64(address + 8, true);
        const whole = (high << 64n) | view.getBigUint64(address, true);
        return type.signed ? BigInt.asIntN(128, whole) : whole;
      }
    }
  }

  write(address: number, type: Value['type'], value: number | bigint): void {
    const { view } = this;
    if (type.kind === 'float') {
      const number = Number(value);
      // Which NaN JavaScript writes is its own choice; here there is one.
      if (type.bits === 32 && Number.isNaN(number)) view.setUint32(address, 0x7fc0_0000, true);
      else if (type.bits === 32) view.setFloat32(address, number, true);
      else if (type.bits === 64 && Number.isNaN(number)) view.setBigUint64(address, 0x7ff8_0000_0000_0000n, true);
      else if (type.bits === 64) view.setFloat64(address, number, true);
      else throw new InvariantError(`floats of ${type.bits} bits`);
      return;
    }
    switch (type.bits) {
      case 8:
        view.setUint8(address, Number(value));
        break;
      case 16:
        view.setUint16(address, Number(value), true);
        break;
      case 32:
        view.setUint32(address, Number(value), true);
        break;
      case 64:
        view.setBigUint64(address, BigInt.asUintN(64, BigInt(value)), true);
        break;
      case 128:
        view.setBigUint64(address, BigInt.asUintN(64, BigInt(value)), true);
        view.setBigUint64(address + 8, BigInt.asUintN(64, BigInt(value) >> 64n), true);
        break;
    }
  }
}
