/**
 * What changes an object: `=`, `op=`, `++` and `--` (C 6.5.16, 6.5.2.4, 6.5.3.1). The target must be a modifiable
 * lvalue; it keeps its qualifiers, so that an atomic access shows in its type.
 */

import type { ArithmeticOperator, Expression } from '../../program/tree.ts';
import {
  commonType,
  isArithmetic,
  isComplete,
  isInteger,
  isScalar,
  qualifiersOf,
  unqualified,
} from '../../program/type-operations.ts';
import { QUALIFIER_CONST, type RecordDeclaration, type Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type { AssignmentOperator } from '../parse/ast.ts';
import { type Checker, error, errorExpression, isError, show } from './checker.ts';
import { convert, convertAssigned, decay, isLvalue, promote, promotedType } from './conversions.ts';
import { badOperand, badOperands, checkPointerArithmetic, warnAboutDivision, warnAboutShift } from './operators.ts';

/** Reports what cannot be assigned to. */
function checkModifiable(c: Checker, target: Expression, loc: Loc, what: string): boolean {
  if (!isLvalue(target)) {
    error(c, loc, 'lvalue-required', `lvalue required as target of ${what}`);
    return false;
  }
  const type = target.type;
  if (type.kind === 'array' || type.kind === 'function') {
    error(c, loc, 'lvalue-required', `${what} to expression with ${type.kind} type`);
    return false;
  }
  if (qualifiersOf(type) & QUALIFIER_CONST) {
    const name = target.kind === 'variable' ? ` variable '${target.symbol.name}'` : '';
    error(c, loc, 'read-only', `${what} of read-only${name === '' ? ' location' : name}`);
    return false;
  }
  if (type.kind === 'record' && hasConstantMember(type)) {
    error(c, loc, 'read-only', `${what} of ${show(type)}, which has read-only members`);
    return false;
  }
  return true;
}

/** Each record is looked into once, however often it occurs. */
function hasConstantMember(type: Type, seen = new Set<RecordDeclaration>()): boolean {
  if (type.kind !== 'record' || seen.has(type.declaration)) return false;
  seen.add(type.declaration);
  return (type.declaration.fields ?? []).some((field) => {
    let member = field.type;
    while (member.kind === 'array') member = member.element;
    return (member.qualifiers & QUALIFIER_CONST) !== 0 || hasConstantMember(member, seen);
  });
}

export function checkAssignment(
  c: Checker,
  operator: AssignmentOperator,
  target: Expression,
  value: Expression,
  loc: Loc,
): Expression {
  if (isError(target) || isError(value)) return errorExpression(loc);
  if (!checkModifiable(c, target, loc, 'assignment')) return errorExpression(loc);
  const type = unqualified(target.type);
  if (operator !== '=') {
    return checkCompoundAssignment(c, operator.slice(0, -1) as ArithmeticOperator, target, decay(value), loc);
  }
  if (type.kind === 'void' || (type.kind === 'record' && !isComplete(type))) {
    error(c, loc, 'incomplete-type', `assignment to an object of incomplete type ${show(type)}`);
    return errorExpression(loc);
  }
  const converted = convertAssigned(c, value, type, { what: 'assignment', loc });
  return isError(converted) ? errorExpression(loc) : { kind: 'assignment', target, value: converted, type, loc };
}

function checkCompoundAssignment(
  c: Checker,
  operator: ArithmeticOperator,
  target: Expression,
  value: Expression,
  loc: Loc,
): Expression {
  const type = unqualified(target.type);
  const node = (converted: Expression, computation: Type): Expression => ({
    kind: 'compound-assignment',
    operator,
    target,
    value: converted,
    computation,
    type,
    loc,
  });
  if (type.kind === 'pointer' && (operator === '+' || operator === '-') && isInteger(value.type)) {
    return checkPointerArithmetic(c, type, loc) ? node(value, type) : errorExpression(loc);
  }
  const integersOnly = operator !== '*' && operator !== '/' && operator !== '+' && operator !== '-';
  const accepts = integersOnly ? isInteger : isArithmetic;
  if (!accepts(type) || !accepts(value.type)) return badOperands(c, operator, target, value, loc);
  if (operator === '<<' || operator === '>>') {
    const computation = promotedType(c, target);
    warnAboutShift(c, computation, value, loc);
    return node(promote(c, value), computation);
  }
  warnAboutDivision(c, operator, value, loc);
  const computation = commonType(promotedType(c, target), promotedType(c, value), c.model);
  return node(convert(c, value, computation), computation);
}

export function checkIncrement(
  c: Checker,
  operator: '++' | '--',
  isPrefix: boolean,
  target: Expression,
  loc: Loc,
): Expression {
  if (isError(target)) return target;
  const type = target.type;
  if (!isScalar(type)) return badOperand(c, operator, target, loc);
  if (!checkModifiable(c, target, loc, operator === '++' ? 'increment' : 'decrement')) return errorExpression(loc);
  if (type.kind === 'pointer' && !checkPointerArithmetic(c, type, loc)) return errorExpression(loc);
  return { kind: 'increment', operator, isPrefix, target, type: unqualified(type), loc };
}
