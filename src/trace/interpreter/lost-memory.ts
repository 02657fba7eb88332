/**
 * The check `lost`: when the program ends, is anything allocated that no pointer reaches? Whatever bytes look like an
 * address of an allocation, in any memory that is alive or in a register of a call that has not returned, count as a
 * pointer to it, into its middle and one past its end, too. So what is called lost is lost for sure; an integer that
 * happens to look like an address can hide a loss.
 */

import type { Memory, Region } from './memory.ts';
import type { Thread } from './state.ts';

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
    // No address needs more than 32 bits here; the upper half of a longer one is zero.
    const end = region.base + region.size - 4;
    for (let at = region.base; at <= end; at++) reach(memory.find(memory.view.getUint32(at, true)));
  }
  return allocated.some((region) => !reached.has(region));
}
