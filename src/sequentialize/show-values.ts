/**
 * Makes an abstract interpreter print what variables hold: after each assignment to a variable that could be declared narrower, a call of
 * Eva's `Frama_C_show_each_…` with the variable. All printed values together, and the initial one, are all values that it ever has.
 * Only single integers are shown.
 */

import { builtin, expressionStatement } from '../program/build-tree.ts';
import type { FunctionDefinition, Statement, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { isInteger } from '../program/type-operations.ts';
import { mapBlock } from '../program/visit-tree.ts';
import { findNarrowable } from './narrow-variables.ts';

/** What follows `Frama_C_show_each_` for a variable. */
export function shownName({ id }: VariableSymbol): string {
  return `value_${id}`;
}

export function showValues(items: readonly TopLevelItem[]): TopLevelItem[] {
  const shown = new Set(findNarrowable(items).filter(({ type }) => isInteger(type)));
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
  if (target.kind !== 'variable' || !shown.has(target.symbol)) return [];
  return [expressionStatement(builtin(`Frama_C_show_each_${shownName(target.symbol)}`, [target], loc), loc)];
}
