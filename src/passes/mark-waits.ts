/**
 * Tells the assumptions on which thread routines wait from all others, where deadlocks are looked for: they get a
 * second argument, the thread that is waited for (program/primitives.ts). A model waits by an assumption in an atomic
 * section, and models with a section have no other assumptions.
 */

import { converted, integer, variable } from '../program/build-tree.ts';
import { primitiveOf, waitFor } from '../program/primitives.ts';
import type { Expression, FunctionDefinition, VariableSymbol } from '../program/tree.ts';
import { intType } from '../program/type-operations.ts';
import { mapBlock, mapExpression, walkStatement } from '../program/visit-tree.ts';

/** By routine: the variable that has the number of the thread, plus one, that holds the lock or that is joined. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['__lazuli_mutex_lock', 'owner'],
  ['pthread_spin_lock', 'owner'],
  ['__lazuli_join', 'thread'],
]);

/** A model with its waits marked. */
export function markWaits(definition: FunctionDefinition): FunctionDefinition {
  if (!hasSection(definition)) return definition;
  const holder = holderIn(definition);
  const mark = (node: Expression): Expression => {
    const [condition] = node.kind === 'builtin' && primitiveOf(node) === 'assume' ? node.args : [];
    if (!condition) return node;
    const { loc } = node;
    return waitFor(condition, holder ? converted(variable(holder, loc), intType) : integer(0, loc), loc);
  };
  const body = mapBlock(definition.body, {
    expression: (expression) => mapExpression(expression, mark),
    statement: (statement) => [statement],
  });
  return { ...definition, body };
}

function hasSection({ body }: FunctionDefinition): boolean {
  let found = false;
  walkStatement(body, {
    expression: (node) => {
      if (primitiveOf(node) === 'atomicBegin') found = true;
    },
  });
  return found;
}

function holderIn({ symbol, parameters, body }: FunctionDefinition): VariableSymbol | null {
  const name = HOLDERS.get(symbol.name);
  if (name === undefined) return null;
  const locals = body.items.flatMap((item) =>
    item.kind === 'declaration' && item.item.kind === 'variable' ? [item.item.symbol] : [],
  );
  return [...parameters, ...locals].find((each) => (each.sourceName ?? each.name) === name) ?? null;
}
