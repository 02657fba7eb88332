/**
 * A proved invariant in fewer words, for people: literals that the rest makes superfluous are dropped, and so are
 * clauses that follow from the others. What is left says the same about every state.
 */

import type { Cube } from './clause-space.ts';
import { type FrameSolver, OutOfTimeError } from './frame-solver.ts';

/** With a solver of its own for the system of the invariant. Where time is up, the rest stays as it is. */
export function simplifyInvariant(solver: FrameSolver, invariant: readonly Cube[]): readonly Cube[] {
  const cubes: (Cube | null)[] = [...invariant];
  try {
    load(solver, cubes);
    const all = cubes.map((_, i) => i + 1);
    // The later of two forms of the same clause goes with the second step.
    const shorter = cubes.map((cube) => shorten(solver, cube as Cube, all));
    shorter.forEach((cube, i) => {
      cubes[i] = cube;
    });
    load(solver, cubes);
    const longestFirst = cubes.map((_, i) => i).sort((a, b) => sizeOf(cubes[b]) - sizeOf(cubes[a]));
    for (const i of longestFirst) {
      const others = cubes.flatMap((cube, j) => (cube !== null && j !== i ? [j + 1] : []));
      if (solver.isExcluded(cubes[i] as Cube, others)) cubes[i] = null;
    }
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
  }
  return cubes.flatMap((cube) => (cube === null ? [] : [cube]));
}

const sizeOf = (cube: Cube | null | undefined) => cube?.length ?? 0;

/** Each in a frame of its own, so that each can be left out. */
function load(solver: FrameSolver, cubes: readonly (Cube | null)[]): void {
  solver.frames = [[], ...cubes.map((cube) => (cube === null ? [] : [cube]))];
  solver.renew();
}

/** What is said of places is what people look for first: it is kept the longest. */
function shorten(solver: FrameSolver, cube: Cube, frames: readonly number[]): Cube {
  const rankOf = (literal: number) => (literal > 0 ? 0 : 1) + (solver.space.of(literal).kind === 'counter' ? 2 : 0);
  let kept = cube;
  for (const literal of [...cube].sort((a, b) => rankOf(b) - rankOf(a))) {
    const rest = kept.filter((each) => each !== literal);
    if (rest.length > 0 && solver.isExcluded(rest, frames)) kept = rest;
  }
  return kept;
}
