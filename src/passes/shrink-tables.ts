/**
 * The models keep what they know of threads in tables by the threads' numbers, with room for more threads than any
 * program here has. Now that the threads are known, a table gets as many elements as there are threads, and one more
 * for all numbers that are no thread's: `status[n]` becomes `status[n < 3 ? n : 3]`. A backend's formula has the whole
 * table wherever an index is not known.
 *
 * Why this is sound: nobody stores anything for a number that is no thread's before something is violated (the models
 * assert first that it is a thread: its `status` is not 0), so that the elements which fall together all hold the
 * zeros that they had from the start (only main's have other first values). A table that is used in another way than
 * by an index stays as it is.
 */

import { type BoundedProgram, mapThreads } from '../program/bounded-program.ts';
import { comparison, element, integer, variable } from '../program/build-tree.ts';
import type { Expression, FunctionDefinition, TopLevelItem, VariableSymbol } from '../program/tree.ts';
import { arrayOf } from '../program/type-operations.ts';
import {
  expressionsOf,
  mapBlock,
  mapExpression,
  pushChildren,
  walkPlainStatementsOnce,
} from '../program/visit-tree.ts';
import { isModelPlace } from '../support/source.ts';
import type { PassContext } from './pass.ts';
import { isDecay } from './propagate/known-values.ts';

/** __LAZULI_THREADS of the models. */
const TABLE_LENGTH = 512;

/** What a table is called in the models. */
const TABLE_NAME = /^__lazuli_(thread|thrd)_/;

export function shrinkTables(program: BoundedProgram, context: PassContext): BoundedProgram {
  const count = program.threads.length;
  if (count >= TABLE_LENGTH) return program;
  const functions = program.threads.map((thread) => thread.function);
  const tables = new Map<VariableSymbol, VariableSymbol>();
  for (const item of program.globals) {
    if (item.kind === 'variable' && isTable(item.symbol, program)) {
      tables.set(item.symbol, shrunk(item.symbol, count + 1, context));
    }
  }
  const { whole, mentioning } = findUses(functions, tables);
  for (const symbol of whole) tables.delete(symbol);
  if (tables.size === 0) return program;
  const globals = program.globals.map((item): TopLevelItem => {
    const table = item.kind === 'variable' ? tables.get(item.symbol) : undefined;
    return item.kind === 'variable' && table ? { ...item, symbol: table } : item;
  });
  return mapThreads({ ...program, globals }, (thread) => rewrite(thread.function, tables, mentioning, count));
}

function isTable(symbol: VariableSymbol, { sources }: BoundedProgram): boolean {
  const { type, name, loc } = symbol;
  return type.kind === 'array' && type.length === TABLE_LENGTH && TABLE_NAME.test(name) && isModelPlace(sources, loc);
}

function shrunk(symbol: VariableSymbol, length: number, { fresh }: PassContext): VariableSymbol {
  const { name, type, loc, duration, initializer } = symbol;
  const element = type.kind === 'array' ? type.element : type;
  return fresh.variable({ name, type: arrayOf(element, length), loc, duration, initializer, copyOf: symbol });
}

type Tables = ReadonlyMap<VariableSymbol, VariableSymbol>;
type Index = Extract<Expression, { kind: 'index' }>;

/** The table that an element is one of. */
function tableOf(node: Expression, tables: Tables): VariableSymbol | undefined {
  if (node.kind !== 'index' || !isDecay(node.base)) return undefined;
  return node.base.operand.kind === 'variable' ? tables.get(node.base.operand.symbol) : undefined;
}

interface TableUses {
  /** Tables that are used in another way than by an index. */
  readonly whole: Set<VariableSymbol>;
  /** The expressions of statements in which there is an element of a table. */
  readonly mentioning: Set<Expression>;
}

function findUses(functions: readonly FunctionDefinition[], tables: Tables): TableUses {
  const whole = new Set<VariableSymbol>();
  const mentioning = new Set<Expression>();
  const look = (expression: Expression) => {
    const stack: Expression[] = [expression];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.kind === 'variable' && tables.has(at.symbol)) whole.add(at.symbol);
      if (tableOf(at, tables)) {
        mentioning.add(expression);
        stack.push((at as Index).index);
      } else pushChildren(at, stack);
    }
  };
  for (const { body } of functions) {
    walkPlainStatementsOnce(body, (statement) => expressionsOf(statement).forEach(look));
  }
  return { whole, mentioning };
}

function rewrite(
  definition: FunctionDefinition,
  tables: Tables,
  mentioning: ReadonlySet<Expression>,
  count: number,
): FunctionDefinition {
  const rewriteNode = (node: Expression) => {
    const table = tableOf(node, tables);
    return table && node.kind === 'index' ? elementOf(table, node, count) : node;
  };
  const expression = (part: Expression) => (mentioning.has(part) ? mapExpression(part, rewriteNode) : part);
  const body = mapBlock(definition.body, { expression, statement: (statement) => [statement], rebuilt: new Map() });
  return body === definition.body ? definition : { ...definition, body };
}

function elementOf(table: VariableSymbol, { index, loc }: Index, count: number): Expression {
  return element(variable(table, loc), placeOf(index, count), loc);
}

/** The index of a thread's element, or of the one for everything else. */
function placeOf(index: Expression, count: number): Expression {
  const { type, loc } = index;
  const other = integer(count, loc, type);
  if (index.kind === 'integer') return index.value < count ? index : other;
  const condition = comparison('<', index, other, loc);
  return { kind: 'conditional', condition, then: index, otherwise: other, type, loc };
}
