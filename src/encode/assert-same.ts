/** Ties two values together where a condition holds. */

import type { BitVector } from '../logic/bit-vector.ts';
import type { Circuit } from '../logic/circuit.ts';
import { type Literal, not } from '../logic/literal.ts';

/** If the condition holds, the values are equal. Bits that only repeat the one before are not said again. */
export function assertSame(circuit: Circuit, condition: Literal, a: BitVector, b: BitVector): void {
  for (const [i, x] of a.entries()) {
    const y = b[i] as Literal;
    if (x === y || (i > 0 && x === a[i - 1] && y === b[i - 1])) continue;
    circuit.addClause([not(condition), not(x), y]);
    circuit.addClause([not(condition), x, not(y)]);
  }
}
