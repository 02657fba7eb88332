/**
 * Expressions: the dispatch over the syntax tree, and what is not an operator: names, literals, members, `sizeof` and
 * its like, `_Generic`, compound literals. The result is a node of the typed tree; an lvalue is returned as such and is
 * converted by whoever uses it. Chains of binary operators are followed with a loop.
 */

import { evaluateInteger } from '../../program/evaluate-constant.ts';
import type { Expression, StringExpression } from '../../program/tree.ts';
import {
  arrayOf,
  charType,
  compatible,
  intType,
  isComplete,
  isInteger,
  pointerTo,
  unqualified,
  voidType,
  withQualifiers,
} from '../../program/type-operations.ts';
import {
  type Field,
  QUALIFIER_ATOMIC,
  QUALIFIER_CONST,
  QUALIFIER_RESTRICT,
  type RecordDeclaration,
  type Type,
} from '../../program/types.ts';
import { assertNever } from '../../support/invariant.ts';
import { hasRawBytes } from '../../support/raw-bytes.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { checkAssignment, checkIncrement } from './assignments.ts';
import { checkCall } from './calls.ts';
import { type Checker, descend, error, errorExpression, errorType, isError, refuse, show, warn } from './checker.ts';
import { checkConditional } from './conditional.ts';
import { checkCast, decay, isLvalue } from './conversions.ts';
import { typeOfName } from './declared-types.ts';
import { checkCompoundLiteral } from './initializers.ts';
import { type Complaint, readCharacter, readNumber, readString } from './literals.ts';
import {
  checkAddress,
  checkArithmeticUnary,
  checkBinary,
  checkDereference,
  checkNot,
  checkPointerArithmetic,
  integerNode,
} from './operators.ts';
import { lookUp } from './scope.ts';
import { checkAlignof, checkAlignofExpression, checkOffsetof, checkSizeof, checkSizeofExpression } from './sizes.ts';
import { checkStatementExpression, useLabel } from './statements.ts';

export function checkExpression(c: Checker, e: ast.Expression): Expression {
  if (!descend(c, e.loc)) return errorExpression(e.loc);
  const result = dispatch(c, e);
  c.depth--;
  return result;
}

/** The expression's value: decayed. */
export function checkValue(c: Checker, e: ast.Expression): Expression {
  return decay(checkExpression(c, e));
}

function dispatch(c: Checker, e: ast.Expression): Expression {
  switch (e.kind) {
    case 'identifier':
      return checkIdentifier(c, e.name, e.loc);
    case 'number':
      return checkNumber(c, e.text, e.loc);
    case 'character':
      return checkCharacter(c, e.text, e.loc);
    case 'string':
      return checkString(c, e.parts, e.loc);
    case 'binary':
      return checkBinaryChain(c, e);
    case 'unary':
      return checkUnary(c, e.operator, checkExpression(c, e.operand), e.loc);
    case 'postfix':
      return checkIncrement(c, e.operator, false, checkExpression(c, e.operand), e.loc);
    case 'assignment': {
      const target = checkExpression(c, e.target);
      return checkAssignment(c, e.operator, target, checkExpression(c, e.value), e.loc);
    }
    case 'conditional': {
      const condition = checkExpression(c, e.condition);
      const then = e.then && checkExpression(c, e.then);
      return checkConditional(c, condition, then, checkExpression(c, e.otherwise), e.loc);
    }
    case 'call':
      return checkCall(c, e);
    case 'index':
      return checkIndex(c, checkValue(c, e.base), checkValue(c, e.index), e.loc);
    case 'member':
      return checkMember(c, checkExpression(c, e.object), e.name, e.arrow, e.loc);
    case 'cast': {
      const type = typeOfName(c, e.type);
      return checkCast(c, checkExpression(c, e.operand), type, e.loc);
    }
    case 'compound-literal':
      return checkCompoundLiteral(c, e);
    case 'sizeof-expression':
      return checkSizeofExpression(c, e.operand, e.loc);
    case 'alignof-expression':
      return checkAlignofExpression(c, e.operand, e.loc);
    case 'sizeof-type':
      return checkSizeof(c, typeOfName(c, e.operand), e.loc);
    case 'alignof-type':
      return checkAlignof(c, typeOfName(c, e.operand), e.loc);
    case 'generic':
      return checkGeneric(c, e);
    case 'statement-expression':
      return checkStatementExpression(c, e.body, e.loc);
    case 'label-address':
      return checkLabelAddress(c, e.label, e.loc);
    case 'offsetof':
      return checkOffsetof(c, e);
    case 'va-arg':
      return checkVaArg(c, checkExpression(c, e.list), typeOfName(c, e.type), e.loc);
    case 'types-compatible': {
      const left = unqualified(typeOfName(c, e.left));
      const same = compatible(left, unqualified(typeOfName(c, e.right)));
      return integerNode(same ? 1n : 0n, intType, e.loc);
    }
    case 'choose-expression':
      return checkChoose(c, e);
    default:
      return assertNever(e);
  }
}

function checkUnary(c: Checker, operator: ast.UnaryOperator, operand: Expression, loc: Loc): Expression {
  switch (operator) {
    case '+':
    case '-':
    case '~':
      return checkArithmeticUnary(c, operator, operand, loc);
    case '!':
      return checkNot(c, operand, loc);
    case '*':
      return checkDereference(c, operand, loc);
    case '&':
      return checkAddress(c, operand, loc);
    case '++':
    case '--':
      return checkIncrement(c, operator, true, operand, loc);
    case '__real__':
    case '__imag__':
      refuse(c, loc, `'${operator}'`);
      return errorExpression(loc);
    default:
      return assertNever(operator);
  }
}

function checkBinaryChain(c: Checker, e: ast.Expression & { kind: 'binary' }): Expression {
  const spine: (ast.Expression & { kind: 'binary' })[] = [];
  let at: ast.Expression = e;
  while (at.kind === 'binary') {
    spine.push(at);
    at = at.left;
  }
  let left = checkExpression(c, at);
  for (let node = spine.pop(); node !== undefined; node = spine.pop()) {
    left = checkBinary(c, node.operator, left, checkExpression(c, node.right), node.loc);
  }
  return left;
}

// ---------------------------------------------------------------- names and literals

const functionNames: ReadonlySet<string> = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__']);

function checkIdentifier(c: Checker, name: string, loc: Loc): Expression {
  const binding = lookUp(c.scope, name);
  if (binding !== null) {
    switch (binding.kind) {
      case 'variable-symbol':
        return { kind: 'variable', symbol: binding, type: binding.type, loc };
      case 'function-symbol':
        return { kind: 'function', symbol: binding, type: binding.type, loc };
      case 'enumerator':
        return { kind: 'integer', value: binding.value, type: binding.type, spelling: name, loc };
      case 'typedef-symbol':
        error(c, loc, 'syntax', `'${name}' is a type, not a value`);
        return errorExpression(loc);
    }
  }
  if (functionNames.has(name)) return checkFunctionName(c, loc);
  if (!c.undeclared.has(name)) {
    c.undeclared.add(name);
    error(c, loc, 'undeclared', `'${name}' undeclared`);
  } else if (!c.sink.hasErrors) error(c, loc, 'undeclared', `'${name}' undeclared`);
  return errorExpression(loc);
}

/** `__func__` is a string literal of the function's name; all its uses are one object. */
function checkFunctionName(c: Checker, loc: Loc): Expression {
  const current = c.function;
  if (current === null) {
    warn(c, loc, 'function-name', "'__func__' is not defined outside of function scope");
    return stringNode(c, [], withQualifiers(charType, QUALIFIER_CONST), loc);
  }
  if (current.nameLiteral === null) {
    const { units } = readString([`"${current.symbol.name}"`], c.model);
    current.nameLiteral = stringNode(c, units, withQualifiers(charType, QUALIFIER_CONST), loc);
  }
  return { ...current.nameLiteral, loc };
}

function stringNode(c: Checker, units: readonly number[], element: Type, loc: Loc): StringExpression {
  return { kind: 'string', units: [...units, 0], type: arrayOf(element, units.length + 1), id: c.nextId++, loc };
}

export function checkString(c: Checker, parts: readonly string[], loc: Loc): StringExpression {
  const { units, element, complaints } = readString(parts, c.model);
  reportComplaints(c, complaints, loc);
  return stringNode(c, units, element, loc);
}

function checkNumber(c: Checker, text: string, loc: Loc): Expression {
  const literal = readNumber(text, c.model);
  if (literal.complaint !== null) reportComplaints(c, [literal.complaint], loc);
  switch (literal.kind) {
    case 'integer':
      return { kind: 'integer', value: literal.value, type: literal.type, spelling: null, loc };
    case 'float':
      return { kind: 'float', value: literal.value, type: literal.type, spelling: text, loc };
    case 'invalid':
      return errorExpression(loc);
  }
}

function checkCharacter(c: Checker, text: string, loc: Loc): Expression {
  const { value, type, complaints } = readCharacter(text, c.model);
  reportComplaints(c, complaints, loc);
  return { kind: 'integer', value, type, spelling: hasRawBytes(text) ? null : text, loc };
}

function reportComplaints(c: Checker, complaints: readonly Complaint[], loc: Loc): void {
  for (const { severity, code, message } of complaints) {
    if (severity === 'error') error(c, loc, code, message);
    else warn(c, loc, code, message);
  }
}

function checkLabelAddress(c: Checker, name: string, loc: Loc): Expression {
  const label = useLabel(c, name, loc);
  if (label === null) return errorExpression(loc);
  return { kind: 'label-address', label, type: pointerTo(voidType), loc };
}

// ---------------------------------------------------------------- parts of objects

function checkIndex(c: Checker, first: Expression, second: Expression, loc: Loc): Expression {
  if (isError(first) || isError(second)) return errorExpression(loc);
  const swapped = first.type.kind !== 'pointer' && second.type.kind === 'pointer';
  const base = swapped ? second : first;
  const index = swapped ? first : second;
  if (base.type.kind !== 'pointer') {
    error(c, loc, 'type-mismatch', `subscripted value of type ${show(base.type)} is neither array nor pointer`);
    return errorExpression(loc);
  }
  if (!isInteger(index.type)) {
    error(c, loc, 'type-mismatch', `array subscript of type ${show(index.type)} is not an integer`);
    return errorExpression(loc);
  }
  if (base.type.target.kind === 'function') {
    error(c, loc, 'type-mismatch', 'subscripted value is a pointer to a function');
    return errorExpression(loc);
  }
  if (!checkPointerArithmetic(c, base.type, loc)) return errorExpression(loc);
  return { kind: 'index', base, index, type: base.type.target, loc };
}

function checkMember(c: Checker, value: Expression, name: string, arrow: boolean, loc: Loc): Expression {
  if (isError(value)) return errorExpression(loc);
  let object = value;
  if (arrow) {
    const pointer = decay(value);
    if (pointer.type.kind !== 'pointer') {
      error(c, loc, 'type-mismatch', `'->' needs a pointer to a structure or union, not ${show(pointer.type)}`);
      return errorExpression(loc);
    }
    object = { kind: 'dereference', operand: pointer, type: pointer.type.target, loc };
  }
  const type = object.type;
  if (type.kind !== 'record') {
    const hint = type.kind === 'pointer' && !arrow ? "; did you mean '->'?" : '';
    error(c, loc, 'type-mismatch', `request for member '${name}' in something not a structure or union${hint}`);
    return errorExpression(loc);
  }
  const path = findMember(c, type.declaration, name);
  if (path === null) {
    const isIncomplete = type.declaration.fields === null;
    const message = isIncomplete ? `${show(type)} is incomplete` : `${show(type)} has no member named '${name}'`;
    error(c, loc, isIncomplete ? 'incomplete-type' : 'no-member', message);
    return errorExpression(loc);
  }
  return memberPath(object, path, loc);
}

/** The member at the end of a path of fields; each is as qualified as the object it belongs to. */
export function memberPath(object: Expression, path: readonly Field[], loc: Loc): Expression {
  let result = object;
  const isStored = isLvalue(object);
  for (const field of path) {
    const inherited = result.type.qualifiers & ~(QUALIFIER_ATOMIC | QUALIFIER_RESTRICT);
    const type = isStored ? withQualifiers(field.type, inherited) : field.type;
    result = { kind: 'member', object: result, field, type, loc };
  }
  return result;
}

/** The fields that lead to a member, through anonymous ones; null if there is none of that name. */
export function findMember(c: Checker, declaration: RecordDeclaration, name: string): readonly Field[] | null {
  let index = c.members.get(declaration);
  if (index === undefined) {
    if (declaration.fields === null) return null;
    index = indexMembers(declaration.fields);
    c.members.set(declaration, index);
  }
  return index.get(name) ?? null;
}

function indexMembers(fields: readonly Field[]): ReadonlyMap<string, readonly Field[]> {
  const index = new Map<string, readonly Field[]>();
  for (const field of fields) {
    if (field.name !== null) index.set(field.name, [field]);
    else if (field.type.kind === 'record') {
      for (const [name, path] of indexMembers(field.type.declaration.fields ?? [])) index.set(name, [field, ...path]);
    }
  }
  return index;
}

// ---------------------------------------------------------------- selections by type

function checkVaArg(c: Checker, list: Expression, type: Type, loc: Loc): Expression {
  if (isError(list) || type === errorType) return errorExpression(loc);
  if (list.type.kind !== 'va-list') {
    error(c, loc, 'type-mismatch', "first argument to 'va_arg' is not of type 'va_list'");
    return errorExpression(loc);
  }
  if (!isComplete(type)) {
    error(c, loc, 'incomplete-type', `second argument to 'va_arg' is of incomplete type ${show(type)}`);
    return errorExpression(loc);
  }
  return { kind: 'va-arg', list, type: unqualified(type), loc };
}

function checkChoose(c: Checker, e: ast.Expression & { kind: 'choose-expression' }): Expression {
  const condition = evaluateInteger(checkValue(c, e.condition), c.model);
  if (condition === null) {
    error(c, e.loc, 'not-constant', "first argument to '__builtin_choose_expr' is not a constant");
    return errorExpression(e.loc);
  }
  return checkExpression(c, condition === 0n ? e.otherwise : e.then);
}

function checkGeneric(c: Checker, e: ast.Expression & { kind: 'generic' }): Expression {
  const control = checkValue(c, e.control);
  if (isError(control)) return control;
  const wanted = unqualified(control.type);
  let chosen: ast.Expression | null = null;
  let fallback: ast.Expression | null = null;
  for (const { type, value, loc } of e.associations) {
    if (type === null) {
      fallback = value;
      continue;
    }
    if (!compatible(typeOfName(c, type), wanted)) continue;
    if (chosen !== null) error(c, loc, 'type-mismatch', `'_Generic' selector ${show(wanted)} matches two associations`);
    chosen ??= value;
  }
  const result = chosen ?? fallback;
  if (result === null) {
    error(
      c,
      e.loc,
      'type-mismatch',
      `'_Generic' selector of type ${show(wanted)} is not compatible with any association`,
    );
    return errorExpression(e.loc);
  }
  return checkExpression(c, result);
}

/** An integer constant expression as C demands it (array sizes, enumerators, widths, cases); null after a report. */
export function checkIntegerConstant(c: Checker, e: ast.Expression, what: string): bigint | null {
  const value = checkValue(c, e);
  if (isError(value)) return null;
  const constant = evaluateInteger(value, c.model);
  if (constant === null) error(c, e.loc, 'not-constant', `${what} is not an integer constant`);
  return constant;
}
