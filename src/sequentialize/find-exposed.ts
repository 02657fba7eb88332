/**
 * Which variables of the emitted program must keep their types: everything that is looked at other than as a whole
 * value. An exposed variable has its address taken, decays to a pointer, is changed in the middle of an expression, is
 * named in assembly code, or its size is written out. All others are only read, and assigned by statements of their
 * own.
 */

import type { Expression, Statement, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { childrenOf, expressionsOf, walkExpression, walkInitializer, walkStatement } from '../program/visit-tree.ts';

/** The variable that an lvalue is a part of; null when it is reached by a pointer. */
export function variableAround(place: Expression): VariableSymbol | null {
  let at = place;
  for (;;) {
    if (at.kind === 'variable') return at.symbol;
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'index' && isDecay(at.base)) at = at.base.operand;
    else return null;
  }
}

export interface Exposed {
  has(symbol: VariableSymbol): boolean;
}

export function findExposed(items: readonly TopLevelItem[]): Exposed {
  const finder = new ExposedFinder();
  for (const item of items) {
    if (item.kind === 'function') finder.visitBody(item.definition.body);
    else if (item.kind === 'variable' && item.isDefinition) finder.visitInitializer(item.symbol);
  }
  return finder;
}

type Decay = Extract<Expression, { kind: 'cast' }>;

function isDecay(expression: Expression): expression is Decay {
  return expression.kind === 'cast' && expression.castKind === 'array-to-pointer';
}

class ExposedFinder implements Exposed {
  readonly #symbols = new Set<VariableSymbol>();
  /** Names in sizes that are printed as the user spelled them. */
  readonly #names = new Set<string>();
  /** Assignments that are statements of their own. */
  readonly #plain = new Set<Expression>();

  has(symbol: VariableSymbol): boolean {
    return this.#symbols.has(symbol) || this.#names.has(symbol.name);
  }

  visitBody(body: Statement): void {
    walkStatement(body, {
      statement: (statement) => this.#statement(statement),
      expression: (expression) => this.#expression(expression),
    });
  }

  visitInitializer({ initializer }: VariableSymbol): void {
    if (!initializer) return;
    walkInitializer(initializer, { expression: (expression) => this.#initial(expression) });
  }

  #statement(statement: Statement): void {
    if (statement.kind === 'expression' && statement.expression.kind === 'assignment') {
      this.#plain.add(statement.expression);
    }
    if (statement.kind === 'asm') for (const operand of expressionsOf(statement)) this.#exposeAll(operand);
    if (statement.kind === 'declaration' && statement.item.kind === 'variable') {
      this.visitInitializer(statement.item.symbol);
    }
  }

  /** An initializer is a constant: variables occur in it only by their addresses. */
  #initial(expression: Expression): void {
    if (expression.kind === 'variable') this.#symbols.add(expression.symbol);
    this.#expression(expression);
  }

  #expression(node: Expression): void {
    for (const child of childrenOf(node)) {
      const isIndexed = node.kind === 'index' && child === node.base;
      if (isDecay(child) && !isIndexed) this.#expose(child.operand);
    }
    switch (node.kind) {
      case 'address':
        this.#expose(node.operand);
        break;
      case 'increment':
      case 'compound-assignment':
        this.#expose(node.target);
        break;
      case 'assignment':
        if (!this.#plain.has(node)) this.#expose(node.target);
        break;
      case 'integer':
        for (const name of node.spelling?.match(/[A-Za-z_]\w*/g) ?? []) this.#names.add(name);
        break;
      case 'statement-expression':
      case 'compound-literal':
        this.#exposeAll(node);
        break;
      default:
        break;
    }
  }

  #expose(place: Expression): void {
    const symbol = variableAround(place);
    if (symbol) this.#symbols.add(symbol);
  }

  #exposeAll(expression: Expression): void {
    walkExpression(expression, {
      expression: (node) => {
        if (node.kind === 'variable') this.#symbols.add(node.symbol);
      },
    });
  }
}
