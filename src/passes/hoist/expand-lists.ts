/**
 * A `va_list` as a pointer to the next argument (variable-arguments.ts says to what). Variables and parameters
 * of that type become pointers; a list in a record, in an array or behind a pointer keeps its type, since the layout
 * depends on it, and is read and written as the pointer at its place: `*(char **)&s.list`.
 */

import { address, cast, declaration, variable, zeroOf } from '../../program/build-tree.ts';
import type { FreshSymbols } from '../../program/fresh-symbols.ts';
import { mapInitializer } from '../../program/substitute.ts';
import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../../program/tree.ts';
import { mapBlock, mapExpression, type StatementRebuild, walkStatement } from '../../program/visit-tree.ts';
import { isList, listAt, listType } from '../variable-arguments.ts';

export function expandLists(definition: FunctionDefinition, fresh: FreshSymbols): FunctionDefinition {
  return mentionsLists(definition) ? new ListExpander(fresh).run(definition) : definition;
}

function mentionsLists({ parameters, body }: FunctionDefinition): boolean {
  let found = parameters.some(({ type }) => isList(type));
  walkStatement(body, {
    expression: ({ type }) => {
      if (isList(type)) found = true;
    },
  });
  return found;
}

class ListExpander {
  readonly #fresh: FreshSymbols;
  readonly #renamed = new Map<VariableSymbol, VariableSymbol>();

  constructor(fresh: FreshSymbols) {
    this.#fresh = fresh;
  }

  run(definition: FunctionDefinition): FunctionDefinition {
    const parameters = definition.parameters.map((symbol) => (isList(symbol.type) ? this.#rename(symbol) : symbol));
    return { ...definition, parameters, body: mapBlock(definition.body, this.#rebuild) };
  }

  readonly #rebuild: StatementRebuild = {
    expression: (expression) => this.#expression(expression),
    statement: (statement) => (statement.kind === 'declaration' ? [this.#declaration(statement)] : [statement]),
  };

  #declaration(statement: Extract<Statement, { kind: 'declaration' }>): Statement {
    const { item } = statement;
    if (item.kind !== 'variable' || item.symbol.duration !== 'automatic') return statement;
    const { initializer, type, loc } = item.symbol;
    if (!isList(type) && initializer === null) return statement;
    const moved = this.#rename(item.symbol);
    if (initializer) moved.initializer = mapInitializer(initializer, (value) => this.#expression(value));
    // A list that is not started leads nowhere, which is better to know than that it could lead anywhere.
    else moved.initializer = { kind: 'scalar', value: zeroOf(listType, loc) };
    return declaration(moved);
  }

  #rename(symbol: VariableSymbol): VariableSymbol {
    const { name, loc, alignment, addressTaken } = symbol;
    const type = isList(symbol.type) ? listType : symbol.type;
    const moved = this.#fresh.variable({ name, type, loc, alignment, addressTaken, copyOf: symbol });
    this.#renamed.set(symbol, moved);
    return moved;
  }

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      if (node.kind === 'variable') {
        const symbol = this.#renamed.get(node.symbol);
        if (symbol) return variable(symbol, node.loc);
      }
      if (isList(node.type)) return listValue(node);
      if (node.kind === 'statement-expression') return { ...node, body: mapBlock(node.body, this.#rebuild) };
      if (node.kind === 'compound-literal' && node.symbol.initializer) {
        const initializer = mapInitializer(node.symbol.initializer, (value) => this.#expression(value));
        return { ...node, symbol: { ...node.symbol, initializer } };
      }
      // Whoever follows the pointer expects a list there.
      if (node.kind === 'address' && node.type.kind === 'pointer' && isList(node.type.target)) {
        return cast(address(node.operand, node.loc), node.type, 'pointer', node.loc, false);
      }
      return node;
    });
  }
}

/** A node of the type of a list, with operands that are rebuilt already, as one of the type of a pointer. */
function listValue(node: Expression): Expression {
  switch (node.kind) {
    case 'variable':
    case 'member':
    case 'index':
    case 'dereference':
      return listAt(node);
    case 'cast':
      return node.operand;
    default:
      return { ...node, type: listType };
  }
}
