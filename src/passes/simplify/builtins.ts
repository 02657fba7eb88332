/**
 * Builtins: the primitives stay, as statements of their own where they have an effect; atomic operations become atomic
 * sections; of the compiler's builtins, those without effects stay in expressions, some are only hints, and the rest is
 * refused.
 */

import { assign, cast, converted, expressionStatement, integer, zeroOf } from '../../program/build-tree.ts';
import type { MemoryOrder } from '../../program/memory-order.ts';
import { type Builtin, fail, fence, PRIMITIVES, primitiveOf } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { intType, isScalar, voidType } from '../../program/type-operations.ts';
import { unknownObjectSize } from '../../program/unknown-object-size.ts';
import { simplifyAtomic } from './atomics.ts';
import { simplifyBitBuiltin } from './bit-builtins.ts';
import { simplifyEffects, simplifyList, simplifyPlace, simplifyValue } from './expressions.ts';
import { simplifyFloatBuiltin } from './float-builtins.ts';
import { simplifyOverflowBuiltin } from './overflow-builtins.ts';
import type { Simplifier } from './simplifier.ts';

/** Hints about their first operand. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  '__builtin_expect',
  '__builtin_expect_with_probability',
  '__builtin_assume_aligned',
  '__builtin_launder',
]);

/** Computations that any backend does itself. */
const PURE =
  /^__builtin_(popcount|clz|bswap(16|32|64)|inf|huge_val|nan|isnan|isinf|isinf_sign|signbit|fabs|abs|labs|llabs)(l|ll|f)?$/;

const NOTHING: ReadonlySet<string> = new Set([
  '__builtin_prefetch',
  '__builtin___clear_cache',
  '__builtin_va_end',
  '__builtin_ia32_pause',
]);

const FENCES: ReadonlyMap<string, MemoryOrder> = new Map([
  ['__builtin_ia32_mfence', 'seq_cst'],
  ['__builtin_ia32_lfence', 'acquire'],
  ['__builtin_ia32_sfence', 'release'],
]);

export function simplifyBuiltin(s: Simplifier, expression: Builtin): Expression {
  const { name, loc } = expression;
  if (primitiveOf(expression)) return simplifyPrimitive(s, expression);
  const atomic = simplifyAtomic(s, expression);
  if (atomic) return isScalar(expression.type) ? converted(atomic, expression.type) : atomic;
  const float = simplifyFloatBuiltin(s, expression);
  if (float) return converted(float, expression.type);
  const overflow = simplifyOverflowBuiltin(s, expression);
  if (overflow) return converted(overflow, expression.type);
  const bits = simplifyBitBuiltin(s, expression);
  if (bits) return converted(bits, expression.type);
  if (TRANSPARENT.has(name)) {
    const [first, ...others] = expression.args;
    const value = simplifyValue(s, first as Expression);
    for (const other of others) simplifyEffects(s, other);
    return value;
  }
  if (PURE.test(name)) return { ...expression, args: simplifyList(s, expression.args) };
  if (NOTHING.has(name)) {
    for (const arg of expression.args) simplifyEffects(s, arg);
    return nothing(expression);
  }
  const order = FENCES.get(name);
  if (order) {
    s.emit(fence(order, loc));
    return nothing(expression);
  }
  switch (name) {
    case '__builtin_alloca':
    case '__builtin_alloca_with_align':
      // The memory stays for good, where C ends it with the function.
      return simplifyPrimitive(s, {
        ...expression,
        name: PRIMITIVES.allocate,
        args: [expression.args[0] as Expression, integer(0, loc)],
      });
    case '__builtin_va_start':
    case '__builtin_va_copy': {
      const lists = expression.args.slice(0, name === '__builtin_va_copy' ? 2 : 1);
      s.emit(expressionStatement({ ...expression, args: lists.map((list) => simplifyPlace(s, list)) }, loc));
      return nothing(expression);
    }
    case '__builtin_constant_p':
      return integer(0, loc, expression.type);
    case '__builtin_object_size':
    case '__builtin_dynamic_object_size':
      return converted(integer(unknownObjectSize(expression, s.model), loc), expression.type);
    case '__builtin_unreachable': {
      s.emitAll(fail('unreachable', 'unreachable code is reached', () => s.context.fresh.id(), loc));
      return nothing(expression);
    }
    case '__builtin_trap':
    case '__builtin_abort':
      s.emit(expressionStatement({ ...expression, name: PRIMITIVES.halt, args: [], type: voidType }));
      return nothing(expression);
    default:
      s.refuse(`${name} is`, loc);
      return expression.type.kind === 'void' ? nothing(expression) : zeroOf(expression.type, loc);
  }
}

export function nothing(expression: Expression): Expression {
  return cast(integer(0, expression.loc), voidType, 'to-void', expression.loc);
}

function simplifyPrimitive(s: Simplifier, expression: Builtin): Expression {
  const { loc, type } = expression;
  const primitive = primitiveOf(expression);
  if (primitive === 'self') return expression;
  const isPlaceArgument = primitive === 'havoc' || primitive === 'zero';
  const isAssert = primitive === 'assert';
  const operands = isAssert ? expression.args.slice(0, 1) : expression.args;
  const values = isPlaceArgument ? operands : simplifyList(s, operands);
  const call: Builtin = { ...expression, args: isAssert ? [...values, ...expression.args.slice(1)] : values };
  if (type.kind === 'void') {
    s.emit(expressionStatement(call, loc));
    return nothing(expression);
  }
  const result = s.newTemporary(type.kind === 'record' ? intType : type, loc);
  s.emit(assign(result, call, loc));
  return result;
}
