/**
 * Compiler builtins: names that are not declared anywhere. Three kinds:
 * - with a fixed prototype, in the table below: they become `builtin` nodes;
 * - `__builtin_X` for a library function X: a call of X;
 * - generic ones, typed by their arguments: atomics (atomic-builtins.ts), overflow checks, floating predicates, va_*.
 * `__builtin_constant_p` is answered here. A name that is none of these is an error at its place.
 */

import { atomicRow } from '../../program/atomics.ts';
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

const groups: readonly (readonly [signature: string, names: string])[] = [
  ['long (long, long)', 'expect'],
  ['long (long, long, double)', 'expect_with_probability'],
  ['void (void)', 'unreachable trap ia32_pause ia32_mfence ia32_lfence ia32_sfence'],
  ['size_t (const void *, int)', 'object_size dynamic_object_size'],
  ['unsigned short (unsigned short)', 'bswap16'],
  ['unsigned int (unsigned int)', 'bswap32'],
  ['unsigned long long (unsigned long long)', 'bswap64'],
  ['int (unsigned int)', 'clz ctz popcount parity'],
  ['int (unsigned long)', 'clzl ctzl popcountl parityl'],
  ['int (unsigned long long)', 'clzll ctzll popcountll parityll'],
  ['int (int)', 'ffs clrsb'],
  ['int (long)', 'ffsl clrsbl'],
  ['int (long long)', 'ffsll clrsbll'],
  ['void *(size_t)', 'alloca'],
  ['void *(size_t, size_t)', 'alloca_with_align'],
  ['double (void)', 'huge_val inf'],
  ['float (void)', 'huge_valf inff'],
  ['long double (void)', 'huge_vall infl'],
  ['_Float128 (void)', 'huge_valf128 inff128'],
  ['double (const char *)', 'nan nans'],
  ['float (const char *)', 'nanf nansf'],
  ['long double (const char *)', 'nanl nansl'],
  ['_Float128 (const char *)', 'nanf128 nansf128'],
  ['void *(unsigned int)', 'frame_address return_address'],
  ['void *(void *)', 'extract_return_addr frob_return_addr'],
  ['void (const void *, ...)', 'prefetch'],
  ['void *(const void *, size_t, ...)', 'assume_aligned'],
  ['int (...)', 'classify_type'],
  ['_Bool (int, int, int *)', 'sadd_overflow ssub_overflow smul_overflow'],
  ['_Bool (long, long, long *)', 'saddl_overflow ssubl_overflow smull_overflow'],
  ['_Bool (long long, long long, long long *)', 'saddll_overflow ssubll_overflow smulll_overflow'],
  ['_Bool (unsigned, unsigned, unsigned *)', 'uadd_overflow usub_overflow umul_overflow'],
  ['_Bool (unsigned long, unsigned long, unsigned long *)', 'uaddl_overflow usubl_overflow umull_overflow'],
  [
    '_Bool (unsigned long long, unsigned long long, unsigned long long *)',
    'uaddll_overflow usubll_overflow umulll_overflow',
  ],
];

const signatures: ReadonlyMap<string, string> = new Map(
  groups.flatMap(([signature, names]) => names.split(' ').map((name) => [`__builtin_${name}`, signature] as const)),
);

type GenericRule = (c: Checker, name: string, args: Expression[], loc: Loc) => Expression;

const generic: ReadonlyMap<string, GenericRule> = new Map<string, GenericRule>([
  ['__builtin_constant_p', checkConstantP],
  ['__builtin_va_arg_pack', checkCallerArguments],
  ['__builtin_va_arg_pack_len', checkCallerArguments],
  ['__builtin_va_start', checkVaStart],
  ['__builtin_va_end', checkVaList],
  ['__builtin_va_copy', checkVaList],
  ['__builtin_add_overflow', checkOverflow],
  ['__builtin_sub_overflow', checkOverflow],
  ['__builtin_mul_overflow', checkOverflow],
  ['__builtin_add_overflow_p', checkOverflowPredicate],
  ['__builtin_sub_overflow_p', checkOverflowPredicate],
  ['__builtin_mul_overflow_p', checkOverflowPredicate],
  ['__builtin_fpclassify', checkFloatPredicate],
  ...['isnan', 'isinf', 'isinf_sign', 'isfinite', 'finite', 'isnormal', 'signbit', 'signbitf', 'signbitl'].map(
    (name) => [`__builtin_${name}`, checkFloatPredicate] as const,
  ),
  ...['isgreater', 'isgreaterequal', 'isless', 'islessequal', 'islessgreater', 'isunordered'].map(
    (name) => [`__builtin_${name}`, checkFloatPredicate] as const,
  ),
]);

/** Whether an undeclared name is to be looked for here: such names are reserved. */
export function isBuiltinName(name: string): boolean {
  return name.startsWith('__builtin_') || atomicRow(name) !== null;
}

export function checkBuiltin(c: Checker, name: string, e: ast.Expression & { kind: 'call' }): Expression {
  const args = checkArguments(c, e.args);
  const { loc } = e;
  if (args.some(isError)) return errorExpression(loc);
  if (atomicRow(name) !== null) return checkAtomicBuiltin(c, name, args, loc);
  const rule = generic.get(name);
  if (rule !== undefined) return rule(c, name, args, loc);
  const signature = signatures.get(name);
  if (signature !== undefined) return checkFixed(c, genericName(name), readSignature(signature, c.model), args, loc);
  const library = libraryFunction(c, name.slice('__builtin_'.length), loc);
  if (library !== null) return checkCallOf(c, library, args, loc);
  error(c, e.callee.loc, 'unsupported', `the builtin '${name}' is not supported`);
  return errorExpression(loc);
}

/** `__builtin_saddl_overflow` is `__builtin_add_overflow` once its operands have the types of its signature. */
function genericName(name: string): string {
  return name.replace(/^__builtin_[su](add|sub|mul)l{0,2}_overflow$/, '__builtin_$1_overflow');
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

function checkFloatPredicate(c: Checker, name: string, args: Expression[], loc: Loc): Expression {
  const isBinary = /is(?:greater|less|unordered)/.test(name);
  const count = name === '__builtin_fpclassify' ? 6 : isBinary ? 2 : 1;
  if (!checkCount(c, name, args, count, count, loc)) return errorExpression(loc);
  const operands = args.map(decay);
  if (!operands.every((operand) => isArithmetic(operand.type))) {
    error(c, loc, 'type-mismatch', `non-floating-point argument in call to '${name}'`);
    return errorExpression(loc);
  }
  return builtinNode(name, operands, intType, loc);
}
