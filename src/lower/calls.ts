/**
 * Calls: direct, through pointers, of primitives and of functions that are defined nowhere.
 *
 * A record argument is copied by the caller into an object of the full expression and passed by address; a record
 * result is written by the callee through a hidden first argument. Variable arguments travel in an object (varargs.ts).
 */

import type { CallSignature, RegisterId, ScalarType, Value } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import { PLAIN } from '../program/memory-order.ts';
import { namedFunction } from '../program/named-function.ts';
import type { Expression } from '../program/tree.ts';
import type { FunctionType, Type } from '../program/types.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { offsetBy } from './accesses.ts';
import { copyRecord, recordAddress } from './aggregates.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { type FunctionContext, temporaryObject } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { stableBefore } from './lvalues.ts';
import { lowerMemoryCall } from './memory-calls.ts';
import { leavesOf, pointerScalar, scalarOf } from './shapes.ts';
import { lowerUndefinedCall, lowerUndefinedEffects } from './undefined-calls.ts';
import { convert, INT, zeroOf } from './values.ts';
import { lowerVariableArguments } from './varargs.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** How a function of this type is called; `parameters` are the types of the definition or of the arguments. */
export function signatureOf(type: FunctionType, parameters: readonly Type[], model: DataModel): CallSignature {
  const pointer = pointerScalar(model);
  const types: ScalarType[] = type.result.kind === 'record' ? [pointer] : [];
  for (const parameter of parameters) types.push(scalarOf(parameter, model) ?? pointer);
  if (type.variadic) types.push(pointer);
  return { parameters: types, result: scalarOf(type.result, model) };
}

/** Calls a function with a scalar or void result. */
export function lowerCall(f: FunctionContext, call: Call): Value {
  if (call.type.kind === 'record') return lowerRecordCall(f, call);
  const symbol = namedFunction(call.callee);
  if (symbol && symbol.definition === null) return lowerUndefinedCall(f, symbol, call);
  return (symbol && lowerMemoryCall(f, symbol, call)) ?? emitCall(f, call, null) ?? zeroOf(INT);
}

/** Calls a function with a record result; the address of the result. */
export function lowerRecordCall(f: FunctionContext, call: Call): Value {
  const result = temporaryObject(f, 'result', call.type, call.loc);
  const symbol = namedFunction(call.callee);
  if (symbol && symbol.definition === null) {
    lowerUndefinedEffects(f, symbol, call);
    storeNondet(f, result, call.type, symbol.name, call.loc);
  } else {
    emitCall(f, call, result);
  }
  return result;
}

function calleeType(callee: Expression): FunctionType {
  const type = callee.type.kind === 'pointer' ? callee.type.target : callee.type;
  invariant(type.kind === 'function', 'a call of a function');
  return type;
}

function emitCall(f: FunctionContext, call: Call, result: Value | null): Value | null {
  const { callee, args, loc } = call;
  const symbol = namedFunction(callee);
  const type = symbol?.type.kind === 'function' ? symbol.type : calleeType(callee);
  const target = symbol ? f.program.functionOf(symbol) : f.builder.stabilise(lowerValue(f, callee), loc);
  const parameters =
    symbol?.definition?.parameters.map((parameter) => parameter.type) ?? declaredParameters(type, args);
  const signature = signatureOf(type, parameters, f.model);
  const values = lowerArguments(f, args, parameters, type.variadic, loc);
  if (result) values.unshift(result);
  const register = signature.result ? f.builder.newRegister(scalarTypeOf(f, type.result, loc)) : null;
  f.builder.emit({ kind: 'call', register, callee: target, args: values, signature, loc });
  return register === null ? null : f.builder.read(register);
}

/** Without a prototype, the arguments tell. */
function declaredParameters(type: FunctionType, args: readonly Expression[]): readonly Type[] {
  return type.oldStyle ? args.map((arg) => arg.type) : type.parameters;
}

function lowerArguments(
  f: FunctionContext,
  args: readonly Expression[],
  parameters: readonly Type[],
  variadic: boolean,
  loc: Loc,
): Value[] {
  const values: Value[] = [];
  args.slice(0, parameters.length).forEach((arg, i) => {
    for (let j = 0; j < i; j++) values[j] = stableBefore(f, values[j] as Value, arg, loc);
    values.push(lowerArgument(f, arg, parameters[i] as Type));
  });
  // A function without a prototype may be called with too few arguments; they are anything.
  for (let i = args.length; i < parameters.length; i++) {
    values.push(nondet(f, scalarTypeOf(f, parameters[i] as Type, loc), 'a missing argument', loc));
  }
  const others = args.slice(parameters.length);
  if (variadic) {
    const stable = others.length > 0 ? values.map((value) => f.builder.stabilise(value, loc)) : values;
    return [...stable, lowerVariableArguments(f, others, loc)];
  }
  for (const other of others) lowerEffects(f, other);
  return values;
}

function lowerArgument(f: FunctionContext, arg: Expression, parameter: Type): Value {
  if (arg.type.kind === 'record') {
    const copy = temporaryObject(f, 'argument', arg.type, arg.loc);
    copyRecord(f, copy, f.builder.share(recordAddress(f, arg), arg.loc), arg.type, arg.loc);
    return copy;
  }
  return convert(lowerValue(f, arg), scalarTypeOf(f, parameter, arg.loc));
}

// ---------------------------------------------------------------- any values

export function nondet(f: FunctionContext, type: ScalarType, source: string, loc: Loc, isBool = false): Value {
  const register: RegisterId = f.builder.newRegister(type);
  f.builder.emit({ kind: 'nondet', register, type, isBool, source, loc });
  return f.builder.read(register);
}

/** Fills an object with arbitrary scalars. */
export function storeNondet(f: FunctionContext, address: Value, type: Type, source: string, loc: Loc): void {
  for (const leaf of leavesOf(type, f.model)) {
    const value = nondet(f, leaf.type, source, loc);
    f.builder.emit({
      kind: 'store',
      address: offsetBy(f, address, leaf.offset),
      value,
      type: leaf.type,
      mode: PLAIN,
      loc,
    });
  }
}
