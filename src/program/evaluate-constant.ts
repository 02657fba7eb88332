/**
 * Constant expressions, evaluated on the typed tree: integers, floating values, and addresses (an object, function or
 * string plus an offset in bytes). Follows what gcc folds: casts of any kind, short-circuit operators with an operand
 * that is not constant on the side that does not matter, `&((T *)0)->m`.
 *
 * Returns null for what is no constant, division by zero and shifts out of range included. Loops along the left
 * operands, so that long chains do not exhaust the stack. Long double is computed as double: a limit that only printing
 * avoids.
 */

import { builtinMeaning } from './builtins.ts';
import { type DataModel, wordSize } from './data-model.ts';
import { compareNumbers, floatResult, integerResult } from './fold-numbers.ts';
import { integerNameOf, integerWidth, maximumOf, minimumOf, wrapInteger } from './integer-range.ts';
import { sizeOf } from './layout.ts';
import type { Expression, FunctionSymbol, LabelSymbol, StringExpression, VariableSymbol } from './tree.ts';
import { hasVariableSize, isComplete, isInteger } from './type-operations.ts';
import type { IntegerName, Type } from './types.ts';

export type AddressBase = VariableSymbol | FunctionSymbol | StringExpression | LabelSymbol;

export type Constant =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  /** `base` null: a number made a pointer. */
  | { readonly kind: 'address'; readonly base: AddressBase | null; readonly offset: bigint };

export function evaluateConstant(expression: Expression, model: DataModel): Constant | null {
  const spine: Expression[] = [];
  let at = expression;
  for (let next = spineOperand(at); next !== null; next = spineOperand(at)) {
    spine.push(at);
    at = next;
  }
  let value = evaluateLeaf(at, model);
  for (let node = spine.pop(); node !== undefined && value !== null; node = spine.pop()) {
    value = evaluateStep(node, value, model);
  }
  return value;
}

/** The value of an integer constant expression, or null. */
export function evaluateInteger(expression: Expression, model: DataModel): bigint | null {
  if (expression.kind === 'integer') return expression.value;
  if (!isInteger(expression.type)) return null;
  const constant = evaluateConstant(expression, model);
  return constant?.kind === 'integer' ? constant.value : null;
}

/** Whether the constant counts as true; an object's address always does. */
export function isTrue(constant: Constant): boolean {
  switch (constant.kind) {
    case 'integer':
      return constant.value !== 0n;
    case 'float':
      return constant.value !== 0;
    case 'address':
      return constant.base !== null || constant.offset !== 0n;
  }
}

/** The operand that is evaluated first and always, along which the evaluation loops. */
function spineOperand(node: Expression): Expression | null {
  switch (node.kind) {
    case 'arithmetic':
    case 'comparison':
    case 'logical':
      return node.left;
    case 'pointer-offset':
      return node.pointer;
    case 'conditional':
      return node.condition;
    case 'unary':
      return node.operand;
    case 'cast':
      return node.castKind === 'array-to-pointer' || node.castKind === 'function-to-pointer' ? null : node.operand;
    default:
      return null;
  }
}

function evaluateLeaf(node: Expression, model: DataModel): Constant | null {
  switch (node.kind) {
    case 'integer':
      return integer(node.value);
    case 'float':
      return { kind: 'float', value: node.value };
    case 'address':
      return evaluateAddress(node.operand, model);
    case 'cast':
      return evaluateAddress(node.operand, model);
    case 'function':
      return { kind: 'address', base: node.symbol, offset: 0n };
    case 'label-address':
      return { kind: 'address', base: node.label, offset: 0n };
    case 'pointer-difference':
      return evaluateDifference(node.left, node.right, model);
    case 'builtin':
      return evaluateBuiltin(node.name, node.args, model);
    default:
      return null;
  }
}

function evaluateBuiltin(name: string, args: readonly Expression[], model: DataModel): Constant | null {
  const meaning = builtinMeaning(name);
  if (meaning === 'infinity') return { kind: 'float', value: Number.POSITIVE_INFINITY };
  if (meaning === 'nan') return { kind: 'float', value: Number.NaN };
  const [first] = args;
  if (first === undefined) return null;
  if (meaning === 'first-argument') return evaluateConstant(first, model);
  const value = evaluateInteger(first, model);
  if (value === null) return null;
  const width = isInteger(first.type) ? integerWidth(integerNameOf(first.type), model) : 0;
  const bits = BigInt.asUintN(width, value).toString(2);
  const lowest = bits.length - 1 - bits.lastIndexOf('1');
  switch (meaning) {
    case 'count-ones':
      return integer(BigInt(bits.replaceAll('0', '').length));
    case 'parity':
      return integer(BigInt(bits.replaceAll('0', '').length % 2));
    case 'byte-swap':
      return integer(swapBytes(BigInt.asUintN(width, value), width / 8));
    case 'first-one':
      return integer(value === 0n ? 0n : BigInt(lowest + 1));
    case 'leading-zeros':
      return value === 0n ? null : integer(BigInt(width - bits.length));
    case 'trailing-zeros':
      return value === 0n ? null : integer(BigInt(lowest));
    default:
      return null;
  }
}

function swapBytes(value: bigint, bytes: number): bigint {
  let result = 0n;
  for (let i = 0; i < bytes; i++) result = (result << 8n) | ((value >> BigInt(8 * i)) & 0xffn);
  return result;
}

function integer(value: bigint): Constant {
  return { kind: 'integer', value };
}

function truth(value: boolean): Constant {
  return integer(value ? 1n : 0n);
}

/** The value of a node whose spine operand has the value `first`. */
function evaluateStep(node: Expression, first: Constant, model: DataModel): Constant | null {
  switch (node.kind) {
    case 'arithmetic': {
      const second = evaluateConstant(node.right, model);
      return second && evaluateArithmetic(node.operator, first, second, node.type, model);
    }
    case 'comparison': {
      const second = evaluateConstant(node.right, model);
      return second && evaluateComparison(node.operator, first, second);
    }
    case 'logical': {
      if (isTrue(first) === (node.operator === '||')) return truth(node.operator === '||');
      const second = evaluateConstant(node.right, model);
      return second && truth(isTrue(second));
    }
    case 'pointer-offset': {
      const offset = evaluateInteger(node.offset, model);
      if (offset === null || node.pointer.type.kind !== 'pointer') return null;
      return moveAddress(first, node.operator === '-' ? -offset : offset, node.pointer.type.target, model);
    }
    case 'conditional':
      if (!isTrue(first)) return evaluateConstant(node.otherwise, model);
      return node.then === null ? convertConstant(first, node.type, model) : evaluateConstant(node.then, model);
    case 'unary':
      return evaluateUnary(node.operator, first, node.type, model);
    case 'cast':
      return convertConstant(first, node.type, model);
    default:
      return null;
  }
}

function evaluateUnary(
  operator: '+' | '-' | '~' | '!',
  value: Constant,
  type: Type,
  model: DataModel,
): Constant | null {
  if (operator === '!') return truth(!isTrue(value));
  if (operator === '+') return value;
  if (value.kind === 'float') return operator === '-' ? { kind: 'float', value: -value.value } : null;
  if (value.kind !== 'integer') return null;
  return integer(wrapInteger(operator === '-' ? -value.value : ~value.value, integerNameOf(type), model));
}

function evaluateArithmetic(
  operator: string,
  left: Constant,
  right: Constant,
  type: Type,
  model: DataModel,
): Constant | null {
  if (left.kind === 'float' && right.kind === 'float') {
    const value = floatResult(operator, left.value, right.value);
    return value === null ? null : { kind: 'float', value: roundFloat(value, type) };
  }
  if (left.kind === 'address' || right.kind === 'address') return offsetInteger(operator, left, right);
  if (left.kind !== 'integer' || right.kind !== 'integer' || !isInteger(type)) return null;
  const name = integerNameOf(type);
  const isShift = operator === '<<' || operator === '>>';
  if (isShift && right.value >= BigInt(integerWidth(name, model))) return null;
  const value = integerResult(operator, left.value, right.value);
  return value === null ? null : integer(wrapInteger(value, name, model));
}

/** An address that was made an integer, plus or minus an integer. */
function offsetInteger(operator: string, left: Constant, right: Constant): Constant | null {
  if (left.kind === 'address' && right.kind === 'integer') {
    if (operator === '+') return { ...left, offset: left.offset + right.value };
    if (operator === '-') return { ...left, offset: left.offset - right.value };
  }
  if (left.kind === 'integer' && right.kind === 'address' && operator === '+') {
    return { ...right, offset: right.offset + left.value };
  }
  return null;
}

function evaluateComparison(operator: string, left: Constant, right: Constant): Constant | null {
  if (left.kind === 'address' || right.kind === 'address') return compareAddresses(operator, left, right);
  const holds = compareNumbers<bigint | number>(operator, left.value, right.value);
  return holds === null ? null : truth(holds);
}

function compareAddresses(operator: string, left: Constant, right: Constant): Constant | null {
  const a = asAddress(left);
  const b = asAddress(right);
  if (a === null || b === null) return null;
  if (a.base === b.base) return evaluateComparison(operator, integer(a.offset), integer(b.offset));
  const oneIsNull = (a.base === null && a.offset === 0n) || (b.base === null && b.offset === 0n);
  if (oneIsNull && (operator === '==' || operator === '!=')) return truth(operator === '!=');
  return null;
}

function asAddress(constant: Constant): { base: AddressBase | null; offset: bigint } | null {
  if (constant.kind === 'address') return constant;
  return constant.kind === 'integer' ? { base: null, offset: constant.value } : null;
}

function evaluateDifference(left: Expression, right: Expression, model: DataModel): Constant | null {
  const a = evaluateConstant(left, model);
  const b = evaluateConstant(right, model);
  if (a?.kind !== 'address' || b?.kind !== 'address' || a.base !== b.base) return null;
  const size = left.type.kind === 'pointer' ? elementSize(left.type.target, model) : null;
  return size === null || size === 0n ? null : integer((a.offset - b.offset) / size);
}

/** The size that pointer arithmetic counts in, or null if it is not constant. */
function elementSize(type: Type, model: DataModel): bigint | null {
  if (type.kind === 'void' || type.kind === 'function') return 1n;
  return hasVariableSize(type) || !isComplete(type) ? null : BigInt(sizeOf(type, model));
}

function moveAddress(address: Constant, elements: bigint, target: Type, model: DataModel): Constant | null {
  const size = elementSize(target, model);
  if (size === null || address.kind !== 'address') return null;
  return { ...address, offset: address.offset + elements * size };
}

/** The address of an lvalue. */
function evaluateAddress(lvalue: Expression, model: DataModel): Constant | null {
  switch (lvalue.kind) {
    case 'variable':
      return lvalue.symbol.duration === 'static' ? { kind: 'address', base: lvalue.symbol, offset: 0n } : null;
    case 'compound-literal':
      return lvalue.symbol.duration === 'static' ? { kind: 'address', base: lvalue.symbol, offset: 0n } : null;
    case 'function':
      return { kind: 'address', base: lvalue.symbol, offset: 0n };
    case 'string':
      return { kind: 'address', base: lvalue, offset: 0n };
    case 'dereference':
      return evaluateConstant(lvalue.operand, model);
    case 'index': {
      const base = evaluateConstant(lvalue.base, model);
      const index = evaluateInteger(lvalue.index, model);
      return base === null || index === null ? null : moveAddress(base, index, lvalue.type, model);
    }
    case 'member': {
      const object = evaluateAddress(lvalue.object, model);
      if (object?.kind !== 'address') return null;
      return { ...object, offset: object.offset + BigInt(lvalue.field.offset) };
    }
    default:
      return null;
  }
}

/** What a cast to the type makes of a constant; null if the result is none. */
export function convertConstant(constant: Constant, type: Type, model: DataModel): Constant | null {
  if (isInteger(type)) {
    const name = integerNameOf(type);
    if (name === '_Bool') return truth(isTrue(constant));
    if (constant.kind === 'float') {
      return integer(saturate(constant.value, name, model));
    }
    if (constant.kind === 'integer') return integer(wrapInteger(constant.value, name, model));
    if (constant.base === null) return integer(wrapInteger(constant.offset, name, model));
    return integerWidth(name, model) >= 8 * wordSize(model) ? constant : null;
  }
  if (type.kind === 'float') {
    if (constant.kind === 'address') return null;
    return { kind: 'float', value: roundFloat(Number(constant.value), type) };
  }
  if (type.kind === 'pointer') {
    if (constant.kind === 'float') return null;
    if (constant.kind === 'address') return constant;
    return { kind: 'address', base: null, offset: BigInt.asUintN(8 * wordSize(model), constant.value) };
  }
  return null;
}

/** A floating value out of an integer type's range: undefined in C, folded by gcc to the nearest value there is. */
function saturate(value: number, name: IntegerName, model: DataModel): bigint {
  if (Number.isNaN(value)) return 0n;
  const least = minimumOf(name, model);
  const greatest = maximumOf(name, model);
  if (value <= Number(least)) return least;
  if (value >= Number(greatest)) return greatest;
  return BigInt(Math.trunc(value));
}

/** The nearest value that the type holds. */
export function roundFloat(value: number, type: Type): number {
  return type.kind === 'float' && (type.name === 'float' || type.name === '_Float32') ? Math.fround(value) : value;
}
