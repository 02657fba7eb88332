/**
 * Compiler builtins (program/builtins.ts) as values. What both roads do not know is refused.
 */

import { type BuiltinMeaning, builtinMeaning } from '../program/builtins.ts';
import type { ScalarType, Value } from '../program/code.ts';
import { type MemoryOrder, PLAIN } from '../program/memory-order.ts';
import type { Builtin } from '../program/primitives.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import { unknownObjectSize } from '../program/unknown-object-size.ts';
import { largestOf } from '../support/push-all.ts';
import type { Loc } from '../support/source.ts';
import { storeTo } from './accesses.ts';
import { convertTo, scalarTypeOf } from './arithmetic.ts';
import { lowerAtomic, lowerAtomicRecord } from './atomics.ts';
import { emitAssert } from './checks.ts';
import { type FunctionContext, pointerType } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { FLOAT_HANDLERS } from './float-builtins.ts';
import {
  BYTE,
  binary,
  constant,
  convert,
  INT,
  type IntegerScalar,
  integerScalar,
  isZero,
  select,
  unary,
  zeroOf,
} from './values.ts';
import { lowerVaCopy, lowerVaStart } from './varargs.ts';

type Handler = (f: FunctionContext, expression: Builtin) => Value;

export function lowerBuiltin(f: FunctionContext, expression: Builtin): Value {
  const atomic = lowerAtomic(f, expression);
  if (atomic) return expression.type.kind === 'void' ? atomic : convertTo(f, atomic, expression.type, expression.loc);
  const meaning = builtinMeaning(expression.name);
  const handler = meaning && HANDLERS[meaning];
  if (handler) return handler(f, expression);
  f.program.unsupported(expression.loc, `${expression.name} is`);
  return expression.type.kind === 'void' ? zeroOf(INT) : zeroOf(scalarTypeOf(f, expression.type, expression.loc));
}

export function lowerBuiltinRecord(f: FunctionContext, expression: Builtin): Value {
  const atomic = lowerAtomicRecord(f, expression);
  if (atomic) return atomic;
  f.program.unsupported(expression.loc, `${expression.name} on a record is`);
  return zeroOf(pointerType(f));
}

/** Null: refused, or answered by the type checker. */
const HANDLERS: Readonly<Record<BuiltinMeaning, Handler | null>> = {
  'first-argument': first,
  nothing: effects,
  'full-fence': (f, e) => emitFence(f, 'seq_cst', e.loc),
  'load-fence': (f, e) => emitFence(f, 'acquire', e.loc),
  'store-fence': (f, e) => emitFence(f, 'release', e.loc),
  unreachable: (f, e) => {
    if (f.program.has('unreachable')) emitAssert(f, zeroOf(INT), 'unreachable', 'unreachable code is reached', e.loc);
    f.builder.emit({ kind: 'assume', condition: zeroOf(INT), loc: e.loc });
    return zeroOf(INT);
  },
  trap: halt,
  'constant-p': null,
  'object-size': unknownSize,
  alloca: allocateLocal,
  'va-start': (f, e) => {
    lowerVaStart(f, arg(e, 0), e.loc);
    return zeroOf(INT);
  },
  'va-end': () => zeroOf(INT),
  'va-copy': (f, e) => {
    lowerVaCopy(f, arg(e, 0), arg(e, 1), e.loc);
    return zeroOf(INT);
  },
  'add-overflow': (f, e) => overflowing(f, e, 'add'),
  'sub-overflow': (f, e) => overflowing(f, e, 'sub'),
  'mul-overflow': (f, e) => overflowing(f, e, 'mul'),
  'byte-swap': swapBytes,
  'count-ones': (f, e) => countOnes(f, e, false),
  parity: (f, e) => countOnes(f, e, true),
  'leading-zeros': leadingZeros,
  'trailing-zeros': (f, e) => trailingZeros(f, e, false),
  'first-one': (f, e) => trailingZeros(f, e, true),
  ...FLOAT_HANDLERS,
  'overflow-predicate': null,
  'caller-arguments': null,
  refused: null,
};

function arg(expression: Builtin, index: number): Expression {
  return expression.args[index] as Expression;
}

function result(f: FunctionContext, expression: Builtin, value: Value): Value {
  return convert(value, scalarTypeOf(f, expression.type, expression.loc));
}

function unknownSize(f: FunctionContext, expression: Builtin): Value {
  const size = BigInt(unknownObjectSize(expression, f.program.model));
  return result(f, expression, constant(size, integerScalar(64, false)));
}

function first(f: FunctionContext, expression: Builtin): Value {
  const [operand, ...others] = expression.args;
  const value = f.builder.stabilise(lowerValue(f, operand as Expression), expression.loc);
  for (const other of others) lowerEffects(f, other);
  return result(f, expression, value);
}

function emitFence(f: FunctionContext, order: MemoryOrder, loc: Loc): Value {
  f.builder.emit({ kind: 'fence', order, loc });
  return zeroOf(INT);
}

function effects(f: FunctionContext, expression: Builtin): Value {
  for (const operand of expression.args) lowerEffects(f, operand);
  return zeroOf(INT);
}

function halt(f: FunctionContext, expression: Builtin): Value {
  f.builder.emit({ kind: 'halt', loc: expression.loc });
  return zeroOf(INT);
}

function allocateLocal(f: FunctionContext, expression: Builtin): Value {
  const { loc } = expression;
  const size = convert(lowerValue(f, arg(expression, 0)), integerScalar(pointerType(f).bits, false));
  const register = f.builder.newRegister(pointerType(f));
  f.builder.emit({ kind: 'allocate', register, size, zeroed: false, isLocal: true, elementType: null, loc });
  return f.builder.read(register);
}

// ---------------------------------------------------------------- bits

/** The operand as an unsigned number of its own width, in a register. */
function bitsOperand(f: FunctionContext, expression: Builtin): { readonly value: Value; readonly type: IntegerScalar } {
  const operand = lowerValue(f, arg(expression, 0));
  const type = integerScalar(operand.type.bits as IntegerScalar['bits'], false);
  return { value: f.builder.keep(convert(operand, type), expression.loc), type };
}

function swapBytes(f: FunctionContext, expression: Builtin): Value {
  const { value, type } = bitsOperand(f, expression);
  const { bits } = type;
  let swapped: Value = zeroOf(type);
  for (let from = 0; from < bits; from += 8) {
    const byte = binary('and', binary('shr', value, constant(from, type)), constant(0xffn, type));
    swapped = binary('or', binary('shl', byte, constant(bits - 8 - from, type)), swapped);
  }
  return result(f, expression, f.builder.keep(swapped, expression.loc));
}

function countOnes(f: FunctionContext, expression: Builtin, parity: boolean): Value {
  const { value, type } = bitsOperand(f, expression);
  return result(f, expression, onesIn(f, value, type, parity, expression.loc));
}

function onesIn(f: FunctionContext, value: Value, type: IntegerScalar, parity: boolean, loc: Loc): Value {
  let sum = value;
  // Neighbouring fields are added pairwise, doubling their width each time.
  for (let width = 1; width < type.bits; width *= 2) {
    const fieldMask = constant(repeatingMask(width, type.bits), type);
    const high = binary('and', binary('shr', sum, constant(width, type)), fieldMask);
    sum = f.builder.keep(binary('add', binary('and', sum, fieldMask), high), loc);
  }
  return parity ? binary('and', sum, constant(1n, type)) : sum;
}

/** `width` ones, `width` zeros, and so on. */
function repeatingMask(width: number, bits: number): bigint {
  let mask = 0n;
  for (let at = 0; at < bits; at += 2 * width) mask |= ((1n << BigInt(width)) - 1n) << BigInt(at);
  return mask;
}

/** ctz(x) = ones below the lowest one = popcount(~x & (x - 1)); ffs(x) is one more, or 0 for 0. */
function trailingZeros(f: FunctionContext, expression: Builtin, isFfs: boolean): Value {
  const { loc } = expression;
  const { value, type } = bitsOperand(f, expression);
  const below = f.builder.keep(binary('and', unary('not', value), binary('sub', value, constant(1n, type))), loc);
  const count = onesIn(f, below, type, false, loc);
  if (!isFfs) return result(f, expression, count);
  return result(f, expression, select(isZero(value), zeroOf(type), binary('add', count, constant(1n, type))));
}

function leadingZeros(f: FunctionContext, expression: Builtin): Value {
  const { loc } = expression;
  const operand = bitsOperand(f, expression);
  const { type } = operand;
  let { value } = operand;
  for (let by = 1; by < type.bits; by *= 2)
    value = f.builder.keep(binary('or', value, binary('shr', value, constant(by, type))), loc);
  return result(f, expression, onesIn(f, f.builder.keep(unary('not', value), loc), type, false, loc));
}

// ---------------------------------------------------------------- checked arithmetic

/**
 * `__builtin_add_overflow(a, b, &r)`: computed in a type wide enough for any result, then compared with what fits.
 * There is no such type for 128 bits.
 */
function overflowing(f: FunctionContext, expression: Builtin, operation: 'add' | 'sub' | 'mul'): Value {
  const { loc } = expression;
  const pointer = arg(expression, 2).type;
  const target: Type = pointer.kind === 'pointer' ? pointer.target : pointer;
  const targetScalar = scalarTypeOf(f, target, loc) as IntegerScalar;
  const left = f.builder.stabilise(lowerValue(f, arg(expression, 0)), loc);
  const right = f.builder.stabilise(lowerValue(f, arg(expression, 1)), loc);
  const address = f.builder.share(lowerValue(f, arg(expression, 2)), loc);
  const types = [left.type, right.type, targetScalar];
  if (types.some(({ bits }) => bits > 64)) f.program.unsupported(loc, `${expression.name} of 128 bits is`);
  const wide = wideType(types, operation);
  const exact = f.builder.keep(binary(operation, convert(left, wide), convert(right, wide)), loc);
  const stored = f.builder.keep(convert(exact, targetScalar), loc);
  storeTo(f, address, stored, targetScalar, PLAIN, loc);
  const overflowed = binary('ne', convert(stored, wide), exact);
  return result(f, expression, convert(f.builder.keep(overflowed, loc), BYTE));
}

function wideType(types: readonly ScalarType[], operation: 'add' | 'sub' | 'mul'): IntegerScalar {
  const widest = largestOf(types.map((type) => type.bits));
  if (widest <= 32) return integerScalar(64, !types.every(isUnsigned) || operation === 'sub');
  return integerScalar(128, !types.every(isUnsigned) || operation === 'sub');
}

function isUnsigned(type: ScalarType): boolean {
  return type.kind === 'integer' && !type.signed;
}
