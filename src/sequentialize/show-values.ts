/**
 * Makes an abstract interpreter print what variables hold: after each assignment to a variable that could be declared
 * narrower, or to an element of such an array, a call of Eva's `Frama_C_show_each_…` with it. All printed values
 * together, and the initial ones, are all values that it ever has. Where the element could not be named again
 * afterwards (`a[a[0]] = 1`), the whole array is printed: its values if all elements have the same, otherwise something
 * that is no integer.
 */

import { builtin, expressionStatement } from '../program/build-tree.ts';
import type { Expression, FunctionDefinition, Statement, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { mapBlock, walkExpression } from '../program/visit-tree.ts';
import { variableAround } from './find-exposed.ts';
import { findNarrowable } from './narrow-variables.ts';

/** What follows `Frama_C_show_each_` for a variable. */
export function shownName({ id }: VariableSymbol): string {
  return `value_${id}`;
}

export function showValues(items: readonly TopLevelItem[]): TopLevelItem[] {
  const shown = new Set(findNarrowable(items));
  return items.map((item) =>
    item.kind === 'function' ? { ...item, definition: showIn(item.definition, shown) } : item,
  );
}

function showIn(definition: FunctionDefinition, shown: ReadonlySet<VariableSymbol>): FunctionDefinition {
  const body = mapBlock(definition.body, {
    expression: (expression) => expression,
    statement: (statement) => [statement, ...showAssigned(statement, shown)],
  });
  return { ...definition, body };
}

function showAssigned(statement: Statement, shown: ReadonlySet<VariableSymbol>): readonly Statement[] {
  if (statement.kind !== 'expression' || statement.expression.kind !== 'assignment') return [];
  const { target, loc } = statement.expression;
  const symbol = variableAround(target);
  if (symbol === null || !shown.has(symbol)) return [];
  const value = target.kind === 'index' && isFoundBy(target, symbol) ? target.base : target;
  return [expressionStatement(builtin(`Frama_C_show_each_${shownName(symbol)}`, [value], loc), loc)];
}

/** Whether the place of an element hangs on the array's own contents. */
function isFoundBy(target: Expression, symbol: VariableSymbol): boolean {
  let count = 0;
  walkExpression(target, {
    expression: (node) => {
      if (node.kind === 'variable' && node.symbol === symbol) count++;
    },
  });
  return count > 1;
}
