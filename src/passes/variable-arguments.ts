/**
 * Variable arguments of inlined calls. The arguments beyond the declared ones lie one after the other in an array of
 * bytes, each at a multiple of eight; a `va_list` is a pointer into it, from which `va_arg` reads and which it moves
 * on.
 *
 * Pointers lie there as integers: CBMC 5.12 cannot show a trace in which an array of bytes holds a pointer.
 */

import {
  address,
  assign,
  cast,
  decayed,
  dereference,
  integer,
  pointerOffset,
  variable,
} from '../program/build-tree.ts';
import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import type { Expression, Statement, VariableSymbol } from '../program/tree.ts';
import { arrayOf, charType, pointerTo, sizeType, unqualified } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';

const SLOT_BYTES = 8;

/** What a variable of type `va_list` becomes. */
export const listType: Type = pointerTo(charType);

export function isList(type: Type): boolean {
  return type.kind === 'va-list';
}

/** The pointer at a place that is a list by its type. */
export function listAt(place: Expression): Expression {
  const { loc } = place;
  return dereference(cast(address(place, loc), pointerTo(listType), 'pointer', loc, false), loc);
}

function slotSize(type: Type, model: DataModel): number {
  return Math.max(1, Math.ceil(sizeOf(type, model) / SLOT_BYTES)) * SLOT_BYTES;
}

/** The type of the array that holds the arguments. */
export function argumentsType(args: readonly Expression[], model: DataModel): Type {
  return arrayOf(
    charType,
    args.reduce((sum, { type }) => sum + slotSize(type, model), 0),
  );
}

/** Stores the arguments in the array. */
export function storeArguments(
  array: VariableSymbol,
  args: readonly Expression[],
  model: DataModel,
  loc: Loc,
): Statement[] {
  let offset = 0;
  return args.map((arg) => {
    const place = pointerOffset('+', decayed(variable(array, loc)), integer(offset, loc), loc);
    offset += slotSize(arg.type, model);
    if (arg.type.kind !== 'pointer') return assign(valueAt(place, arg.type, loc), arg, loc);
    const word = sizeType(model);
    return assign(valueAt(place, word, loc), cast(arg, word, 'pointer-to-integer', loc, false), loc);
  });
}

/** `target = va_arg(list, type)`: what lies there, and one further. */
export function fetchArgument(
  target: Expression,
  list: Expression,
  type: Type,
  model: DataModel,
  loc: Loc,
): Statement[] {
  const next = pointerOffset('+', list, integer(slotSize(type, model), loc), loc);
  const isPointer = type.kind === 'pointer';
  const found = valueAt(list, isPointer ? sizeType(model) : type, loc);
  const value = isPointer ? cast(found, type, 'integer-to-pointer', loc, false) : found;
  return [assign(target, value, loc), assign(list, next, loc)];
}

function valueAt(pointer: Expression, type: Type, loc: Loc): Expression {
  return dereference(cast(pointer, pointerTo(unqualified(type)), 'pointer', loc, false), loc);
}
