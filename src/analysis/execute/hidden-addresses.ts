/**
 * Whether an address was stored as such by whoever made the object that it denotes. Objects are published when a value that may be
 * their address is stored whole. An address that a thread puts together from bytes, or computes from something that is no
 * address, may denote an object that was never published so; such objects have to be open to all from their beginning.
 */

import type { Term } from '../terms.ts';
import * as sets from '../value-set.ts';
import type { Execution } from './execution.ts';
import type { MemoryObject } from './knowledge.ts';

/** Terms looked at before an address counts as computed. */
const MOST_TERMS = 200;

/** Does the address come from one of the object's own addresses by adding offsets, by masks and by choosing? */
export function isStoredAddress({ graph, wordBits }: Execution, address: Term, object: MemoryObject): boolean {
  const range = sets.rangeSet(wordBits, object.base, object.base + BigInt(object.size));
  const stack = [address];
  const seen = new Set<Term>();
  while (stack.length > 0) {
    const term = stack.pop() as Term;
    if (seen.has(term)) continue;
    if (seen.add(term).size > MOST_TERMS) return false;
    if (graph.widthOf(term) !== wordBits || sets.areDisjoint(graph.setOf(term), range)) continue;
    switch (graph.operationOf(term)) {
      case 'variable':
      case 'constant':
        break;
      case 'refine':
      case 'and':
      case 'or':
        stack.push(...graph.operandsOf(term));
        break;
      case 'ite':
        stack.push(...graph.operandsOf(term).slice(1));
        break;
      case 'add': {
        const bases = graph.operandsOf(term).filter((operand) => !sets.areDisjoint(graph.setOf(operand), range));
        if (bases.length === 0) return false;
        stack.push(...bases);
        break;
      }
      default:
        return false;
    }
  }
  return true;
}
