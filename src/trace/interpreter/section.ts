/**
 * The open atomic section of the running thread and how to undo it: when an assumption in it fails, the section has had
 * no effect. Saved are the bytes before each write, the frames before the section touches them, and how many threads
 * and regions there were. Only one section is open at a time, because nobody else runs meanwhile.
 */

import type { Memory, Region } from './memory.ts';
import type { Frame, Scalar, Thread } from './state.ts';

interface SavedFrame {
  readonly frame: Frame;
  readonly pc: number;
  readonly registers: readonly Scalar[];
  readonly objects: readonly number[];
  readonly counts: readonly number[];
  readonly allocas: number;
}

interface SavedBytes {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly state: Uint8Array;
}

export class Section {
  readonly #thread: Thread;
  readonly #frames: SavedFrame[] = [];
  readonly #bytes: SavedBytes[] = [];
  readonly #ended: Region[] = [];
  readonly #regionCount: number;
  readonly #top: number;
  readonly #threadCount: number;
  readonly #inputs: number;
  /** Frames at this depth and above (deeper calls) began in the section and need no saving. */
  #savedDepth: number;

  /** `pc` is that of the atomic-begin. */
  constructor(thread: Thread, pc: number, memory: Memory, threadCount: number) {
    this.#thread = thread;
    this.#regionCount = memory.regions.length;
    this.#top = memory.top;
    this.#threadCount = threadCount;
    this.#inputs = thread.inputs;
    this.#savedDepth = thread.frame.depth + 1;
    this.saveFrame(thread.frame, pc);
  }

  /** Before the section returns into a frame that was there before it. */
  saveFrame(frame: Frame, pc = frame.pc): void {
    if (frame.depth >= this.#savedDepth) return;
    this.#savedDepth = frame.depth;
    this.#frames.push({
      frame,
      pc,
      registers: frame.registers.slice(),
      objects: frame.objects.slice(),
      counts: frame.counts.slice(),
      allocas: frame.allocas?.length ?? 0,
    });
  }

  saveBytes(memory: Memory, address: number, size: number): void {
    // Regions made in the section vanish as a whole.
    if (address >= this.#top) return;
    this.#bytes.push({
      address,
      bytes: memory.bytes.slice(address, address + size),
      state: memory.state.slice(address, address + size),
    });
  }

  saveRegion(memory: Memory, region: Region): void {
    if (region.base >= this.#top) return;
    this.#ended.push(region);
    this.saveBytes(memory, region.base, region.size);
  }

  /** Undoes everything; returns how many threads there were. */
  undo(memory: Memory): number {
    for (let saved = this.#bytes.pop(); saved; saved = this.#bytes.pop()) {
      memory.bytes.set(saved.bytes, saved.address);
      memory.state.set(saved.state, saved.address);
    }
    for (const region of this.#ended) region.alive = true;
    memory.truncate(this.#regionCount, this.#top);
    for (const saved of this.#frames) restoreFrame(saved);
    const first = this.#frames[0];
    if (first) this.#thread.frame = first.frame;
    this.#thread.inputs = this.#inputs;
    return this.#threadCount;
  }
}

function restoreFrame(saved: SavedFrame): void {
  const { frame } = saved;
  frame.pc = saved.pc;
  copyInto(frame.registers, saved.registers);
  copyInto(frame.objects, saved.objects);
  copyInto(frame.counts, saved.counts);
  if (frame.allocas) frame.allocas.length = saved.allocas;
}

function copyInto<T>(target: T[], source: readonly T[]): void {
  for (let i = 0; i < source.length; i++) target[i] = source[i] as T;
}
