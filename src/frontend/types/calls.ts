/**
 * Calls: arguments are converted to the parameters' types, or promoted where there is no prototype. A name that is not
 * declared may be a builtin (builtins.ts) or, as in old C, a function that returns int.
 */

import type { Expression } from '../../program/tree.ts';
import { isComplete, unqualified } from '../../program/type-operations.ts';
import type { FunctionType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { checkBuiltin, isBuiltinName } from './builtins.ts';
import { type Checker, error, errorExpression, isError, refuse, show } from './checker.ts';
import { convertAssigned, decay, promoteArgument } from './conversions.ts';
import { checkExpression } from './expressions.ts';
import { declareImplicitly } from './functions.ts';
import { libraryFunctionType } from './library-functions.ts';
import { lookUp } from './scope.ts';

export function checkCall(c: Checker, e: ast.Expression & { kind: 'call' }): Expression {
  const { callee } = e;
  if (callee.kind === 'identifier' && lookUp(c.scope, callee.name) === null) {
    if (isBuiltinName(callee.name)) return checkBuiltin(c, callee.name, e);
    const symbol = declareImplicitly(c, callee.name, libraryFunctionType(c.model, callee.name), callee.loc);
    const direct: Expression = { kind: 'function', symbol, type: symbol.type, loc: callee.loc };
    return checkCallOf(c, direct, checkArguments(c, e.args), e.loc);
  }
  const target = checkExpression(c, callee);
  return checkCallOf(c, target, checkArguments(c, e.args), e.loc);
}

export function checkArguments(c: Checker, args: readonly ast.Expression[]): Expression[] {
  return args.map((argument) => checkExpression(c, argument));
}

/** A call of a function or of a pointer to one, with arguments that are checked but not converted. */
export function checkCallOf(c: Checker, target: Expression, args: readonly Expression[], loc: Loc): Expression {
  if (isError(target)) return errorExpression(loc);
  const callee = calleeOf(target);
  const type = callee.kind === 'function' ? callee.type : callee.type.kind === 'pointer' ? callee.type.target : null;
  if (type === null || type.kind !== 'function') {
    error(c, loc, 'type-mismatch', `called object of type ${show(target.type)} is not a function or function pointer`);
    return errorExpression(loc);
  }
  const name = callee.kind === 'function' ? `'${callee.symbol.name}'` : 'function';
  const converted = convertArguments(c, type, args, name, loc);
  const result = unqualified(type.result);
  if (result.kind !== 'void' && !isComplete(result)) {
    error(c, loc, 'incomplete-type', `the called function returns the incomplete type ${show(result)}`);
    return errorExpression(loc);
  }
  if (converted === null) return { ...errorExpression(loc), type: result } as Expression;
  return { kind: 'call', callee, args: converted, type: result, loc };
}

/** A direct call names the function; `(*f)(x)` is a call through f. */
function calleeOf(target: Expression): Expression {
  let at = target;
  while (at.kind === 'dereference' && at.type.kind === 'function') {
    at = at.operand;
    if (at.kind === 'cast' && at.castKind === 'function-to-pointer') at = at.operand;
  }
  if (at.kind === 'address' && at.operand.kind === 'function') at = at.operand;
  return at.kind === 'function' ? at : decay(at);
}

function convertArguments(
  c: Checker,
  type: FunctionType,
  args: readonly Expression[],
  name: string,
  loc: Loc,
): readonly Expression[] | null {
  const { parameters } = type;
  if (!type.oldStyle && args.length !== parameters.length && (args.length < parameters.length || !type.variadic)) {
    const few = args.length < parameters.length ? 'few' : 'many';
    error(
      c,
      loc,
      'argument-count',
      `too ${few} arguments to ${name}: ${parameters.length} expected, ${args.length} given`,
    );
    return null;
  }
  const converted = args.map((argument, i) => {
    const parameter = parameters[i];
    if (isError(argument)) return argument;
    if (parameter === undefined) return promoteUnchecked(c, argument);
    const what = `passing argument ${i + 1} of ${name}`;
    return convertAssigned(c, argument, parameter, { what, loc: argument.loc });
  });
  return converted.some(isError) ? null : converted;
}

/** An argument without a parameter. */
export function promoteUnchecked(c: Checker, argument: Expression): Expression {
  const promoted = promoteArgument(c, argument);
  const { type } = promoted;
  if (type.kind === 'complex') refuse(c, argument.loc, 'a complex argument');
  else if (type.kind === 'void' || !isCompleteValue(type)) {
    error(c, argument.loc, 'type-mismatch', `an argument of type ${show(type)} has no value`);
    return errorExpression(argument.loc);
  }
  return promoted;
}

function isCompleteValue(type: Type): boolean {
  return type.kind !== 'record' || isComplete(type);
}
