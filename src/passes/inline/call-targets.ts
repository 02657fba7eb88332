/** Calls as the inliner looks at them: which function an expression denotes, and what has to fit. */

import { cast, comparison, converted, decayed } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression, FunctionDefinition, FunctionSymbol } from '../../program/tree.ts';
import {
  compatible,
  functionType,
  integerType,
  isScalar,
  pointerTo,
  sizeType,
  voidType,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import type { Callable } from './fits.ts';

export type Call = Extract<Expression, { kind: 'call' }>;

/** What the function that a pointer leads to has to take and to give. */
export function wantedBy({ callee, args }: Call): Callable {
  const type = callee.type.kind === 'pointer' ? callee.type.target : callee.type;
  invariant(type.kind === 'function', 'a call of a function');
  return { type, parameters: type.oldStyle ? args.map((arg) => arg.type) : type.parameters };
}

/** The arguments in the types of the parameters. */
export function asParameters({ parameters }: FunctionDefinition, args: readonly Expression[]): Expression[] {
  return args.map((arg, i) => {
    const type = parameters[i]?.type;
    if (!type || !isScalar(type) || !isScalar(arg.type)) return arg;
    // By way of an integer of the pointer's width: compilers take that as meant.
    const isNarrowed = arg.type.kind === 'pointer' && type.kind === 'integer';
    return converted(isNarrowed ? converted(arg, integerType('long')) : arg, type);
  });
}

/** A result as a call through a pointer of another type takes it: 32 bits in the place of 64 have zeros above them. */
export function asResult(value: Expression, wanted: Type, model: DataModel): Expression {
  const { type, loc } = value;
  if (!isScalar(type) || !isScalar(wanted) || type.kind === 'float' || wanted.kind === 'float') return value;
  if (type.kind !== 'pointer' && wanted.kind !== 'pointer') {
    if (sizeOf(type, model) >= sizeOf(wanted, model) || sizeOf(wanted, model) !== 8) return value;
  }
  if (type.kind === 'pointer' && wanted.kind === 'pointer') return value;
  const plain = type.kind === 'pointer' ? cast(value, sizeType(model), 'pointer-to-integer', loc, false) : value;
  const isNarrow = sizeOf(plain.type, model) === 4 && sizeOf(wanted, model) === 8;
  const bits = isNarrow ? cast(plain, integerType('unsigned int'), 'integer', loc, false) : plain;
  const wide = cast(bits, sizeType(model), 'integer', loc, false);
  return wanted.kind === 'pointer' ? cast(wide, wanted, 'integer-to-pointer', loc, false) : wide;
}

export function isVoidFunction({ type }: FunctionSymbol): boolean {
  return type.kind === 'function' && type.result.kind === 'void';
}

const ANY_FUNCTION = pointerTo(functionType(voidType, []));

/** The comparison of a pointer with a function. Compilers take a cast by way of `void (*)(void)` as meant. */
export function isFunction(pointer: Expression, symbol: FunctionSymbol, loc: Loc): Expression {
  const node = decayed({ kind: 'function', symbol, type: symbol.type, loc });
  const same = compatible(node.type, pointer.type)
    ? { ...node, type: pointer.type }
    : cast(cast(node, ANY_FUNCTION, 'pointer', loc, false), pointer.type, 'pointer', loc, false);
  return comparison('==', pointer, same, loc);
}
