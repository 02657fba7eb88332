/**
 * Pure values of code as terms: arithmetic with C's meaning on bit-vectors. Floating-point values are their IEEE bit patterns;
 * operations on them are done only on constants.
 */

import type { ScalarType, Value } from '../../program/code.ts';
import { assertNever } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Term, TermGraph } from '../terms.ts';
import { floatBinary, floatConvert, floatFromBits, floatToBits, intToFloat, isTrueFloat } from './float-constants.ts';
import { UnsupportedError } from './unsupported.ts';

export interface EvaluationContext {
  readonly graph: TermGraph;
  readonly loc: Loc;
  register(index: number): Term;
  objectAddress(object: number): bigint;
  functionAddress(id: number): bigint;
}

export function evaluate(context: EvaluationContext, value: Value): Term {
  const { graph } = context;
  switch (value.kind) {
    case 'constant':
      return graph.constant(value.type.bits, value.value);
    case 'float-constant':
      return graph.constant(value.type.bits, floatToBits(value.value, value.type.bits, context.loc));
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
      return graph.ite(
        isTrueTerm(context, value.condition),
        evaluate(context, value.then),
        evaluate(context, value.otherwise),
      );
    case 'overflows':
      return graph.extend(evaluateOverflows(context, value), value.type.bits, false);
    default:
      return assertNever(value);
  }
}

/** The value as a condition: is it not zero? */
export function isTrueTerm(context: EvaluationContext, value: Value): Term {
  const { graph } = context;
  if (value.type.kind === 'float') {
    const term = evaluate(context, value);
    return graph.boolean(isTrueFloat(constantOrRefuse(context, term), value.type.bits));
  }
  if (value.kind === 'binary' && isComparison(value.operation) && value.left.type.kind === 'integer') {
    return compare(context, value);
  }
  return graph.isNonZero(evaluate(context, value));
}

const isComparison = (operation: string) =>
  operation === 'eq' || operation === 'ne' || operation === 'lt' || operation === 'le';

type BinaryValue = Extract<Value, { kind: 'binary' }>;

function evaluateUnary(context: EvaluationContext, value: Extract<Value, { kind: 'unary' }>): Term {
  const { graph } = context;
  const operand = evaluate(context, value.operand);
  if (value.type.kind === 'float') {
    // Negation flips the sign bit, of any value.
    return graph.xor(operand, graph.constant(value.type.bits, 1n << BigInt(value.type.bits - 1)));
  }
  return value.operation === 'neg' ? graph.negate(operand) : graph.not(operand);
}

function evaluateBinary(context: EvaluationContext, value: BinaryValue): Term {
  const { graph } = context;
  const type = value.left.type;
  if (isComparison(value.operation)) {
    const result =
      type.kind === 'float' ? graph.boolean(floatOperation(context, value) !== 0n) : compare(context, value);
    return graph.extend(result, value.type.bits, false);
  }
  if (type.kind === 'float') return graph.constant(value.type.bits, floatOperation(context, value));
  const left = evaluate(context, value.left);
  const right = evaluate(context, value.right);
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
      return graph.and(left, right);
    case 'or':
      return graph.or(left, right);
    case 'xor':
      return graph.xor(left, right);
    case 'shl':
      return graph.shift('shl', left, shiftAmount(context, value.right, right, type.bits));
    default:
      return graph.shift(type.signed ? 'ashr' : 'lshr', left, shiftAmount(context, value.right, right, type.bits));
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
  const less = type.kind === 'integer' && type.signed ? 'slt' : 'ult';
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
  const [from, to] = [value.operand.type, value.type];
  if (from.kind === 'integer' && to.kind === 'integer') return convertInteger(graph, operand, from.signed, to.bits);
  const bits = constantOrRefuse(context, operand);
  if (from.kind === 'float') return graph.constant(to.bits, floatConvert(bits, from.bits, to, context.loc));
  const integer = from.signed ? BigInt.asIntN(from.bits, bits) : bits;
  return graph.constant(to.bits, intToFloat(integer, to.bits, context.loc));
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

function floatOperation(context: EvaluationContext, value: BinaryValue): bigint {
  const left = constantOrRefuse(context, evaluate(context, value.left));
  const right = constantOrRefuse(context, evaluate(context, value.right));
  const bits = value.left.type.bits;
  return floatBinary(
    value.operation,
    floatFromBits(left, bits, context.loc),
    floatFromBits(right, bits, context.loc),
    bits,
    context.loc,
  );
}

function constantOrRefuse(context: EvaluationContext, term: Term): bigint {
  const value = context.graph.constantOf(term);
  if (value === null) {
    throw new UnsupportedError(
      context.loc,
      'floating-point arithmetic on values that are not constants is not supported yet',
    );
  }
  return value;
}

export function widthOf(type: ScalarType): number {
  return type.bits;
}
