/**
 * Pure values of code as terms: arithmetic with C's meaning on bit-vectors. Floating-point values are their IEEE bit
 * patterns (float and double; lowering has refused the wider formats).
 */

import type { ScalarType, Value } from '../program/code.ts';
import { assertNever } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { floatToBits } from '../values/float-constants.ts';
import {
  floatArithmetic,
  floatComparison,
  floatDifference,
  floatNegation,
  floatToFloat,
  floatToInteger,
  integerTermToFloat,
  isFloatTrue,
} from '../values/float-terms.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { maskWord, shiftWord } from './packed-words.ts';
import { refineTerm } from './refine-state.ts';
import { UnsupportedError } from './unsupported.ts';

export interface EvaluationContext {
  readonly graph: TermGraph;
  readonly loc: Loc;
  register(index: number): Term;
  objectAddress(object: number): bigint;
  functionAddress(id: number): bigint;
  /** Told of every arithmetic operation and conversion, by name. */
  notice(operation: string, operands: readonly Term[], result: Term): void;
}

export function evaluate(context: EvaluationContext, value: Value): Term {
  const { graph } = context;
  switch (value.kind) {
    case 'constant':
      return graph.constant(value.type.bits, value.value);
    case 'float-constant':
      return graph.constant(value.type.bits, floatToBits(value.value, value.type.bits));
    case 'register':
      return context.register(value.register);
    case 'object-address':
      return graph.constant(value.type.bits, context.objectAddress(value.object) + BigInt(value.offset));
    case 'function-address':
      return graph.constant(value.type.bits, context.functionAddress(value.function));
    case 'unary':
      return evaluateUnary(context, value);
    case 'binary':
      return evaluateBinary(context, value);
    case 'convert':
      return evaluateConvert(context, value);
    case 'select':
      return evaluateSelect(context, value);
    case 'overflows':
      return graph.extend(evaluateOverflows(context, value), value.type.bits, false);
    default:
      return assertNever(value);
  }
}

function evaluateSelect(context: EvaluationContext, value: Extract<Value, { kind: 'select' }>): Term {
  const { graph } = context;
  const condition = isTrueTerm(context, value.condition);
  const then = refineTerm(graph, evaluate(context, value.then), condition, true);
  const otherwise = refineTerm(graph, evaluate(context, value.otherwise), condition, false);
  return graph.ite(condition, then, otherwise);
}

/** The value as a condition: is it not zero? */
export function isTrueTerm(context: EvaluationContext, value: Value): Term {
  const { graph } = context;
  if (value.type.kind === 'float') return isFloatTrue(graph, evaluate(context, value));
  if (value.kind === 'binary' && isComparison(value.operation)) return compare(context, value);
  return graph.isNonZero(evaluate(context, value));
}

const isComparison = (operation: string) =>
  operation === 'eq' || operation === 'ne' || operation === 'lt' || operation === 'le';

type BinaryValue = Extract<Value, { kind: 'binary' }>;

function evaluateUnary(context: EvaluationContext, value: Extract<Value, { kind: 'unary' }>): Term {
  const { graph } = context;
  const operand = evaluate(context, value.operand);
  if (value.type.kind === 'float') return floatNegation(graph, operand);
  const result = value.operation === 'neg' ? graph.negate(operand) : graph.not(operand);
  context.notice(value.operation, [operand], result);
  return result;
}

function evaluateBinary(context: EvaluationContext, value: BinaryValue): Term {
  const { graph } = context;
  const type = value.left.type;
  if (isComparison(value.operation)) return graph.extend(compare(context, value), value.type.bits, false);
  if (type.kind === 'float') return floatOperation(context, value);
  const left = evaluate(context, value.left);
  const right = evaluate(context, value.right);
  const result = integerOperation(context, value, left, right, type);
  context.notice(value.operation, [left, right], result);
  return result;
}

function integerOperation(
  context: EvaluationContext,
  value: BinaryValue,
  left: Term,
  right: Term,
  type: Extract<ScalarType, { kind: 'integer' }>,
): Term {
  const { graph } = context;
  switch (value.operation) {
    case 'add':
      return graph.add(left, right);
    case 'sub':
      return graph.sub(left, right);
    case 'mul':
      return graph.mul(left, right);
    case 'div':
      return graph.divide(type.signed ? 'sdiv' : 'udiv', left, right);
    case 'rem':
      return graph.divide(type.signed ? 'srem' : 'urem', left, right);
    case 'and':
      return maskWord(graph, left, right);
    case 'or':
      return graph.or(left, right);
    case 'xor':
      return graph.xor(left, right);
    case 'shl':
      return graph.shift('shl', left, shiftAmount(context, value.right, right, type.bits));
    default: {
      const amount = shiftAmount(context, value.right, right, type.bits);
      return type.signed ? graph.shift('ashr', left, amount) : shiftWord(graph, left, amount);
    }
  }
}

/** The amount in the width of what is shifted; one that does not fit there shifts everything out. */
function shiftAmount(context: EvaluationContext, value: Value, amount: Term, width: number): Term {
  const { graph } = context;
  const from = graph.widthOf(amount);
  if (from <= width) return graph.extend(amount, width, value.type.kind === 'integer' && value.type.signed);
  const low = graph.extract(amount, 0, width);
  return graph.ite(graph.isNonZero(graph.extract(amount, width, from - width)), graph.constant(width, -1n), low);
}

function compare(context: EvaluationContext, value: BinaryValue): Term {
  const { graph } = context;
  const left = evaluate(context, value.left);
  const right = evaluate(context, value.right);
  const type = value.left.type;
  if (type.kind === 'float') return compareFloats(graph, value.operation, left, right);
  const less = type.signed ? 'slt' : 'ult';
  switch (value.operation) {
    case 'eq':
      return graph.eq(left, right);
    case 'ne':
      return graph.not(graph.eq(left, right));
    case 'lt':
      return graph.less(less, left, right);
    default:
      return graph.not(graph.less(less, right, left));
  }
}

function evaluateConvert(context: EvaluationContext, value: Extract<Value, { kind: 'convert' }>): Term {
  const { graph } = context;
  const operand = evaluate(context, value.operand);
  const result = convertTerm(graph, operand, value.operand.type, value.type);
  context.notice('convert', [operand], result);
  return result;
}

function convertTerm(graph: TermGraph, operand: Term, from: ScalarType, to: ScalarType): Term {
  if (from.kind === 'integer' && to.kind === 'integer') return convertInteger(graph, operand, from.signed, to.bits);
  if (from.kind === 'integer') return integerTermToFloat(graph, operand, from.signed, to.bits);
  return to.kind === 'float'
    ? floatToFloat(graph, operand, to.bits)
    : floatToInteger(graph, operand, to.signed, to.bits);
}

export function convertInteger(graph: TermGraph, operand: Term, signed: boolean, width: number): Term {
  const from = graph.widthOf(operand);
  return width <= from ? graph.extract(operand, 0, width) : graph.extend(operand, width, signed);
}

/** Whether the exact result does not fit: computed in twice the width. */
function evaluateOverflows(context: EvaluationContext, value: Extract<Value, { kind: 'overflows' }>): Term {
  const { graph } = context;
  const width = value.left.type.bits;
  const left = evaluate(context, value.left);
  const right = evaluate(context, value.right);
  const fits = (exact: Term) =>
    graph.eq(graph.extend(graph.extract(exact, 0, width), graph.widthOf(exact), true), exact);
  switch (value.operation) {
    case 'neg':
      return graph.eq(left, graph.constant(width, 1n << BigInt(width - 1)));
    case 'add':
      return graph.not(fits(graph.add(graph.extend(left, width + 1, true), graph.extend(right, width + 1, true))));
    case 'sub':
      return graph.not(fits(graph.sub(graph.extend(left, width + 1, true), graph.extend(right, width + 1, true))));
    case 'mul':
      return graph.not(fits(graph.mul(graph.extend(left, 2 * width, true), graph.extend(right, 2 * width, true))));
    case 'shl': {
      const negative = graph.less('slt', left, graph.constant(width, 0n));
      const amount = graph.extend(shiftAmount(context, value.right, right, width), 2 * width, false);
      return graph.or(negative, graph.not(fits(graph.shift('shl', graph.extend(left, 2 * width, true), amount))));
    }
    default:
      return assertNever(value.operation);
  }
}

function floatOperation(context: EvaluationContext, value: BinaryValue): Term {
  const { graph } = context;
  const left = evaluate(context, value.left);
  const right = evaluate(context, value.right);
  switch (value.operation) {
    case 'add':
      return floatArithmetic(graph, 'fadd', left, right);
    case 'sub':
      return floatDifference(graph, left, right);
    case 'mul':
      return floatArithmetic(graph, 'fmul', left, right);
    case 'div':
      return floatArithmetic(graph, 'fdiv', left, right);
    default:
      throw new UnsupportedError(context.loc, `operation '${value.operation}' on floating-point values`);
  }
}

function compareFloats(graph: TermGraph, operation: BinaryValue['operation'], left: Term, right: Term): Term {
  switch (operation) {
    case 'eq':
      return floatComparison(graph, 'feq', left, right);
    case 'ne':
      return graph.not(floatComparison(graph, 'feq', left, right));
    case 'lt':
      return floatComparison(graph, 'flt', left, right);
    default:
      return floatComparison(graph, 'fle', left, right);
  }
}
