/**
 * Addresses that could be anything. Memory that is read before it is written holds any value, so that a pointer from
 * there may point anywhere as far as its value set tells: the slots of a queue on the heap, the link of a node that is
 * published before it is complete. Such a set says nothing of where the pointer really leads, which is to what somebody
 * has stored there.
 *
 * So besides the set of all values a cell keeps the *known* ones: those that are not unconstrained (from an input or
 * from uninitialised memory). An access through an address with too large a set goes to the known ones. Where the
 * address lies outside of all objects the access is invalid, as always. What is left are unconstrained values that
 * happen to be the address of an object: these executions are cut, as something that cannot be followed.
 */

import type { Term } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { addSets } from '../values/value-set-arithmetic.ts';
import type { Execution } from './execution.ts';
import type { State } from './state.ts';
import type { Position, ThreadSteps } from './thread-steps.ts';

/** Why such an execution is cut. */
export const UNCONSTRAINED_ADDRESS = 'an unconstrained address may be that of an object';

/** Sets with more values are not followed place by place. */
const MOST_VALUES = 4096n;
/** Terms are looked into so far. */
const DEEPEST = 400;
/** Below are numbers that are no addresses. */
const FIRST_ADDRESS = 0x1_0000n;

export function isHuge(set: ValueSet): boolean {
  return sets.countValues(set) > MOST_VALUES;
}

/** The values of a term that are not unconstrained; all of them where that is not known. */
export function knownValues(execution: Execution, term: Term, depth = DEEPEST): ValueSet {
  const { graph, unknowns, knowledge } = execution;
  const { known } = unknowns;
  const set = graph.setOf(term);
  if (depth === 0 || !(isHuge(set) || knowledge.words)) return set;
  const found = known.get(term);
  if (found) return found;
  const values = lookInto(execution, term, set, depth - 1);
  known.set(term, values);
  return values;
}

function lookInto(execution: Execution, term: Term, set: ValueSet, depth: number): ValueSet {
  const { graph, knowledge, reads, unknowns, wordBits } = execution;
  const [a, b, c] = graph.operandsOf(term) as [Term, Term, Term];
  switch (graph.operationOf(term)) {
    case 'variable': {
      const read = reads.get(term);
      if (!read) return unknowns.unconstrained.has(term) && isHuge(set) ? sets.emptySet(set.width) : set;
      // Where words are tracked, a cell may have got combinations of their pieces.
      if (knowledge.words && set.width === wordBits)
        return read.cells.map((cell) => knowledge.sightOf(cell).known).reduce(sets.joinSets);
      return read.cells.map((cell) => knownOfSight(knowledge.sightOf(cell))).reduce(sets.joinSets);
    }
    case 'refine':
      return sets.meetSets(knownValues(execution, a, depth), set);
    case 'ite':
      return sets.joinSets(knownValues(execution, b, depth), knownValues(execution, c, depth));
    case 'add': {
      // An index from anywhere is no address from nowhere.
      const offset = graph.setOf(b);
      const isSmall = sets.isSubset(offset, sets.signedRangeSet(set.width, -FIRST_ADDRESS, FIRST_ADDRESS, 1n));
      return isSmall ? addSets(knownValues(execution, a, depth), offset) : set;
    }
    default:
      return set;
  }
}

/** What is known of a cell. */
export function knownOfSight({ set, known }: { readonly set: ValueSet; readonly known: ValueSet }): ValueSet {
  return isHuge(set) ? known : set;
}

/** The addresses that an access can go to: those that are known, where there are too many. */
export function followedAddresses(
  execution: Execution,
  steps: ThreadSteps,
  state: State,
  address: Term,
  position: Position,
): ValueSet {
  const { graph } = execution;
  const all = graph.setOf(address);
  const known = knownValues(execution, address);
  if (isHuge(known) || (!isHuge(all) && isKnown(execution, all, known))) return all;
  let isFollowed = isOutside(execution, address);
  for (const { low, high, step } of known.parts) {
    for (let value = low; value <= high; value += step)
      isFollowed = graph.or(isFollowed, graph.eq(address, graph.constant(known.width, value)));
  }
  steps.require(state, isFollowed, 'unsupported', UNCONSTRAINED_ADDRESS, position);
  return known;
}

/** Is every address among the values known? */
function isKnown({ knowledge }: Execution, values: ValueSet, known: ValueSet): boolean {
  if (!knowledge.words) return true;
  const { first, end } = knowledge.addresses;
  return sets.isSubset(sets.meetSets(values, sets.rangeSet(values.width, first, end)), known);
}

/** Is the number outside of all objects? */
function isOutside({ graph, knowledge }: Execution, address: Term): Term {
  const { first, end } = knowledge.addresses;
  const width = graph.widthOf(address);
  const isBelow = graph.less('ult', address, graph.constant(width, first));
  return graph.or(isBelow, graph.less('ult', graph.constant(width, end), address));
}
