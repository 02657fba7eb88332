/** The floating-point operations of terms (values/float-terms.ts) as circuits (logic/float.ts). */

import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import type { Circuit } from '../logic/circuit.ts';
import { FLOAT32, FLOAT64, type FloatFormat, floatEq, floatLe, floatLt } from '../logic/float.ts';
import { floatAdd, floatDiv, floatMul } from '../logic/float-arithmetic.ts';
import { floatToFloat, floatToSigned, signedToFloat } from '../logic/float-conversion.ts';
import { InvariantError } from '../support/invariant.ts';
import type { FloatOperation } from '../values/terms.ts';

/** The result has `width` bits. */
export function encodeFloat(
  circuit: Circuit,
  operation: FloatOperation,
  operands: readonly BitVector[],
  width: number,
): BitVector {
  const [a = [], b = []] = operands;
  switch (operation) {
    case 'fadd':
      return floatAdd(circuit, formatOf(width), a, b);
    case 'fmul':
      return floatMul(circuit, formatOf(width), a, b);
    case 'fdiv':
      return floatDiv(circuit, formatOf(width), a, b);
    case 'feq':
      return [floatEq(circuit, formatOf(a.length), a, b)];
    case 'flt':
      return [floatLt(circuit, formatOf(a.length), a, b)];
    case 'fle':
      return [floatLe(circuit, formatOf(a.length), a, b)];
    case 'ftof':
      return floatToFloat(circuit, formatOf(a.length), formatOf(width), a);
    case 'stof':
      return signedToFloat(circuit, formatOf(width), a);
    case 'ftos': {
      const { bits, fits } = floatToSigned(circuit, formatOf(a.length), a, width);
      return vectors.ite(circuit, fits, bits, vectors.constant(1n << BigInt(width - 1), width));
    }
  }
}

function formatOf(width: number): FloatFormat {
  if (width === 32) return FLOAT32;
  if (width === 64) return FLOAT64;
  throw new InvariantError(`floating-point values of ${width} bits`);
}
