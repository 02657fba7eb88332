/**
 * The check `lost`: when the program ends, is anything allocated that no pointer reaches? Whatever bytes look like an
 * address of an allocation, in any memory that is alive or in a register of a call that has not returned, count as a
 * pointer to it, into its middle and one past its end, too. So what is called lost is lost for sure; an integer that
 * happens to look like an address can hide a loss.
 */

import type { Memory, Region } from './memory.ts';
import type { Thread } from './state.ts';

/** Addresses have at most 47 bits. */
const HIGHEST_HALF = 2 ** 15;

export function hasLostMemory(memory: Memory, threads: readonly Thread[]): boolean {
  const allocated = memory.regions.filter((region) => region.kind === 'heap' && region.alive);
  if (allocated.length === 0) return false;
  const reached = new Set<Region>();
  const open: Region[] = [];
  const reach = (region: Region | null) => {
    if (!region?.alive || reached.has(region)) return;
    reached.add(region);
    open.push(region);
  };
  for (const region of memory.regions) if (region.kind !== 'heap') reach(region);
  for (const thread of threads) {
    // The call that ends the thread or the program has nothing more to use: what only main's variables reach is lost
    // when it returns.
    const isEnding = thread.status === 'finished';
    for (let frame = isEnding ? thread.frame.parent : thread.frame; frame; frame = frame.parent) {
      for (const value of frame.registers) reach(memory.find(Number(value)));
    }
  }
  for (let region = open.pop(); region; region = open.pop()) {
    for (const address of addressesIn(memory, region)) reach(memory.find(address));
  }
  return allocated.some((region) => !reached.has(region));
}

/** Whatever in a region looks like an address. */
export function* addressesIn(memory: Memory, region: Region): Generator<number> {
  for (const { start, bytes } of memory.stretches(region)) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const from = Math.max(0, region.base - start);
    const end = Math.min(bytes.length, region.base + region.size - start);
    for (let at = from; at + 4 <= end; at++) {
      // The upper half of a pointer is not zero only where there are gigabytes.
      const low = view.getUint32(at, true);
      yield low;
      const high = at + 8 <= end ? view.getUint32(at + 4, true) : 0;
      if (high > 0 && high < HIGHEST_HALF) yield high * 2 ** 32 + low;
    }
  }
}
