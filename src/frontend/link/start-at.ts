/**
 * `--function NAME`: the program starts at another function than main. A main is made that calls it with arguments that
 * are not initialised, and so may have any value. A pointer to an object is null or points to one object of its type,
 * whose contents are arbitrary in turn; other pointers are like any pointer without a value. A main that the program
 * has itself is set aside under another name.
 */

import {
  address,
  block,
  cast,
  declaration,
  expressionStatement,
  integer,
  variable,
  variableSymbol,
} from '../../program/build-tree.ts';
import type {
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../../program/tree.ts';
import { functionType, intType, isComplete, unqualified } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import type { LinkedSymbol, Resolution } from './resolve-symbols.ts';

interface StartContext {
  readonly sink: DiagnosticSink;
  /** Gets the new main at its end. */
  readonly items: TopLevelItem[];
  readonly external: Map<string, LinkedSymbol>;
  nextId: number;
}

/** Gives the program's own main another name; before trees are rewritten. */
export function setMainAside({ symbols, external }: Resolution): void {
  const main = external.get('main');
  if (main === undefined) return;
  const aside = { ...main, name: 'main__program', sourceName: 'main' };
  for (const [symbol, chosen] of symbols) if (chosen === main) symbols.set(symbol, aside);
  symbols.set(main, aside);
  external.delete('main');
  external.set(aside.name, aside);
}

/** Adds a main that calls the function. */
export function startAt(name: string, context: StartContext): void {
  const found = context.items.flatMap((item) =>
    item.kind === 'function' && (item.definition.symbol.sourceName ?? item.definition.symbol.name) === name
      ? [item.definition]
      : [],
  );
  const exact = context.items.flatMap((item) =>
    item.kind === 'function' && item.definition.symbol.name === name ? [item.definition] : [],
  );
  const [start] = exact.length > 0 ? exact : found;
  if (start === undefined) {
    context.sink.error(NOWHERE, 'no-start', `the program has no function '${name}'`);
  } else if (exact.length === 0 && found.length > 1) {
    const names = found.map(({ symbol }) => symbol.name).join(', ');
    context.sink.error(start.loc, 'no-start', `several files have a function '${name}': ${names}`);
  } else addMain(start, context);
}

function addMain({ symbol: start, parameters, loc }: FunctionDefinition, context: StartContext): void {
  const main: FunctionSymbol = {
    kind: 'function-symbol',
    id: context.nextId++,
    name: 'main',
    type: functionType(intType, []),
    linkage: 'external',
    isInline: false,
    isNoreturn: false,
    definition: null,
    loc,
  };
  const statements: Statement[] = [];
  const args = parameters.map((parameter) => anyArgument(parameter, statements, context));
  const result = start.type.kind === 'function' ? start.type.result : intType;
  const callee: Expression = { kind: 'function', symbol: start, type: start.type, loc };
  statements.push(expressionStatement({ kind: 'call', callee, args, type: result, loc }));
  statements.push({ kind: 'return', value: integer(0, loc), loc });
  const definition = { symbol: main, parameters: [], body: block(statements, loc, loc), loc };
  main.definition = definition;
  context.external.set('main', main);
  context.items.push({ kind: 'function', definition, loc });
}

/** Declares what the argument needs, and gives its value. */
function anyArgument(parameter: VariableSymbol, statements: Statement[], context: StartContext): Expression {
  const { name, loc } = parameter;
  const type = unqualified(parameter.type);
  const declare = (suffix: string, of: Type): VariableSymbol => {
    const made = local(`${name === '' ? 'argument' : name}${suffix}`, of, loc, context);
    statements.push(declaration(made));
    return made;
  };
  if (type.kind !== 'pointer' || !isComplete(type.target)) return variable(declare('', type), loc);
  const object = declare('_object', unqualified(type.target));
  object.addressTaken = true;
  const then = cast(address(variable(object, loc), loc), type, 'pointer', loc);
  const otherwise = cast(integer(0, loc), type, 'null-to-pointer', loc);
  const condition = variable(declare('_is_there', intType), loc);
  return { kind: 'conditional', condition, then, otherwise, type, loc };
}

function local(name: string, type: Type, loc: Loc, context: StartContext): VariableSymbol {
  return variableSymbol({ id: context.nextId++, name, type, loc });
}
