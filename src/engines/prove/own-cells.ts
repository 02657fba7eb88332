/**
 * Cells that only one fixed thread accesses belong to that thread: no other notices them, and their values can be
 * followed along its graph. What main keeps about its threads is the usual case.
 */

import { type Model, SHARED } from './graph.ts';
import { VariableFinder, VariableUsers } from './node-terms.ts';

export function ownCells(model: Model): void {
  const users = new VariableUsers(model, new VariableFinder(model));
  // What every state is constrained by must not be forgotten where its only reader no longer needs it.
  const counts = new Set([
    ...model.peers.map(({ created }) => created),
    model.passages?.created,
    ...model.additions.keys(),
  ]);
  for (const variable of model.variables) {
    if (variable.kind !== 'cell' || variable.owner !== SHARED || counts.has(variable.id)) continue;
    const [only, ...others] = users.of(variable.id);
    if (only === undefined || others.length > 0 || model.bodies[only]?.isReplicated !== false) continue;
    model.variables[variable.id] = { ...variable, owner: only };
  }
}
