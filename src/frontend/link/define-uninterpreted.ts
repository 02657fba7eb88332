/**
 * CBMC's uninterpreted functions, `__CPROVER_uninterpreted_name`: of such a function nothing is known but that equal
 * arguments give equal results. Each gets a body that keeps a table of the arguments that it was called with and of
 * what it gave for them: any value, the first time.
 *
 * Left out: parameters and results that are no scalars (then it gives any value each time), and more than eight
 * different arguments in one execution.
 */

import {
  assign,
  block,
  comparison,
  converted,
  decayed,
  declaration,
  expressionStatement,
  ifStatement,
  integer,
  string,
  variable,
  variableSymbol,
} from '../../program/build-tree.ts';
import type { CallExpression, Expression, FunctionSymbol, Statement, VariableSymbol } from '../../program/tree.ts';
import {
  functionType,
  intType,
  isArithmetic,
  isScalar,
  promoted,
  unqualified,
  voidType,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import { createFunction } from '../types/functions.ts';
import type { MainContext } from './surround-main.ts';

const NAME = /^__CPROVER_uninterpreted_/;
/** Different arguments in one execution. */
const ROWS = 8;

export function defineUninterpreted(c: MainContext): void {
  for (const symbol of [...c.external.values()]) {
    if (symbol.kind !== 'function-symbol' || !NAME.test(symbol.name) || symbol.definition !== null) continue;
    const { type } = symbol;
    if (type.kind !== 'function' || type.variadic || type.oldStyle) continue;
    if (![type.result, ...type.parameters].every(isScalar)) continue;
    define(c, symbol, type.parameters, type.result);
  }
}

function define(c: MainContext, symbol: FunctionSymbol, types: readonly Type[], result: Type): void {
  const { loc } = symbol;
  const parameters = types.map((type, i) => newVariable(c, `argument_${i}`, type, 'automatic', loc));
  const value = newVariable(c, 'value', result, 'automatic', loc);
  const begin = call(primitive(c, '__lazuli_atomic_begin', voidType, loc), loc);
  const end = call(primitive(c, '__lazuli_atomic_end', voidType, loc), loc);
  const drawn = callOf(primitive(c, `__lazuli_nondet_${symbol.name.replace(NAME, '')}`, result, loc), loc);
  // From the last row to the first: each is asked when all before it are taken by other arguments.
  let rest: Statement[] = refusal(c, loc);
  for (let row = ROWS - 1; row >= 0; row--) {
    const table = (name: string, type: Type) => {
      const cell = newVariable(c, `${symbol.name}_${name}_${row}`, type, 'static', loc);
      c.items.unshift({ kind: 'variable', symbol: cell, isDefinition: true, loc });
      return variable(cell, loc);
    };
    const isTaken = table('taken', intType);
    const keys = types.map((type, i) => table(`argument_${i}`, type));
    const kept = table('result', result);
    const same = keys.map((key, i) => equal(key, variable(parameters[i] as VariableSymbol, loc), loc));
    const isSame = same.reduce<Expression>(
      (all, one) => ({ kind: 'logical', operator: '&&', left: all, right: one, type: intType, loc }),
      integer(1, loc),
    );
    const take = [
      assign(isTaken, integer(1, loc), loc),
      ...keys.map((key, i) => assign(key, variable(parameters[i] as VariableSymbol, loc), loc)),
      assign(kept, drawn, loc),
      assign(variable(value, loc), kept, loc),
    ];
    const find = ifStatement(isSame, [assign(variable(value, loc), kept, loc)], rest, loc);
    rest = [ifStatement(isTaken, [find], take, loc)];
  }
  const items: Statement[] = [
    declaration(value),
    begin,
    ...rest,
    end,
    { kind: 'return', value: variable(value, loc), loc },
  ];
  const definition = { symbol, parameters, body: block(items, loc), loc };
  symbol.definition = definition;
  c.items.push({ kind: 'function', definition, loc });
}

function refusal(c: MainContext, loc: Loc): Statement[] {
  const text = (words: string) => decayed(string(words, c.nextId++, loc));
  const message = `an uninterpreted function of more than ${ROWS} different arguments`;
  const assertion = callOf(primitive(c, '__lazuli_assert', voidType, loc), loc);
  const args = [integer(0, loc), text('unsupported'), text(message)];
  return [expressionStatement({ ...assertion, args }), call(primitive(c, '__lazuli_halt', voidType, loc), loc)];
}

function equal(left: Expression, right: Expression, loc: Loc): Expression {
  const type = isArithmetic(left.type) && left.type.kind !== 'float' ? promoted(left.type) : unqualified(left.type);
  return comparison('==', converted(left, type), converted(right, type), loc);
}

function newVariable(
  c: MainContext,
  name: string,
  type: Type,
  duration: 'static' | 'automatic',
  loc: Loc,
): VariableSymbol {
  return variableSymbol({
    ...{ id: c.nextId++, name, type: unqualified(type), duration, loc },
    linkage: duration === 'static' ? 'internal' : 'none',
    isParameter: name.startsWith('argument_'),
  });
}

function primitive(c: MainContext, name: string, result: Type, loc: Loc): FunctionSymbol {
  const known = c.external.get(name);
  if (known?.kind === 'function-symbol') return known;
  const symbol = createFunction(c, name, functionType(result, [], false), 'external', loc);
  c.items.unshift({ kind: 'function-prototype', symbol, loc });
  return symbol;
}

function callOf(symbol: FunctionSymbol, loc: Loc): CallExpression {
  const type = symbol.type.kind === 'function' ? symbol.type.result : voidType;
  return { kind: 'call', callee: { kind: 'function', symbol, type: symbol.type, loc }, args: [], type, loc };
}

function call(symbol: FunctionSymbol, loc: Loc): Statement {
  return expressionStatement(callOf(symbol, loc));
}
