/**
 * Houdini (Flanagan and Leino, 2001): of many candidates for an invariant, those that are inductive together. A
 * candidate that a step breaks goes, and with it whatever needed it. Candidates are switched on in groups, so that the
 * core of an answer tells which groups it relied on; a candidate is asked about again only when one of these changes.
 */

import type { Cube } from './clause-space.ts';
import type { FrameSolver } from './frame-solver.ts';

/** Each group is an assumption of every question; each change of one asks again about all that relied on it. */
const CUBES_A_GROUP = 32;

interface Group {
  cubes: readonly Cube[];
  /** The literal that excludes its cubes. */
  on: number;
  /** Cubes that no step leads into because of this group, and others. */
  reliedOnBy: Set<Cube>;
}

/** The largest part of the cubes that are excluded initially and, together, by every step; the frames are used up. */
export function inductiveAmong(solver: FrameSolver, candidates: readonly Cube[]): readonly Cube[] {
  return new InductiveSubset(solver, candidates).run();
}

class InductiveSubset {
  readonly #solver: FrameSolver;
  readonly #groups: readonly Group[];
  /** To be asked about. */
  readonly #open: Set<Cube>;

  constructor(solver: FrameSolver, candidates: readonly Cube[]) {
    this.#solver = solver;
    solver.frames = [[]];
    solver.renew();
    const cubes = candidates.filter((cube) => !solver.space.hasInitial(cube));
    this.#open = new Set(cubes);
    const starts = Array.from({ length: Math.ceil(cubes.length / CUBES_A_GROUP) }, (_, i) => i * CUBES_A_GROUP);
    this.#groups = starts.map((start) => {
      const own = cubes.slice(start, start + CUBES_A_GROUP);
      return { cubes: own, on: solver.switchOn(own), reliedOnBy: new Set() };
    });
  }

  run(): readonly Cube[] {
    for (const cube of this.#open) {
      this.#open.delete(cube);
      const reliedOn = this.#solver.blockedBy(
        cube,
        this.#groups.map(({ on }) => on),
      );
      if (reliedOn === null) this.#dropReached();
      else for (const { on, reliedOnBy } of this.#groups) if (reliedOn.has(on)) reliedOnBy.add(cube);
    }
    return this.#groups.flatMap(({ cubes }) => cubes);
  }

  /** One step may lead into several cubes. */
  #dropReached(): void {
    const dropped: Cube[] = [];
    const changed = this.#groups.filter((group) => {
      const reached = group.cubes.filter((cube) => this.#solver.isReached(cube));
      for (const cube of reached) dropped.push(cube);
      if (reached.length > 0) group.cubes = group.cubes.filter((cube) => !reached.includes(cube));
      return reached.length > 0;
    });
    for (const group of changed) {
      group.on = this.#solver.switchOn(group.cubes);
      for (const cube of group.reliedOnBy) this.#open.add(cube);
      group.reliedOnBy = new Set();
    }
    for (const cube of dropped) this.#open.delete(cube);
  }
}
