/**
 * Replacing variables in trees: by other variables when code is copied, or by expressions when a parameter is known.
 * What a replacement makes simpler is simplified: `*&x` is `x`, `(&x)[0]` is `x`.
 */

import { dereference } from './build-tree.ts';
import type { Expression, Initializer, VariableSymbol } from './tree.ts';
import { sameType, unqualified } from './type-operations.ts';
import { mapExpression } from './visit-tree.ts';

/**
 * What stands for a variable, or null when it stays. The expression must denote an lvalue wherever the variable must.
 */
export type Replacement = (symbol: VariableSymbol) => Expression | null;

export function substitute(expression: Expression, replacement: Replacement): Expression {
  return mapExpression(expression, (node) => {
    if (node.kind === 'variable') return replacement(node.symbol) ?? node;
    return simplifyAccess(node);
  });
}

export function simplifyAccess(node: Expression): Expression {
  if (node.kind === 'dereference') return dereference(node.operand, node.loc);
  if (node.kind === 'address' && node.operand.kind === 'dereference') return node.operand.operand;
  if (node.kind === 'index' && node.index.kind === 'integer' && node.index.value === 0n) {
    const { base } = node;
    const isObject = base.kind === 'address' && sameType(unqualified(base.operand.type), unqualified(node.type));
    if (isObject) return base.operand;
  }
  return node;
}

export function mapInitializer(initializer: Initializer, f: (expression: Expression) => Expression): Initializer {
  switch (initializer.kind) {
    case 'scalar':
      return { ...initializer, value: f(initializer.value) };
    case 'characters':
      return initializer;
    case 'array':
      return {
        ...initializer,
        items: initializer.items.map((item) => ({ ...item, value: mapInitializer(item.value, f) })),
      };
    case 'record':
      return {
        ...initializer,
        items: initializer.items.map((item) => ({ ...item, value: mapInitializer(item.value, f) })),
      };
  }
}
