/**
 * Calls of functions that are defined nowhere (program/undefined-functions.ts says what they mean), and the bodies of
 * those whose address is taken. What was taken for what is kept for the report (`Code.approximations`).
 */

import type { RegisterId, Value } from '../program/code.ts';
import type { Expression, FunctionSymbol } from '../program/tree.ts';
import type { Type } from '../program/types.ts';
import {
  describeUndefined,
  isLibraryFunction,
  meaningOfUndefined,
  type UndefinedMeaning,
} from '../program/undefined-functions.ts';
import { invariant } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { nondet, storeNondet } from './calls.ts';
import { emitAssert } from './checks.ts';
import type { FunctionContext } from './context.ts';
import { lowerEffects, lowerValue } from './expressions.ts';
import { lowerPrimitive } from './primitives.ts';
import { countLeaves } from './shapes.ts';
import { INT, isNotZero, zeroOf } from './values.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** Larger objects would need too many inputs. */
const OUTPUT_LIMIT = 1024;

export function lowerUndefinedCall(f: FunctionContext, symbol: FunctionSymbol, call: Call): Value {
  const primitive = lowerPrimitive(f, symbol, call);
  if (primitive) return primitive;
  lowerUndefinedEffects(f, symbol, call);
  if (call.type.kind === 'void') return zeroOf(INT);
  return nondet(f, scalarTypeOf(f, call.type, call.loc), symbol.name, call.loc);
}

/** All but the result. */
export function lowerUndefinedEffects(f: FunctionContext, symbol: FunctionSymbol, call: Call): void {
  const { loc } = call;
  const meaning = limited(f, symbol, meaningOfUndefined(symbol, call.args, f.program.program.sources));
  note(f, symbol, meaning, loc);
  const outputs = new Map(
    meaning.kind === 'outputs' ? meaning.outputs.map(({ argument, type }) => [argument, type]) : [],
  );
  const filled: { readonly address: Value; readonly type: Type }[] = [];
  call.args.forEach((arg, at) => {
    const type = outputs.get(at);
    if (type) filled.push({ address: f.builder.keep(lowerValue(f, arg), loc), type });
    else lowerEffects(f, arg);
  });
  for (const { address, type } of filled) fill(f, address, type, symbol.name, loc);
  finish(f, meaning, loc);
}

function limited(f: FunctionContext, { name }: FunctionSymbol, meaning: UndefinedMeaning): UndefinedMeaning {
  if (meaning.kind !== 'outputs') return meaning;
  if (meaning.outputs.every(({ type }) => countLeaves(type, f.model) <= OUTPUT_LIMIT)) return meaning;
  return { kind: 'refused', message: `'${name}' is not modelled, and what it fills is too large to be anything` };
}

/** Nobody writes through a null pointer that the caller gave because it wants no answer. */
function fill(f: FunctionContext, address: Value, type: Type, source: string, loc: Loc): void {
  const end = f.builder.newLabel();
  f.builder.branch(isNotZero(address), end, loc);
  storeNondet(f, address, type, source, loc);
  f.builder.place(end);
}

function finish(f: FunctionContext, meaning: UndefinedMeaning, loc: Loc): void {
  if (meaning.kind === 'refused') emitAssert(f, zeroOf(INT), 'unsupported', meaning.message, loc);
  if (meaning.kind === 'refused' || meaning.kind === 'ends-program') f.builder.emit({ kind: 'halt', loc });
}

/** The body of a function that is defined nowhere but has its address taken: it does what a direct call does. */
export function lowerUndefinedBody(f: FunctionContext, symbol: FunctionSymbol, loc: Loc): void {
  const { type } = symbol;
  invariant(type.kind === 'function', 'a function');
  const meaning = limited(f, symbol, meaningOfUndefined(symbol, null, f.program.program.sources));
  note(f, symbol, meaning, loc);
  const first = type.result.kind === 'record' ? 1 : 0;
  if (meaning.kind === 'outputs') {
    for (const { argument, type } of meaning.outputs) {
      fill(f, f.builder.read((first + argument) as RegisterId), type, symbol.name, loc);
    }
  }
  finish(f, meaning, loc);
  if (type.result.kind === 'record') {
    storeNondet(f, f.builder.read(0 as RegisterId), type.result, symbol.name, loc);
    f.builder.emit({ kind: 'return', value: null, loc });
    return;
  }
  const value = type.result.kind === 'void' ? null : nondet(f, scalarTypeOf(f, type.result, loc), symbol.name, loc);
  f.builder.emit({ kind: 'return', value, loc });
}

function note(f: FunctionContext, symbol: FunctionSymbol, meaning: UndefinedMeaning, loc: Loc): void {
  const { program } = f;
  program.warnOnce(`undefined ${symbol.name}`, loc, describeUndefined(symbol, meaning));
  const { name, type } = symbol;
  const isOwn = !isLibraryFunction(symbol, program.program.sources);
  const isVoid = type.kind === 'function' && type.result.kind === 'void';
  const known = program.approximations.get(name);
  if (known?.meaning === 'refused') return;
  program.approximations.set(name, { name, meaning: meaning.kind, isOwn, isVoid });
}
