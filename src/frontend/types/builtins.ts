/**
 * Compiler builtins: names that are not declared anywhere. Three kinds:
 * - with a fixed prototype (program/builtins.ts): they become `builtin` nodes;
 * - `__builtin_X` for a library function X: a call of X;
 * - generic ones, typed by their arguments: atomics (atomic-builtins.ts), overflow checks, floating predicates, va_*.
 * `__builtin_constant_p` is answered here. A name that is none of these is an error at its place.
 */

import { atomicRow } from '../../program/atomics.ts';
import { builtinRow, type GenericMeaning } from '../../program/builtins.ts';
import type { Expression } from '../../program/tree.ts';
import { intType, isArithmetic, isInteger, unqualified, vaListType, voidType } from '../../program/type-operations.ts';
import type { FunctionType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { checkAtomicBuiltin } from './atomic-builtins.ts';
import { checkArguments, checkCallOf, promoteUnchecked } from './calls.ts';
import { type Checker, error, errorExpression, isError, show } from './checker.ts';
import { convertAssigned, decay } from './conversions.ts';
import { createFunction } from './functions.ts';
import { libraryFunctionType } from './library-functions.ts';
import { boolType, integerNode, isConstant } from './operators.ts';
import { lookUp } from './scope.ts';
import { readSignature } from './signature.ts';

type GenericRule = (c: Checker, name: string, args: Expression[], loc: Loc) => Expression;

const GENERIC: Readonly<Record<GenericMeaning, GenericRule>> = {
  'constant-p': checkConstantP,
  'va-start': checkVaStart,
  'va-end': checkVaList,
  'va-copy': checkVaList,
  'add-overflow': checkOverflow,
  'sub-overflow': checkOverflow,
  'mul-overflow': checkOverflow,
  'overflow-predicate': checkOverflowPredicate,
  'caller-arguments': checkCallerArguments,
  isnan: floatPredicate(1),
  isinf: floatPredicate(1),
  'isinf-sign': floatPredicate(1),
  isfinite: floatPredicate(1),
  isnormal: floatPredicate(1),
  signbit: floatPredicate(1),
  fpclassify: floatPredicate(6),
  isgreater: floatPredicate(2),
  isgreaterequal: floatPredicate(2),
  isless: floatPredicate(2),
  islessequal: floatPredicate(2),
  islessgreater: floatPredicate(2),
  isunordered: floatPredicate(2),
};

/** Whether an undeclared name is to be looked for here: such names are reserved. */
export function isBuiltinName(name: string): boolean {
  return name.startsWith('__builtin_') || atomicRow(name) !== null;
}

export function checkBuiltin(c: Checker, name: string, e: ast.Expression & { kind: 'call' }): Expression {
  const args = checkArguments(c, e.args);
  const { loc } = e;
  if (args.some(isError)) return errorExpression(loc);
  if (atomicRow(name) !== null) return checkAtomicBuiltin(c, name, args, loc);
  const row = builtinRow(name);
  if (row?.signature === null) return GENERIC[row.meaning](c, name, args, loc);
  if (row) return checkFixed(c, name, readSignature(row.signature, c.model), args, loc);
  const library = libraryFunction(c, name.slice('__builtin_'.length), loc);
  if (library !== null) return checkCallOf(c, library, args, loc);
  error(c, e.callee.loc, 'unsupported', `the builtin '${name}' is not supported`);
  return errorExpression(loc);
}

/** The function that `__builtin_NAME` calls: the program's own declaration of it, or the well-known prototype. */
function libraryFunction(c: Checker, name: string, loc: Loc): Expression | null {
  const declared = lookUp(c.fileScope, name) ?? c.external.get(name);
  if (declared?.kind === 'function-symbol') return { kind: 'function', symbol: declared, type: declared.type, loc };
  const type = libraryFunctionType(c.model, name);
  if (type === null) return null;
  const symbol = createFunction(c, name, type, 'external', loc);
  c.items.push({ kind: 'function-prototype', symbol, loc });
  return { kind: 'function', symbol, type, loc };
}

function builtinNode(name: string, args: readonly Expression[], type: Type, loc: Loc): Expression {
  return { kind: 'builtin', name, args, type: unqualified(type), loc };
}

function checkCount(
  c: Checker,
  name: string,
  args: readonly Expression[],
  least: number,
  most: number,
  loc: Loc,
): boolean {
  if (args.length >= least && args.length <= most) return true;
  error(c, loc, 'argument-count', `too ${args.length < least ? 'few' : 'many'} arguments to '${name}'`);
  return false;
}

function checkFixed(c: Checker, name: string, type: FunctionType, args: readonly Expression[], loc: Loc): Expression {
  const count = type.parameters.length;
  if (!checkCount(c, name, args, count, type.variadic ? Number.POSITIVE_INFINITY : count, loc))
    return errorExpression(loc);
  const converted = args.map((argument, i) => {
    const parameter = type.parameters[i];
    if (parameter === undefined) return promoteUnchecked(c, argument);
    return convertAssigned(c, argument, parameter, {
      what: `passing argument ${i + 1} of '${name}'`,
      loc: argument.loc,
    });
  });
  return converted.some(isError) ? errorExpression(loc) : builtinNode(name, converted, type.result, loc);
}

// ---------------------------------------------------------------- generic builtins

function checkConstantP(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  const [operand] = args;
  if (operand === undefined || !checkCount(c, name, args, 1, 1, loc)) return errorExpression(loc);
  return integerNode(isConstant(c, decay(operand)) ? 1n : 0n, intType, loc);
}

/** Only in GNU `extern inline` wrappers of headers: the variable arguments of whoever calls the wrapper. */
function checkCallerArguments(c: Checker, name: string, _args: Expression[], loc: Loc): Expression {
  const current = c.function;
  if (current === null || !c.replaceable.has(current.symbol)) {
    error(c, loc, 'unsupported', `'${name}' is only supported in 'extern inline' functions with 'gnu_inline'`);
    return errorExpression(loc);
  }
  current.passesCallerArguments = true;
  return builtinNode(name, [], intType, loc);
}

function checkVaStart(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  const current = c.function?.symbol.type;
  if (current?.kind !== 'function' || !current.variadic) {
    error(c, loc, 'misplaced', "'va_start' used in function with fixed arguments");
    return errorExpression(loc);
  }
  const [list, last] = args;
  if (!checkCount(c, name, args, 1, 2, loc) || list === undefined) return errorExpression(loc);
  if (!isVaList(c, name, list)) return errorExpression(loc);
  return builtinNode(name, last === undefined ? [list] : [list, last], voidType, loc);
}

function checkVaList(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  const count = name === '__builtin_va_copy' ? 2 : 1;
  if (!checkCount(c, name, args, count, count, loc)) return errorExpression(loc);
  if (!args.every((argument) => isVaList(c, name, argument))) return errorExpression(loc);
  return builtinNode(name, args, voidType, loc);
}

function isVaList(c: Checker, name: string, argument: Expression): boolean {
  if (argument.type.kind === vaListType.kind) return true;
  error(c, argument.loc, 'type-mismatch', `'${name}' needs a 'va_list', not ${show(argument.type)}`);
  return false;
}

/** The operands keep their types: the operation is done in infinite precision and the result stored if it fits. */
function checkOverflow(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  if (!checkCount(c, name, args, 3, 3, loc)) return errorExpression(loc);
  const operands = args.map(decay);
  const [left, right, result] = operands as [Expression, Expression, Expression];
  const target = result.type.kind === 'pointer' ? result.type.target : null;
  if (!isInteger(left.type) || !isInteger(right.type) || target === null || !isInteger(target)) {
    error(c, loc, 'type-mismatch', `'${name}' needs two integers and a pointer to an integer`);
    return errorExpression(loc);
  }
  return builtinNode(name, operands, boolType, loc);
}

function checkOverflowPredicate(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  if (!checkCount(c, name, args, 3, 3, loc)) return errorExpression(loc);
  const operands = args.map(decay);
  if (!operands.every((operand) => isInteger(operand.type))) {
    error(c, loc, 'type-mismatch', `'${name}' needs three integers`);
    return errorExpression(loc);
  }
  return builtinNode(name, operands, boolType, loc);
}

function floatPredicate(count: number): GenericRule {
  return (c, name, args, loc) => checkFloatPredicate(c, name, count, args, loc);
}

function checkFloatPredicate(c: Checker, name: string, count: number, args: Expression[], loc: Loc): Expression {
  if (!checkCount(c, name, args, count, count, loc)) return errorExpression(loc);
  const operands = args.map(decay);
  if (!operands.every((operand) => isArithmetic(operand.type))) {
    error(c, loc, 'type-mismatch', `non-floating-point argument in call to '${name}'`);
    return errorExpression(loc);
  }
  return builtinNode(name, operands, intType, loc);
}
