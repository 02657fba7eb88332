/**
 * The functions that an execution can come to: main, what every thread runs, and all that these mention, in their
 * bodies or in the initializers of variables. Functions that nobody mentions may do what is not supported.
 */

import { THREAD_ENTRY } from '../program/primitives.ts';
import type { FunctionDefinition, FunctionSymbol, Program, VariableSymbol } from '../program/tree.ts';
import { type TreeVisitor, walkInitializer, walkStatement } from '../program/visit-tree.ts';

export function findReachableFunctions(program: Program): ReadonlySet<FunctionSymbol> {
  const definitions = new Map<FunctionSymbol, FunctionDefinition>();
  for (const item of program.items)
    if (item.kind === 'function') definitions.set(item.definition.symbol, item.definition);
  const reached = new Set<FunctionSymbol>();
  const variables = new Set<VariableSymbol>();
  const pending = [...definitions.keys()].filter(({ name }) => name === 'main' || name === THREAD_ENTRY);
  // A program without main is refused elsewhere.
  if (!pending.some(({ name }) => name === 'main')) return new Set(definitions.keys());
  const visitor: TreeVisitor = {
    expression: (node) => {
      if (node.kind === 'function') pending.push(node.symbol);
      if (node.kind === 'variable') addVariable(node.symbol);
    },
    statement: (statement) => {
      if (statement.kind === 'declaration' && statement.item.kind === 'variable') addVariable(statement.item.symbol);
    },
  };
  const addVariable = (symbol: VariableSymbol) => {
    if (variables.has(symbol)) return;
    variables.add(symbol);
    if (symbol.initializer) walkInitializer(symbol.initializer, visitor);
  };
  for (let symbol = pending.pop(); symbol !== undefined; symbol = pending.pop()) {
    const definition = definitions.get(symbol);
    if (definition === undefined || reached.has(symbol)) continue;
    reached.add(symbol);
    walkStatement(definition.body, visitor);
  }
  return reached;
}
