/**
 * The memory models: `sc`, where a store is seen by all at once; `tso`, where each thread has a queue of stores that
 * have not reached memory yet; `pso`, where it has one for each place (docs/semantics.md).
 */

export const memoryModels = ['sc', 'tso', 'pso'] as const;

export type MemoryModel = (typeof memoryModels)[number];

/** Stores may reach memory later than they are made. */
export function isWeak(model: MemoryModel): model is 'tso' | 'pso' {
  return model !== 'sc';
}
