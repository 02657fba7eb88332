/**
 * The accesses that, as an invariant says, no thread ever comes to: all steps that begin with one of this kind at this
 * place are excluded. Only of the program's own text: what a model does is told at the call, which may be reached
 * without it.
 */

import type { Loc } from '../../support/source.ts';
import type { Cube } from './clause-space.ts';
import { type FrameSolver, OutOfTimeError } from './frame-solver.ts';
import type { AnyNode, Body, Variable } from './graph.ts';
import { writtenBy } from './node-terms.ts';
import type { PreparedModel } from './prepare-model.ts';

/** By kind, the places of excluded accesses. */
export type ExcludedAccesses = Readonly<Record<'read' | 'write', ReadonlySet<Loc>>>;

/** Where time is up, nothing is said to be excluded. */
export function findExcluded(
  solver: FrameSolver,
  invariant: readonly Cube[],
  prepared: PreparedModel,
): ExcludedAccesses {
  try {
    return askForExcluded(solver, invariant, prepared);
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    return { read: new Set(), write: new Set() };
  }
}

function askForExcluded(solver: FrameSolver, invariant: readonly Cube[], prepared: PreparedModel): ExcludedAccesses {
  solver.frames = [[], [...invariant]];
  solver.renew();
  const places = solver.space.observables.flatMap(({ kind, place, slots }, id): AskedPlace[] => {
    // Threads of one kind are all alike.
    if (kind !== 'counter' || place === null || slots.some((slot) => slot > 0)) return [];
    return [{ ...place, isPossible: () => !solver.isExcluded([id + 1], [1]) }];
  });
  return excludedAmong(places, prepared);
}

/** Where a step begins, and whether some thread comes to it. */
export interface AskedPlace {
  readonly body: number;
  readonly node: number;
  readonly isPossible: () => boolean;
}

export function excludedAmong(places: readonly AskedPlace[], prepared: PreparedModel): ExcludedAccesses {
  const isPossible = { read: new Map<Loc, boolean>(), write: new Map<Loc, boolean>() };
  for (const place of places) {
    const node = (prepared.model.bodies[place.body] as Body).nodes[place.node] as AnyNode;
    const access = accessOf(node, prepared);
    if (node.isModel || access === null || isPossible[access].get(node.loc)) continue;
    isPossible[access].set(node.loc, place.isPossible());
  }
  const excluded = (of: ReadonlyMap<Loc, boolean>) => new Set([...of].flatMap(([loc, is]) => (is ? [] : [loc])));
  return { read: excluded(isPossible.read), write: excluded(isPossible.write) };
}

function accessOf(node: AnyNode, { model, steps: { finder } }: PreparedModel): 'read' | 'write' | null {
  const isCell = (id: number) => (model.variables[id] as Variable).kind === 'cell';
  if (node.kind !== 'set') return null;
  if (writtenBy(node).some(isCell)) return 'write';
  return finder.readBy(node).some(isCell) ? 'read' : null;
}
