/**
 * The stores of a thread that have not reached memory yet, oldest first, under TSO and PSO. Under TSO they arrive in
 * this order. Under PSO a store need only wait for older ones to the same bytes, for those that a release fence stands
 * behind, and, if it is a release store itself, for all older ones.
 *
 * Places are bytes: what a thread reads is, byte by byte, its own newest pending store, else memory. A store arrives as
 * a whole. What is stored to an object that has ended meanwhile arrives nowhere.
 */

import type { Instruction, ScalarType } from '../../program/code.ts';
import type { MemoryModel } from '../../program/memory-model.ts';
import type { MemoryOrder } from '../../program/memory-order.ts';
import { FAR } from './far-memory.ts';
import { frameKey } from './frames.ts';
import { ALIVE, bytesOf, INITIALISED, type Memory, type SavedBytes } from './memory.ts';
import type { Frame, Recorder, Scalar, Thread } from './state.ts';

type Store = Extract<Instruction, { kind: 'store' }>;

export interface PendingStore {
  readonly address: number;
  readonly size: number;
  readonly type: ScalarType;
  readonly value: Scalar;
  /** The instance that made it (program/instance-key.ts); empty where nobody asks. */
  readonly key: string;
  readonly frame: Frame;
  readonly instruction: Instruction;
  /** How many release fences the thread had passed. */
  readonly fences: number;
  readonly isRelease: boolean;
}

export function releases(order: MemoryOrder): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

export function overlaps(store: PendingStore, address: number, size: number): boolean {
  return store.address < address + size && address < store.address + store.size;
}

/** Whether a store has to wait for an older one. */
function waitsFor(store: PendingStore, older: PendingStore, model: MemoryModel): boolean {
  if (model === 'tso' || store.isRelease || store.fences > older.fences) return true;
  return overlaps(older, store.address, store.size);
}

/** The stores that can reach memory next, by their places in the buffer. */
export function nextToArrive(buffer: readonly PendingStore[], model: MemoryModel): number[] {
  const places: number[] = [];
  for (const [at, store] of buffer.entries()) {
    if (!buffer.slice(0, at).some((older) => waitsFor(store, older, model))) places.push(at);
    if (model === 'tso') break;
  }
  return places;
}

/** The places of a store and of all that have to arrive before it, oldest first. */
export function arriveBefore(buffer: readonly PendingStore[], at: number, model: MemoryModel): number[] {
  const needed = new Set([at]);
  for (let later = at; later > 0; later--) {
    if (!needed.has(later)) continue;
    for (let older = 0; older < later; older++) {
      if (waitsFor(buffer[later] as PendingStore, buffer[older] as PendingStore, model)) needed.add(older);
    }
  }
  return [...needed].sort((a, b) => a - b);
}

/** Writes it to memory; not where its object has ended. */
export function arrive(memory: Memory, { address, size, type, value }: PendingStore): void {
  if (!memory.isAccessible(address, size, true)) return;
  memory.write(address, type, value);
  if (address < FAR) for (let i = 0; i < size; i++) memory.state[address + i] = ALIVE | INITIALISED;
}

/** Carries out an action on memory as the owner of the buffer sees these bytes. */
export function seenThrough<T>(
  memory: Memory,
  buffer: readonly PendingStore[],
  address: number,
  type: ScalarType,
  action: () => T,
): T {
  const saved: SavedBytes[] = [];
  for (const store of buffer) {
    if (!overlaps(store, address, bytesOf(type)) || !memory.isAccessible(store.address, store.size, true)) continue;
    saved.push(memory.saveBytes(store.address, store.size));
    arrive(memory, store);
  }
  try {
    return action();
  } finally {
    for (let bytes = saved.pop(); bytes; bytes = saved.pop()) memory.restoreBytes(bytes);
  }
}

/** What the buffers need of the machine. */
interface BufferedMachine {
  readonly memory: Memory;
  readonly threads: readonly Thread[];
  readonly section: unknown;
  readonly recorder: Recorder | null;
  writes: number;
}

/** The buffers of all threads of a machine. */
export class StoreBuffers {
  readonly model: MemoryModel;
  /** Whether stores stay in the buffer; otherwise they arrive at once, and all pending ones of the thread before. */
  holds = true;
  readonly #machine: BufferedMachine;
  readonly #isNamed: boolean;

  constructor(machine: BufferedMachine, model: MemoryModel, isNamed: boolean) {
    this.#machine = machine;
    this.model = model;
    this.#isNamed = isNamed;
  }

  get isEmpty(): boolean {
    return this.#machine.threads.every(({ buffer }) => buffer.length === 0);
  }

  /**
   * Whether the store goes into the buffer; it has been put there then. Nothing is kept back while there is only one
   * thread, or what no other thread sees, unless it hides a pending store.
   */
  takes(frame: Frame, address: number, value: Scalar, instruction: Store): boolean {
    const { thread } = frame;
    const machine = this.#machine;
    if (machine.section !== null || machine.threads.length < 2) return false;
    const { mode, type } = instruction;
    const order = mode.kind === 'atomic' ? mode.order : null;
    if (order === 'seq_cst' || !this.holds) {
      this.drain(thread);
      return false;
    }
    const size = bytesOf(type);
    const isVisible = frame.function.visible[frame.pc - 1] === 1;
    if (!isVisible && !thread.buffer.some((store) => overlaps(store, address, size))) return false;
    const key = this.#isNamed ? frameKey(frame, frame.pc - 1) : '';
    const isRelease = order !== null && releases(order);
    const { releaseFences: fences } = thread;
    thread.buffer.push({ address, size, type, value, key, frame, instruction, fences, isRelease });
    return true;
  }

  fence(thread: Thread, order: MemoryOrder): void {
    if (order === 'seq_cst') this.drain(thread);
    else if (this.model === 'pso' && releases(order) && thread.buffer.length > 0) thread.releaseFences++;
  }

  /** The places of the stores of a thread that can reach memory next. */
  next({ buffer }: Thread): number[] {
    return nextToArrive(buffer, this.model);
  }

  /** A store reaches memory, and before it those that have to. */
  commit(thread: Thread, at: number): void {
    const places = arriveBefore(thread.buffer, at, this.model);
    for (const [done, place] of places.entries()) this.#arrive(thread, place - done);
  }

  /** All pending stores of the thread reach memory. */
  drain(thread: Thread): void {
    while (thread.buffer.length > 0) this.#arrive(thread, 0);
    thread.releaseFences = 0;
  }

  #arrive(thread: Thread, at: number): void {
    const [store] = thread.buffer.splice(at, 1);
    if (!store) return;
    const machine = this.#machine;
    const { address, type, value, frame, instruction } = store;
    if (machine.recorder !== null) {
      const { memory } = machine;
      const old = memory.isInitialised(address, store.size) ? memory.read(address, type) : null;
      machine.recorder({ kind: 'commit', address, type, value, old }, frame, instruction);
    }
    arrive(machine.memory, store);
    machine.writes++;
  }
}
