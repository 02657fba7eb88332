/** Drops assignments to private variables that nothing reads. */

import { cast, expressionStatement } from '../../program/build-tree.ts';
import { primitiveCall, primitiveOf } from '../../program/primitives.ts';
import type { Expression, FunctionDefinition, Statement, VariableSymbol } from '../../program/tree.ts';
import { voidType } from '../../program/type-operations.ts';
import { expressionsOf, mapBlock, pushChildren } from '../../program/visit-tree.ts';
import { type Accesses, addAccesses, addStatement, newAccesses, rootOf } from '../alias/sharing.ts';
import { isDecay } from './known-values.ts';

export function dropDeadStores(definition: FunctionDefinition): FunctionDefinition {
  const owned = localVariables(definition);
  let current = definition;
  // Dropping a store can leave another without a reader; a few rounds do nearly all.
  for (let round = 0; round < 3; round++) {
    const { reads, writes, escapes } = accessesOf(current);
    const dead = new Set(
      [...writes].filter((symbol) => owned.has(symbol) && !escapes.has(symbol) && !reads.has(symbol)),
    );
    if (dead.size === 0) return current;
    const isDead = (symbol: VariableSymbol) => dead.has(symbol);
    const dropped = newAccesses();
    const body = mapBlock(current.body, {
      expression: (expression) => expression,
      statement: (statement) => {
        const left = withoutDeadStore(statement, isDead);
        if (left[0] !== statement) for (const part of expressionsOf(statement)) addAccesses(part, dropped);
        return left;
      },
      rebuilt: new Map(),
    });
    if (body === current.body) return current;
    current = { ...current, body };
    const lost = [...dropped.reads, ...dropped.escapes];
    if (!lost.some((symbol) => owned.has(symbol))) return current;
  }
  return current;
}

export function accessesOf(definition: FunctionDefinition): Accesses {
  const accesses = newAccesses();
  addStatement(definition.body, accesses);
  return accesses;
}

/** In the bounded program all declarations stand at the top. */
export function localVariables(definition: FunctionDefinition): Set<VariableSymbol> {
  const result = new Set<VariableSymbol>();
  for (const item of definition.body.items) {
    if (item.kind !== 'declaration') break;
    if (item.item.kind === 'variable') result.add(item.item.symbol);
  }
  return result;
}

/** Local variables, and others that only this function names, whose address goes nowhere. */
export function privateVariables(
  definition: FunctionDefinition,
  { escapes }: Accesses = accessesOf(definition),
  others: readonly VariableSymbol[] = [],
): Set<VariableSymbol> {
  const result = localVariables(definition);
  for (const symbol of others) result.add(symbol);
  for (const symbol of escapes) result.delete(symbol);
  return result;
}

/** The statement, or what is left of it when nobody reads what it assigns. */
export function withoutDeadStore(
  statement: Statement,
  isDead: (symbol: VariableSymbol) => boolean,
): readonly Statement[] {
  if (statement.kind !== 'expression') return [statement];
  const { expression, loc } = statement;
  if (expression.kind === 'builtin') {
    const primitive = primitiveOf(expression);
    const [target] = expression.args;
    const isFilled = (primitive === 'havoc' || primitive === 'zero') && target?.kind === 'variable';
    return isFilled && isDead(target.symbol) ? [] : [statement];
  }
  if (expression.kind !== 'assignment') return [statement];
  const root = rootOf(expression.target);
  if (root === null || !isDead(root)) return [statement];
  const call = primitiveCall(statement);
  if (call?.primitive === 'allocate') return call.call.args.some(mustStay) ? [statement] : [];
  if (call !== null && call.primitive !== 'nondet') return [statement];
  // A call that stays, because its function has no body here.
  if (expression.value.kind === 'call') return [expressionStatement(expression.value, loc)];
  if (call !== null || !mustStay(expression.value)) return [];
  return [expressionStatement(cast(expression.value, voidType, 'to-void', loc, false), loc)];
}

/** Reading through a pointer can fail, and an unknown function can do anything: both stay. */
function mustStay(expression: Expression): boolean {
  const stack: Expression[] = [expression];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'dereference' || at.kind === 'call' || (at.kind === 'index' && !isDecay(at.base))) return true;
    pushChildren(at, stack);
  }
  return false;
}
