/**
 * Builtins: the primitives stay, as statements of their own where they have an effect; atomic operations become atomic
 * sections; of the compiler's builtins, those without effects stay in expressions, some are only hints, and the rest is
 * refused.
 */

import { assign, cast, converted, expressionStatement, integer, zeroOf } from '../../program/build-tree.ts';
import { builtinMeaning } from '../../program/builtins.ts';
import { type Builtin, fail, fence, PRIMITIVES, primitiveOf } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { intType, isScalar, voidType } from '../../program/type-operations.ts';
import { unknownObjectSize } from '../../program/unknown-object-size.ts';
import { assertNever } from '../../support/invariant.ts';
import { simplifyAtomic } from './atomics.ts';
import { simplifyBits } from './bit-builtins.ts';
import { simplifyEffects, simplifyList, simplifyPlace, simplifyValue } from './expressions.ts';
import { simplifyFloat } from './float-builtins.ts';
import { simplifyOverflow } from './overflow-builtins.ts';
import type { Simplifier } from './simplifier.ts';

export function simplifyBuiltin(s: Simplifier, expression: Builtin): Expression {
  if (primitiveOf(expression)) return simplifyPrimitive(s, expression);
  const value = simplifyAtomic(s, expression) ?? simplifyMeaning(s, expression);
  return isScalar(expression.type) ? converted(value, expression.type) : value;
}

function simplifyMeaning(s: Simplifier, expression: Builtin): Expression {
  const { name, args, loc } = expression;
  const meaning = builtinMeaning(name);
  switch (meaning) {
    case 'first-argument': {
      const value = simplifyValue(s, args[0] as Expression);
      for (const other of args.slice(1)) simplifyEffects(s, other);
      return value;
    }
    case 'nothing':
    case 'va-end':
      for (const arg of args) simplifyEffects(s, arg);
      return nothing(expression);
    case 'full-fence':
    case 'load-fence':
    case 'store-fence':
      s.emit(fence(meaning === 'full-fence' ? 'seq_cst' : meaning === 'load-fence' ? 'acquire' : 'release', loc));
      return nothing(expression);
    case 'unreachable':
      s.emitAll(fail('unreachable', 'unreachable code is reached', () => s.context.fresh.id(), loc));
      return nothing(expression);
    case 'trap':
      s.emit(expressionStatement({ ...expression, name: PRIMITIVES.halt, args: [], type: voidType }));
      return nothing(expression);
    case 'object-size':
      return integer(unknownObjectSize(expression, s.model), loc);
    case 'alloca':
      // The memory stays for good, where C ends it with the function.
      return simplifyPrimitive(s, {
        ...expression,
        name: PRIMITIVES.allocate,
        args: [args[0] as Expression, integer(0, loc)],
      });
    case 'va-start':
    case 'va-copy': {
      const lists = args.slice(0, meaning === 'va-copy' ? 2 : 1);
      s.emit(expressionStatement({ ...expression, args: lists.map((list) => simplifyPlace(s, list)) }, loc));
      return nothing(expression);
    }
    case 'add-overflow':
    case 'sub-overflow':
    case 'mul-overflow':
      return simplifyOverflow(s, expression, meaning);
    case 'parity':
    case 'trailing-zeros':
    case 'first-one':
      return simplifyBits(s, expression, meaning);
    case 'isfinite':
    case 'isnormal':
    case 'fpclassify':
    case 'isgreater':
    case 'isgreaterequal':
    case 'isless':
    case 'islessequal':
    case 'islessgreater':
    case 'isunordered':
      return simplifyFloat(s, expression, meaning);
    case 'byte-swap':
    case 'count-ones':
    case 'leading-zeros':
    case 'infinity':
    case 'nan':
    case 'isnan':
    case 'isinf':
    case 'isinf-sign':
    case 'signbit':
      // Any backend computes them itself, but for floats of 128 bits.
      if (name.endsWith('f128')) s.refuse(`${name} is`, loc);
      return { ...expression, args: simplifyList(s, args) };
    case 'constant-p':
    case 'overflow-predicate':
    case 'caller-arguments':
    case 'refused':
    case null:
      s.refuse(`${name} is`, loc);
      return expression.type.kind === 'void' ? nothing(expression) : zeroOf(expression.type, loc);
    default:
      return assertNever(meaning);
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
