/**
 * What locks are for, as candidates of an invariant: no two threads are where both hold one, and where somebody holds
 * it, it is not free. A lock may be any cell that is 0 at first; a thread holds it where it has set it and not reset it
 * since. Candidates need no other reason: those that are not inductive are dropped.
 */

import type { Term } from '../../values/terms.ts';
import { arrangements, byObservable, type ClauseSpace, type Cube, errorCube } from './clause-space.ts';
import type { AnyNode, Body, Model, Variable } from './graph.ts';
import { writtenBy } from './node-terms.ts';
import type { Observable } from './observables.ts';
import type { PreparedModel } from './prepare-model.ts';

export function lockLemmas({ model, steps }: PreparedModel, space: ClauseSpace): readonly Cube[] {
  const groups = countersByGroup(space.observables);
  const cells = model.variables.filter(
    ({ id, kind, initial }) => kind === 'cell' && initial === 0n && !steps.users.isPrivate(id),
  );
  const [error] = errorCube(space.observables) as [number];
  const found = cells.flatMap(({ id: lock }): Cube[] => {
    const held = model.bodies.map((body) => findHeld(model, body, lock));
    const places = [...groups.values()].flatMap((counters): Cube[] => {
      // Not where it is not held: that is where it is held.
      const isHeld = ({ place }: Counter) => place !== null && held[place.body]?.[place.node] === true;
      if (!counters.some(isHeld)) return [];
      return [counters.flatMap((counter) => (isHeld(counter) ? [] : [-(counter.id + 1)]))];
    });
    const isFree = space.observables.flatMap(({ key }, id) => (key.startsWith(`v${lock}[`) ? [-(id + 1)] : []));
    const exclusive = arrangements(places.length, 2).flatMap(([a, b]) =>
      (a as number) < (b as number) ? [join(places[a as number] as Cube, places[b as number] as Cube)] : [],
    );
    return [...exclusive, ...(isFree.length === 0 ? [] : places.map((place) => join(place, isFree)))];
  });
  // Clauses are about any threads; and what an assertion that fails leaves behind says nothing.
  const chosen = found.filter((cube) => space.slotsOf(cube).every((slot, i) => slot === i));
  return chosen.map((cube) => join([-error], cube));
}

/** Per node, whether on all ways to it the thread last set the cell to something else than 0; null: not reached. */
function findHeld(model: Model, { nodes, entry }: Body, lock: number): readonly (boolean | null)[] {
  const held: (boolean | null)[] = nodes.map(() => null);
  if (!nodes.some((node) => writtenBy(node).includes(lock))) return held;
  held[entry] = false;
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const node = nodes[at] as AnyNode;
    const after = storedBy(model, node, lock) ?? (held[at] as boolean);
    for (const next of node.next) {
      const before = held[next];
      if (before === false || before === after) continue;
      held[next] = before === null ? after : false;
      work.push(next);
    }
  }
  return held;
}

/** Whether what the node stores is certainly not 0; null where it stores nothing. */
function storedBy({ graph, variables }: Model, node: AnyNode, lock: number): boolean | null {
  if (node.kind !== 'set') return writtenBy(node).includes(lock) ? false : null;
  const value = node.assignments.find(({ variable }) => variable === lock)?.value as Term | undefined;
  if (value === undefined) return null;
  const constant = graph.constantOf(value);
  if (constant !== null) return constant !== 0n;
  // What else is stored is taken for the thread's own sign, unless it may keep the cell as it is.
  return value !== (variables[lock] as Variable).term;
}

interface Counter {
  readonly id: number;
  readonly place: { readonly body: number; readonly node: number } | null;
}

function countersByGroup(observables: readonly Observable[]): Map<string, Counter[]> {
  const groups = new Map<string, Counter[]>();
  observables.forEach(({ kind, group, place }, id) => {
    if (kind !== 'counter') return;
    groups.set(group, [...(groups.get(group) ?? []), { id, place }]);
  });
  return groups;
}

function join(a: Cube, b: Cube): Cube {
  return [...a, ...b].sort(byObservable);
}
