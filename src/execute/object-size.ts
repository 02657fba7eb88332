/** The size of an object as a term, for the models of `realloc` and `malloc_usable_size`. */

import type { Term } from '../values/terms.ts';
import type { Execution } from './execution.ts';
import type { Position } from './thread-steps.ts';
import { UnsupportedError } from './unsupported.ts';

/** The size of the object that an address points into; 0 for an address that points into none. */
export function objectSize(execution: Execution, address: Term, position: Position): Term {
  const { graph, knowledge, sizes, wordBits } = execution;
  const values = graph.setOf(address);
  let result = graph.constant(wordBits, 0n);
  for (const part of values.parts) {
    for (const object of knowledge.objectsIn(part.low, part.high)) {
      const base = graph.constant(wordBits, object.base);
      const end = graph.constant(wordBits, object.base + BigInt(object.size));
      const inside = graph.and(graph.not(graph.less('ult', address, base)), graph.not(graph.less('ult', end, address)));
      result = graph.ite(inside, sizes.get(object.id) ?? graph.constant(wordBits, BigInt(object.size)), result);
    }
  }
  if (graph.widthOf(result) !== wordBits)
    throw new UnsupportedError(position.loc, 'size of an object of unusual width');
  return result;
}
