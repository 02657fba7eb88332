/** One function: its parameters move to where the body wants them, then the body, then a return at the end. */

import type { RegisterId } from '../program/code.ts';
import { findJumpScopes, type JumpScopes } from '../program/find-jump-scopes.ts';
import type { FunctionDefinition, FunctionSymbol, VariableSymbol } from '../program/tree.ts';
import { isVariablyModified } from '../program/type-operations.ts';
import { isAtomicName, verifierMeaning } from '../program/verifier-names.ts';
import { invariant } from '../support/invariant.ts';
import { nondet, signatureOf } from './calls.ts';
import { emitAssert } from './checks.ts';
import { enterObject, type FunctionContext, type ProgramContext } from './context.ts';
import { declareSkipped } from './declarations.ts';
import { FunctionBuilder } from './function-builder.ts';
import { evaluateLengths, storageOf, variableLvalue, writeLvalue } from './lvalues.ts';
import { pointerScalar, scalarOf } from './shapes.ts';
import { emitReturn, lowerStatement } from './statements.ts';
import { lowerUndefinedBody } from './undefined-calls.ts';
import { INT, zeroOf } from './values.ts';

const NO_JUMPS: JumpScopes = { labelScopes: new Map(), skipped: new Set() };

export function createFunctionContext(
  program: ProgramContext,
  symbol: FunctionSymbol | null,
  jumpScopes: JumpScopes = NO_JUMPS,
): FunctionContext {
  return {
    program,
    model: program.model,
    builder: new FunctionBuilder(),
    symbol,
    variables: new Map(),
    labels: new Map(),
    labelCleanups: new Map(),
    caseLabels: new Map(),
    targets: [],
    jumpScopes,
    scopeNodes: [{}],
    lengths: new Map(),
    resultAddress: null,
    variableArguments: null,
    isModel: symbol !== null && program.isModel(symbol.definition?.loc ?? symbol.loc),
    isAtomic: false,
  };
}

export function lowerFunction(program: ProgramContext, symbol: FunctionSymbol): FunctionContext {
  const { definition } = symbol;
  if (!definition) return lowerUndefined(program, symbol);
  const f = createFunctionContext(program, symbol, findJumpScopes(definition.body));
  f.isAtomic = isAtomicName(symbol.name);
  declareParameters(f, definition);
  const name = symbol.sourceName ?? symbol.name;
  // Its call is a violation, whatever body the program gives it.
  if (verifierMeaning(name) === 'error' && program.has('assertion')) {
    emitAssert(f, zeroOf(INT), 'assertion', `${name}() is called`, definition.loc);
  }
  if (f.isAtomic) f.builder.emit({ kind: 'atomic-begin', loc: definition.loc });
  for (const skipped of f.jumpScopes.skipped) declareSkipped(f, skipped);
  lowerStatement(f, definition.body);
  lowerEnd(f, definition);
  return f;
}

/** Falling off the end: of main it means `return 0`, elsewhere the value is anything. */
function lowerEnd(f: FunctionContext, definition: FunctionDefinition): void {
  const loc = definition.body.endLoc;
  const { type } = definition.symbol;
  invariant(type.kind === 'function', 'a function');
  const scalar = scalarOf(type.result, f.model);
  if (!scalar) emitReturn(f, null, loc);
  else if (definition.symbol.name === 'main') emitReturn(f, { kind: 'constant', type: scalar, value: 0n }, loc);
  else emitReturn(f, nondet(f, scalar, `a missing result of ${definition.symbol.name}`, loc), loc);
}

/**
 * Registers of parameters come first, in order: the hidden result, the declared ones, the hidden variable arguments.
 */
function declareParameters(f: FunctionContext, definition: FunctionDefinition): void {
  const { type } = definition.symbol;
  invariant(type.kind === 'function', 'a function');
  const pointer = pointerScalar(f.model);
  if (type.result.kind === 'record') f.resultAddress = f.builder.read(f.builder.newRegister(pointer));
  const registers = definition.parameters.map((parameter) => parameterRegister(f, parameter));
  if (type.variadic) f.variableArguments = f.builder.read(f.builder.newRegister(pointer));
  definition.parameters.forEach((parameter, i) => {
    declareParameter(f, parameter, registers[i] as RegisterId);
  });
}

function parameterRegister(f: FunctionContext, parameter: VariableSymbol): RegisterId {
  const scalar = scalarOf(parameter.type, f.model);
  return f.builder.newRegister(scalar ?? pointerScalar(f.model), scalar && !parameter.addressTaken ? parameter : null);
}

function declareParameter(f: FunctionContext, parameter: VariableSymbol, register: RegisterId): void {
  if (scalarOf(parameter.type, f.model) === null) {
    f.variables.set(parameter, { kind: 'indirect', address: f.builder.read(register) });
  } else if (parameter.addressTaken) {
    const storage = storageOf(f, parameter);
    invariant(storage.kind === 'object', 'a parameter with an address');
    enterObject(f, storage.object, null, false, parameter.loc);
    writeLvalue(f, variableLvalue(f, parameter, parameter.type), f.builder.read(register), parameter.loc);
  } else {
    f.variables.set(parameter, { kind: 'register', register });
  }
  if (isVariablyModified(parameter.type)) evaluateLengths(f, parameter.type, parameter.loc);
}

function lowerUndefined(program: ProgramContext, symbol: FunctionSymbol): FunctionContext {
  const f = createFunctionContext(program, symbol);
  invariant(symbol.type.kind === 'function', 'a function');
  for (const type of signatureOf(symbol.type, symbol.type.parameters, f.model).parameters) f.builder.newRegister(type);
  lowerUndefinedBody(f, symbol, symbol.loc);
  return f;
}
