/**
 * The operators: what operands they take, to which type these are converted, and what the result is (C 6.5.3 to
 * 6.5.17). All functions take operands that are checked but not yet converted, and stay silent about those that had
 * errors.
 */

import { evaluateConstant, evaluateInteger } from '../../program/evaluate-constant.ts';
import { fitsInteger, integerNameOf, integerWidth, isSignedName } from '../../program/integer-range.ts';
import type { ArithmeticOperator, ComparisonOperator, Expression } from '../../program/tree.ts';
import {
  commonType,
  compatible,
  integerType,
  intType,
  isArithmetic,
  isComplete,
  isInteger,
  isScalar,
  pointerDifferenceType,
  pointerTo,
  unqualified,
} from '../../program/type-operations.ts';
import type { PointerType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type { BinaryOperator } from '../parse/ast.ts';
import { type Checker, error, errorExpression, isError, refuse, show, warn } from './checker.ts';
import {
  convert,
  decay,
  isLvalue,
  isNullPointerConstant,
  markAddressTaken,
  promote,
  promotedType,
} from './conversions.ts';

// ---------------------------------------------------------------- unary

export function checkArithmeticUnary(c: Checker, operator: '+' | '-' | '~', value: Expression, loc: Loc): Expression {
  const operand = decay(value);
  if (isError(operand)) return errorExpression(loc);
  const accepted = operator === '~' ? isInteger(operand.type) : isArithmetic(operand.type);
  if (!accepted) return badOperand(c, operator, operand, loc);
  const converted = promote(c, operand);
  return { kind: 'unary', operator, operand: converted, type: unqualified(converted.type), loc };
}

export function checkNot(c: Checker, value: Expression, loc: Loc): Expression {
  const operand = checkCondition(c, value, loc);
  return isError(operand) ? operand : { kind: 'unary', operator: '!', operand, type: intType, loc };
}

/** A condition: any scalar, which means "!= 0". */
export function checkCondition(c: Checker, value: Expression, loc: Loc): Expression {
  const operand = decay(value);
  if (isError(operand) || isScalar(operand.type)) return operand;
  if (operand.type.kind === 'complex') refuse(c, loc, 'arithmetic on complex numbers');
  else error(c, loc, 'type-mismatch', `a scalar value is required, not ${show(operand.type)}`);
  return errorExpression(loc);
}

export function checkAddress(c: Checker, operand: Expression, loc: Loc): Expression {
  if (isError(operand)) return operand;
  if (operand.type.kind !== 'function' && !isLvalue(operand)) {
    // An array inside a returned structure has an address for as long as the expression lasts; C forbids taking it.
    error(c, loc, 'lvalue-required', "lvalue required as operand of unary '&'");
    return errorExpression(loc);
  }
  if (operand.kind === 'member' && operand.field.bits !== null) {
    error(c, loc, 'lvalue-required', `cannot take the address of bit-field '${operand.field.name}'`);
    return errorExpression(loc);
  }
  const base = rootOf(operand);
  if (base.kind === 'variable' && c.registers.has(base.symbol)) {
    error(c, loc, 'lvalue-required', `address of register variable '${base.symbol.name}' requested`);
  }
  markAddressTaken(operand);
  return { kind: 'address', operand, type: pointerTo(operand.type), loc };
}

function rootOf(lvalue: Expression): Expression {
  let at = lvalue;
  while (at.kind === 'member') at = at.object;
  return at;
}

export function checkDereference(c: Checker, value: Expression, loc: Loc): Expression {
  const operand = decay(value);
  if (isError(operand)) return operand;
  if (operand.type.kind !== 'pointer') return badOperand(c, '*', operand, loc);
  const { target } = operand.type;
  if (target.kind === 'void') warn(c, loc, 'void-dereference', "dereferencing 'void *' pointer");
  return { kind: 'dereference', operand, type: target, loc };
}

export function badOperand(c: Checker, operator: string, operand: Expression, loc: Loc): Expression {
  if (operand.type.kind === 'complex') refuse(c, loc, 'arithmetic on complex numbers');
  else error(c, loc, 'type-mismatch', `operand of '${operator}' has wrong type ${show(operand.type)}`);
  return errorExpression(loc);
}

// ---------------------------------------------------------------- binary

export function checkBinary(
  c: Checker,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  loc: Loc,
): Expression {
  if (operator === ',') {
    const value = decay(right);
    return { kind: 'comma', left: decay(left), right: value, type: unqualified(value.type), loc };
  }
  if (isError(left) || isError(right)) return errorExpression(loc);
  switch (operator) {
    case '&&':
    case '||': {
      const a = checkCondition(c, left, loc);
      const b = checkCondition(c, right, loc);
      return isError(a) || isError(b)
        ? errorExpression(loc)
        : { kind: 'logical', operator, left: a, right: b, type: intType, loc };
    }
    case '==':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return checkComparison(c, operator, decay(left), decay(right), loc);
    case '<<':
    case '>>':
      return checkShift(c, operator, decay(left), decay(right), loc);
    case '+':
    case '-':
      return checkAdditive(c, operator, decay(left), decay(right), loc);
    default:
      return checkArithmetic(c, operator, decay(left), decay(right), loc);
  }
}

export function badOperands(c: Checker, operator: string, left: Expression, right: Expression, loc: Loc): Expression {
  if (left.type.kind === 'complex' || right.type.kind === 'complex') refuse(c, loc, 'arithmetic on complex numbers');
  else {
    error(
      c,
      loc,
      'type-mismatch',
      `invalid operands to binary '${operator}' (${show(left.type)} and ${show(right.type)})`,
    );
  }
  return errorExpression(loc);
}

function checkArithmetic(
  c: Checker,
  operator: ArithmeticOperator,
  left: Expression,
  right: Expression,
  loc: Loc,
): Expression {
  const integersOnly = operator !== '*' && operator !== '/' && operator !== '+' && operator !== '-';
  const accepts = integersOnly ? isInteger : isArithmetic;
  if (!accepts(left.type) || !accepts(right.type)) return badOperands(c, operator, left, right, loc);
  warnAboutDivision(c, operator, right, loc);
  const type = commonType(promotedType(c, left), promotedType(c, right), c.model);
  const node: Expression = {
    kind: 'arithmetic',
    operator,
    left: convert(c, left, type),
    right: convert(c, right, type),
    type,
    loc,
  };
  if (isInteger(type) && isLiteral(left) && isLiteral(right)) warnAboutResult(c, operator, node, loc);
  return node;
}

/** A number, perhaps with a sign: operands whose overflow is seen without evaluating whole chains again and again. */
function isLiteral(expression: Expression): boolean {
  return expression.kind === 'integer' || (expression.kind === 'unary' && expression.operand.kind === 'integer');
}

function warnAboutResult(
  c: Checker,
  operator: ArithmeticOperator,
  node: Expression & { kind: 'arithmetic' },
  loc: Loc,
): void {
  const name = integerNameOf(node.type);
  if (!isSignedName(name) || (operator !== '+' && operator !== '-' && operator !== '*')) return;
  const left = evaluateInteger(node.left, c.model) ?? 0n;
  const right = evaluateInteger(node.right, c.model) ?? 0n;
  const exact = operator === '+' ? left + right : operator === '-' ? left - right : left * right;
  if (fitsInteger(exact, name, c.model)) return;
  warn(c, loc, 'overflow', `integer overflow in expression of type ${show(node.type)}`);
}

export function warnAboutDivision(c: Checker, operator: ArithmeticOperator, right: Expression, loc: Loc): void {
  if ((operator === '/' || operator === '%') && evaluateInteger(right, c.model) === 0n) {
    warn(c, loc, 'div-by-zero', 'division by zero');
  }
}

function checkShift(c: Checker, operator: '<<' | '>>', left: Expression, right: Expression, loc: Loc): Expression {
  if (!isInteger(left.type) || !isInteger(right.type)) return badOperands(c, operator, left, right, loc);
  const a = promote(c, left);
  const type = unqualified(a.type);
  warnAboutShift(c, type, right, loc);
  return { kind: 'arithmetic', operator, left: a, right: promote(c, right), type, loc };
}

export function warnAboutShift(c: Checker, type: Type, right: Expression, loc: Loc): void {
  const count = evaluateInteger(right, c.model);
  if (count === null) return;
  if (count < 0n) warn(c, loc, 'shift-count-negative', 'shift count is negative');
  else if (count >= BigInt(integerWidth(integerNameOf(type), c.model))) {
    warn(c, loc, 'shift-count-overflow', 'shift count is not less than the width of the type');
  }
}

function checkAdditive(c: Checker, operator: '+' | '-', left: Expression, right: Expression, loc: Loc): Expression {
  const a = left.type;
  const b = right.type;
  if (a.kind === 'pointer' && isInteger(b)) return pointerOffset(c, operator, left, a, right, loc);
  if (b.kind === 'pointer' && isInteger(a) && operator === '+') return pointerOffset(c, operator, right, b, left, loc);
  if (a.kind === 'pointer' && b.kind === 'pointer' && operator === '-') {
    if (!compatible(unqualified(a.target), unqualified(b.target))) return badOperands(c, operator, left, right, loc);
    if (!checkPointerArithmetic(c, a, loc)) return errorExpression(loc);
    return { kind: 'pointer-difference', left, right, type: pointerDifferenceType(c.model), loc };
  }
  return checkArithmetic(c, operator, left, right, loc);
}

function pointerOffset(
  c: Checker,
  operator: '+' | '-',
  pointer: Expression,
  type: PointerType,
  offset: Expression,
  loc: Loc,
): Expression {
  if (!checkPointerArithmetic(c, type, loc)) return errorExpression(loc);
  return { kind: 'pointer-offset', operator, pointer, offset, type: unqualified(type), loc };
}

/** GNU: arithmetic on `void *` and function pointers counts bytes. */
export function checkPointerArithmetic(c: Checker, type: PointerType, loc: Loc): boolean {
  const { target } = type;
  if (target.kind === 'void' || target.kind === 'function' || isComplete(target)) return true;
  error(c, loc, 'incomplete-type', `arithmetic on a pointer to the incomplete type ${show(target)}`);
  return false;
}

// ---------------------------------------------------------------- comparisons

function checkComparison(
  c: Checker,
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  loc: Loc,
): Expression {
  const result = (a: Expression, b: Expression): Expression => ({
    kind: 'comparison',
    operator,
    left: a,
    right: b,
    type: intType,
    loc,
  });
  if (isArithmetic(left.type) && isArithmetic(right.type)) {
    const type = commonType(promotedType(c, left), promotedType(c, right), c.model);
    return result(convert(c, left, type), convert(c, right, type));
  }
  if (left.type.kind === 'pointer' && right.type.kind === 'pointer') {
    if (isNullPointerConstant(c, left)) return result(convert(c, left, unqualified(right.type)), right);
    if (!isNullPointerConstant(c, right)) warnAboutDistinct(c, left.type, right.type, loc);
    return result(left, convert(c, right, unqualified(left.type)));
  }
  if (left.type.kind === 'pointer' && isInteger(right.type)) {
    warnAboutIntegerPointer(c, right, loc);
    return result(left, convert(c, right, unqualified(left.type)));
  }
  if (right.type.kind === 'pointer' && isInteger(left.type)) {
    warnAboutIntegerPointer(c, left, loc);
    return result(convert(c, left, unqualified(right.type)), right);
  }
  return badOperands(c, operator, left, right, loc);
}

function warnAboutDistinct(c: Checker, left: PointerType, right: PointerType, loc: Loc): void {
  if (left.target.kind === 'void' || right.target.kind === 'void') return;
  if (compatible(unqualified(left.target), unqualified(right.target))) return;
  warn(
    c,
    loc,
    'compare-distinct-pointer-types',
    `comparison of distinct pointer types (${show(left)} and ${show(right)})`,
  );
}

function warnAboutIntegerPointer(c: Checker, integer: Expression, loc: Loc): void {
  if (!isNullPointerConstant(c, integer)) warn(c, loc, 'int-conversion', 'comparison between pointer and integer');
}

/** An integer node. */
export function integerNode(value: bigint, type: Type, loc: Loc, spelling: string | null = null): Expression {
  return { kind: 'integer', value, type, spelling, loc };
}

/** Whether gcc would fold the expression to a constant: the answer of `__builtin_constant_p`. */
export function isConstant(c: Checker, expression: Expression): boolean {
  const constant = evaluateConstant(expression, c.model);
  if (constant === null) return false;
  return constant.kind !== 'address' || constant.base === null || 'units' in constant.base;
}

export const boolType: Type = integerType('_Bool');
