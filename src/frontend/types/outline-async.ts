/**
 * CBMC's way to start a thread: a statement with a label `__CPROVER_ASYNC_1` runs in a new thread. It becomes the
 * body of a function of its own, which a model starts. The thread gets the values that the local variables have at
 * its start, in memory that it reads and frees first; what it assigns to them nobody else sees. `return` ends it.
 *
 * Left out: other jumps out of the statement or into it, and arrays of variable length or very many elements.
 */

import {
  assign,
  cast,
  declaration as declare,
  dereference,
  element,
  expressionStatement,
  integer,
  pointerOffset,
  variable,
  variableSymbol,
  zeroOf,
} from '../../program/build-tree.ts';
import { sizeOf } from '../../program/layout.ts';
import { mapInitializer, substitute } from '../../program/substitute.ts';
import type {
  CallExpression,
  Expression,
  FunctionSymbol,
  LabelSymbol,
  Statement,
  VariableSymbol,
} from '../../program/tree.ts';
import {
  charType,
  functionType,
  integerType,
  pointerTo,
  unqualified,
  voidType,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { mapStatement, statementsOf, walkStatement } from '../../program/visit-tree.ts';
import type { Loc } from '../../support/source.ts';
import { type Checker, refuse } from './checker.ts';
import { createFunction } from './functions.ts';

/** The models that do it (threads.c). */
export const START_ASYNC = '__lazuli_start_async';
const ALLOCATE = '__lazuli_async_memory';
const FREE = '__lazuli_async_free';

/** Variables stand at multiples of this in the memory that the thread is given. */
const SLOT_BYTES = 16;
/** More values than these are not copied one by one. */
const MOST_VALUES = 256;

const POINTER = pointerTo(voidType);

export function isAsyncLabel(name: string): boolean {
  return name.startsWith('__CPROVER_ASYNC');
}

/** The items of a block, with its asynchronous statements replaced by what starts them. */
export function outlineAsync(c: Checker, items: readonly Statement[]): Statement[] {
  const result: Statement[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Statement;
    const next = items[at + 1];
    if (item.kind !== 'label' || !isAsyncLabel(item.label.name) || next === undefined) {
      result.push(item);
      continue;
    }
    for (const statement of startOf(c, next, item.label.name, item.loc)) result.push(statement);
    at++;
  }
  return result;
}

function startOf(c: Checker, statement: Statement, label: string, loc: Loc): Statement[] {
  const captured = findCaptured(c, statement);
  const start = defineThread(c, statement, captured, c.external.has(label) ? `${label}_${c.nextId}` : label, loc);
  const pointer: Expression = cast(functionNode(start, loc), pointerTo(start.type), 'function-to-pointer', loc);
  const begin = model(c, START_ASYNC, voidType, [pointerTo(start.type), POINTER], loc);
  if (captured.length === 0) return [call(begin, [pointer, zeroOf(POINTER, loc)], loc)];
  const memory = local(c, '__lazuli_given', POINTER, loc);
  const { offsets, bytes } = layOut(c, captured);
  const size = integer(bytes, loc, integerType('unsigned long'));
  const allocate = model(c, ALLOCATE, POINTER, [integerType('unsigned long')], loc);
  return [
    declare(memory),
    assign(variable(memory, loc), callOf(allocate, [size], loc), loc),
    ...captured.flatMap((symbol, i) =>
      copy(slot(memory, offsets[i] as number, symbol.type, loc), variable(symbol, loc), loc),
    ),
    call(begin, [pointer, variable(memory, loc)], loc),
  ];
}

/** Where each variable stands in the memory, and how much of it they need. */
function layOut(c: Checker, captured: readonly VariableSymbol[]) {
  let bytes = 0;
  const offsets = captured.map(({ type }) => {
    const at = bytes;
    const size = countValues(type) <= MOST_VALUES ? sizeOf(type, c.model) : 0;
    bytes += SLOT_BYTES * Math.ceil(size / SLOT_BYTES);
    return at;
  });
  return { offsets, bytes };
}

/** Arrays are no values: their elements are copied. */
function copy(to: Expression, from: Expression, loc: Loc): Statement[] {
  const { type } = from;
  if (type.kind !== 'array') return [assign(to, from, loc)];
  // Refused.
  if (countValues(type) > MOST_VALUES) return [];
  return Array.from({ length: Number(type.length) }, (_, i) =>
    copy(element(to, integer(i, loc), loc), element(from, integer(i, loc), loc), loc),
  ).flat();
}

function countValues(type: Type): number {
  if (type.kind !== 'array') return 1;
  return typeof type.length === 'number' ? type.length * countValues(type.element) : Number.POSITIVE_INFINITY;
}

/** The local variables from outside that the statement mentions. */
function findCaptured(c: Checker, statement: Statement): VariableSymbol[] {
  const inside = new Set<VariableSymbol>();
  const mentioned = new Set<VariableSymbol>();
  const labels = new Set<LabelSymbol>();
  const jumps: Extract<Statement, { kind: 'goto' }>[] = [];
  walkStatement(statement, {
    statement: (node) => {
      if (node.kind === 'declaration' && node.item.kind === 'variable') inside.add(node.item.symbol);
      if (node.kind === 'label') labels.add(node.label);
      if (node.kind === 'goto') jumps.push(node);
      if (node.kind === 'computed-goto') refuse(c, node.loc, 'a computed goto in a statement that runs asynchronously');
    },
    expression: (node) => {
      if (node.kind === 'variable' && node.symbol.duration === 'automatic') mentioned.add(node.symbol);
    },
  });
  for (const { label, loc } of jumps) if (!labels.has(label)) refuseJump(c, loc);
  refuseEscapes(c, statement, false, false);
  const captured = [...mentioned].filter((symbol) => !inside.has(symbol));
  for (const { type, name, loc } of captured) {
    if (countValues(type) > MOST_VALUES)
      refuse(c, loc, `'${name}', a large array that an asynchronous statement mentions,`);
  }
  return captured;
}

function refuseJump(c: Checker, loc: Loc): void {
  refuse(c, loc, 'a jump out of a statement that runs asynchronously');
}

/** `break` and `continue` of what stands around the statement. */
function refuseEscapes(c: Checker, statement: Statement, inLoop: boolean, inSwitch: boolean): void {
  if (statement.kind === 'break' && !inLoop && !inSwitch) refuseJump(c, statement.loc);
  if (statement.kind === 'continue' && !inLoop) refuseJump(c, statement.loc);
  if (statement.kind === 'expression') return;
  const isLoop = statement.kind === 'while' || statement.kind === 'do' || statement.kind === 'for';
  for (const part of statementsOf(statement))
    refuseEscapes(c, part, inLoop || isLoop, inSwitch || statement.kind === 'switch');
}

function defineThread(
  c: Checker,
  statement: Statement,
  captured: readonly VariableSymbol[],
  name: string,
  loc: Loc,
): FunctionSymbol {
  const type = functionType(POINTER, [POINTER], false);
  const symbol = createFunction(c, name, type, 'internal', loc);
  const given: VariableSymbol = { ...local(c, 'given', POINTER, loc), isParameter: true };
  const copies = new Map(
    captured.map((one) => [one, local(c, one.name, unqualified(one.type), loc, one.addressTaken)]),
  );
  const rename = (expression: Expression) =>
    substitute(expression, (found) => {
      const copy = copies.get(found);
      return copy ? variable(copy, loc) : null;
    });
  const { offsets } = layOut(c, captured);
  const prologue = [...copies.values()].flatMap((one, i) => [
    declare(one),
    ...copy(variable(one, loc), slot(given, offsets[i] as number, one.type, loc), loc),
  ]);
  const free =
    captured.length === 0 ? [] : [call(model(c, FREE, voidType, [POINTER], loc), [variable(given, loc)], loc)];
  const end: Statement = { kind: 'return', value: zeroOf(POINTER, loc), loc };
  const body = mapStatement(statement, {
    expression: rename,
    statement: (one) => {
      // The variables of the statement move with it.
      const symbol = one.kind === 'declaration' && one.item.kind === 'variable' ? one.item.symbol : null;
      if (symbol?.initializer) symbol.initializer = mapInitializer(symbol.initializer, rename);
      if (one.kind !== 'return') return [one];
      return one.value ? [expressionStatement(one.value), end] : [end];
    },
  });
  const items: Statement[] = [...prologue, ...free, ...body, end];
  const definition = { symbol, parameters: [given], body: { kind: 'block', items, loc, endLoc: loc } as const, loc };
  symbol.definition = definition;
  c.items.push({ kind: 'function', definition, loc });
  return symbol;
}

function slot(memory: VariableSymbol, offset: number, type: Type, loc: Loc): Expression {
  const bytes = cast(variable(memory, loc), pointerTo(charType), 'pointer', loc);
  const at = offset === 0 ? bytes : pointerOffset('+', bytes, integer(offset, loc), loc);
  return dereference(cast(at, pointerTo(unqualified(type)), 'pointer', loc), loc);
}

function local(c: Checker, name: string, type: Type, loc: Loc, addressTaken = false): VariableSymbol {
  return variableSymbol({ id: c.nextId++, name, type, addressTaken, loc });
}

function model(c: Checker, name: string, result: Type, parameters: readonly Type[], loc: Loc): FunctionSymbol {
  const known = c.external.get(name);
  if (known?.kind === 'function-symbol') return known;
  const symbol = createFunction(c, name, functionType(result, parameters, false), 'external', loc);
  c.items.push({ kind: 'function-prototype', symbol, loc });
  return symbol;
}

function functionNode(symbol: FunctionSymbol, loc: Loc): Expression {
  return { kind: 'function', symbol, type: symbol.type, loc };
}

function callOf(symbol: FunctionSymbol, args: readonly Expression[], loc: Loc): CallExpression {
  const type = symbol.type.kind === 'function' ? symbol.type.result : voidType;
  return { kind: 'call', callee: functionNode(symbol, loc), args, type, loc };
}

function call(symbol: FunctionSymbol, args: readonly Expression[], loc: Loc): Statement {
  return expressionStatement(callOf(symbol, args, loc));
}
