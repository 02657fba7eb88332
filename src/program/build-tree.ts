/**
 * Constructors for the typed tree, for passes that make code of their own. They keep the conventions of tree.ts: the
 * value of an assignment has the target's type, rvalues are unqualified, comparisons are int. Those that can simplify
 * at once do: the target of an address is the object itself, a cast to the same type is nothing.
 */

import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import type {
  ArithmeticOperator,
  BlockStatement,
  CastKind,
  ComparisonOperator,
  Expression,
  LabelSymbol,
  Statement,
  VariableSymbol,
} from './tree.ts';
import {
  arrayOf,
  charType,
  intType,
  isBool,
  isInteger,
  pointerTo,
  sameType,
  unqualified,
  voidType,
} from './type-operations.ts';
import type { Field, Type } from './types.ts';

// ---------------------------------------------------------------- symbols

type SymbolDetail = Exclude<keyof VariableSymbol, 'kind' | 'id' | 'name' | 'type' | 'loc' | 'sourceName'>;

export type NewSymbol = Pick<VariableSymbol, 'id' | 'name' | 'type' | 'loc'> & {
  readonly [K in SymbolDetail]?: VariableSymbol[K] | undefined;
};

/** What a variable is where nothing else is said: an automatic one that nobody has used yet. */
export function variableSymbol({
  id,
  name,
  type,
  duration = 'automatic',
  linkage = 'none',
  isParameter = false,
  alignment = null,
  addressTaken = false,
  defined = true,
  initializer = null,
  cleanup = null,
  loc,
}: NewSymbol): VariableSymbol {
  return {
    ...{ kind: 'variable-symbol', id, name, type, duration, linkage, isParameter, alignment, addressTaken, defined },
    ...{ initializer, cleanup, loc },
  };
}

// ---------------------------------------------------------------- expressions

export function integer(value: bigint | number, loc: Loc, type: Type = intType): Expression {
  return { kind: 'integer', value: BigInt(value), spelling: null, type, loc };
}

export function variable(symbol: VariableSymbol, loc: Loc): Expression {
  return { kind: 'variable', symbol, type: symbol.type, loc };
}

/** A string literal of plain characters. Its identity is the id, which the caller must not give twice. */
export function string(text: string, id: number, loc: Loc): Expression {
  const units = [...new TextEncoder().encode(text), 0];
  return { kind: 'string', units, id, type: arrayOf(charType, units.length), loc };
}

export function member(object: Expression, field: Field, loc: Loc): Expression {
  return { kind: 'member', object, field, type: field.type, loc };
}

/** `base[index]` for an array lvalue or a pointer. */
export function element(base: Expression, index: Expression, loc: Loc): Expression {
  const pointer = decayed(base);
  invariant(pointer.type.kind === 'pointer', 'an element of something that is no array');
  return { kind: 'index', base: pointer, index, type: pointer.type.target, loc };
}

/** An array or function as the pointer that it becomes in an expression. */
export function decayed(expression: Expression): Expression {
  const { type, loc } = expression;
  if (type.kind === 'array') return cast(expression, pointerTo(type.element), 'array-to-pointer', loc);
  if (type.kind === 'function') return cast(expression, pointerTo(type), 'function-to-pointer', loc);
  return expression;
}

export function address(operand: Expression, loc: Loc): Expression {
  if (operand.kind === 'dereference') return operand.operand;
  return { kind: 'address', operand, type: pointerTo(operand.type), loc };
}

export function dereference(pointer: Expression, loc: Loc): Expression {
  if (pointer.kind === 'address' && isTargetOf(pointer.type, pointer.operand.type)) return pointer.operand;
  invariant(pointer.type.kind === 'pointer', 'dereference of something that is no pointer');
  return { kind: 'dereference', operand: pointer, type: pointer.type.target, loc };
}

function isTargetOf(pointer: Type, object: Type): boolean {
  return pointer.kind === 'pointer' && sameType(unqualified(pointer.target), unqualified(object));
}

export function cast(operand: Expression, type: Type, castKind: CastKind, loc: Loc, implicit = true): Expression {
  return { kind: 'cast', castKind, operand, implicit, type: unqualified(type), loc };
}

/** A scalar converted to another scalar type, or to void; nothing when it has the type already. */
export function converted(operand: Expression, type: Type): Expression {
  if (sameType(unqualified(operand.type), unqualified(type))) return operand;
  return cast(operand, type, conversionKind(operand.type, type), operand.loc);
}

function conversionKind(from: Type, to: Type): CastKind {
  if (to.kind === 'void') return 'to-void';
  if (isBool(to)) return 'to-bool';
  if (to.kind === 'pointer') return from.kind === 'pointer' ? 'pointer' : 'integer-to-pointer';
  if (from.kind === 'pointer') return 'pointer-to-integer';
  if (isInteger(to)) return isInteger(from) ? 'integer' : 'float-to-integer';
  invariant(to.kind === 'float', 'a conversion to a type that is no scalar');
  return isInteger(from) ? 'integer-to-float' : 'float';
}

export function arithmetic(operator: ArithmeticOperator, left: Expression, right: Expression, loc: Loc): Expression {
  return { kind: 'arithmetic', operator, left, right, type: unqualified(left.type), loc };
}

export function pointerOffset(operator: '+' | '-', pointer: Expression, offset: Expression, loc: Loc): Expression {
  return { kind: 'pointer-offset', operator, pointer, offset, type: unqualified(pointer.type), loc };
}

export function comparison(operator: ComparisonOperator, left: Expression, right: Expression, loc: Loc): Expression {
  return { kind: 'comparison', operator, left, right, type: intType, loc };
}

const OPPOSITES: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
};

/** `!condition`, without a second negation where the first can go. Orders of floating values are not turned round. */
export function negated(condition: Expression, loc: Loc): Expression {
  if (condition.kind === 'unary' && condition.operator === '!') return condition.operand;
  if (condition.kind === 'integer') return integer(condition.value === 0n ? 1 : 0, loc);
  if (condition.kind === 'comparison' && condition.left.type.kind !== 'float') {
    return { ...condition, operator: OPPOSITES[condition.operator] };
  }
  return { kind: 'unary', operator: '!', operand: condition, type: intType, loc };
}

/** 0 or 1, as `condition != 0` gives. */
export function truth(condition: Expression): Expression {
  const isTruth =
    condition.kind === 'comparison' ||
    condition.kind === 'logical' ||
    (condition.kind === 'unary' && condition.operator === '!');
  if (isTruth) return condition;
  const { type, loc } = condition;
  if (type.kind === 'pointer') {
    return comparison('!=', condition, cast(integer(0, loc), type, 'null-to-pointer', loc), loc);
  }
  return comparison('!=', condition, zeroOf(type, loc), loc);
}

/** The zero of a scalar type. */
export function zeroOf(type: Type, loc: Loc): Expression {
  if (type.kind === 'float') return { kind: 'float', value: 0, spelling: null, type: unqualified(type), loc };
  if (type.kind === 'pointer') return cast(integer(0, loc), type, 'null-to-pointer', loc);
  if (type.kind === 'enum') return cast(integer(0, loc), type, 'integer', loc);
  return integer(0, loc, unqualified(type));
}

export function builtin(name: string, args: readonly Expression[], loc: Loc, type: Type = voidType): Expression {
  return { kind: 'builtin', name, args, type: unqualified(type), loc };
}

// ---------------------------------------------------------------- statements

export function block(items: readonly Statement[], loc: Loc, endLoc: Loc = loc): BlockStatement {
  return { kind: 'block', items, loc, endLoc };
}

export function expressionStatement(expression: Expression, loc: Loc = expression.loc): Statement {
  return { kind: 'expression', expression, loc };
}

/** `target = value;`; a scalar value is converted to the target's type. */
export function assign(target: Expression, value: Expression, loc: Loc): Statement {
  const isAggregate = target.type.kind === 'record' || target.type.kind === 'array';
  const right = isAggregate ? value : converted(value, target.type);
  return expressionStatement({ kind: 'assignment', target, value: right, type: unqualified(target.type), loc }, loc);
}

export function ifStatement(
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[] | null,
  loc: Loc,
): Statement {
  const other = otherwise === null || otherwise.length === 0 ? null : block(otherwise, loc);
  return { kind: 'if', condition, then: block(then, loc), otherwise: other, loc };
}

export function goto(label: LabelSymbol, loc: Loc): Statement {
  return { kind: 'goto', label, loc };
}

export function labelStatement(label: LabelSymbol, loc: Loc): Statement {
  return { kind: 'label', label, loc };
}

export function declaration(symbol: VariableSymbol): Statement {
  const { loc } = symbol;
  return { kind: 'declaration', item: { kind: 'variable', symbol, isDefinition: true, loc }, loc };
}
