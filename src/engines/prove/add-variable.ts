/**
 * Variables of a model that no register and no memory of the program stands for by itself: cells, flags, ghosts, and
 * what is needed for the length of one access.
 */

import { topSet } from '../../values/value-set.ts';
import type { Body, Model, Variable } from './graph.ts';

/** With all values of its width, unsigned and 0 at first, where nothing else is said. */
export function addVariable(
  { graph, variables }: Pick<Model, 'graph' | 'variables'>,
  made: Pick<Variable, 'name' | 'width' | 'owner' | 'kind'> & Partial<Pick<Variable, 'signed' | 'initial' | 'set'>>,
): Variable {
  const set = made.set ?? topSet(made.width);
  const term = graph.variable(set, made.name);
  const variable: Variable = { signed: false, initial: 0n, ...made, id: variables.length, set, term };
  variables.push(variable);
  return variable;
}

/** Assigned anew wherever it is used. */
export function addTemporary(model: Model, { name, width }: Pick<Variable, 'name' | 'width'>, body: Body): Variable {
  return addVariable(model, { name: `${name}?`, width, owner: body.id, kind: 'register' });
}
