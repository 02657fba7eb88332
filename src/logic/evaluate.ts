/**
 * The values of a circuit under given inputs: one ascending walk over its gates, which goes on when gates were added
 * since. Reading a solver's model back goes through here too: inputs come from the model, gates are computed, whether
 * or not they ever reached the solver.
 */

import { type Circuit, GATE } from './circuit.ts';
import type { Literal } from './literal.ts';

export interface Evaluation {
  value(literal: Literal): boolean;
  /** A bit-vector, least significant bit first, as an unsigned number. */
  unsigned(bits: readonly Literal[]): bigint;
  /** The same in two's complement. */
  signed(bits: readonly Literal[]): bigint;
}

/** Evaluates the circuit as it is when a value is asked for: decoding may make gates that the formula did without. */
export function evaluate(circuit: Circuit, input: (variable: number) => boolean): Evaluation {
  let values = Uint8Array.of(0, 1);
  const bit = (literal: number): number =>
    literal > 0 ? (values[literal] as number) : 1 - (values[-literal] as number);
  const goOn = (): void => {
    const known = values;
    values = new Uint8Array(circuit.variableCount + 1);
    values.set(known);
    for (let variable = known.length; variable < values.length; variable++) {
      values[variable] = evaluateGate(circuit, variable, bit, input);
    }
  };
  const value = (literal: Literal): boolean => {
    if (Math.abs(literal) >= values.length) goOn();
    return bit(literal) === 1;
  };
  const unsigned = (bits: readonly Literal[]): bigint =>
    bits.length === 0
      ? 0n
      : BigInt(
          `0b${[...bits]
            .reverse()
            .map((b) => (value(b) ? '1' : '0'))
            .join('')}`,
        );
  return { value, unsigned, signed: (bits) => BigInt.asIntN(bits.length, unsigned(bits)) };
}

function evaluateGate(
  circuit: Circuit,
  variable: number,
  bit: (literal: number) => number,
  input: (variable: number) => boolean,
): number {
  const kind = circuit.kind(variable);
  if (kind === GATE.input) return input(variable) ? 1 : 0;
  const a = bit(circuit.operand(variable, 0));
  const b = bit(circuit.operand(variable, 1));
  if (kind === GATE.and) return a & b;
  if (kind === GATE.xor) return a ^ b;
  const c = bit(circuit.operand(variable, 2));
  if (kind === GATE.ite) return a === 1 ? b : c;
  return kind === GATE.xor3 ? a ^ b ^ c : (a & b) | (c & (a | b));
}
