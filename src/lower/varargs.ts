/**
 * Variable arguments. The caller lays them out one after another in an object of its own, each at a multiple of the
 * word, and passes the object's address as a last, hidden argument. A `va_list` is a pointer into that object; `va_arg`
 * reads there and advances. Reading past the last argument leaves the object, which the check of pointers sees.
 */

import type { Value } from '../program/code.ts';
import { wordSize } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import { PLAIN } from '../program/memory-order.ts';
import type { Expression } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';
import { offsetBy } from './accesses.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { enterObject, type FunctionContext, pointerType } from './context.ts';
import { lowerValue } from './expressions.ts';
import { type Lvalue, lowerLvalue, memory, readLvalue, writeLvalue } from './lvalues.ts';
import { binary, constant, zeroOf } from './values.ts';

function slotSize(f: FunctionContext, type: Type): number {
  const word = wordSize(f.model);
  return Math.max(1, Math.ceil(sizeOf(type, f.model) / word)) * word;
}

/** Evaluates the arguments beyond the declared ones into an object; its address, or null without any. */
export function lowerVariableArguments(f: FunctionContext, args: readonly Expression[], loc: Loc): Value {
  if (args.length === 0) return zeroOf(pointerType(f));
  const size = args.reduce((sum, arg) => sum + slotSize(f, arg.type), 0);
  const object = f.program.localObject('arguments', null, null, size, loc);
  enterObject(f, object, null, false, loc);
  const base: Value = { kind: 'object-address', type: pointerType(f), object, offset: 0 };
  let offset = 0;
  for (const arg of args) {
    const address = offsetBy(f, base, offset);
    if (arg.type.kind === 'record') {
      copyRecord(f, address, f.builder.share(recordAddress(f, arg), loc), arg.type, loc);
    } else {
      const type = scalarTypeOf(f, arg.type, arg.loc);
      f.builder.emit({ kind: 'store', address, value: lowerValue(f, arg), type, mode: PLAIN, loc });
    }
    offset += slotSize(f, arg.type);
  }
  return base;
}

/** The lvalue of a `va_list`, which the user may have written as one or through a decayed array or pointer. */
function listLvalue(f: FunctionContext, list: Expression): Lvalue {
  let at = list;
  while (at.kind === 'cast' && at.type.kind !== 'va-list') at = at.operand;
  if (at.type.kind === 'pointer') {
    const target = at.type.target;
    return memory(lowerValue(f, at), target);
  }
  return lowerLvalue(f, at);
}

/** Advances the list; the address of the argument. */
export function lowerVaArg(f: FunctionContext, expression: Extract<Expression, { kind: 'va-arg' }>): Value {
  const { loc } = expression;
  const lvalue = listLvalue(f, expression.list);
  const at = f.builder.keep(readLvalue(f, lvalue, loc), loc);
  writeLvalue(f, lvalue, binary('add', at, constant(slotSize(f, expression.type), pointerType(f))), loc);
  return at;
}

export function lowerVaStart(f: FunctionContext, list: Expression, loc: Loc): void {
  if (f.variableArguments === null)
    f.program.sink.error(loc, 'va-start', 'va_start in a function without variable arguments');
  writeLvalue(f, listLvalue(f, list), f.variableArguments ?? zeroOf(pointerType(f)), loc);
}

export function lowerVaCopy(f: FunctionContext, to: Expression, from: Expression, loc: Loc): void {
  const value = f.builder.keep(readLvalue(f, listLvalue(f, from), loc), loc);
  writeLvalue(f, listLvalue(f, to), value, loc);
}
