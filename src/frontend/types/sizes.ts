/**
 * `sizeof`, `_Alignof` and `offsetof`: they become integers here, with a text for the printer where the type has a name
 * that means the same at this place. The size of a variable-length array stays an expression.
 */

import { evaluateInteger } from '../../program/evaluate-constant.ts';
import { alignOf, preferredAlignOf, sizeOf } from '../../program/layout.ts';
import { printType } from '../../program/print-type.ts';
import type { Expression } from '../../program/tree.ts';
import { hasVariableSize, isComplete, sizeType } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { type Checker, error, errorExpression, errorType, isError, refuse, show } from './checker.ts';
import { typeOfName } from './declared-types.ts';
import { checkExpression, checkValue, findMember } from './expressions.ts';
import { integerNode } from './operators.ts';
import { lookUp, lookUpTag } from './scope.ts';

export function checkSizeofExpression(c: Checker, e: ast.Expression, loc: Loc): Expression {
  const operand = checkExpression(c, e);
  if (isError(operand)) return operand;
  if (operand.kind === 'member' && operand.field.bits !== null) {
    error(c, loc, 'type-mismatch', "'sizeof' applied to a bit-field");
    return errorExpression(loc);
  }
  return checkSizeof(c, operand.type, loc);
}

export function checkSizeof(c: Checker, type: Type, loc: Loc): Expression {
  if (type === errorType) return errorExpression(loc);
  if (hasVariableSize(type)) return { kind: 'variable-size', measured: type, type: sizeType(c.model), loc };
  if (!isComplete(type) && type.kind !== 'void' && type.kind !== 'function') {
    error(c, loc, 'incomplete-type', `invalid application of 'sizeof' to incomplete type ${show(type)}`);
    return errorExpression(loc);
  }
  const spelling = isNameable(c, type) ? `sizeof(${printType(type)})` : null;
  return integerNode(BigInt(sizeOf(type, c.model)), sizeType(c.model), loc, spelling);
}

/** Whether the type's text, as printed, means the same type at this place. */
function isNameable(c: Checker, type: Type): boolean {
  if (type.alias !== null) return lookUp(c.scope, type.alias.name) === type.alias;
  switch (type.kind) {
    case 'pointer':
      return isNameable(c, type.target);
    case 'array':
      return isNameable(c, type.element);
    case 'function':
      return false;
    case 'record':
    case 'enum':
      return (
        type.declaration.tag !== null && lookUpTag(c.scope, type.declaration.tag)?.declaration === type.declaration
      );
    default:
      return true;
  }
}

export function checkAlignofExpression(c: Checker, e: ast.Expression, loc: Loc): Expression {
  const operand = checkExpression(c, e);
  if (isError(operand)) return operand;
  const symbol = operand.kind === 'variable' ? operand.symbol.alignment : null;
  const member = operand.kind === 'member' ? operand.field.alignment : null;
  const requested = symbol ?? member;
  if (requested !== null) return integerNode(BigInt(requested), sizeType(c.model), loc);
  return checkAlignof(c, operand.type, loc);
}

export function checkAlignof(c: Checker, type: Type, loc: Loc): Expression {
  if (type === errorType) return errorExpression(loc);
  let element = type;
  while (element.kind === 'array') element = element.element;
  if (!isComplete(element) && element.kind !== 'void' && element.kind !== 'function') {
    error(c, loc, 'incomplete-type', `invalid application of '_Alignof' to incomplete type ${show(type)}`);
    return errorExpression(loc);
  }
  const alignment = isGnuAlignof(c, loc) ? preferredAlignOf(type, c.model) : alignOf(type, c.model);
  return integerNode(BigInt(alignment), sizeType(c.model), loc);
}

/**
 * gcc's `__alignof__` differs from `_Alignof` on i386; the syntax tree does not tell them apart, the source text does.
 */
function isGnuAlignof(c: Checker, loc: Loc): boolean {
  const at = c.sources.spellingOf(loc);
  const file = c.sources.fileOf(at);
  return file?.text.startsWith('__alignof', at - file.base) ?? false;
}

export function checkOffsetof(c: Checker, e: ast.Expression & { kind: 'offsetof' }): Expression {
  let type = typeOfName(c, e.type);
  let offset = 0;
  for (const designator of e.path) {
    if (type === errorType) return errorExpression(e.loc);
    if (designator.kind === 'member') {
      const path = type.kind === 'record' ? findMember(c, type.declaration, designator.name) : null;
      if (path === null) {
        error(c, designator.loc, 'no-member', `${show(type)} has no member named '${designator.name}'`);
        return errorExpression(e.loc);
      }
      for (const field of path) {
        offset += field.offset;
        if (field.bits !== null) error(c, designator.loc, 'type-mismatch', `'offsetof' of bit-field '${field.name}'`);
        type = field.type;
      }
    } else if (designator.kind === 'index' && type.kind === 'array') {
      const index = evaluateInteger(checkValue(c, designator.index), c.model);
      if (index === null) {
        refuse(c, designator.loc, "an 'offsetof' whose index is not constant");
        return errorExpression(e.loc);
      }
      type = type.element;
      offset += Number(index) * sizeOf(type, c.model);
    } else {
      error(c, designator.loc, 'type-mismatch', `invalid designator in 'offsetof' for ${show(type)}`);
      return errorExpression(e.loc);
    }
  }
  return integerNode(BigInt(offset), sizeType(c.model), e.loc);
}
