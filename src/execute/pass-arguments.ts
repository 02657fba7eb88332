/** Arguments as the callee takes them: converted to the types of its parameters, 0 where the caller gives none. */

import type { CallSignature, CodeFunction } from '../program/code.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import { convertInteger } from './evaluate.ts';

export function passArguments(
  graph: TermGraph,
  callee: CodeFunction,
  args: readonly Term[],
  signature: CallSignature,
): Term[] {
  return callee.signature.parameters.map((type, i) => {
    const given = args[i];
    const from = signature.parameters[i];
    if (given === undefined) return graph.constant(type.bits, 0n);
    return convertInteger(graph, given, from?.kind === 'integer' && from.signed, type.bits);
  });
}
