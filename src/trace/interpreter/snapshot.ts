/**
 * Snapshots of a machine between two steps, and a fingerprint of its state: for enumerating all interleavings of small
 * programs. Loop counts are names only and are left out of the fingerprint, so that a loop that changes nothing is seen
 * to; unless there are bounds, which count.
 */

import { invariant } from '../../support/invariant.ts';
import { pushAll } from '../../support/push-all.ts';
import { FAR } from './far-memory.ts';
import type { Machine } from './machine.ts';
import { FIRST_ADDRESS, type SavedMemory } from './memory.ts';
import type { SavedClocks } from './race-detector.ts';
import type { Frame, Scalar, Thread } from './state.ts';

export interface Snapshot {
  readonly memory: SavedMemory;
  readonly threads: readonly Thread[];
  readonly writes: number;
  readonly clocks: SavedClocks | null;
}

export function takeSnapshot(machine: Machine): Snapshot {
  invariant(machine.section === null, 'no atomic section is open between steps');
  return {
    memory: machine.memory.save(),
    threads: machine.threads.map(copyThread),
    writes: machine.writes,
    clocks: machine.races?.save() ?? null,
  };
}

/** Puts the machine back; the snapshot can be used again. */
export function restoreSnapshot(machine: Machine, snapshot: Snapshot): void {
  machine.memory.load(snapshot.memory);
  machine.threads.length = 0;
  pushAll(machine.threads, snapshot.threads.map(copyThread));
  machine.writes = snapshot.writes;
  if (snapshot.clocks) machine.races?.load(snapshot.clocks);
  machine.section = null;
  machine.atomicDepth = 0;
  machine.status = 'running';
  machine.violation = null;
  machine.reason = '';
}

function copyThread(thread: Thread): Thread {
  const copy: Thread = { ...thread, locals: new Map(thread.locals), buffer: thread.buffer.slice() };
  copy.frame = copyFrame(thread.frame, copy);
  return copy;
}

function copyFrame(frame: Frame, thread: Thread): Frame {
  return {
    ...frame,
    thread,
    parent: frame.parent ? copyFrame(frame.parent, thread) : null,
    registers: frame.registers.slice(),
    objects: frame.objects.slice(),
    counts: frame.counts.slice(),
    allocas: frame.allocas?.slice() ?? null,
  };
}

/** Two hashes of 32 bits each; equal states have equal fingerprints, different ones practically never. */
export function fingerprint(machine: Machine, withCounts = false): string {
  const hash = new Hash();
  addMemory(hash, machine);
  for (const thread of machine.threads) addThread(hash, thread, withCounts);
  if (machine.races) addClocks(hash, machine.races.save());
  return hash.text();
}

/** Of memory alone. */
export function fingerprintMemory(machine: Machine): string {
  const hash = new Hash();
  addMemory(hash, machine);
  return hash.text();
}

/** Of one thread, but for what it has in memory. */
export function fingerprintThread(thread: Thread): string {
  const hash = new Hash();
  addThread(hash, thread, false);
  return hash.text();
}

function addMemory(hash: Hash, { memory }: Machine): void {
  hash.add(memory.tops.near);
  hash.add(memory.tops.far);
  // Nothing lies below the first region or above the top; regions are aligned, so that whole words can be taken.
  const start = FIRST_ADDRESS >> 2;
  const end = (memory.top + 3) >> 2;
  hash.addWords(new Int32Array(memory.bytes.buffer), start, end);
  hash.addWords(new Int32Array(memory.state.buffer), start, end);
  for (const [number, { bytes, written }] of memory.farPages()) {
    hash.add(number);
    hash.addWords(new Int32Array(bytes.buffer), 0, bytes.length >> 2);
    hash.addWords(new Int32Array(written.buffer), 0, written.length >> 2);
  }
  for (const region of memory.regions) if (region.base >= FAR) hash.add(region.alive ? region.base : -1);
}

const STATUS_CODES = { ready: 1, blocked: 1, stuck: 2, finished: 3 } as const;

function addThread(hash: Hash, thread: Thread, withCounts: boolean): void {
  hash.add(STATUS_CODES[thread.status]);
  hash.add(thread.releaseFences);
  for (const { address, size, value, fences, isRelease } of thread.buffer) {
    for (const part of [address, size, fences, isRelease ? 1 : 0]) hash.add(part);
    hash.addScalar(value);
  }
  hash.add(thread.buffer.length);
  if (thread.status === 'finished' || thread.status === 'stuck') return;
  for (let frame: Frame | null = thread.frame; frame; frame = frame.parent) {
    hash.add(frame.function.source.id);
    hash.add(frame.pc);
    for (const register of frame.registers) hash.addScalar(register);
    for (const base of frame.objects) hash.add(base);
    if (withCounts) for (const count of frame.counts) hash.add(count);
  }
}

/** Whether there is a race depends on what happened before what. */
function addClocks(hash: Hash, { threads, released, atomics, kept, ownSections }: SavedClocks): void {
  for (const { clock, fenced, seen } of threads) for (const list of [clock, fenced ?? [-1], seen]) addList(hash, list);
  const heads = [...atomics].flatMap(([address, clocks]) =>
    clocks.map((clock, thread): [number, readonly number[]] => [address, [thread, ...(clock ?? [])]]),
  );
  for (const list of [[...released], heads]) {
    for (const [address, clock] of list.sort(([a], [b]) => a - b)) {
      hash.add(address);
      addList(hash, clock);
    }
  }
  for (const [address, accesses] of [...kept].sort(([a], [b]) => a - b)) {
    hash.add(address);
    const marks = accesses.map(({ thread, time, kind, isAtomic }) => [
      thread,
      time,
      kind === 'read' ? 1 : 2,
      +isAtomic,
    ]);
    for (const mark of marks.sort((a, b) => a.reduce((order, x, i) => order || x - (b[i] ?? 0), 0)))
      addList(hash, mark);
  }
  addList(hash, ownSections);
}

function addList(hash: Hash, list: readonly number[]): void {
  hash.add(list.length);
  for (let i = 0; i < list.length; i++) hash.add(list[i] ?? 0);
}

class Hash {
  #a = 0x811c9dc5;
  #b = 0x9e3779b9;

  add(value: number): void {
    this.#a = Math.imul(this.#a ^ (value | 0), 0x01000193);
    this.#b = Math.imul(this.#b + (value | 0) + 0x7f4a7c15, 0x85ebca6b);
    this.#a ^= this.#a >>> 15;
    this.#b ^= this.#b >>> 13;
  }

  addWords(words: Int32Array, start: number, end: number): void {
    for (let at = start; at < end; at++) this.add(words[at] as number);
  }

  addScalar(value: Scalar): void {
    if (typeof value === 'number' && Number.isInteger(value)) {
      this.add(value);
      this.add(value / 0x1_0000_0000);
    } else for (const character of String(value)) this.add(character.charCodeAt(0));
  }

  text(): string {
    return `${this.#a >>> 0}:${this.#b >>> 0}`;
  }
}
