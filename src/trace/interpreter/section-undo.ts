/**
 * The open atomic section of the running thread and how to undo it: when an assumption in it fails, the section has had
 * no effect. Saved are the bytes before each write, the frames before the section touches them, and how many threads
 * and regions there were. Only one section is open at a time, because nobody else runs meanwhile.
 */

import { FAR } from './far-memory.ts';
import type { Memory, Region, SavedBytes, Tops } from './memory.ts';
import type { Frame, Scalar, Thread } from './state.ts';

interface SavedFrame {
  readonly frame: Frame;
  readonly pc: number;
  readonly registers: readonly Scalar[];
  readonly objects: readonly number[];
  readonly counts: readonly number[];
  readonly allocas: number;
}

export class SectionUndo {
  readonly #thread: Thread;
  readonly #frames: SavedFrame[] = [];
  readonly #bytes: SavedBytes[] = [];
  readonly #ended: Region[] = [];
  readonly #regionCount: number;
  readonly #tops: Tops;
  readonly #threadCount: number;
  readonly #inputs: number;
  /** Frames at this depth and above (deeper calls) began in the section and need no saving. */
  #savedDepth: number;

  /** `pc` is that of the atomic-begin. */
  constructor(thread: Thread, pc: number, memory: Memory, threadCount: number) {
    this.#thread = thread;
    this.#regionCount = memory.regions.length;
    this.#tops = memory.tops;
    this.#threadCount = threadCount;
    this.#inputs = thread.inputs;
    this.#savedDepth = thread.frame.depth + 1;
    this.saveFrame(thread.frame, pc);
  }

  /** Where it began. */
  get frame(): Frame {
    return (this.#frames[0] as SavedFrame).frame;
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
    if (!this.#isNew(address)) this.#bytes.push(memory.saveBytes(address, size));
  }

  saveRegion(memory: Memory, region: Region): void {
    if (this.#isNew(region.base)) return;
    this.#ended.push(region);
    // What is far stays as it is.
    if (region.base < FAR) this.saveBytes(memory, region.base, region.size);
  }

  /** Regions made in the section vanish as a whole. */
  #isNew(address: number): boolean {
    return address >= FAR ? address >= this.#tops.far : address >= this.#tops.near;
  }

  /** Undoes everything; returns how many threads there were. */
  undo(memory: Memory): number {
    for (let saved = this.#bytes.pop(); saved; saved = this.#bytes.pop()) {
      memory.restoreBytes(saved);
    }
    for (const region of this.#ended) region.alive = true;
    memory.truncate(this.#regionCount, this.#tops);
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
