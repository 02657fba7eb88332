/**
 * Scalar expressions: each becomes instructions for its effects and a pure value. Evaluation goes from left to right,
 * every access to memory is an instruction of its own; `&&`, `||` and `?:` branch only when what they guard has effects
 * or could fail.
 *
 * Long chains of one operator, as generated code has them, are walked along their left spine without recursion.
 */

import type { ScalarType, Value } from '../program/code.ts';
import { PLAIN, updateMode } from '../program/memory-order.ts';
import type { Expression } from '../program/tree.ts';
import { isBool, promoted, unqualified } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import { assertNever, invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { copyRecord, recordAddress, snapshot } from './aggregates.ts';
import { arithmetic, compare, convertTo, negate, scalarTypeOf } from './arithmetic.ts';
import { lowerBuiltin } from './builtins.ts';
import { lowerCall } from './calls.ts';
import { checkOverflow } from './checks.ts';
import { type FunctionContext, pointerType } from './context.ts';
import type { Label } from './function-builder.ts';
import { isPure } from './is-pure.ts';
import {
  isAtomic,
  type Lvalue,
  lowerElementAddress,
  lowerIndex,
  lowerLvalue,
  memory,
  modeOf,
  readLvalue,
  scale,
  sizeValue,
  stableBefore,
  writeLvalue,
} from './lvalues.ts';
import { differenceScalar } from './shapes.ts';
import { lowerStatementExpression } from './statements.ts';
import { asCondition, binary, constant, convert, INT, isNotZero, isZero, select, unary, zeroOf } from './values.ts';
import { lowerVaArg } from './varargs.ts';

/** Evaluates a scalar or void expression. Void expressions give a zero that nobody looks at. */
export function lowerValue(f: FunctionContext, expression: Expression): Value {
  const { loc } = expression;
  switch (expression.kind) {
    case 'integer':
      return constant(expression.value, scalarTypeOf(f, expression.type, loc));
    case 'float':
      return floatConstant(f, expression.value, expression.type, loc);
    case 'string':
    case 'variable':
    case 'dereference':
    case 'index':
    case 'member':
    case 'compound-literal':
      return lowerRead(f, expression);
    case 'function':
      return functionAddress(f, expression);
    case 'unary':
      return lowerUnary(f, expression);
    case 'address':
      return lowerAddress(f, expression.operand);
    case 'arithmetic':
      return lowerArithmetic(f, expression);
    case 'pointer-offset':
      return lowerPointerOffset(f, expression);
    case 'pointer-difference':
      return lowerPointerDifference(f, expression);
    case 'comparison':
      return lowerComparison(f, expression);
    case 'logical':
      return lowerLogical(f, expression);
    case 'conditional':
      return lowerConditional(f, expression);
    case 'assignment':
      return lowerAssignment(f, expression);
    case 'compound-assignment':
      return lowerCompoundAssignment(f, expression);
    case 'increment':
      return lowerIncrement(f, expression);
    case 'comma':
      return lowerComma(f, expression);
    case 'call':
      return lowerCall(f, expression);
    case 'builtin':
      return lowerBuiltin(f, expression);
    case 'va-arg':
      return readLvalue(f, memory(lowerVaArg(f, expression), expression.type), loc);
    case 'cast':
      return lowerCast(f, expression);
    case 'statement-expression':
      return lowerStatementExpression(f, expression) ?? zeroOf(INT);
    case 'variable-size':
      return convert(sizeValue(f, expression.measured, loc), scalarTypeOf(f, expression.type, loc));
    case 'label-address':
      return constant(f.program.labelAddress(expression.label), pointerType(f));
    default:
      return assertNever(expression);
  }
}

/** Evaluates an expression for its effects. */
export function lowerEffects(f: FunctionContext, expression: Expression): void {
  if (expression.type.kind === 'record') recordAddress(f, expression);
  else if (expression.kind === 'cast' && expression.castKind === 'to-void') lowerEffects(f, expression.operand);
  else if (expression.kind === 'conditional' && expression.then)
    lowerConditionalEffects(f, expression, expression.then);
  else if (expression.type.kind === 'array') lowerLvalue(f, expression);
  else if (expression.type.kind !== 'void' || !isLvalue(expression)) lowerValue(f, expression);
}

function isLvalue(expression: Expression): boolean {
  return expression.kind === 'dereference' || expression.kind === 'index' || expression.kind === 'variable';
}

function lowerConditionalEffects(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'conditional' }>,
  then: Expression,
): void {
  const { builder } = f;
  const otherwise = builder.newLabel();
  const end = builder.newLabel();
  lowerJump(f, expression.condition, otherwise, false);
  lowerEffects(f, then);
  builder.jump(end, expression.loc);
  builder.place(otherwise);
  lowerEffects(f, expression.otherwise);
  builder.place(end);
}

function lowerRead(f: FunctionContext, expression: Expression): Value {
  const lvalue = lowerLvalue(f, expression);
  // Functions and arrays are not read: their value is their address.
  if (expression.type.kind === 'function' || expression.type.kind === 'array') {
    invariant(lvalue.kind === 'memory', 'a designator of memory');
    return lvalue.address;
  }
  if (expression.type.kind === 'void') return zeroOf(INT);
  return readLvalue(f, lvalue, expression.loc);
}

function floatConstant(f: FunctionContext, value: number, type: Type, loc: Loc): Value {
  const scalar = scalarTypeOf(f, type, loc);
  return constantFloat(value, scalar);
}

export function constantFloat(value: number, type: ScalarType): Value {
  return { kind: 'float-constant', type, value: type.bits === 32 ? Math.fround(value) : value };
}

function functionAddress(f: FunctionContext, expression: Extract<Expression, { kind: 'function' }>): Value {
  return { kind: 'function-address', type: pointerType(f), function: f.program.functionOf(expression.symbol) };
}

// ---------------------------------------------------------------- operators

function lowerUnary(f: FunctionContext, expression: Extract<Expression, { kind: 'unary' }>): Value {
  const operand = lowerValue(f, expression.operand);
  switch (expression.operator) {
    case '+':
      return operand;
    case '-':
      return negate(f, operand, expression.loc);
    case '~':
      return unary('not', operand);
    case '!':
      return isZero(operand);
  }
}

/** `&operand`: no access, so `&a[n]` and `&*p` only compute. */
function lowerAddress(f: FunctionContext, operand: Expression): Value {
  if (operand.kind === 'function') return functionAddress(f, operand);
  if (operand.kind === 'dereference') return lowerElementAddress(f, operand.operand, true);
  if (operand.kind === 'index') return lowerIndex(f, operand, true);
  const lvalue = lowerLvalue(f, operand);
  invariant(lvalue.kind === 'memory', 'what has its address taken lies in memory');
  return lvalue.address;
}

function lowerArithmetic(f: FunctionContext, expression: Extract<Expression, { kind: 'arithmetic' }>): Value {
  const spine: Extract<Expression, { kind: 'arithmetic' }>[] = [];
  let at: Expression = expression;
  for (; at.kind === 'arithmetic'; at = at.left) spine.push(at);
  let left = lowerValue(f, at);
  for (let node = spine.pop(); node; node = spine.pop()) {
    left = stableBefore(f, left, node.right, node.loc);
    left = arithmetic(f, node.operator, left, lowerValue(f, node.right), node.loc);
  }
  return left;
}

function lowerPointerOffset(f: FunctionContext, expression: Extract<Expression, { kind: 'pointer-offset' }>): Value {
  const { pointer, offset, operator, loc } = expression;
  const base = stableBefore(f, lowerValue(f, pointer), offset, loc);
  invariant(pointer.type.kind === 'pointer', 'an offset from a pointer');
  const bytes = scale(f, lowerValue(f, offset), pointer.type.target, loc);
  return f.builder.shallow(binary(operator === '+' ? 'add' : 'sub', base, bytes), loc);
}

function lowerPointerDifference(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'pointer-difference' }>,
): Value {
  const { loc } = expression;
  const left = stableBefore(f, lowerValue(f, expression.left), expression.right, loc);
  const right = lowerValue(f, expression.right);
  invariant(expression.left.type.kind === 'pointer', 'a difference of pointers');
  const type = differenceScalar(f.model);
  const size = convert(sizeValue(f, expression.left.type.target, loc), type);
  return binary('div', convert(binary('sub', left, right), type), size);
}

function lowerComparison(f: FunctionContext, expression: Extract<Expression, { kind: 'comparison' }>): Value {
  const left = stableBefore(f, lowerValue(f, expression.left), expression.right, expression.loc);
  return f.builder.shallow(compare(expression.operator, left, lowerValue(f, expression.right)), expression.loc);
}

function lowerComma(f: FunctionContext, expression: Extract<Expression, { kind: 'comma' }>): Value {
  return lowerValue(f, lowerCommaEffects(f, expression));
}

/** Does all but the last operand of a chain of commas, and returns that one. */
export function lowerCommaEffects(f: FunctionContext, expression: Expression): Expression {
  const rights: Expression[] = [];
  let at = expression;
  for (; at.kind === 'comma'; at = at.left) rights.push(at.right);
  for (let next = rights.pop(); next; next = rights.pop()) {
    lowerEffects(f, at);
    at = next;
  }
  return at;
}

// ---------------------------------------------------------------- control flow in expressions

/** Goes to the label when the truth of the expression is `jumpIf`, and falls through otherwise. */
export function lowerJump(f: FunctionContext, expression: Expression, label: Label, jumpIf: boolean): void {
  if (expression.kind === 'unary' && expression.operator === '!') {
    lowerJump(f, expression.operand, label, !jumpIf);
  } else if (expression.kind === 'logical' && !isPure(f, expression)) {
    lowerLogicalJump(f, expression, label, jumpIf);
  } else {
    const value = lowerValue(f, expression);
    f.builder.branch(jumpIf ? isZero(value) : asCondition(value), label, expression.loc);
  }
}

function lowerLogicalJump(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'logical' }>,
  label: Label,
  jumpIf: boolean,
): void {
  const operands = logicalOperands(expression);
  // The value that decides the whole at once: true for `||`, false for `&&`.
  const decides = expression.operator === '||';
  const last = operands.pop() as Expression;
  if (decides === jumpIf) {
    for (const operand of operands) lowerJump(f, operand, label, jumpIf);
    lowerJump(f, last, label, jumpIf);
    return;
  }
  const skip = f.builder.newLabel();
  for (const operand of operands) lowerJump(f, operand, skip, decides);
  lowerJump(f, last, label, jumpIf);
  f.builder.place(skip);
}

/** The operands of a chain of one logical operator, in order. */
function logicalOperands(expression: Extract<Expression, { kind: 'logical' }>): Expression[] {
  const operands: Expression[] = [];
  let at: Expression = expression;
  for (; at.kind === 'logical' && at.operator === expression.operator; at = at.left) operands.push(at.right);
  operands.push(at);
  return operands.reverse();
}

function lowerLogical(f: FunctionContext, expression: Extract<Expression, { kind: 'logical' }>): Value {
  const { builder } = f;
  if (isPure(f, expression)) {
    const operation = expression.operator === '&&' ? 'and' : 'or';
    const values = logicalOperands(expression).map((operand) => isNotZero(lowerValue(f, operand)));
    return values.reduce((left, right) => builder.shallow(binary(operation, left, right), expression.loc));
  }
  const result = builder.newRegister(INT);
  const otherwise = builder.newLabel();
  builder.set(result, constant(0n, INT), expression.loc);
  lowerJump(f, expression, otherwise, false);
  builder.set(result, constant(1n, INT), expression.loc);
  builder.place(otherwise);
  return builder.read(result);
}

function lowerConditional(f: FunctionContext, expression: Extract<Expression, { kind: 'conditional' }>): Value {
  const { builder } = f;
  const { loc, type } = expression;
  if (type.kind === 'void') {
    if (expression.then) lowerConditionalEffects(f, expression, expression.then);
    return zeroOf(INT);
  }
  if (expression.then === null) return lowerElvis(f, expression);
  if (isPure(f, expression.then) && isPure(f, expression.otherwise)) {
    const condition = asCondition(lowerValue(f, expression.condition));
    return builder.shallow(select(condition, lowerValue(f, expression.then), lowerValue(f, expression.otherwise)), loc);
  }
  const result = builder.newRegister(scalarTypeOf(f, type, loc));
  const otherwise = builder.newLabel();
  const end = builder.newLabel();
  lowerJump(f, expression.condition, otherwise, false);
  builder.set(result, lowerArm(f, expression.then, type), loc);
  builder.jump(end, loc);
  builder.place(otherwise);
  builder.set(result, lowerArm(f, expression.otherwise, type), loc);
  builder.place(end);
  return builder.read(result);
}

/** One arm of `?:`; an arm that never returns may have type void in GNU C. */
function lowerArm(f: FunctionContext, arm: Expression, type: Type): Value {
  const value = lowerValue(f, arm);
  return arm.type.kind === 'void' ? zeroOf(scalarTypeOf(f, type, arm.loc)) : value;
}

/** GNU `a ?: b`. */
function lowerElvis(f: FunctionContext, expression: Extract<Expression, { kind: 'conditional' }>): Value {
  const { builder } = f;
  const { loc, type } = expression;
  const value = builder.share(lowerValue(f, expression.condition), loc);
  const result = builder.newRegister(scalarTypeOf(f, type, loc));
  const end = builder.newLabel();
  builder.set(result, convertTo(f, value, type, loc), loc);
  builder.branch(isZero(value), end, loc);
  builder.set(result, lowerValue(f, expression.otherwise), loc);
  builder.place(end);
  return builder.read(result);
}

// ---------------------------------------------------------------- assignment

function lowerAssignment(f: FunctionContext, expression: Extract<Expression, { kind: 'assignment' }>): Value {
  const { target, value, loc } = expression;
  if (target.type.kind === 'record') {
    recordAddress(f, expression);
    return zeroOf(INT);
  }
  const lvalue = stableLvalue(f, lowerLvalue(f, target), value, loc);
  return writeLvalue(f, lvalue, lowerValue(f, value), loc);
}

function stableLvalue(f: FunctionContext, lvalue: Lvalue, value: Expression, loc: Loc): Lvalue {
  return lvalue.kind === 'register' ? lvalue : { ...lvalue, address: stableBefore(f, lvalue.address, value, loc) };
}

/** The lvalue with an address that can be used twice. */
function sharedLvalue(f: FunctionContext, lvalue: Lvalue, loc: Loc): Lvalue {
  return lvalue.kind === 'register' ? lvalue : { ...lvalue, address: f.builder.share(lvalue.address, loc) };
}

/** Does something to a lvalue in one atomic step if its type is atomic. */
function updating(f: FunctionContext, lvalue: Lvalue, loc: Loc, update: (lvalue: Lvalue) => Value): Value {
  if (lvalue.kind === 'register' || !isAtomic(lvalue.type)) return update(lvalue);
  f.builder.emit({ kind: 'atomic-begin', loc });
  const value = f.builder.share(update({ ...lvalue, mode: updateMode('seq_cst') }), loc);
  f.builder.emit({ kind: 'atomic-end', loc });
  return value;
}

function lowerCompoundAssignment(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'compound-assignment' }>,
): Value {
  const { target, value, operator, computation, loc } = expression;
  const shared = sharedLvalue(f, stableLvalue(f, lowerLvalue(f, target), value, loc), loc);
  const atomic = shared.kind === 'memory' && isAtomic(shared.type);
  // The operand of an atomic update is evaluated before it; else the order is from left to right.
  const early = atomic ? f.builder.stabilise(lowerValue(f, value), loc) : null;
  return updating(f, shared, loc, (lvalue) => {
    const old = stableBefore(f, readLvalue(f, lvalue, loc), value, loc);
    const right = early ?? lowerValue(f, value);
    if (computation.kind === 'pointer') {
      const bytes = scale(f, right, computation.target, loc);
      return writeLvalue(f, lvalue, binary(operator === '+' ? 'add' : 'sub', old, bytes), loc);
    }
    const result = arithmetic(f, operator, convertTo(f, old, computation, loc), right, loc);
    return writeLvalue(f, lvalue, convertTo(f, result, target.type, loc), loc);
  });
}

function lowerIncrement(f: FunctionContext, expression: Extract<Expression, { kind: 'increment' }>): Value {
  const { target, isPrefix, loc } = expression;
  return updating(f, sharedLvalue(f, lowerLvalue(f, target), loc), loc, (lvalue) => {
    const current = readLvalue(f, lvalue, loc);
    const old = isPrefix || lvalue.kind === 'memory' ? current : f.builder.keep(current, loc);
    const next = writeLvalue(f, lvalue, stepped(f, old, target.type, expression.operator, loc), loc);
    return isPrefix ? next : old;
  });
}

/** One more or one less, computed in the promoted type. */
function stepped(f: FunctionContext, old: Value, type: Type, operator: '++' | '--', loc: Loc): Value {
  const operation = operator === '++' ? 'add' : 'sub';
  if (type.kind === 'pointer') return binary(operation, old, scale(f, constant(1n, INT), type.target, loc));
  if (isBool(type)) return operator === '++' ? constant(1n, old.type) : binary('xor', old, constant(1n, old.type));
  const wide = convertTo(f, old, promoted(type), loc);
  const one = constant(1n, wide.type);
  checkOverflow(f, operation, wide, one, loc);
  return convertTo(f, binary(operation, wide, one), type, loc);
}

// ---------------------------------------------------------------- casts

function lowerCast(f: FunctionContext, expression: Extract<Expression, { kind: 'cast' }>): Value {
  const { operand, castKind, type, loc } = expression;
  switch (castKind) {
    case 'array-to-pointer': {
      const lvalue = lowerLvalue(f, operand);
      invariant(lvalue.kind === 'memory', 'arrays lie in memory');
      return lvalue.address;
    }
    case 'function-to-pointer':
      return operand.kind === 'dereference' ? lowerValue(f, operand.operand) : lowerValue(f, operand);
    case 'to-void':
      lowerEffects(f, operand);
      return zeroOf(INT);
    case 'null-to-pointer':
      lowerEffects(f, operand);
      return constant(0n, pointerType(f));
    case 'record':
    case 'to-union':
      recordAddress(f, expression);
      return zeroOf(INT);
    case 'complex':
      f.program.unsupported(loc, 'complex numbers are');
      return zeroOf(INT);
    default:
      if (type.kind === 'record') {
        recordAddress(f, expression);
        return zeroOf(INT);
      }
      return convertTo(f, lowerValue(f, operand), type, loc);
  }
}

/**
 * Assigns a record: the target's address first, then the value, then the copy. Returns the address of the value. Of an
 * assignment to an atomic record only the store is atomic, not the reading of the value.
 */
export function lowerRecordAssignment(
  f: FunctionContext,
  expression: Extract<Expression, { kind: 'assignment' }>,
): Value {
  const { target, value, loc } = expression;
  const lvalue = lowerLvalue(f, target);
  invariant(lvalue.kind === 'memory', 'records lie in memory');
  const to = f.builder.share(stableBefore(f, lvalue.address, value, loc), loc);
  const from = f.builder.share(recordAddress(f, value), loc);
  const type = unqualified(target.type);
  if (!isAtomic(target.type)) {
    copyRecord(f, to, from, type, loc);
    return to;
  }
  const source = snapshot(f, from, type, loc);
  copyRecord(f, to, source, type, loc, { load: PLAIN, store: modeOf(target.type) });
  return source;
}
