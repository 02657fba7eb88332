/** Declarations of local variables: where their lives begin, what they are initialised with, what ends with them. */

import type { Expression, Initializer, VariableSymbol } from '../program/tree.ts';
import { hasVariableSize, isBool, isVariablyModified } from '../program/type-operations.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { nondet } from './calls.ts';
import { enterObject, type FunctionContext } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { initialiseObject } from './initializers.ts';
import { evaluateLengths, sizeValue, storageOf } from './lvalues.ts';
import { inFullExpression } from './scopes.ts';

export function lowerTypedef(f: FunctionContext, type: VariableSymbol['type'], loc: Loc): void {
  if (isVariablyModified(type)) evaluateLengths(f, type, loc);
}

export function lowerDeclaration(f: FunctionContext, symbol: VariableSymbol, loc: Loc): void {
  if (symbol.duration !== 'automatic') return;
  if (isVariablyModified(symbol.type)) evaluateLengths(f, symbol.type, loc);
  const storage = storageOf(f, symbol);
  if (storage.kind === 'register') {
    declareRegister(f, symbol, loc);
    return;
  }
  invariant(storage.kind === 'object', 'a local variable');
  const size = hasVariableSize(symbol.type) ? sizeValue(f, symbol.type, loc) : null;
  if (symbol.initializer === null || size !== null) {
    enterObject(f, storage.object, size, symbol.initializer !== null, loc);
    return;
  }
  const { initializer } = symbol;
  inFullExpression(f, initializerExpressions(initializer), loc, () => {
    initialiseInScope(f, symbol, initializer, loc);
  });
}

/** From here on, whoever leaves the scope makes the variable's cleanup. */
export function promiseCleanup(f: FunctionContext, { cleanup }: VariableSymbol): void {
  if (cleanup === null) return;
  f.builder.scopes[f.builder.scopes.length - 1]?.cleanups.push((loc) => {
    const call = { ...cleanup, loc };
    inFullExpression(f, [call], loc, () => lowerEffects(f, call));
  });
}

/** The object belongs to the enclosing block, the temporaries of its initializer to the full expression. */
function initialiseInScope(f: FunctionContext, symbol: VariableSymbol, initializer: Initializer, loc: Loc): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'object', 'a local object');
  const own = f.builder.scopes[f.builder.scopes.length - 1];
  const outer = f.builder.scopes[f.builder.scopes.length - 2];
  invariant(own && outer, 'a full expression stands in a scope');
  if (!outer.objects.includes(storage.object)) outer.objects.push(storage.object);
  initialiseObject(f, storage.object, symbol.type, initializer, loc);
  own.objects.splice(own.objects.indexOf(storage.object), own.objects.includes(storage.object) ? 1 : 0);
}

function declareRegister(f: FunctionContext, symbol: VariableSymbol, loc: Loc): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'register', 'a variable in a register');
  const { initializer } = symbol;
  if (initializer?.kind === 'scalar') {
    inFullExpression(f, [initializer.value], loc, () => {
      f.builder.set(storage.register, lowerValue(f, initializer.value), loc);
    });
    return;
  }
  f.builder.emit({
    kind: 'nondet',
    register: storage.register,
    type: scalarTypeOf(f, symbol.type, loc),
    isBool: isBool(symbol.type),
    source: symbol.name,
    loc,
  });
}

/** The expressions in an initializer, to judge whether it is worth an atomic section. */
function initializerExpressions(initializer: Initializer): Expression[] {
  switch (initializer.kind) {
    case 'scalar':
      return [initializer.value];
    case 'characters':
      return [];
    case 'array':
    case 'record':
      return initializer.items.flatMap((item) => initializerExpressions(item.value));
  }
}

/** What a jump may pass by must exist from the start, with any value. */
export function declareSkipped(f: FunctionContext, symbol: VariableSymbol): void {
  const storage = storageOf(f, symbol);
  if (storage.kind === 'register') {
    nondetInto(f, symbol);
  } else if (storage.kind === 'object' && !hasVariableSize(symbol.type)) {
    enterObject(f, storage.object, null, false, symbol.loc);
  }
}

function nondetInto(f: FunctionContext, symbol: VariableSymbol): void {
  const storage = storageOf(f, symbol);
  invariant(storage.kind === 'register', 'a variable in a register');
  const value = nondet(f, scalarTypeOf(f, symbol.type, symbol.loc), symbol.name, symbol.loc, isBool(symbol.type));
  f.builder.set(storage.register, value, symbol.loc);
}
