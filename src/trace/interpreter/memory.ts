/**
 * The concrete memory: one flat array of bytes, and beside it one array that says for each byte whether it is alive,
 * initialised and writable. Every instance of an object is a region of its own; regions are laid out in the order in
 * which they come to life, with gaps of dead bytes between, and their addresses are never given out again. So an access
 * outside of any live object, or to one that has ended, is seen by looking at the state of the bytes.
 *
 * Large objects, and what does not fit the array, lie beyond it at addresses from FAR on (far-memory.ts). Who looks at
 * `bytes`, `state` and `view` directly does so below FAR only; the methods here know both.
 *
 * Left out: an access that jumps over a gap into another live object is not seen here (the check of bounds sees it).
 */

import { findAddressNumbers, firstNumberFrom } from '../../program/address-numbers.ts';
import type { Code, Value } from '../../program/code.ts';
import { InvariantError } from '../../support/invariant.ts';
import { FAR, FarMemory, type SavedPages } from './far-memory.ts';

export const ALIVE = 1;
export const INITIALISED = 2;
export const CONSTANT = 4;
export const ENDED = 8;

/** Everything below is dead: null pointers and the addresses of functions. */
export const FIRST_ADDRESS = 0x10000;
const GAP = 16;
const LARGEST_ALIGNMENT = 4096;
/** Objects of more bytes are far. */
const LARGEST_NEAR = 1 << 22;
const LARGEST_SCALAR = 16;

export interface Region {
  readonly base: number;
  readonly size: number;
  readonly kind: 'static' | 'thread' | 'local' | 'heap' | 'alloca';
  /** The declared object; -1 for allocations. */
  readonly object: number;
  /** Who brought it to life: the thread, and what names the instance for messages and inputs. */
  readonly thread: number;
  readonly creator: string;
  /** The bytes that nobody has written to are zero, and not indeterminate. */
  readonly isZeroed: boolean;
  alive: boolean;
  /** Writing to it is an error; of near regions the state of the bytes says so, too. */
  isConstant: boolean;
}

export interface SavedMemory {
  readonly bytes: Uint8Array;
  readonly state: Uint8Array;
  readonly pages: SavedPages;
  readonly regions: readonly Region[];
}

/** The tops of the two parts, for going back. */
export interface Tops {
  readonly near: number;
  readonly far: number;
}

/** Bytes that are to be put back. */
export interface SavedBytes {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly state: Uint8Array;
}

/** What a program asks of the layout. */
export interface MemoryLayout {
  /** The first address that a pointer cannot hold. */
  readonly end: number;
  /** Where no object should lie, sorted (program/address-numbers.ts). */
  readonly avoided: readonly number[];
}

export function layoutOf(code: Code): MemoryLayout {
  return { end: code.dataModel === 'ILP32' ? 2 ** 32 : 2 ** 47, avoided: findAddressNumbers(code) };
}

/** Thrown when the program wants more memory than the interpreter gives; the run ends without a verdict. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory';
}

export class Memory {
  bytes = new Uint8Array(1 << 17);
  state = new Uint8Array(1 << 17);
  view = new DataView(this.bytes.buffer);
  /** In the order of their creation. */
  readonly regions: Region[] = [];
  /** The next free addresses. */
  top = FIRST_ADDRESS;
  #farTop = FAR;
  /** Each sorted by base, because bases only grow. */
  readonly #near: Region[] = [];
  readonly #far: Region[] = [];
  readonly #pages = new FarMemory();
  readonly #scratch = new DataView(new ArrayBuffer(LARGEST_SCALAR));
  readonly #layout: MemoryLayout;

  constructor(layout: MemoryLayout) {
    this.#layout = layout;
  }

  get tops(): Tops {
    return { near: this.top, far: this.#farTop };
  }

  /** Forgets everything, for another run. */
  clear(): void {
    this.truncate(0, { near: FIRST_ADDRESS, far: FAR });
  }

  /** What is in use, to be put back by `load`. */
  save(): SavedMemory {
    return {
      bytes: this.bytes.slice(FIRST_ADDRESS, this.top),
      state: this.state.slice(FIRST_ADDRESS, this.top),
      pages: this.#pages.save(),
      regions: this.regions.map((region) => ({ ...region })),
    };
  }

  load(saved: SavedMemory): void {
    this.clear();
    const top = FIRST_ADDRESS + saved.bytes.length;
    if (this.bytes.length < top) this.#grow(top);
    this.bytes.set(saved.bytes, FIRST_ADDRESS);
    this.state.set(saved.state, FIRST_ADDRESS);
    this.#pages.load(saved.pages);
    this.top = top;
    for (const region of saved.regions) this.#add({ ...region });
    const last = this.#far.at(-1);
    this.#farTop = last ? last.base + last.size + GAP : FAR;
  }

  #add(region: Region): void {
    this.regions.push(region);
    (region.base >= FAR ? this.#far : this.#near).push(region);
  }

  #grow(needed: number): void {
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
    const near = this.#clearPlace(Math.ceil(this.top / step) * step, size, step);
    if (size <= LARGEST_NEAR && near + size + GAP <= FAR) {
      this.top = near + size + GAP;
      return near;
    }
    const far = Math.ceil(this.#farTop / step) * step;
    if (far + size + GAP > this.#layout.end) throw new OutOfMemory('the address space is full');
    this.#farTop = far + size + GAP;
    return far;
  }

  /** Where a near object can lie without being at a number that the program knows. */
  #clearPlace(from: number, size: number, step: number): number {
    const { avoided } = this.#layout;
    let base = from;
    for (let number = firstNumberFrom(avoided, base); number <= base + size; number = firstNumberFrom(avoided, base)) {
      base = Math.ceil((number + 1) / step) * step;
    }
    return base;
  }

  /** Brings a region to life. Its bytes are zero and initialised, or indeterminate. */
  create(
    region: Omit<Region, 'base' | 'alive' | 'isZeroed' | 'isConstant'>,
    alignment: number,
    isZeroed: boolean,
  ): Region {
    const base = this.reserve(region.size, alignment);
    if (this.top > this.bytes.length) this.#grow(this.top);
    const made: Region = { ...region, base, isZeroed, alive: true, isConstant: false };
    if (base < FAR) this.state.fill(isZeroed ? ALIVE | INITIALISED : ALIVE, base, base + region.size);
    this.#add(made);
    return made;
  }

  /** Nobody may write to it from now on. */
  makeConstant(region: Region): void {
    region.isConstant = true;
    if (region.base >= FAR) return;
    for (let at = region.base; at < region.base + region.size; at++) this.state[at] = this.stateAt(at) | CONSTANT;
  }

  end(region: Region): void {
    region.alive = false;
    if (region.base < FAR) this.state.fill(ENDED, region.base, region.base + region.size);
  }

  /** Undoes the creation of the last regions. */
  truncate(count: number, { near, far }: Tops): void {
    this.bytes.fill(0, near, this.top);
    this.state.fill(0, near, this.top);
    if (far < this.#farTop) this.#pages.truncate(far);
    for (const { base } of this.regions.splice(count)) (base >= FAR ? this.#far : this.#near).pop();
    this.top = near;
    this.#farTop = far;
  }

  /** Bytes of a scalar or of a near region. */
  saveBytes(address: number, size: number): SavedBytes {
    if (address < FAR) {
      const end = address + size;
      return { address, bytes: this.bytes.slice(address, end), state: this.state.slice(address, end) };
    }
    const each = <T>(read: (at: number) => T) => Array.from({ length: size }, (_, i) => read(address + i));
    return {
      address,
      bytes: Uint8Array.from(each((at) => this.#pages.read(at))),
      state: Uint8Array.from(each((at) => (this.#pages.isWritten(at) ? 1 : 0))),
    };
  }

  restoreBytes({ address, bytes, state }: SavedBytes): void {
    if (address < FAR) {
      this.bytes.set(bytes, address);
      this.state.set(state, address);
      return;
    }
    for (let i = 0; i < bytes.length; i++) {
      if (state[i] === 1) this.#pages.write(address + i, bytes[i] as number);
      else this.#pages.forget(address + i);
    }
  }

  /** The region that an address lies in, alive or not; one past its end counts, for messages. */
  find(address: number): Region | null {
    const regions = address >= FAR ? this.#far : this.#near;
    let low = 0;
    let high = regions.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const region = regions[middle] as Region;
      if (address < region.base) high = middle - 1;
      else if (address > region.base + region.size) low = middle + 1;
      else return region;
    }
    return null;
  }

  /** A set of ALIVE, INITIALISED, CONSTANT and ENDED; 0 where there is nothing. */
  stateAt(address: number): number {
    if (!(address >= FAR)) return this.state[address] ?? 0;
    const region = this.find(address);
    if (!region || address >= region.base + region.size) return 0;
    if (!region.alive) return ENDED;
    const isInitialised = region.isZeroed || this.#pages.isWritten(address);
    return ALIVE | (isInitialised ? INITIALISED : 0) | (region.isConstant ? CONSTANT : 0);
  }

  byteAt(address: number): number {
    return address >= FAR ? this.#pages.read(address) : (this.bytes[address] ?? 0);
  }

  /** Gives a byte a value and initialises it. */
  setByte(address: number, byte: number): void {
    if (address < FAR) {
      this.bytes[address] = byte;
      this.state[address] = this.stateAt(address) | INITIALISED;
    } else if (!this.#pages.write(address, byte)) throw new OutOfMemory('too much of it is used');
  }

  /** Whether all bytes are alive (and writable, when they are to be written). */
  isAccessible(address: number, size: number, writing: boolean): boolean {
    if (!(address >= 0)) return false;
    for (let i = 0; i < size; i++) {
      const state = this.stateAt(address + i);
      if ((state & ALIVE) === 0 || (writing && (state & CONSTANT) !== 0)) return false;
    }
    return true;
  }

  isInitialised(address: number, size: number): boolean {
    for (let i = 0; i < size; i++) if ((this.stateAt(address + i) & INITIALISED) === 0) return false;
    return true;
  }

  /** The stretches of a region that may hold something other than zeros. */
  *stretches({ base, size }: Region): Generator<{ readonly start: number; readonly bytes: Uint8Array }> {
    if (base < FAR) yield { start: base, bytes: this.bytes.subarray(base, base + size) };
    else yield* this.#pages.stretches(base, base + size);
  }

  /** What is far, in the order of addresses: numbers of pages, contents, and which bytes were written. */
  farPages(): ReturnType<FarMemory['inOrder']> {
    return this.#pages.inOrder();
  }

  // -------------------------------------------------------------- scalars

  /** Reads a scalar as the interpreter holds it: a bigint for 64 and 128 bits of integer, else a number. */
  read(address: number, type: Value['type']): number | bigint {
    if (address < FAR) return readScalar(this.view, address, type);
    const size = bytesOf(type);
    for (let i = 0; i < size; i++) this.#scratch.setUint8(i, this.#pages.read(address + i));
    return readScalar(this.#scratch, 0, type);
  }

  /** Writes a scalar; near bytes are to be marked as initialised by the caller. */
  write(address: number, type: Value['type'], value: number | bigint): void {
    if (address < FAR) {
      writeScalar(this.view, address, type, value);
      return;
    }
    writeScalar(this.#scratch, 0, type, value);
    const size = bytesOf(type);
    for (let i = 0; i < size; i++) this.setByte(address + i, this.#scratch.getUint8(i));
  }
}

/** How many bytes a scalar has in memory. */
export function bytesOf(type: Value['type']): number {
  return type.bits === 80 ? 16 : type.bits / 8;
}

function readScalar(view: DataView, address: number, type: Value['type']): number | bigint {
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

function writeScalar(view: DataView, address: number, type: Value['type'], value: number | bigint): void {
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
