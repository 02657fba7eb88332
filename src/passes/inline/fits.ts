/**
 * Whether a function can be called through a pointer of another type. As in the embedded engine (program/code.ts): it
 * may have fewer parameters than there are arguments, and no result although one is wanted, which is then 0, or one of
 * 32 bits in the place of 64; all else has to have the same size and sort.
 *
 * Of what fits there, some cannot be written as C without a pointer: a record that is taken as the pointer by which it
 * is passed, the bits of a floating-point result as an integer, variable arguments as a parameter. Such calls are told
 * apart, so that they can be refused.
 */

import { pointerScalar, scalarOf } from '../../lower/shapes.ts';
import { isPassedFor, isTakenFor, type ScalarType } from '../../program/code.ts';
import type { DataModel } from '../../program/data-model.ts';
import { compatible, isBool, unqualified } from '../../program/type-operations.ts';
import type { FunctionType, Type } from '../../program/types.ts';

export interface Callable {
  readonly type: FunctionType;
  /** Those of the definition, or of the arguments where there is no prototype. */
  readonly parameters: readonly Type[];
}

export type Fit = 'fits' | 'unsupported' | 'misfit';

export function fitOf(callee: Callable, wanted: Callable, model: DataModel): Fit {
  const given = passedAs(wanted, model);
  const hasArguments = passedAs(callee, model).every((type, i) => isPassedFor(given[i], type));
  const result = scalarOf(callee.type.result, model);
  const wantedResult = scalarOf(wanted.type.result, model);
  if (!hasArguments || (result && wantedResult && !isTakenFor(result, wantedResult))) return 'misfit';
  return isPassedInC(callee, wanted) ? 'fits' : 'unsupported';
}

/** Records are passed by address, and so are variable arguments and the place of a record that is the result. */
function passedAs({ type, parameters }: Callable, model: DataModel): ScalarType[] {
  const pointer = pointerScalar(model);
  return [
    ...(type.result.kind === 'record' ? [pointer] : []),
    ...parameters.map((parameter) => scalarOf(parameter, model) ?? pointer),
    ...(type.variadic ? [pointer] : []),
  ];
}

function isPassedInC(callee: Callable, wanted: Callable): boolean {
  const count = callee.parameters.length;
  if (callee.type.variadic && (!wanted.type.variadic || count !== wanted.parameters.length)) return false;
  if (count > wanted.parameters.length) return false;
  if (!callee.parameters.every((type, i) => isConverted(type, wanted.parameters[i] as Type))) return false;
  const { result } = callee.type;
  return result.kind === 'void' ? wanted.type.result.kind !== 'record' : isTaken(result, wanted.type.result);
}

/** Whether a result can be taken as another type, or left. */
function isTaken(result: Type, wanted: Type): boolean {
  return (wanted.kind === 'void' && result.kind !== 'record') || isConverted(result, wanted);
}

/** Whether a conversion of C between types of the same size keeps the bits. */
function isConverted(from: Type, to: Type): boolean {
  if (compatible(unqualified(from), unqualified(to))) return true;
  const isNumber = ({ kind }: Type) =>
    kind === 'integer' || kind === 'enum' || kind === 'pointer' || kind === 'va-list';
  return isNumber(from) && isNumber(to) && !isBool(from) && !isBool(to);
}
