/**
 * Which stores may reach memory later than they are made, under a weak memory model. Not those of atomic sections,
 * which act on memory at once; and not those with `seq_cst`, which are a store and a fence.
 */

import { isWeak } from '../program/memory-model.ts';
import type { ExecuteOptions } from './execution.ts';
import type { State } from './state.ts';
import type { Position } from './thread-steps.ts';

export function mayDelay({ memoryModel = 'sc' }: ExecuteOptions, { atomicDepth }: State, position: Position): boolean {
  return isWeak(memoryModel) && atomicDepth === 0 && !isSequential(position);
}

export function isSequential({ mode }: Position): boolean {
  return mode.kind === 'atomic' && mode.order === 'seq_cst';
}
