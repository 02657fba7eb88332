/**
 * What runs before main and after it. GNU constructors are called at the start of main; GNU destructors are handed to
 * `atexit` there, before all else, so that they run last and in reverse, as with glibc. Where the model of `atexit` is
 * linked, main gets a variable whose cleanup runs the exit handlers, for returning from main is calling `exit`. (The
 * models of `exit` and of a main thread that ends alone run them themselves.)
 *
 * Functions with a priority come by it, then those without, in the order of their definitions. Left out: constructors
 * and destructors with parameters or a result, programs that call main themselves, and computed jumps in such a main.
 */

import { block, cast, declaration, expressionStatement, variableSymbol } from '../../program/build-tree.ts';
import type {
  CallExpression,
  Expression,
  FunctionDefinition,
  FunctionSymbol,
  Statement,
  TopLevelItem,
  VariableSymbol,
} from '../../program/tree.ts';
import { functionType, intType, pointerTo, voidType } from '../../program/type-operations.ts';
import { walkStatement } from '../../program/visit-tree.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc } from '../../support/source.ts';
import { refuse } from '../types/checker.ts';
import { createFunction } from '../types/functions.ts';

/** The model that runs the handlers; it is linked with that of `atexit`. */
const RUN_HANDLERS = '__lazuli_run_exit_handlers';

/** The program that is being linked. */
export interface MainContext {
  readonly sink: DiagnosticSink;
  /** Changed in place. */
  readonly items: TopLevelItem[];
  readonly external: Map<string, VariableSymbol | FunctionSymbol>;
  readonly constructors: ReadonlyMap<FunctionSymbol, number>;
  readonly destructors: ReadonlyMap<FunctionSymbol, number>;
  nextId: number;
}

/** To be called when everything is declared: gives main its new body, or leaves the program as it is. */
export function surroundMain(c: MainContext): void {
  const main = functionNamed(c, 'main');
  const definition = main?.definition;
  if (!main || !definition) return;
  const before = inTurn(c, c.constructors);
  const after = inTurn(c, c.destructors);
  const runHandlers = functionNamed(c, RUN_HANDLERS)?.definition?.symbol;
  if (before.length === 0 && after.length === 0 && !runHandlers) return;
  for (const symbol of [...before, ...after]) refuseOtherTypes(c, symbol);
  refuseOtherUses(c, main, runHandlers !== undefined);
  const { loc, body } = definition;
  const atexit = after.length > 0 ? (functionNamed(c, 'atexit') ?? declareAtexit(c, loc)) : null;
  const start: Statement[] = [];
  const call = (symbol: FunctionSymbol, args: readonly Expression[], at: Loc) =>
    start.push(expressionStatement(callOf(symbol, args, at)));
  if (atexit) for (const symbol of after) call(atexit, [pointerToFunction(symbol, loc)], loc);
  if (runHandlers) start.push(declaration(variableWithCleanup(c, callOf(runHandlers, [], body.endLoc))));
  for (const symbol of before) call(symbol, [], symbol.loc);
  main.definition = { ...definition, body: block([...start, ...body.items], body.loc, body.endLoc) };
  replaceDefinition(c, definition, [...before, ...after, ...(atexit ? [atexit] : [])]);
}

/** Puts the new definition in the place of the old one, after the prototypes of what it calls. */
function replaceDefinition(c: MainContext, old: FunctionDefinition, called: readonly FunctionSymbol[]): void {
  const { symbol: main, loc } = old;
  const at = c.items.findIndex((item) => item.kind === 'function' && item.definition === old);
  const prototypes = called.map((symbol) => ({ kind: 'function-prototype', symbol, loc }) as const);
  c.items.splice(at, 1, ...prototypes, { kind: 'function', definition: main.definition ?? old, loc });
}

function functionNamed(c: MainContext, name: string): FunctionSymbol | null {
  const symbol = c.external.get(name);
  return symbol?.kind === 'function-symbol' ? symbol : null;
}

/** Those of the functions that are defined, by priority and then by definition. */
function inTurn(c: MainContext, priorities: ReadonlyMap<FunctionSymbol, number>): FunctionSymbol[] {
  if (priorities.size === 0) return [];
  const defined = c.items.flatMap((item) => (item.kind === 'function' ? [item.definition.symbol] : []));
  const priorityOf = (symbol: FunctionSymbol) => priorities.get(symbol) ?? 0;
  return defined.filter((symbol) => priorities.has(symbol)).sort((a, b) => priorityOf(a) - priorityOf(b));
}

function declareAtexit(c: MainContext, loc: Loc): FunctionSymbol {
  const handler = pointerTo(functionType(voidType, [], false));
  return createFunction(c, 'atexit', functionType(intType, [handler], false), 'external', loc);
}

function callOf(symbol: FunctionSymbol, args: readonly Expression[], loc: Loc): CallExpression {
  const type = symbol.type.kind === 'function' ? symbol.type.result : voidType;
  return { kind: 'call', callee: { kind: 'function', symbol, type: symbol.type, loc }, args, type, loc };
}

function pointerToFunction(symbol: FunctionSymbol, loc: Loc): Expression {
  const named = { kind: 'function', symbol, type: symbol.type, loc } as const;
  return cast(named, pointerTo(symbol.type), 'function-to-pointer', loc);
}

function variableWithCleanup(c: MainContext, cleanup: CallExpression): VariableSymbol {
  return variableSymbol({ id: c.nextId++, name: '__lazuli_in_main', type: intType, cleanup, loc: cleanup.loc });
}

function refuseOtherTypes(c: MainContext, { name, type, loc }: FunctionSymbol): void {
  if (type.kind !== 'function' || type.parameters.length > 0 || type.result.kind !== 'void') {
    refuse(c, loc, `'${name}', a constructor or destructor with parameters or a result,`);
  }
}

function refuseOtherUses(c: MainContext, main: FunctionSymbol, hasCleanup: boolean): void {
  for (const item of c.items) {
    if (item.kind !== 'function') continue;
    const { definition } = item;
    walkStatement(definition.body, {
      expression: (node) => {
        if (node.kind !== 'function' || node.symbol !== main) return;
        refuse(c, node.loc, 'the use of main in a program with constructors, destructors or exit handlers');
      },
      statement: (node) => {
        if (node.kind !== 'computed-goto' || definition.symbol !== main || !hasCleanup) return;
        refuse(c, node.loc, "a computed 'goto' in the main of a program with destructors or exit handlers");
      },
    });
  }
}
