/** Sets of values as conditions. */

import { onesCovering } from '../../values/bit-shape.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { enumerateValues, maxUnsigned, minUnsigned, rangeSet, sameSet, type ValueSet } from '../../values/value-set.ts';

/** That a value lies in a set. */
export function isWithin(graph: TermGraph, value: Term, { width, parts }: ValueSet): Term {
  const constant = (number: bigint) => graph.constant(width, number);
  return graph.orAll(
    parts.map(({ low, high, step }) => {
      const offset = graph.sub(value, constant(low));
      const inRange = graph.less('ult', offset, constant(high - low + 1n));
      if (high - low + 1n === 1n << BigInt(width)) return graph.true;
      const rest = graph.divide('urem', offset, constant(step));
      return step === 1n ? inRange : graph.and(inRange, graph.eq(rest, constant(0n)));
    }),
  );
}

/** Any value of a set, chosen by one that may be anything. */
export function anyWithin(graph: TermGraph, choice: Term, set: ValueSet): Term {
  const rest = graph.constant(set.width, minUnsigned(set));
  return graph.refine(graph.ite(isWithin(graph, choice, set), choice, rest), set);
}

/** Smaller sets are told to the solver value by value where they are encoded. */
const MOST_VALUES = 64;

/**
 * A variable of a set that the solver would not be told of: one of a set as wide, and the condition that it is in its
 * own. `value` is to be read, and known to be in the set.
 */
export function variableWithin(
  graph: TermGraph,
  set: ValueSet,
  name: string,
): { readonly variable: Term; readonly value: Term; readonly condition: Term | null } {
  const whole = rangeSet(set.width, 0n, onesCovering(maxUnsigned(set)));
  const isTold = enumerateValues(set, MOST_VALUES) !== null || sameSet(set, whole);
  const variable = graph.variable(isTold ? set : whole, name);
  if (isTold) return { variable, value: variable, condition: null };
  return { variable, value: graph.refine(variable, set), condition: isWithin(graph, variable, set) };
}
