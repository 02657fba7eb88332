/**
 * Variables whose declaration a jump may pass by, and which may be read then: `switch (c) { int x; case 1: f(x); }`.
 * They hold anything from the start of the function. Where nothing mentions the variable behind the labels of its
 * scope, as with `goto out;` at the end of most functions, nothing has to be done; that is good to know of pointers,
 * which would lead anywhere.
 */

import { findJumpScopes } from '../../program/find-jump-scopes.ts';
import type { BlockStatement, VariableSymbol } from '../../program/tree.ts';
import { expressionsOf, walkExpression, walkStatement } from '../../program/visit-tree.ts';

export function findPassedBy(body: BlockStatement): VariableSymbol[] {
  const { skipped } = findJumpScopes(body);
  return skipped.size === 0 ? [] : [...skipped].filter(mentionedBehindLabels(body, skipped));
}

/** A walk in the order of the text: which variables are mentioned when a label has come after their declaration. */
function mentionedBehindLabels(
  body: BlockStatement,
  skipped: ReadonlySet<VariableSymbol>,
): (symbol: VariableSymbol) => boolean {
  const declared = new Set<VariableSymbol>();
  const behindLabel = new Set<VariableSymbol>();
  const found = new Set<VariableSymbol>();
  walkStatement(body, {
    statement: (statement) => {
      const { kind } = statement;
      if (kind === 'declaration' && statement.item.kind === 'variable') {
        if (skipped.has(statement.item.symbol)) declared.add(statement.item.symbol);
      } else if (kind === 'label' || kind === 'case' || kind === 'default') {
        for (const symbol of declared) behindLabel.add(symbol);
      } else if (kind === 'do' || kind === 'for') {
        // What the walk sees first is run last.
        for (const expression of expressionsOf(statement)) {
          walkExpression(expression, {
            expression: (node) => {
              if (node.kind === 'variable') found.add(node.symbol);
            },
          });
        }
      }
    },
    expression: (node) => {
      if (node.kind === 'variable' && behindLabel.has(node.symbol)) found.add(node.symbol);
    },
  });
  return (symbol) => found.has(symbol);
}
