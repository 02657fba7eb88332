/**
 * The second look at an invariant: with a solver of its own, on a system built anew at full width. Every clause holds
 * initially, no step from a state in which all of them hold leads out of one, and one of them says that there is no
 * error. The sets of values, which the search takes for granted, are not granted here where the clauses do without.
 */

import type { Cube, SpelledCube } from './clause-space.ts';
import { FrameSolver, type QuestionOptions } from './frame-solver.ts';
import type { Observable } from './observables.ts';
import type { TransitionSystem } from './transition-system.ts';

export type InvariantCheck =
  | { readonly kind: 'holds'; readonly cubes: readonly Cube[] }
  /** `kept`: those that are inductive among themselves. */
  | { readonly kind: 'fails'; readonly kept: number; readonly total: number };

/** Which of the clauses are inductive together at full width, and whether they exclude the error. */
export function keepInductive(
  system: TransitionSystem,
  observables: readonly Observable[],
  candidates: readonly SpelledCube[],
  options: QuestionOptions,
): { readonly solver: FrameSolver; readonly check: InvariantCheck } {
  const solver = new FrameSolver(system, observables, options);
  const { space } = solver;
  const cubes = inductiveAmong(
    solver,
    candidates.flatMap((each) => {
      const cube = space.read(each);
      return cube === null ? [] : [cube];
    }),
  );
  const excludesError = cubes.some(
    (cube) => cube.length === 1 && space.of(cube[0] as number).key === 'error[0]' && (cube[0] as number) > 0,
  );
  const check: InvariantCheck = excludesError
    ? { kind: 'holds', cubes }
    : { kind: 'fails', kept: cubes.length, total: candidates.length };
  return { solver, check };
}

/** The largest part of the cubes that are excluded initially and, together, by every step. */
export function inductiveAmong(solver: FrameSolver, candidates: readonly Cube[]): readonly Cube[] {
  let cubes = candidates.filter((cube) => !solver.space.hasInitial(cube));
  for (let size = -1; size !== cubes.length; ) {
    size = cubes.length;
    solver.frames = [[], cubes];
    solver.renew();
    cubes = keepBlocked(solver, cubes);
  }
  return cubes;
}

/** Those that no step leads into from where none of them holds. One step may show that of several. */
function keepBlocked(solver: FrameSolver, cubes: readonly Cube[]): Cube[] {
  const dropped = new Set<Cube>();
  for (const cube of cubes) {
    if (dropped.has(cube) || solver.consecution(cube, 1, false).kind === 'blocked') continue;
    for (const each of cubes) if (!dropped.has(each) && solver.isReached(each)) dropped.add(each);
  }
  return cubes.filter((cube) => !dropped.has(cube));
}
