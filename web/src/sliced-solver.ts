/**
 * The embedded solver in slices: it blocks its thread while it solves, and a page that is served without special
 * headers has no memory that threads share, by which it could be told to stop. So it solves for some conflicts, lets
 * the worker hear its messages and timers, and goes on; what it learnt stays. Within a slice it looks at the clock.
 */

import { createCadical } from '../../src/solver/cadical-wasm.ts';
import type { SatSolver, SolverProgress } from '../../src/solver/solver.ts';

const FIRST_SLICE_CONFLICTS = 1_000;
const LAST_SLICE_CONFLICTS = 20_000;
const SLICE_GROWTH = 1.5;
/** A slice whose conflicts take long ends after this. */
const LONGEST_SLICE_MS = 500;

export interface SlicedSolverOptions {
  readonly wasmUrl: string;
  readonly seed: number;
  readonly onProgress: (progress: SolverProgress) => void;
}

export async function createSlicedSolver({ wasmUrl, seed, onProgress }: SlicedSolverOptions): Promise<SatSolver> {
  let sliceEnd = Number.POSITIVE_INFINITY;
  const inner = await createCadical({ code: wasmUrl, seed, shouldStop: () => performance.now() > sliceEnd });
  let isInterrupted = false;
  return {
    addClauses: (clauses) => inner.addClauses(clauses),
    solve: async (assumptions = [], limits = {}) => {
      isInterrupted = false;
      let slice = FIRST_SLICE_CONFLICTS;
      const total = limits.conflicts ?? Number.POSITIVE_INFINITY;
      for (let spent = 0; spent < total && !isInterrupted; spent += slice, slice *= SLICE_GROWTH) {
        slice = Math.min(Math.round(slice), LAST_SLICE_CONFLICTS, total - spent);
        sliceEnd = performance.now() + LONGEST_SLICE_MS;
        const answer = await inner.solve(assumptions, { ...limits, conflicts: slice });
        if (answer.kind !== 'unknown' || answer.reason === 'memory' || answer.reason === 'crashed') return answer;
        onProgress({ conflicts: spent + slice, memoryBytes: 0 });
        await turn();
      }
      return { kind: 'unknown', reason: isInterrupted ? 'interrupted' : 'limit' };
    },
    interrupt: () => {
      isInterrupted = true;
    },
    dispose: () => inner.dispose(),
  };
}

/** Messages and timers that wait have their turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
