/**
 * Whether an expression can be evaluated without instructions and whatever the circumstances: registers, constants and
 * operators that cannot fail and that no enabled check looks at. Then `a && b` needs no branch.
 */

import type { Expression } from '../program/tree.ts';
import { hasVariableSize } from '../program/type-operations.ts';
import type { FunctionContext } from './context.ts';
import { scalarOf } from './shapes.ts';

/** More nodes than this are not worth evaluating for nothing. */
const SIZE_LIMIT = 24;

export function isPure(f: FunctionContext, expression: Expression): boolean {
  return pureSize(f, expression, SIZE_LIMIT) >= 0;
}

/** What is left of the budget after the expression, or -1 when it is not pure or too large. */
function pureSize(f: FunctionContext, expression: Expression, budget: number): number {
  if (budget <= 0) return -1;
  const rest = budget - 1;
  switch (expression.kind) {
    case 'integer':
    case 'float':
    case 'function':
      return rest;
    case 'variable':
      return isRegister(f, expression) ? rest : -1;
    case 'unary':
      if (expression.operator === '-' && f.program.has('overflow')) return -1;
      return pureSize(f, expression.operand, rest);
    case 'arithmetic':
      return mayFail(f, expression) ? -1 : pureAll(f, [expression.left, expression.right], rest);
    case 'comparison':
    case 'logical':
      return pureAll(f, [expression.left, expression.right], rest);
    case 'pointer-offset':
      return isFixedPointer(expression.pointer) ? pureAll(f, [expression.pointer, expression.offset], rest) : -1;
    case 'cast':
      return isPureCast(expression) ? pureSize(f, expression.operand, rest) : -1;
    case 'address':
      return expression.operand.kind === 'variable' ? rest : -1;
    default:
      return -1;
  }
}

function pureAll(f: FunctionContext, parts: readonly Expression[], budget: number): number {
  let rest = budget;
  for (const part of parts) {
    rest = pureSize(f, part, rest);
    if (rest < 0) return -1;
  }
  return rest;
}

function isRegister(f: FunctionContext, expression: Extract<Expression, { kind: 'variable' }>): boolean {
  const { symbol } = expression;
  return symbol.duration === 'automatic' && !symbol.addressTaken && scalarOf(symbol.type, f.model) !== null;
}

function mayFail(f: FunctionContext, expression: Extract<Expression, { kind: 'arithmetic' }>): boolean {
  const { operator } = expression;
  if (expression.type.kind === 'float') return false;
  if (operator === '/' || operator === '%') return true;
  if (operator === '<<' || operator === '>>') return f.program.has('shift') || f.program.has('overflow');
  return (operator === '+' || operator === '-' || operator === '*') && f.program.has('overflow');
}

function isFixedPointer(pointer: Expression): boolean {
  return pointer.type.kind === 'pointer' && !hasVariableSize(pointer.type.target);
}

function isPureCast(expression: Extract<Expression, { kind: 'cast' }>): boolean {
  switch (expression.castKind) {
    case 'integer':
    case 'to-bool':
    case 'integer-to-float':
    case 'float':
    case 'pointer':
    case 'pointer-to-integer':
    case 'integer-to-pointer':
    case 'null-to-pointer':
    case 'qualification':
      return expression.type.kind !== 'record';
    case 'function-to-pointer':
      return expression.operand.kind === 'function';
    default:
      return false;
  }
}
