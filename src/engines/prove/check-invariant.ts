/**
 * The second look at an invariant: on a system built anew at full width. Every clause holds initially, no step from a
 * state in which all of them hold leads out of one, and one of them says that there is no error. Which clauses those
 * are is found out by quick questions; that it is so, a fresh solver with other settings is asked.
 */

import { invariant } from '../../support/invariant.ts';
import { type Cube, errorCube, type SpelledCube } from './clause-space.ts';
import { FrameSolver, type QuestionOptions } from './frame-solver.ts';
import { inductiveAmong } from './inductive-subset.ts';
import type { Observable } from './observables.ts';
import type { TransitionSystem } from './transition-system.ts';

export type InvariantCheck =
  | { readonly kind: 'holds'; readonly cubes: readonly Cube[] }
  /** `kept`: those that are inductive among themselves. */
  | { readonly kind: 'fails'; readonly kept: number; readonly total: number };

/** Clauses that are inductive where they were found. */
export interface FoundClauses {
  readonly all: readonly SpelledCube[];
  /** Those that the exclusion of the error rests on. */
  readonly support: readonly SpelledCube[];
}

/** What a search found, by name. */
export function spellFound(solver: FrameSolver, cubes: readonly Cube[]): FoundClauses {
  const { space } = solver;
  const spell = (each: readonly Cube[]) => each.map((cube) => space.spell(cube));
  return { all: spell(cubes), support: spell(solver.supportOf(cubes, errorCube(space.observables))) };
}

/** Which of the clauses are inductive together at full width, and whether they exclude the error. */
export function keepInductive(
  system: TransitionSystem,
  observables: readonly Observable[],
  { support, all }: FoundClauses,
  options: QuestionOptions,
): { readonly solver: FrameSolver; readonly check: InvariantCheck } {
  const solver = new FrameSolver(system, observables, options);
  const { space } = solver;
  const error = errorCube(observables).join();
  const excludesError = (cubes: readonly Cube[]) => cubes.some((cube) => cube.join() === error);
  let cubes = inductiveAmong(solver, space.readAll(support));
  if (!excludesError(cubes)) cubes = inductiveAmong(solver, space.readAll(all));
  if (!excludesError(cubes)) return { solver, check: { kind: 'fails', kept: cubes.length, total: all.length } };
  invariant(solver.areInductive(cubes), 'two solvers disagree about an invariant');
  return { solver, check: { kind: 'holds', cubes } };
}
