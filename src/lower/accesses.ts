/**
 * Loads and stores of scalars. The machine moves what is wider than its word in two halves, the lower one first, and
 * others may look in between: 64 bits on ILP32, 128 bits on LP64. Atomic accesses are whole at any size, and so are
 * floats, which have registers of their own. In a program without threads nobody looks.
 */

import type { ScalarType, Value } from '../program/code.ts';
import { type AccessMode, PLAIN } from '../program/memory-order.ts';
import type { Loc } from '../support/source.ts';
import { type FunctionContext, pointerType } from './context.ts';
import { binary, constant, convert, type IntegerScalar, integerScalar } from './values.ts';

export function offsetBy(f: FunctionContext, address: Value, bytes: number): Value {
  return bytes === 0 ? address : binary('add', address, constant(bytes, pointerType(f)));
}

export function loadFrom(f: FunctionContext, address: Value, type: ScalarType, mode: AccessMode, loc: Loc): Value {
  const half = mode.kind === 'plain' ? halfOf(f, type) : null;
  if (!half) return loadAtOnce(f, address, type, mode, loc);
  const from = f.builder.share(address, loc);
  const low = loadAtOnce(f, from, half, PLAIN, loc);
  const high = loadAtOnce(f, offsetBy(f, from, half.bits / 8), half, PLAIN, loc);
  const whole = integerScalar((2 * half.bits) as 64 | 128, false);
  const upper = binary('shl', convert(high, whole), constant(half.bits, whole));
  return f.builder.keep(convert(binary('or', convert(low, whole), upper), type), loc);
}

function loadAtOnce(f: FunctionContext, address: Value, type: ScalarType, mode: AccessMode, loc: Loc): Value {
  const register = f.builder.newRegister(type);
  f.builder.emit({ kind: 'load', register, address, type, mode, loc });
  return f.builder.read(register);
}

export function storeTo(
  f: FunctionContext,
  address: Value,
  value: Value,
  type: ScalarType,
  mode: AccessMode,
  loc: Loc,
): void {
  const half = mode.kind === 'plain' ? halfOf(f, type) : null;
  if (!half) {
    f.builder.emit({ kind: 'store', address, value, type, mode, loc });
    return;
  }
  const to = f.builder.share(address, loc);
  const whole = f.builder.share(value, loc);
  const high = binary('shr', whole, constant(half.bits, value.type));
  f.builder.emit({ kind: 'store', address: to, value: convert(whole, half), type: half, mode, loc });
  const above = offsetBy(f, to, half.bits / 8);
  f.builder.emit({ kind: 'store', address: above, value: convert(high, half), type: half, mode, loc });
}

/** What the machine moves at a time, where that is less than the whole. */
function halfOf(f: FunctionContext, type: ScalarType): IntegerScalar | null {
  const word = pointerType(f).bits;
  if (!f.program.hasThreads || type.kind !== 'integer' || type.bits <= word) return null;
  return integerScalar(word as 32 | 64, false);
}
