/**
 * Every local variable is declared at the top of its function, under a name that no other variable there has, and its
 * initializer becomes assignments where the declaration stood. Static locals and local types move to the file's scope.
 * Afterwards code can be copied and moved without regard to scopes.
 *
 * A variable that is declared without a value holds anything: the declaration becomes `x = nondet`, or a `havoc` for an
 * aggregate. That is left out where the text shows that a value is assigned before any use. A variable whose
 * declaration some jump passes by holds anything from the start of the function, too.
 *
 * Before that, loops get their names, cleanups become calls, variable-length arrays pointers to memory that is
 * allocated where the declaration stands, and a `va_list` a pointer to the next argument.
 */

import {
  assign,
  block,
  builtin,
  cast,
  declaration,
  expressionStatement,
  integer,
  variable,
} from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { findLoops } from '../program/find-loops.ts';
import { type FreshSymbols, NameScope } from '../program/fresh-symbols.ts';
import { nondet, PRIMITIVES } from '../program/primitives.ts';
import { mapInitializer } from '../program/substitute.ts';
import type {
  DeclarationItem,
  Expression,
  FunctionDefinition,
  LabelSymbol,
  Program,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../program/tree.ts';
import { isScalar, qualifiersOf, sizeType, withExactQualifiers } from '../program/type-operations.ts';
import { QUALIFIER_CONST, type Type } from '../program/types.ts';
import { mapBlock, mapExpression, type StatementRebuild, walkStatement } from '../program/visit-tree.ts';
import { expandCleanups } from './hoist/expand-cleanups.ts';
import { expandLists } from './hoist/expand-lists.ts';
import { expandVariableLengths } from './hoist/expand-variable-lengths.ts';
import { findPassedBy } from './hoist/find-passed-by.ts';
import { initializerAssignments } from './initializer-assignments.ts';
import type { PassContext } from './pass.ts';

type DeclarationStatement = Extract<Statement, { kind: 'declaration' }>;
type CompoundLiteral = Extract<Expression, { kind: 'compound-literal' }>;

export function hoistDeclarations(program: Program, context: PassContext): Program {
  const globalNames = program.items.flatMap(nameOfItem);
  const enumerators = new Set(globalNames);
  const items = program.items.flatMap((item): readonly TopLevelItem[] => {
    if (item.kind !== 'function') return [item];
    for (const { loc, name, form } of findLoops(item.definition)) {
      context.loops.set(loc, { name, form, tripCount: null });
    }
    const hoister = new FunctionHoister(
      expand(item.definition, program.dataModel, context.fresh),
      globalNames,
      enumerators,
      program.dataModel,
      context,
    );
    const hoisted = hoister.run();
    return [...hoister.fileScope, { ...item, definition: hoisted }];
  });
  return { ...program, items };
}

/** What is no plain C yet, as plain C. */
function expand(definition: FunctionDefinition, model: DataModel, fresh: FreshSymbols): FunctionDefinition {
  return expandLists(expandVariableLengths(expandCleanups(definition, fresh), model, fresh), fresh);
}

function nameOfItem(item: TopLevelItem): string[] {
  switch (item.kind) {
    case 'function':
      return [item.definition.symbol.name];
    case 'variable':
    case 'typedef':
    case 'function-prototype':
      return [item.symbol.name];
    case 'enum':
      return item.declaration.enumerators?.map(({ name }) => name) ?? [];
    default:
      return [];
  }
}

class FunctionHoister {
  readonly fileScope: TopLevelItem[] = [];
  readonly #definition: FunctionDefinition;
  readonly #model: DataModel;
  /** All that have come to the file's scope; names of other things there count too. */
  readonly #enumerators: Set<string>;
  readonly #context: PassContext;
  readonly #names: NameScope;
  readonly #renamed = new Map<VariableSymbol, VariableSymbol>();
  readonly #locals: VariableSymbol[] = [];
  readonly #assignedFirst = new Set<VariableSymbol>();

  constructor(
    definition: FunctionDefinition,
    globalNames: readonly string[],
    enumerators: Set<string>,
    model: DataModel,
    context: PassContext,
  ) {
    this.#enumerators = enumerators;
    this.#model = model;
    this.#definition = definition;
    this.#context = context;
    this.#names = new NameScope([...globalNames, ...definition.parameters.map(({ name }) => name)]);
  }

  run(): FunctionDefinition {
    const { body } = this.#definition;
    // All declarations first: a jump can reach a use that stands before them in the walk.
    walkStatement(body, {
      statement: (statement) => {
        if (statement.kind === 'declaration') this.#declare(statement);
        if (statement.kind === 'block') this.#findAssignedFirst(statement.items);
      },
      expression: (expression) => {
        if (expression.kind === 'compound-literal') this.#declareLocal(expression.symbol, 'literal');
        if (expression.kind === 'label-address') this.#numberLabel(expression.label);
      },
    });
    const { items } = mapBlock(body, this.#rebuild);
    const start = [...this.#locals.map(declaration), ...this.#fillPassedBy()];
    return { ...this.#definition, body: block([...start, ...items], body.loc, body.endLoc) };
  }

  #fillPassedBy(): Statement[] {
    return findPassedBy(this.#definition.body).flatMap((symbol) => {
      const local = this.#renamed.get(symbol);
      return local ? [anything(variable(local, symbol.loc))] : [];
    });
  }

  /**
   * An enumerator whose name another one has gets one of its own; the printer writes constants of the old name as
   * numbers.
   */
  #renameClashes({ declaration }: Extract<DeclarationItem, { kind: 'enum' }>): void {
    declaration.enumerators =
      declaration.enumerators?.map((enumerator) => {
        let { name } = enumerator;
        for (let n = 1; this.#enumerators.has(name); n++) name = `${enumerator.name}_${n}`;
        this.#enumerators.add(name);
        return { ...enumerator, name };
      }) ?? null;
  }

  #declare(statement: DeclarationStatement): void {
    const { item } = statement;
    if (item.kind !== 'variable') {
      // A local typedef only names a type: without it, the type is written out.
      if (item.kind !== 'typedef') this.fileScope.push(item);
      if (item.kind === 'enum') this.#renameClashes(item);
      return;
    }
    const { symbol } = item;
    if (symbol.duration === 'automatic') this.#declareLocal(symbol, symbol.name);
    else if (symbol.linkage === 'none') this.#declareStatic(symbol);
  }

  #findAssignedFirst(items: readonly Statement[]): void {
    items.forEach((item, at) => {
      if (item.kind !== 'declaration' || item.item.kind !== 'variable') return;
      const { symbol } = item.item;
      if (!symbol.initializer && isAssignedFirst(symbol, items, at + 1)) this.#assignedFirst.add(symbol);
    });
  }

  #declareLocal(symbol: VariableSymbol, name: string): void {
    if (this.#renamed.has(symbol)) return;
    const local = this.#context.fresh.variable({
      name: this.#names.claim(name),
      type: withoutConst(symbol.type),
      loc: symbol.loc,
      alignment: symbol.alignment,
      addressTaken: symbol.addressTaken,
      copyOf: symbol,
    });
    this.#renamed.set(symbol, local);
    this.#locals.push(local);
  }

  /** The address of a label is a number, by which computed jumps find it. */
  #numberLabel(label: LabelSymbol): number {
    const { labelNumbers } = this.#context;
    const known = labelNumbers.get(label)?.number;
    if (known !== undefined) return known;
    const number = labelNumbers.size + 1;
    labelNumbers.set(label, { number, functionName: this.#definition.symbol.name });
    return number;
  }

  #declareStatic(symbol: VariableSymbol): void {
    const { fresh } = this.#context;
    const { duration, type, loc, alignment, addressTaken } = symbol;
    const name = this.#names.claim(symbol.name);
    const moved = fresh.variable({ name, type, loc, duration, alignment, addressTaken, copyOf: symbol });
    moved.linkage = 'internal';
    this.#renamed.set(symbol, moved);
    // Its own address may occur in the initializer, so it is known before.
    if (symbol.initializer) moved.initializer = mapInitializer(symbol.initializer, (value) => this.#expression(value));
    this.fileScope.push({ kind: 'variable', symbol: moved, isDefinition: true, loc });
  }

  readonly #rebuild: StatementRebuild = {
    expression: (expression) => this.#expression(expression),
    statement: (statement) => {
      if (statement.kind === 'declaration') return this.#mapDeclaration(statement);
      // A `for` whose declarations have become assignments: they move in front, into a block of their own.
      if (statement.kind === 'for' && statement.init.length > 1) {
        return [block([...statement.init, { ...statement, init: [] }], statement.loc)];
      }
      return [statement];
    },
  };

  #mapDeclaration(statement: DeclarationStatement): readonly Statement[] {
    const { item, loc } = statement;
    if (item.kind !== 'variable' || item.symbol.duration !== 'automatic') return [];
    const { symbol } = item;
    const target = variable(this.#renamed.get(symbol) as VariableSymbol, symbol.loc);
    if (symbol.initializer) {
      const initializer = mapInitializer(symbol.initializer, (value) => this.#expression(value));
      return initializerAssignments(target, initializer, loc);
    }
    if (this.#assignedFirst.has(symbol)) return [];
    return [anything(target)];
  }

  #expression(expression: Expression): Expression {
    return mapExpression(expression, (node) => {
      if (node.kind === 'variable') {
        const symbol = this.#renamed.get(node.symbol);
        return symbol ? { ...node, symbol } : node;
      }
      if (node.kind === 'statement-expression') {
        return { ...node, body: mapBlock(node.body, this.#rebuild) };
      }
      if (node.kind === 'compound-literal') return this.#compoundLiteral(node);
      if (node.kind === 'label-address') {
        const number = integer(this.#numberLabel(node.label), node.loc, sizeType(this.#model));
        return cast(number, node.type, 'integer-to-pointer', node.loc, false);
      }
      return node;
    });
  }

  /**
   * The node keeps its kind, since it is initialised each time it is reached; simplification makes assignments of it.
   */
  #compoundLiteral(node: CompoundLiteral): Expression {
    const symbol = this.#renamed.get(node.symbol);
    if (!symbol) return node;
    const { initializer } = node.symbol;
    const literal: VariableSymbol = {
      ...symbol,
      initializer: initializer && mapInitializer(initializer, (value) => this.#expression(value)),
    };
    this.#context.literals.set(literal, symbol);
    return { ...node, symbol: literal };
  }
}

function withoutConst(type: Type): Type {
  return withExactQualifiers(type, qualifiersOf(type) & ~QUALIFIER_CONST);
}

/** The statement that gives a variable any value. */
function anything(target: Expression): Statement {
  const { type, loc } = target;
  if (isScalar(type)) return assign(target, nondet(type, loc), loc);
  return expressionStatement(builtin(PRIMITIVES.havoc, [target], loc), loc);
}

// ---------------------------------------------------------------- assigned before any use

/**
 * Whether the statements after a declaration assign the variable before anything reads it, as far as the first
 * statement that mentions it shows. Jumps end the search, since they may lead to a use.
 */
function isAssignedFirst(symbol: VariableSymbol, items: readonly Statement[], start: number): boolean {
  for (let at = start; at < items.length; at++) {
    const statement = items[at] as Statement;
    const first = firstExpression(statement);
    if (
      first?.kind === 'assignment' &&
      isVariable(first.target, symbol) &&
      !mentions(asStatement(first.value), symbol)
    ) {
      return true;
    }
    if (mentions(statement, symbol) || jumps(statement)) return false;
  }
  return true;
}

function firstExpression(statement: Statement): Expression | null {
  let at: Statement | undefined = statement;
  while (at?.kind === 'for') at = at.init[0];
  if (at?.kind !== 'expression') return null;
  let { expression } = at;
  while (expression.kind === 'comma') expression = expression.left;
  return expression;
}

function isVariable(expression: Expression, symbol: VariableSymbol): boolean {
  return expression.kind === 'variable' && expression.symbol === symbol;
}

function asStatement(expression: Expression): Statement {
  return expressionStatement(expression);
}

function mentions(statement: Statement, symbol: VariableSymbol): boolean {
  let found = false;
  walkStatement(statement, {
    expression: (expression) => {
      if (isVariable(expression, symbol)) found = true;
    },
  });
  return found;
}

function jumps(statement: Statement): boolean {
  let found = false;
  walkStatement(statement, {
    statement: ({ kind }) => {
      if (kind === 'goto' || kind === 'computed-goto' || kind === 'case' || kind === 'default') found = true;
    },
  });
  return found;
}
