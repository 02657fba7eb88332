/**
 * Calls through pointers: which functions a pointer can denote and which of them fit the call (program/code.ts says
 * when they do). A pointer from memory that may be read before it is written could be any function as far as its value
 * set tells, `main` included, which would start everything again; so only its known values are followed, as for
 * addresses of data (known-addresses.ts).
 */

import { type CallSignature, type FunctionId, isPassedFor, isTakenFor } from '../program/code.ts';
import type { Term } from '../values/terms.ts';
import type { Execution } from './execution.ts';
import { isHuge, knownValues } from './known-addresses.ts';

export interface PossibleCallee {
  readonly id: FunctionId;
  /** The pointer is that of the function. */
  readonly select: Term;
}

/** Why an execution is cut in which an unconstrained pointer is that of a function. */
export const UNCONSTRAINED_FUNCTION = 'an unconstrained pointer may be that of a function';

export interface PossibleCallees {
  readonly callees: readonly PossibleCallee[];
  /** The pointer is one of the followed ones, or that of no function. */
  readonly isFollowed: Term;
}

/** The functions that a pointer can denote and that fit the call. */
export function calleesOf(execution: Execution, pointer: Term, wanted: CallSignature): PossibleCallees {
  const { graph, code } = execution;
  const all = graph.setOf(pointer);
  const known = knownValues(execution, pointer);
  const isSelective = isHuge(all) && !isHuge(known);
  const isFunction = (id: FunctionId) => graph.eq(pointer, graph.constant(all.width, execution.functionAddress(id)));
  const followed = execution.functionsAt(isSelective ? known : all);
  const callees = followed
    .filter((id) => fits(code.functions[id]?.signature as CallSignature, wanted))
    .map((id) => ({ id, select: isFunction(id) }));
  const unfollowed = isSelective ? code.functions.filter(({ id }) => !followed.includes(id)) : [];
  return { callees, isFollowed: graph.not(graph.orAll(unfollowed.map(({ id }) => isFunction(id)))) };
}

function fits(signature: CallSignature, wanted: CallSignature): boolean {
  const hasArguments = signature.parameters.every((type, i) => isPassedFor(wanted.parameters[i], type));
  return hasArguments && (!signature.result || !wanted.result || isTakenFor(signature.result, wanted.result));
}
