/**
 * Terms in fewer bits: every word gets at most so many. It means something else then; but what is invariant among small
 * words is a good candidate for the full ones, and much quicker to find.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import {
  cutSet,
  enumerateValues,
  isEmpty,
  maxUnsigned,
  setOfParts,
  setOfValues,
  topSet,
  type ValueSet,
} from '../../values/value-set.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** How wide words become: one bit more stays one bit more, for sums that must not overflow. */
export function narrowWidth(width: number, most: number): number {
  if (width <= most) return width;
  return width % 8 === 1 ? most + 1 : most;
}

/** A set of values in fewer bits, cut to what fits; all values where negative numbers do not fit. */
export function narrowSet(set: ValueSet, most: number): ValueSet {
  const width = narrowWidth(set.width, most);
  if (width === set.width) return set;
  const values = enumerateValues(set, 64)?.map((value) => BigInt.asIntN(set.width, value));
  const fit = values?.every((value) => BigInt.asIntN(width, value) === value) ?? false;
  if (fit && values) return setOfValues(width, values);
  const isPositive = maxUnsigned(set) < 1n << BigInt(set.width - 1);
  const small = cutSet(set, 0n, (1n << BigInt(width - 1)) - 1n);
  return isPositive && !isEmpty(small) ? setOfParts(width, small.parts) : topSet(width);
}

export class NarrowRebuilder extends TermRebuilder {
  readonly #from: TermGraph;
  readonly #to: TermGraph;
  readonly #most: number;

  constructor(from: TermGraph, to: TermGraph, most: number, variable: (variable: Term) => Term) {
    super(from, to, variable);
    this.#from = from;
    this.#to = to;
    this.#most = most;
  }

  protected override make(term: Term, operands: readonly Term[]): Term {
    const [from, to] = [this.#from, this.#to];
    const width = narrowWidth(from.widthOf(term), this.#most);
    const [a, b] = operands as [Term, Term];
    const inWidth = (value: Term, signed: boolean): Term => {
      const has = to.widthOf(value);
      return has >= width ? to.extract(value, 0, width) : to.extend(value, width, signed);
    };
    switch (from.operationOf(term)) {
      case 'constant':
        return to.constant(width, from.constantOf(term) as bigint);
      case 'zext':
        return inWidth(a, false);
      case 'sext':
        return inWidth(a, true);
      case 'extract': {
        const low = from.extractLow(term);
        const has = to.widthOf(a);
        return low < has ? inWidth(to.extract(a, low, Math.min(width, has - low)), false) : to.constant(width, 0n);
      }
      case 'concat':
        return inWidth(b, false);
      default:
        return super.make(term, operands);
    }
  }
}
