/**
 * Calls through pointers: which functions a pointer can denote and which of them fit the call (program/code.ts says
 * when they do).
 */

import { type CallSignature, type FunctionId, isPassedFor, isTakenFor } from '../program/code.ts';
import type { Term } from '../values/terms.ts';
import type { Execution } from './execution.ts';

export interface PossibleCallee {
  readonly id: FunctionId;
  /** The pointer is that of the function. */
  readonly select: Term;
}

/** The functions that a pointer can denote and that fit the call. */
export function calleesOf(execution: Execution, pointer: Term, wanted: CallSignature): PossibleCallee[] {
  const { graph, code } = execution;
  const width = graph.widthOf(pointer);
  return execution
    .functionsAt(graph.setOf(pointer))
    .filter((id) => fits(code.functions[id]?.signature as CallSignature, wanted))
    .map((id) => ({ id, select: graph.eq(pointer, graph.constant(width, execution.functionAddress(id))) }));
}

function fits(signature: CallSignature, wanted: CallSignature): boolean {
  const hasArguments = signature.parameters.every((type, i) => isPassedFor(wanted.parameters[i], type));
  return hasArguments && (!signature.result || !wanted.result || isTakenFor(signature.result, wanted.result));
}
