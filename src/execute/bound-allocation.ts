/** How large an allocation is, and where allocations of a size that is not constant are cut off. */

import type { Loc } from '../support/source.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { maxUnsigned } from '../values/value-set.ts';
import { refineState } from './refine-state.ts';
import type { State } from './state.ts';
import { UnsupportedError } from './unsupported.ts';

const LARGEST_ALLOCATION = 1 << 26;
/**
 * Allocations whose size is not constant are followed up to this many bytes; larger ones are cut, as a loop is by its
 * bound.
 */
const LARGEST_VARIABLE_ALLOCATION = 1024;

export interface AllocationSize {
  readonly bytes: number;
  /** The size itself where it is not constant. */
  readonly term: Term | null;
}

/** `cut` ends the paths of a guard and says why. */
export function boundAllocation(
  graph: TermGraph,
  state: State,
  size: Term,
  loc: Loc,
  cut: (guard: Term, where: string) => void,
): AllocationSize {
  const largest = maxUnsigned(graph.setOf(size));
  if (graph.constantOf(size) !== null) {
    if (largest <= BigInt(LARGEST_ALLOCATION)) return { bytes: Number(largest), term: null };
    throw new UnsupportedError(loc, `an allocation of ${largest} bytes; the most is ${LARGEST_ALLOCATION}`);
  }
  if (largest <= BigInt(LARGEST_VARIABLE_ALLOCATION)) return { bytes: Number(largest), term: size };
  const most = graph.constant(graph.widthOf(size), BigInt(LARGEST_VARIABLE_ALLOCATION));
  const isLarger = graph.less('ult', most, size);
  cut(graph.and(state.guard, isLarger), `allocation of more than ${LARGEST_VARIABLE_ALLOCATION} bytes`);
  refineState(graph, state, isLarger, false);
  return { bytes: LARGEST_VARIABLE_ALLOCATION, term: size };
}
